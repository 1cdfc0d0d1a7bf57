/** Two matches side by side. What they share is shown once. */
import { element, showFailure } from "./dom.js";
import { fetchFilm } from "./film.js";
import { Player } from "./player.js";

/**
 * The first frame in which two films differ, once both have arrived.
 * @param {import("./film.js").Film} one
 * @param {import("./film.js").Film} other
 */
function firstDifference(one, other) {
  const count = Math.min(one.lines.length, other.lines.length);
  for (let frame = 0; frame < count; frame++) {
    if (pictureLine(one.lines[frame]) !== pictureLine(other.lines[frame])) return frame;
  }
  return count;
}

/** What a frame draws and counts, without words, in which names may stand. @param {string} line */
function pictureLine(line) {
  const { set = [], moved, gone, order, panels } = JSON.parse(line);
  const shapes = set.map((/** @type {import("./film.js").Shape & { look?: number }} */ { id, form, look }) => [id, form?.text ? form.text.at : form, look]);
  return JSON.stringify([shapes, moved, gone, order, panels]);
}

async function startPair() {
  const place = /** @type {HTMLElement} */ (document.getElementById("pair"));
  const { left = "", right = "", partsAt } = place.dataset;
  try {
    /** @type {Player | undefined} */
    let player;
    const more = () => player?.refresh();
    const films = await Promise.all([fetchFilm(left, more), fetchFilm(right, more)]);
    await Promise.all(films.map((film) => film.isWhole));
    const known = partsAt ? Number(partsAt) : 0;
    const about = element("p", "caption");
    const pairs = element("div", "pairs");
    place.replaceChildren(pairs);
    player = new Player(pairs, films, { partsAt: known });
    player.element.prepend(about);
    const { boards } = player;
    let differs = 0;
    player.follow(({ frame, turn }) => {
      differs ||= known ? films[1].frameOfTurn(known - 1) + 1 : firstDifference(films[0], films[1]);
      const isShared = frame < differs && differs > 0 && known > 0;
      boards[1].element.hidden = isShared;
      const name = films[0].head.turn_name;
      const first = films[0].head.turns[Math.min(differs, films[0].last)];
      about.textContent = isShared ? `${turn} of ${known - 1} ${name}s that both share` : `The first difference is in ${name} ${first}`;
      player?.resize();
    });
  } catch (error) {
    showFailure(place, error);
  }
}

startPair();
