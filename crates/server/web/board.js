/**
 * One match on the page: the stage with both players' figures and what they did.
 *
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").Panel} Panel
 */
import { element, seatSign } from "./dom.js";
import { StageView } from "./stage.js";

/** Stages that are not much wider than high have the players at their sides. */
const TALL = 1.45;
/** What players at the sides of a stage take at least. */
const SIDE_PIXELS = 170;

export class Board {
  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    this.canvas = element("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.tip = element("div", "tip");
    this.tip.hidden = true;
    this.stage = element("div", "stage", this.canvas, this.tip);
    this.seats = [0, 1].map((seat) => seatBox(seat, film.head.names[seat]));
    this.centre = element("div", "centre");
    this.deeds = [0, 1].map((seat) => element("div", `deed ${seat === 0 ? "first" : "second"}`));
    const deeds = element("div", "deeds", ...this.deeds);
    this.element = element("div", "board", this.seats[0].box, this.centre, this.seats[1].box, this.stage, deeds);
    this.view = new StageView(this.canvas, film);
    const observer = new ResizeObserver((entries) => entries.forEach(keepRoom));
    for (const box of this.words()) observer.observe(box, { box: "border-box" });
    /** @type {object | null} */
    this.told = null;
    this.size = "";
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    const size = [width, height, window.devicePixelRatio].join();
    if (size === this.size) return;
    this.size = size;
    for (const box of this.words()) box.style.minHeight = "";
    const proportions = this.view.proportions(width);
    const isTall = width > 720 && proportions < TALL;
    this.element.classList.toggle("tall", isTall);
    const room = isTall ? width - 2 * SIDE_PIXELS : width;
    this.view.resize(room, Math.max(height, 200));
  }

  /** What has more to say in some turns than in others. */
  words() {
    return [...this.seats.map((seat) => seat.figures), ...this.deeds];
  }

  /** @param {number} position */
  draw(position) {
    this.view.draw(position);
    const number = Math.min(Math.round(position + 0.15), this.film.last);
    const frame = this.film.frame(number);
    if (frame === this.told) return;
    this.told = frame;
    this.tell(frame, number);
  }

  /** @param {import("./film.js").Frame} frame @param {number} number */
  tell(frame, number) {
    const { fields } = frame;
    const panels = fields.panels ?? [];
    const decisive = panels.filter((panel) => panel.is_decisive && panel.seat !== null);
    for (const seat of [0, 1]) {
      const own = panels.filter((panel) => panel.seat === seat && !decisive.includes(panel));
      this.seats[seat].figures.replaceChildren(...own.map(figure));
      this.deeds[seat].replaceChildren(...deedLines(fields.deeds?.[seat] ?? []));
    }
    const common = panels.filter((panel) => panel.seat === null);
    const turn = `${this.film.head.turn_name} ${this.film.head.turns[number]}`;
    const lines = [...decisive.slice(0, 1).map((panel) => panel.name), turn, ...common.map((panel) => `${panel.name} ${panel.value}`)];
    const between = element("span", "between", ...lines.flatMap((line, index) => (index ? [element("br"), line] : [line])));
    const of = (/** @type {number} */ seat) => decisive.filter((panel) => panel.seat === seat).map((panel) => bigFigure(panel, seat));
    this.centre.replaceChildren(...of(0), between, ...of(1));
    const text = [fields.caption ?? "", ...panels.map((panel) => `${panel.name} ${panel.value}`)].join(", ");
    this.canvas.setAttribute("aria-label", `${this.film.head.title}, ${turn}: ${text}`);
  }

  /** Shows what is said of the place of a pointer. @param {PointerEvent} event */
  point(event) {
    const canvas = this.canvas.getBoundingClientRect();
    const stage = this.stage.getBoundingClientRect();
    const label = this.view.labelAt(event.clientX - canvas.left, event.clientY - canvas.top);
    this.tip.hidden = label === null;
    if (label === null) return;
    this.tip.textContent = label;
    const x = Math.min(event.clientX - stage.left + 14, stage.width - this.tip.offsetWidth - 4);
    const y = Math.min(event.clientY - stage.top + 14, stage.height - this.tip.offsetHeight - 4);
    this.tip.style.transform = `translate(${Math.max(x, 0)}px, ${Math.max(y, 0)}px)`;
  }
}

/** The room that words have taken stays theirs, so that the stage does not jump from turn to turn. @param {ResizeObserverEntry} entry */
function keepRoom({ target, borderBoxSize: [{ blockSize }] }) {
  const { style } = /** @type {HTMLElement} */ (target);
  if (blockSize > (parseFloat(style.minHeight) || 0)) style.minHeight = `${blockSize}px`;
}

/** @param {number} seat @param {string} name */
function seatBox(seat, name) {
  const figures = element("div", "figures");
  const title = element("b", "", name);
  title.title = name;
  const who = element("div", "who", title, figures);
  const box = element("div", `seat ${seat === 0 ? "first" : "second"}`, seatSign(seat), who);
  return { box, figures };
}

/** @param {Panel} panel */
function figure(panel) {
  const change = panel.change ? element("em", "", ` ${panel.change}`) : null;
  const text = element("span", "", `${panel.name} `, element("strong", "", panel.value), change);
  if (!panel.gauge) return text;
  return element("div", "gauged", text, gaugeBar(panel.gauge));
}

/** @param {import("./film.js").Gauge} gauge */
function gaugeBar({ value, max, cells }) {
  const count = Math.max(cells, 1);
  const filled = max > 0 ? (value / max) * count : 0;
  const parts = Array.from({ length: count }, (_, index) => {
    const bar = element("u");
    bar.style.width = `${Math.min(Math.max(filled - index, 0), 1) * 100}%`;
    bar.hidden = filled <= index;
    return element("i", "", bar);
  });
  return element("div", "gauge", ...parts);
}

/** @param {Panel} panel @param {number} seat */
function bigFigure(panel, seat) {
  const big = element("span", `big ${seat === 0 ? "c1" : "c2"}`, panel.value);
  big.title = panel.change ?? panel.name;
  return big;
}

/** @param {string[]} lines */
function deedLines(lines) {
  return lines.map((line, index) => element(index === 0 ? "b" : "p", "", line));
}
