/** A match of the server. */
import { element, showFailure } from "./dom.js";
import { fetchFilm } from "./film.js";
import { showMatch } from "./whole.js";

const EYES = [["all", "all is seen"], ["first", "first's view"], ["second", "second's view"]];

async function startMatch() {
  const place = /** @type {HTMLElement} */ (document.getElementById("match"));
  const { film: address = "", explain = "", chunk = "1", path = "" } = place.dataset;
  // A long match over a slow wire takes a while.
  place.append(element("p", "card pad mut", "Fetching the match …"));
  let eye = new URLSearchParams(location.search).get("eye") ?? "all";
  /** @type {Map<string, Promise<import("./explain.js").Explained[]>>} */
  const chunks = new Map();
  const step = async (/** @type {number} */ step) => {
    const number = Math.floor(step / Number(chunk));
    const url = `/explain/${number}/${explain}?eye=${eye}`;
    let loading = chunks.get(url);
    if (!loading) {
      loading = fetch(url).then((answer) => (answer.ok ? answer.json() : []));
      chunks.set(url, loading);
    }
    return (await loading)[step % Number(chunk)];
  };
  const file = async (/** @type {number} */ step, /** @type {number} */ seat, /** @type {number} */ part) => {
    const answer = await fetch(`/sent/${step}/${seat === 0 ? "first" : "second"}/${part}/${explain}`);
    return answer.ok ? answer.text() : "This file cannot be shown.";
  };
  try {
    const more = () => shown?.player.refresh();
    const seenBy = () => `${address}?eye=${encodeURIComponent(eye)}`;
    /** @type {ReturnType<typeof showMatch> | undefined} */
    let shown;
    shown = showMatch(place, await fetchFilm(seenBy(), more), { step, file }, path);
    const { player } = shown;
    const choice = eyeChoice(eye, async (chosen) => {
      eye = chosen;
      player.replaceFilm(await fetchFilm(seenBy(), more));
    });
    player.element.querySelector(".controls .gap")?.after(choice);
  } catch (error) {
    showFailure(place, error);
  }
}

/** @param {string} eye @param {(eye: string) => void} choose */
function eyeChoice(eye, choose) {
  const select = element("select", "btn");
  select.setAttribute("aria-label", "Whose view");
  select.append(...EYES.map(([value, text]) => new Option(text, value, false, value === eye)));
  select.addEventListener("change", () => choose(select.value));
  return select;
}

startMatch();
