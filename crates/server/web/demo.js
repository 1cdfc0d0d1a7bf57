/** Short films of games, again and again, for whoever wants motion and while they are in sight. */
import { element } from "./dom.js";
import { fetchFilm } from "./film.js";
import { StageView } from "./stage.js";

/** Faster pictures would take power that nobody sees. */
const PICTURE_MS = 33;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @param {HTMLElement} place has still pictures, which the film covers */
async function show(place) {
  const film = await fetchFilm(place.dataset.demo ?? "", () => {});
  await film.isWhole;
  const canvas = element("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const view = new StageView(canvas, film);
  const resize = () => {
    const { width, height } = place.getBoundingClientRect();
    // The stage covers its place, whatever the proportions of both are.
    const proportions = view.proportions(width);
    view.resize(Math.max(width, height * proportions), Infinity);
  };
  resize();
  new ResizeObserver(resize).observe(place);
  let isInSight = false;
  new IntersectionObserver(([entry]) => (isInSight = entry.isIntersecting)).observe(place);
  let last = 0;
  let position = 0;
  const tick = (/** @type {number} */ time) => {
    requestAnimationFrame(tick);
    canvas.hidden = calm.matches;
    if (!isInSight || calm.matches || time - last < PICTURE_MS) return;
    position = (position + Math.min(time - last, 250) / film.head.turn_ms) % Math.max(film.last, 1);
    last = time;
    view.draw(position);
  };
  place.append(canvas);
  requestAnimationFrame(tick);
}

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-demo]"))) {
  // The still pictures stay where a film cannot be had.
  show(place).catch(() => {});
}
