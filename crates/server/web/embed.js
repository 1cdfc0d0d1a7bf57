/**
 * A match in the page of somebody else, which is told TURN, GAME_OVER and RESIZE. The address says everything:
 * turn, speed, loop, theme, controls, autoplay, eye.
 */
import { showFailure } from "./dom.js";
import { fetchFilm } from "./film.js";
import { Player } from "./player.js";
import { chooseTheme } from "./theme.js";

/** @param {string} event @param {object} data */
function tellParent(event, data) {
  // Who may embed the page is said by its policy, so that nobody else is the parent.
  if (window.parent !== window) window.parent.postMessage({ source: "quintain", event, data }, "*");
}

async function startEmbed() {
  const place = /** @type {HTMLElement} */ (document.getElementById("embed"));
  const wishes = new URLSearchParams(location.search);
  const isWanted = (/** @type {string} */ name, /** @type {boolean} */ usual) => {
    const value = wishes.get(name);
    return value === null ? usual : value !== "false" && value !== "0";
  };
  chooseTheme(wishes.get("theme"));
  try {
    /** @type {Player | undefined} */
    let player;
    const eye = encodeURIComponent(wishes.get("eye") ?? "all");
    const film = await fetchFilm(`${place.dataset.film}?eye=${eye}`, () => player?.refresh());
    player = new Player(place, [film], {
      turn: Number(wishes.get("turn")) || 0,
      speed: Number(wishes.get("speed")) || 1,
      isLooping: isWanted("loop", false),
      isPlaying: isWanted("autoplay", false),
      hasControls: isWanted("controls", true),
      linksTurns: false,
    });
    player.follow(({ frame, turn, isOver }) => {
      const { panels, caption, deeds } = film.frame(frame).fields;
      tellParent("TURN", { turn, frame, panels, caption, deeds });
      if (isOver) tellParent("GAME_OVER", { turn, ending: film.head.ending });
    });
    const size = () => tellParent("RESIZE", { width: place.scrollWidth, height: place.scrollHeight });
    new ResizeObserver(size).observe(place);
  } catch (error) {
    showFailure(place, error);
  }
}

startEmbed();
