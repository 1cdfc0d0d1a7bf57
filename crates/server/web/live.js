/** A match that is played now: its film grows, and the player goes with it as long as one wants. */
import { element, showFailure } from "./dom.js";
import { followEvents } from "./events.js";
import { Film } from "./film.js";
import { showMatch } from "./whole.js";

/**
 * @typedef {{ turn: number, curve: import("./film.js").Point, marks?: import("./film.js").Mark[], notes?: string[],
 *   groups?: string[] }} FrameNews
 */

/**
 * Shows a match while it grows.
 * @param {HTMLElement} place
 * @param {string} address of its events
 * @param {(end: { ending: string, page: string | null }) => void} finish
 * @param {(isThere: boolean) => void} tell
 */
export function showLive(place, address, finish, tell) {
  /** @type {Film | undefined} */
  let film;
  /** @type {ReturnType<typeof showMatch> | undefined} */
  let shown;
  /** @type {FrameNews[]} */
  let news = [];
  const step = async (/** @type {number} */ step) => {
    const { turn, notes } = news[step + 1] ?? { turn: 0 };
    return { turn, notes, seats: /** @type {[null, null]} */ ([null, null]) };
  };
  const grow = (/** @type {string} */ data) => {
    if (!film) return;
    const end = data.indexOf("\n");
    /** @type {FrameNews} */
    const frame = JSON.parse(data.slice(0, end));
    news.push(frame);
    film.grow(frame, data.slice(end + 1));
    if (shown) shown.player.grow();
    else shown = showMatch(place, film, { step }, "", { isLive: true });
  };
  const begin = (/** @type {string} */ data) => {
    film = new Film(JSON.parse(data));
    news = [];
    if (shown) place.replaceChildren();
    shown = undefined;
  };
  const end = (/** @type {string} */ data) => {
    shown?.player.endLive();
    finish(JSON.parse(data));
  };
  followEvents(address, { film: begin, frame: grow, end }, tell);
}

function startLive() {
  const place = /** @type {HTMLElement} */ (document.getElementById("match"));
  const state = /** @type {HTMLElement} */ (document.getElementById("state"));
  const tell = (/** @type {boolean} */ isThere) => {
    state.textContent = isThere ? "played now" : "the server does not answer; trying again";
  };
  const finish = (/** @type {{ ending: string, page: string | null }} */ { ending, page }) => {
    state.textContent = ending;
    if (!page) return;
    const link = element("a", "btn", "Explain this match");
    link.href = page;
    document.getElementById("actions")?.append(link);
  };
  try {
    showLive(place, place.dataset.events ?? "", finish, tell);
  } catch (error) {
    showFailure(place, error);
  }
}

if (document.getElementById("state")) startLive();
