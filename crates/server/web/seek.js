/**
 * The seek bar: a picture of the match. The first seat's values go up and the second's down, or one line
 * goes by the difference; a thin line is what the first seat could expect; below are the marks. What has not been played yet is veiled.
 *
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").Mark} Mark
 */
import { INKS, currentTheme } from "./theme.js";

/** The height of the rows of marks, in pixels. */
const MARKS_HEIGHT = 26;
/** How near a pointer must be to a mark for its text, in pixels. */
const NEAR = 6;
/** What is left free at both ends, so that the marks of the first and the last turn are whole, in pixels. */
const INSET = 9;

export class SeekBar {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Film} film
   * @param {(position: number) => void} seek
   */
  constructor(canvas, film, seek) {
    this.canvas = canvas;
    this.film = film;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.picture = document.createElement("canvas");
    this.pictureKey = "";
    /** The first frame of a match that differs from another one, if it is shown beside one. */
    this.partsAt = -1;
    /** The frame at the right end: the last one, or that of a longer match beside it. */
    this.end = film.last;
    this.listen(seek);
  }

  /** @param {(position: number) => void} seek */
  listen(seek) {
    const { canvas } = this;
    const take = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      seek(Math.round(((event.clientX - box.left - INSET) / (box.width - 2 * INSET)) * this.end));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      take(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) take(event);
      canvas.title = this.textAt(event.offsetX);
    });
  }

  /** @param {number} x */
  textAt(x) {
    const width = this.canvas.clientWidth;
    const near = this.film.head.marks.filter(([frame]) => Math.abs(this.at(frame, width) - x) <= NEAR);
    const texts = near.map(([frame, mark]) => `${this.film.head.turn_name} ${this.film.head.turns[frame]}: ${mark.text}`);
    return [...new Set(texts)].slice(0, 5).join("\n");
  }

  /** @param {number} frame @param {number} width */
  at(frame, width) {
    return INSET + (this.end > 0 ? (frame / this.end) * (width - 2 * INSET) : 0);
  }

  /** @param {number} position */
  draw(position) {
    const { canvas, context } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    this.drawPicture(width, height, ratio);
    const inks = INKS[currentTheme()];
    const x = this.at(position, width);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, w, h);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 0.55;
    context.fillStyle = inks.sunk;
    context.fillRect(x, 0, width - x, height);
    context.globalAlpha = 1;
    if (this.partsAt > 0) this.drawParting(this.at(this.partsAt, width), height, inks);
    context.fillStyle = inks.text;
    context.fillRect(x - 1.5, 0, 3, height);
    context.beginPath();
    context.moveTo(x - 7, 0);
    context.lineTo(x + 7, 0);
    context.lineTo(x, 9);
    context.fill();
  }

  /** @param {number} x @param {number} height @param {Record<string, string>} inks */
  drawParting(x, height, inks) {
    this.context.fillStyle = inks.accent;
    this.context.fillRect(x - 1, 0, 3, height);
  }

  /** The curve and the marks, which change only with the size. @param {number} width @param {number} height @param {number} ratio */
  drawPicture(width, height, ratio) {
    const key = [width, height, ratio, currentTheme()].join();
    if (key === this.pictureKey) return;
    this.pictureKey = key;
    this.picture.width = Math.round(width * ratio);
    this.picture.height = Math.round(height * ratio);
    const context = /** @type {CanvasRenderingContext2D} */ (this.picture.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const inks = INKS[currentTheme()];
    context.fillStyle = inks.sunk;
    context.fillRect(0, 0, width, height);
    this.drawCurve(context, width, height - MARKS_HEIGHT, inks);
    this.drawExpected(context, width, height - MARKS_HEIGHT, inks);
    for (const [frame, mark] of this.film.head.marks) {
      drawMark(context, mark, this.at(frame, width), height, inks);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Record<string, string>} inks */
  drawCurve(context, width, height, inks) {
    const { curve, stage } = this.film.head;
    const middle = height / 2;
    if (stage.curve) {
      const isDifference = stage.curve.kind === "difference";
      const values = curve.map(([first, second]) => (isDifference ? [Math.max(first - second, 0), Math.max(second - first, 0)] : [first, second]));
      const greatest = values.reduce((max, pair) => Math.max(max, pair[0], pair[1]), 0);
      const scale = (middle - 4) / (stage.curve.max || greatest || 1);
      for (const seat of [0, 1]) {
        context.fillStyle = seat === 0 ? inks.first : inks.second;
        const up = seat === 0 ? -1 : 1;
        this.fillSteps(context, width, middle, values.map((pair) => up * Math.min(pair[seat] * scale, middle - 2)));
      }
    }
    context.fillStyle = inks.ground;
    context.fillRect(0, middle - 1, width, 2);
  }

  /** What the first seat could expect, as a line: at the top it wins. @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Record<string, string>} inks */
  drawExpected(context, width, height, inks) {
    const middle = height / 2;
    context.beginPath();
    (this.film.head.expected ?? []).forEach((value, frame) => {
      const x = this.at(frame, width);
      const y = middle - value * (middle - 4);
      if (frame === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    context.strokeStyle = inks.text;
    context.lineWidth = 1.5;
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} middle @param {number[]} heights */
  fillSteps(context, width, middle, heights) {
    context.beginPath();
    context.moveTo(this.at(0, width), middle);
    let last = 0;
    heights.forEach((height, frame) => {
      const x = this.at(frame, width);
      context.lineTo(x, middle + last);
      context.lineTo(x, middle + height);
      last = height;
    });
    const end = this.at(this.film.last, width);
    context.lineTo(end, middle + last);
    context.lineTo(end, middle);
    context.fill();
  }
}

/**
 * A disc for the first seat, a diamond for the second, a triangle for what is gone, a dash of gold for warnings,
 * a bar of red for faults, a flag for the bots' own.
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} x
 * @param {number} height
 * @param {Record<string, string>} inks
 */
export function drawMark(context, mark, x, height, inks) {
  const y = height - 15;
  const colour = mark.seat === 0 ? inks.first : mark.seat === 1 ? inks.second : inks.text;
  context.fillStyle = colour;
  if (mark.kind === "warning") {
    context.fillStyle = inks.accent;
    context.fillRect(x - 2.5, height - 5, 5, 3);
    return;
  }
  if (mark.kind === "fault") {
    context.fillStyle = inks.loss;
    context.fillRect(x - 1.5, height - 24, 3, 22);
    return;
  }
  context.beginPath();
  if (mark.kind === "loss") {
    context.fillStyle = mark.seat === undefined ? inks.text : colour;
    context.moveTo(x, y - 6);
    context.lineTo(x + 6, y + 5);
    context.lineTo(x - 6, y + 5);
  } else if (mark.kind === "own") {
    context.rect(x - 1, y - 9, 2, 16);
    context.moveTo(x + 1, y - 9);
    context.lineTo(x + 9, y - 5);
    context.lineTo(x + 1, y - 1);
  } else if (mark.seat === 1) {
    context.moveTo(x, y - 6);
    context.lineTo(x + 6, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 6, y);
  } else {
    context.arc(x, y, 4.5, 0, 2 * Math.PI);
  }
  context.fill();
}
