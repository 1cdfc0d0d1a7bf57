/** The page of a run that is played now: what stands in it is renewed whenever it says something else. */
import { followEvents } from "./events.js";
import { addCopyButtons } from "./home.js";
import { parsed, renew } from "./renew.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const state = /** @type {HTMLElement} */ (document.getElementById("following"));

const heard = {
  main: (/** @type {string} */ html) => {
    renew(main, parsed(html));
    addCopyButtons();
  },
  /** Nothing more comes of this run; another one may follow it. */
  end: (/** @type {string} */ next) => {
    state.textContent = "ended";
    if (next) location.assign(next);
  },
};

followEvents(`${location.pathname}/events`, heard, (isThere) => {
  state.textContent = isThere ? "live" : "the server does not answer; trying again";
});
