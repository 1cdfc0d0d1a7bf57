/**
 * The canvas of a match: its windows, what lies in them at a moment, zoom, and what a pointer finds.
 *
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").View} View
 * @typedef {import("./film.js").Area} Area
 * @typedef {import("./motion.js").Actor} Actor
 * @typedef {import("./paint.js").Lens} Lens
 */
import { castOf, poseOf, viewsBetween } from "./motion.js";
import { Brush, isOn } from "./paint.js";
import { INKS, currentTheme } from "./theme.js";

/** Narrower stages are those of telephones. */
const NARROW_PIXELS = 560;
/** The width up to which letters are as large as the film says; on a wider stage they grow with it. */
const LETTERS_WIDTH = 1000;
const ZOOM_MAX = 12;
/** How near to a shape a pointer must be, in pixels. */
const REACH_PIXELS = 7;

export class StageView {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Film} film
   */
  constructor(canvas, film) {
    this.canvas = canvas;
    this.film = film;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.still = document.createElement("canvas");
    this.width = 0;
    this.height = 0;
    this.zoom = { scale: 1, x: 0, y: 0 };
    /** The turn that is shown, and how many of its cast stay below all who move in the first window. @type {{ before: object, after: object, cast: Actor[], stays: number } | null} */
    this.turn = null;
    /** What the picture of those who stay was drawn for. */
    this.stillKey = "";
    /** @type {{ view: View, lens: Lens, rect: Area }[]} */
    this.shown = [];
    /** @type {Actor[]} */
    this.actors = [];
    /** The names of what is switched off. @type {Set<string>} */
    this.hidden = new Set();
    const place = { x: 0, y: 0, width: 1, height: 1 };
    /** @type {View[]} */
    this.whole = [{ id: 0, plane: 0, view: film.head.stage.world, place, is_round: false }];
  }

  get isNarrow() {
    return this.width < NARROW_PIXELS;
  }

  /** Width to height. @param {number} width */
  proportions(width) {
    const { world, narrow } = this.film.head.stage;
    if (width < NARROW_PIXELS && narrow) return narrow[0] / narrow[1];
    return world.width / world.height;
  }

  /**
   * Takes as much of a room as the proportions allow.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const proportions = this.proportions(width);
    this.width = Math.max(Math.floor(Math.min(width, height * proportions)), 40);
    this.height = Math.max(Math.round(this.width / proportions), 40);
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.forget();
  }

  /**
   * Draws a moment: a frame as it is, or the way from one to the next.
   * @param {number} position the number of a frame, and a part of the turn that follows
   */
  draw(position) {
    const number = Math.floor(position);
    const time = position - number;
    const before = this.film.frame(number);
    const after = time > 0 ? this.film.frame(number + 1) : before;
    const views = viewsBetween(this.views(before), this.views(after), time);
    this.shown = views.map((view) => ({ view, ...this.lensOf(view) }));
    if (!this.turn || this.turn.before !== before || this.turn.after !== after) {
      const cast = castOf(before.shapes, after.shapes);
      const firstMoving = cast.findIndex((actor) => actor.role !== "same" && (actor.shape.plane ?? 0) === views[0].plane);
      this.turn = { before, after, cast, stays: firstMoving < 0 ? cast.length : firstMoving };
    }
    this.actors = this.turn.cast;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.globalAlpha = 1;
    if (time > 0) {
      this.drawStill(views[0], number);
      this.context.drawImage(this.still, 0, 0);
      this.drawWindow(this.context, this.shown[0], { from: this.turn.stays, time, withGround: false });
    } else {
      // A frame by itself is drawn once: to keep a picture of it would cost more than it saves.
      this.clear(this.context);
      this.drawWindow(this.context, this.shown[0], { from: 0, time, withGround: true });
    }
    for (const shown of this.shown.slice(1)) this.drawWindow(this.context, shown, { from: 0, time, withGround: true });
  }

  /** @param {import("./film.js").Frame} frame @returns {View[]} */
  views(frame) {
    const windows = frame.fields.windows;
    const narrow = this.isNarrow && windows?.narrow?.length ? windows.narrow : undefined;
    const views = narrow ?? windows?.wide ?? [];
    return views.length ? views : this.whole;
  }

  /**
   * Where a window lies on the page, and how its plane gets there.
   * @param {View} view
   */
  lensOf({ view, place }) {
    const { scale: zoom, x, y } = this.zoom;
    const rect = {
      x: place.x * this.width * zoom + x,
      y: place.y * this.height * zoom + y,
      width: place.width * this.width * zoom,
      height: place.height * this.height * zoom,
    };
    const scale = Math.min(rect.width / view.width, rect.height / view.height);
    const lens = {
      scale,
      x: rect.x + rect.width / 2 - (view.x + view.width / 2) * scale,
      y: rect.y + rect.height / 2 - (view.y + view.height / 2) * scale,
    };
    return { lens, rect };
  }

  /**
   * Draws the ground of the first window and those who stay there below all who move, once for a turn.
   * @param {View} first
   * @param {number} number
   */
  drawStill(first, number) {
    if (!this.turn) return;
    const { x, y, width, height } = first.view;
    const key = [number, this.turn.stays, currentTheme(), x, y, width, height, this.zoom.scale, this.zoom.x, this.zoom.y].join();
    if (key === this.stillKey) return;
    this.stillKey = key;
    const context = /** @type {CanvasRenderingContext2D} */ (this.still.getContext("2d"));
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    this.clear(context);
    this.drawWindow(context, this.shown[0], { from: 0, to: this.turn.stays, time: 1, withGround: true });
  }

  /** @param {CanvasRenderingContext2D} context */
  clear(context) {
    context.fillStyle = INKS[currentTheme()].ground;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /**
   * Draws what a window shows: the ground, and a part of the cast.
   * @param {CanvasRenderingContext2D} context
   * @param {{ view: View, lens: Lens, rect: Area }} window
   * @param {{ from: number, to?: number, time: number, withGround: boolean }} what
   */
  drawWindow(context, { view, lens, rect }, { from, to = this.actors.length, time, withGround }) {
    const { stage } = this.film.head;
    const theme = currentTheme();
    const brush = new Brush(context, stage, theme, this.canvas.width / this.width);
    context.save();
    brush.lens = lens;
    brush.room = rect;
    brush.letters = Math.max(this.width / LETTERS_WIDTH, 1);
    brush.pagely();
    clip(context, rect, view.is_round);
    for (const shape of withGround ? stage.background : []) {
      if (this.isShown(shape, view)) brush.draw(shape.style, { form: shape.form, alpha: 1, scale: 1, rise: 0, trace: 1 });
    }
    for (let index = from; index < to; index++) {
      const actor = this.actors[index];
      if (!this.isShown(actor.shape, view)) continue;
      const pose = poseOf(actor, time);
      if (pose) brush.draw(actor.shape.style, pose);
    }
    context.restore();
    if (view.is_round) drawRim(context, brush, rect, theme);
  }

  /** @param {import("./film.js").Shape} shape @param {View} view */
  isShown(shape, view) {
    if (shape.group !== undefined && this.hidden.has(shape.group)) return false;
    return (shape.plane ?? 0) === view.plane && !(shape.presence === "roomy" && this.isNarrow);
  }

  /**
   * Changes the zoom around a place of the page.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoomBy(factor, x, y) {
    const old = this.zoom;
    const scale = Math.min(Math.max(old.scale * factor, 1), ZOOM_MAX);
    const ratio = scale / old.scale;
    this.zoom = { scale, x: x - (x - old.x) * ratio, y: y - (y - old.y) * ratio };
    this.panBy(0, 0);
  }

  /** @param {number} x @param {number} y */
  panBy(x, y) {
    const { scale } = this.zoom;
    const within = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(Math.max(value, size * (1 - scale)), 0);
    this.zoom = { scale, x: within(this.zoom.x + x, this.width), y: within(this.zoom.y + y, this.height) };
    this.canvas.classList.toggle("zoomed", scale > 1);
  }

  /** Shows or hides what belongs together. @param {string} group @param {boolean} isShown */
  switchGroup(group, isShown) {
    if (isShown) this.hidden.delete(group);
    else this.hidden.add(group);
    this.forget();
  }

  /** Whatever was drawn before is drawn anew. */
  forget() {
    this.stillKey = "";
  }

  resetZoom() {
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.panBy(0, 0);
  }

  /**
   * What is said of the uppermost shape at a place of the page.
   * @param {number} x
   * @param {number} y
   * @returns {string | null}
   */
  labelAt(x, y) {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    for (const { view, lens, rect } of [...this.shown].reverse()) {
      if (x < rect.x || y < rect.y || x > rect.x + rect.width || y > rect.y + rect.height) continue;
      /** @type {[number, number]} */
      const place = [(x - lens.x) / lens.scale, (y - lens.y) / lens.scale];
      const shapes = [...this.film.head.stage.background, ...this.actors.filter((actor) => actor.role !== "leave").map((actor) => actor.shape)];
      for (const shape of shapes.reverse()) {
        if (!shape.label || !this.isShown(shape, view)) continue;
        if (isOn(this.context, shape.form, place, REACH_PIXELS / lens.scale)) return shape.label;
      }
      // A lens hides what lies below it, other windows only what they draw over.
      if (view.is_round) return null;
    }
    return null;
  }
}

/** @param {CanvasRenderingContext2D} context @param {Area} rect @param {boolean} isRound */
function clip(context, rect, isRound) {
  context.beginPath();
  if (isRound) context.ellipse(rect.x + rect.width / 2, rect.y + rect.height / 2, rect.width / 2, rect.height / 2, 0, 0, 2 * Math.PI);
  else context.rect(rect.x, rect.y, rect.width, rect.height);
  context.clip();
}

/** @param {CanvasRenderingContext2D} context @param {Brush} brush @param {Area} rect @param {import("./theme.js").Theme} theme */
function drawRim(context, brush, rect, theme) {
  brush.pagely();
  context.globalAlpha = 1;
  context.setLineDash([]);
  for (const [width, colour] of /** @type {[number, string][]} */ ([[7, INKS[theme].ground], [2, INKS[theme].text]])) {
    context.beginPath();
    context.ellipse(rect.x + rect.width / 2, rect.y + rect.height / 2, rect.width / 2, rect.height / 2, 0, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  }
}
