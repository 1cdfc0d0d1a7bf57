/**
 * A run on a large screen: its parts one after the other, again and again, each with the latest of what it shows. Without
 * scripts the parts stand one below the other.
 */
import { Board } from "./board.js";
import { followEvents } from "./events.js";
import { Film, fetchFilm } from "./film.js";
import { parsed, renew } from "./renew.js";
import { switchTheme } from "./theme.js";

/** How long a table stands, in milliseconds; how long a match is shown about, and at most if it is played now. */
const TABLE_MS = 12000;
const MATCH_MS = 30000;
const LIVE_MS = 60000;
/** How long the last picture of a match stands. */
const END_MS = 4000;
/** Beyond this the way from turn to turn is not drawn. */
const SMOOTH_SPEED_MAX = 8;
/** How soon a match that is played now is caught up with. */
const CATCH_UP = 600;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const place = /** @type {HTMLElement} */ (document.getElementById("place"));
const page = document.body.dataset.page ?? "/runs";

/** @returns {HTMLElement[]} */
const slides = () => [...main.querySelectorAll(/** @type {"section"} */ (".slide"))];

/** Shows a match in its room, until it is closed. */
class Screening {
  /** @param {HTMLElement} slide @param {() => void} done */
  constructor(slide, done) {
    this.slide = slide;
    this.room = /** @type {HTMLElement} */ (slide.querySelector(".room"));
    this.done = done;
    this.position = 0;
    this.lastTime = 0;
    this.isClosed = false;
    this.isGrowing = false;
    /** When the last picture was reached. */
    this.endedAt = 0;
    /** @type {Film | undefined} */
    this.film = undefined;
    /** @type {Board | undefined} */
    this.board = undefined;
    this.leave = () => {};
    /** What is around the stage has taken so much at most. */
    this.around = 0;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.room);
    slide.dataset.kept = "";
    if (slide.dataset.live) this.follow(slide.dataset.live);
    else this.load(slide.dataset.film ?? "");
  }

  /** @param {string} address */
  async load(address) {
    try {
      const film = await fetchFilm(address, () => {});
      if (!this.isClosed) this.show(film);
    } catch {
      // What cannot be shown is passed over.
      this.done();
    }
  }

  /** @param {string} address */
  follow(address) {
    this.isGrowing = true;
    const begin = (/** @type {string} */ head) => {
      this.film = new Film(JSON.parse(head));
      this.board = undefined;
      this.position = 0;
    };
    const grow = (/** @type {string} */ data) => {
      const end = data.indexOf("\n");
      this.film?.grow(JSON.parse(data.slice(0, end)), data.slice(end + 1));
      if (this.film && !this.board) this.show(this.film);
    };
    this.leave = followEvents(address, { film: begin, frame: grow, end: () => (this.isGrowing = false) }, () => {});
  }

  /** @param {Film} film */
  show(film) {
    this.film = film;
    this.board = new Board(film);
    this.room.replaceChildren(this.board.element);
    // Some turns have more words than others.
    this.observer.observe(this.board.element);
    this.position = this.isGrowing ? film.last : 0;
    this.resize();
    performance.mark("quintain-shown");
    requestAnimationFrame((time) => this.tick(time));
  }

  resize() {
    const { board, room } = this;
    if (!board) return;
    this.around = Math.max(this.around, board.element.scrollHeight - board.stage.clientHeight);
    board.resize(room.clientWidth, room.clientHeight - this.around);
    this.draw();
  }

  draw() {
    if (!this.board || !this.film || this.isClosed) return;
    const isSmooth = !calm.matches && (this.isGrowing || this.speed <= SMOOTH_SPEED_MAX);
    this.board.draw(Math.min(isSmooth ? this.position : Math.floor(this.position), this.film.last));
  }

  /** As fast as it takes to show a long match in time. */
  get speed() {
    const { last = 0, head } = /** @type {Film} */ (this.film);
    return Math.max((last * head.turn_ms) / MATCH_MS, 1);
  }

  /** @param {number} time */
  tick(time) {
    if (this.isClosed || !this.film) return;
    const passed = isPaused ? 0 : Math.min(time - (this.lastTime || time), 250);
    this.lastTime = time;
    const { last, head } = this.film;
    const pace = this.isGrowing ? Math.max(1 / head.turn_ms, (last - this.position) / CATCH_UP) : this.speed / head.turn_ms;
    this.position = Math.min(this.position + passed * pace, last);
    this.draw();
    if (this.position < last || this.isGrowing) this.endedAt = time;
    else if (time - this.endedAt > END_MS && !isPaused) return this.done();
    requestAnimationFrame((next) => this.tick(next));
  }

  close() {
    this.isClosed = true;
    this.leave();
    this.observer.disconnect();
    this.room.replaceChildren();
    delete this.slide.dataset.kept;
  }
}

let isPaused = false;
let current = 0;
let timer = 0;
/** @type {Screening | undefined} */
let screening;

/** @param {number} index */
function show(index) {
  const all = slides();
  if (!all.length) return;
  screening?.close();
  screening = undefined;
  current = (index + all.length) % all.length;
  all.forEach((slide, number) => (slide.hidden = number !== current));
  const slide = all[current];
  const isMatch = slide.matches(".match");
  if (isMatch) screening = new Screening(slide, () => show(current + 1));
  wait(slide.dataset.live ? LIVE_MS : isMatch ? 3 * MATCH_MS : TABLE_MS);
  tellPlace();
}

/** @param {number} time in milliseconds until the next part is shown */
function wait(time) {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => (isPaused ? wait(time) : show(current + 1)), time);
}

function tellPlace() {
  place.textContent = `${current + 1} of ${slides().length}${isPaused ? ", paused" : ""}`;
}

/** The part that shows a match stays as it is until its turn is over. @param {string} html */
function renewAll(html) {
  const wanted = parsed(html);
  const shown = slides()[current];
  const isIt = (/** @type {Element} */ slide) => slide.getAttribute("aria-label") === shown?.getAttribute("aria-label");
  if (screening && ![...wanted.querySelectorAll(".slide")].some(isIt)) wanted.append(shown.cloneNode());
  renew(main, wanted);
  const all = slides();
  current = Math.max(all.findIndex(isIt), 0);
  all.forEach((slide, number) => (slide.hidden = number !== current));
  tellPlace();
}

async function toggleFull() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  } catch {
    // Not every browser lets a page fill the screen.
  }
}

/** @type {Record<string, () => void>} */
const KEYS = {
  " ": () => {
    isPaused = !isPaused;
    tellPlace();
  },
  ArrowRight: () => show(current + 1),
  ArrowLeft: () => show(current - 1),
  f: toggleFull,
  t: switchTheme,
  // A full screen is left by the browser itself.
  Escape: () => location.assign(page),
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  const isForLink = event.key === " " && target.closest("a");
  const act = event.ctrlKey || event.metaKey || event.altKey || isForLink ? undefined : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

document.documentElement.classList.add("moving");
show(0);
const end = (/** @type {string} */ next) => next && location.assign(`${next}/projector`);
followEvents(`${page}/projector/events`, { main: renewAll, end }, () => {});
