/** A match that came with its page. */
import { showFailure } from "./dom.js";
import { readFilm } from "./film.js";
import { showMatch } from "./whole.js";

/** What was packed into an element. @param {string} id */
function unpacked(id) {
  const text = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

async function startMailed() {
  const place = /** @type {HTMLElement} */ (document.getElementById("match"));
  try {
    /** @type {ReturnType<typeof showMatch> | undefined} */
    let shown;
    const film = await readFilm(unpacked("film"), () => shown?.player.refresh());
    /** @type {Promise<import("./explain.js").Explained[]>} */
    const steps = new Response(unpacked("explanations")).json();
    shown = showMatch(place, film, { step: async (step) => (await steps)[step] }, "");
  } catch (error) {
    showFailure(place, error);
  }
}

startMailed();
