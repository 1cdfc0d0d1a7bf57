/**
 * Draws shapes on a canvas. Knows forms, inks and symbols, and no game.
 *
 * @typedef {import("./film.js").Form} Form
 * @typedef {import("./film.js").Style} Style
 * @typedef {import("./film.js").Ink} Ink
 * @typedef {import("./film.js").Area} Area
 * @typedef {import("./film.js").Label} Label
 * @typedef {import("./film.js").Point} Point
 * @typedef {import("./film.js").Stage} Stage
 * @typedef {import("./film.js").Tone} Tone
 * @typedef {import("./motion.js").Pose} Pose
 * @typedef {{ scale: number, x: number, y: number }} Lens a place p of the plane is at p * scale + (x, y)
 */
import { INKS, LETTERS } from "./theme.js";
import { middleOf } from "./motion.js";

export const FONT = '"Noto Sans", system-ui, sans-serif';
/** The width of the halo around letters, in their height. */
const HALO = 0.28;
/** How far below their middle letters stand, in their height. */
const BASELINE = 0.36;

/** Thinner lines would all but vanish, in pixels. */
const STROKE_MIN = 0.7;
/** Symbols have finer lines, which only shade. */
const PART_STROKE_MIN = 0.4;

/** @type {Map<string, Path2D>} */
const paths = new Map();
/** More would be kept only of films with very many drawings. */
const PATHS_MAX = 4000;

/**
 * A drawing in the language of SVG, read once.
 * @param {string} text
 */
function pathOf(text) {
  let path = paths.get(text);
  if (!path) {
    if (paths.size >= PATHS_MAX) paths.clear();
    path = new Path2D(text);
    paths.set(text, path);
  }
  return path;
}

/**
 * The same as a box from -1 to 1 sees it that is laid over another one.
 * @param {Path2D} path
 * @param {Area} box
 */
function pathIn(path, box) {
  const seen = new Path2D();
  seen.addPath(path, new DOMMatrix().scale(2 / box.width, 2 / box.height).translate(-box.x - box.width / 2, -box.y - box.height / 2));
  return seen;
}

export class Brush {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Stage} stage
   * @param {import("./theme.js").Theme} theme
   * @param {number} ratio pixels of the screen per pixel of the page
   */
  constructor(context, stage, theme, ratio) {
    this.context = context;
    this.stage = stage;
    this.theme = theme;
    this.ratio = ratio;
    /** How much larger than said letters are. */
    this.letters = 1;
    /** Where plates stay whole that belong to a place in there. @type {Area | undefined} */
    this.room = undefined;
    /** @type {Lens} */
    this.lens = { scale: 1, x: 0, y: 0 };
    /** @type {Ink | undefined} */
    this.tint = undefined;
  }

  /** Coordinates are those of the plane from now on. */
  worldly() {
    const { scale, x, y } = this.lens;
    const r = this.ratio;
    this.context.setTransform(scale * r, 0, 0, scale * r, x * r, y * r);
  }

  /** Coordinates are pixels of the page from now on. */
  pagely() {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  /**
   * @param {Style} style
   * @param {Pose} pose
   */
  draw(style, pose) {
    const context = this.context;
    const alpha = (style.opacity ?? 1) * pose.alpha;
    if (alpha <= 0) return;
    context.globalAlpha = alpha;
    const { form } = pose;
    if (form.text) {
      this.label(form.text, style, pose);
      return;
    }
    this.worldly();
    if (pose.scale !== 1) {
      const [x, y] = middleOf(form);
      context.translate(x, y);
      context.scale(pose.scale, pose.scale);
      context.translate(-x, -y);
    }
    if (pose.rise) context.translate(0, pose.rise / this.lens.scale);
    if (form.symbol) this.symbol(form.symbol, style, alpha);
    else this.outline(form, style, pose.trace);
  }

  /** @param {Form} form @param {Style} style @param {number} trace */
  outline(form, style, trace) {
    const context = this.context;
    if (form.path) {
      const path = pathOf(form.path.path);
      this.fillAndStroke(style, this.stage.world, path, STROKE_MIN / this.lens.scale);
      return;
    }
    context.beginPath();
    if (form.circle) {
      context.arc(form.circle.centre[0], form.circle.centre[1], form.circle.radius, 0, 2 * Math.PI);
    } else if (form.line) {
      chain(context, trace < 1 ? traced(form.line.points, trace) : form.line.points);
    } else if (form.polygon) {
      chain(context, form.polygon.points);
      context.closePath();
    }
    this.fillAndStroke(form.line ? { ...style, fill: undefined } : style, boxOf(form), undefined, STROKE_MIN / this.lens.scale);
  }

  /** @param {Style} style @param {Area} box @param {Path2D | undefined} path @param {number} thinnest */
  fillAndStroke(style, box, path, thinnest) {
    const context = this.context;
    if (style.fill !== undefined) {
      this.fill(style.fill, box, path);
    }
    if (style.stroke !== undefined) {
      context.strokeStyle = this.plain(style.stroke);
      context.lineWidth = Math.max(style.stroke_width ?? 0, thinnest);
      context.lineJoin = "round";
      context.lineCap = style.dash ? "butt" : "round";
      context.setLineDash(style.dash ? [style.dash, style.dash] : []);
      if (path) context.stroke(path);
      else context.stroke();
    }
  }

  /**
   * Fills what is drawn with an ink, whose gradient reaches over a box.
   * @param {Ink} ink
   * @param {Area} box
   * @param {Path2D | undefined} path
   */
  fill(ink, box, path) {
    const context = this.context;
    const tone = this.tone(ink);
    if (tone.out && box.width > 0 && box.height > 0) {
      this.fillOut(tone.out, box, path);
      return;
    }
    if (tone.flat) {
      context.fillStyle = tone.flat;
    } else if (tone.down) {
      const gradient = context.createLinearGradient(0, box.y, 0, box.y + box.height);
      gradient.addColorStop(0, tone.down[0]);
      gradient.addColorStop(1, tone.down[1]);
      context.fillStyle = gradient;
    }
    if (path) context.fill(path);
    else context.fill();
  }

  /**
   * From the middle of a box to its rim, which is an ellipse if the box is no square.
   * @param {[string, string]} colours
   * @param {Area} box
   * @param {Path2D | undefined} path
   */
  fillOut(colours, box, path) {
    const context = this.context;
    const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
    gradient.addColorStop(0, colours[0]);
    gradient.addColorStop(1, colours[1]);
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.scale(box.width / 2, box.height / 2);
    context.fillStyle = gradient;
    // What was drawn stays where it is, and a path is laid anew.
    if (path) context.fill(box === UNIT_BOX ? path : pathIn(path, box));
    else context.fill();
    context.restore();
  }

  /** @param {import("./film.js").Placed} placed @param {Style} style @param {number} alpha */
  symbol(placed, style, alpha) {
    const context = this.context;
    const symbol = this.stage.symbols[placed.symbol];
    if (!symbol) return;
    this.tint = style.fill;
    context.translate(placed.at[0], placed.at[1]);
    context.rotate((placed.turned * Math.PI) / 180);
    context.scale(placed.is_mirrored ? -placed.size : placed.size, placed.size);
    for (const part of symbol.parts) {
      context.globalAlpha = alpha * (part.opacity ?? 1);
      const { fill, stroke, width } = part;
      const thinnest = PART_STROKE_MIN / (this.lens.scale * placed.size || 1);
      this.fillAndStroke({ fill, stroke, stroke_width: width }, UNIT_BOX, pathOf(part.path), thinnest);
    }
    this.tint = undefined;
  }

  /** @param {Label} label @param {Style} style @param {Pose} pose */
  label(label, style, pose) {
    const context = this.context;
    this.pagely();
    const screen = label.size.screen === undefined ? undefined : label.size.screen * this.letters;
    const size = (screen ?? (label.size.world ?? 0) * this.lens.scale) * pose.scale;
    const ink = style.fill ?? style.stroke;
    if (size < 3 || ink === undefined) return;
    const [x, y] = this.onPage(label.at);
    const [right, down] = label.shift ?? [0, 0];
    const at = { x: x + right * this.letters, y: y + down * this.letters + pose.rise };
    context.font = `${label.is_bold ? 700 : 400} ${size}px ${FONT}`;
    context.textAlign = label.anchor ?? "center";
    context.textBaseline = "alphabetic";
    if (label.plate) {
      const box = this.plateBox(label, size, at);
      const [aside, along] = this.room && isWithin(this.room, x, y) ? shiftInto(box, this.room) : [0, 0];
      at.x += aside;
      at.y += along;
      this.plate(label.plate, { ...box, x: box.x + aside, y: box.y + along }, { x, y });
    }
    const halo = style.halo ?? (style.fill === undefined ? undefined : style.stroke);
    if (halo !== undefined) {
      context.strokeStyle = this.plain(halo);
      context.lineWidth = HALO * size;
      context.lineJoin = "round";
      context.setLineDash([]);
      context.strokeText(label.text, at.x, at.y + BASELINE * size);
    }
    const letters = typeof ink === "string" ? LETTERS[this.theme][ink] : undefined;
    context.fillStyle = letters ?? this.plain(ink);
    context.fillText(label.text, at.x, at.y + BASELINE * size);
  }

  /** The plate around a text. @param {Label} label @param {number} size @param {{ x: number, y: number }} at @returns {Area} */
  plateBox(label, size, at) {
    const width = this.context.measureText(label.text).width + 1.1 * size;
    const height = 1.5 * size;
    const start = label.anchor === "start" ? -0.55 * size : label.anchor === "end" ? 0.55 * size - width : -width / 2;
    return { x: at.x + start, y: at.y - height / 2, width, height };
  }

  /**
   * @param {import("./film.js").Plate} plate
   * @param {Area} box
   * @param {{ x: number, y: number }} target
   */
  plate(plate, { x, y, width, height }, target) {
    const { context } = this;
    context.setLineDash([]);
    context.strokeStyle = this.plain(plate.rim);
    context.lineWidth = 2;
    if (plate.has_leader) {
      context.beginPath();
      context.moveTo(x + width / 2, y + height / 2);
      context.lineTo(target.x, target.y);
      context.stroke();
      context.beginPath();
      context.arc(target.x, target.y, 3.2, 0, 2 * Math.PI);
      context.fillStyle = this.plain(plate.rim);
      context.fill();
    }
    context.beginPath();
    context.roundRect(x, y, width, height, plate.is_round ? height / 2 : 2);
    context.fillStyle = this.plain(plate.fill);
    context.fill();
    context.stroke();
  }

  /** @param {Point} point @returns {Point} */
  onPage([x, y]) {
    return [x * this.lens.scale + this.lens.x, y * this.lens.scale + this.lens.y];
  }

  /** @param {Ink} ink @returns {Tone} */
  tone(ink) {
    if (typeof ink === "string") {
      if (ink === "tint" && this.tint !== undefined && this.tint !== "tint") return this.tone(this.tint);
      return { flat: INKS[this.theme][ink] ?? INKS[this.theme].text };
    }
    if (ink.exact) return { flat: ink.exact };
    return this.stage.palette[ink.own ?? -1]?.[this.theme] ?? { flat: INKS[this.theme].text };
  }

  /** One colour for all of it. @param {Ink} ink */
  plain(ink) {
    const tone = this.tone(ink);
    return tone.flat ?? tone.down?.[0] ?? tone.out?.[0] ?? INKS[this.theme].text;
  }
}

/** @param {Area} area @param {number} x @param {number} y */
function isWithin(area, x, y) {
  return x >= area.x && y >= area.y && x <= area.x + area.width && y <= area.y + area.height;
}

/**
 * How far a box and its rim have to go, right and down, to be within a room; one that is too large begins where
 * the room does.
 * @param {Area} box
 * @param {Area} room
 */
function shiftInto(box, room) {
  const along = (/** @type {number} */ from, /** @type {number} */ length, /** @type {number} */ start, /** @type {number} */ space) =>
    Math.max(Math.min(from, start + space - length), start) - from;
  return [along(box.x - 1, box.width + 2, room.x, room.width), along(box.y - 1, box.height + 2, room.y, room.height)];
}

/** @type {Area} */
const UNIT_BOX = { x: -1, y: -1, width: 2, height: 2 };

/** @param {CanvasRenderingContext2D} context @param {Point[]} points */
function chain(context, points) {
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
}

/**
 * The first part of a chain of lines.
 * @param {Point[]} points
 * @param {number} share
 * @returns {Point[]}
 */
function traced(points, share) {
  const lengths = points.slice(1).map((point, index) => Math.hypot(point[0] - points[index][0], point[1] - points[index][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  /** @type {Point[]} */
  const kept = points.slice(0, 1);
  for (let index = 0; index < lengths.length && left > 0; index++) {
    const way = lengths[index] > 0 ? Math.min(left / lengths[index], 1) : 1;
    const [a, b] = [points[index], points[index + 1]];
    kept.push([a[0] + (b[0] - a[0]) * way, a[1] + (b[1] - a[1]) * way]);
    left -= lengths[index];
  }
  return kept;
}

/** @param {Form} form @returns {Area} */
function boxOf(form) {
  if (form.circle) {
    const { centre, radius } = form.circle;
    return { x: centre[0] - radius, y: centre[1] - radius, width: 2 * radius, height: 2 * radius };
  }
  const points = (form.line ?? form.polygon)?.points ?? [];
  const box = { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    box.x = Math.min(box.x, x);
    box.y = Math.min(box.y, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return { x: box.x, y: box.y, width: box.right - box.x, height: box.bottom - box.y };
}

/**
 * Whether a place of the plane is on a shape; `reach` is how far around it counts.
 * @param {CanvasRenderingContext2D} context with an untouched transformation
 * @param {Form} form
 * @param {Point} place
 * @param {number} reach
 */
export function isOn(context, form, [x, y], reach) {
  if (form.circle || form.symbol || form.text) {
    const [mx, my] = middleOf(form);
    const radius = form.circle?.radius ?? form.symbol?.size ?? 0;
    return Math.hypot(x - mx, y - my) <= Math.max(radius, reach);
  }
  if (form.path) return context.isPointInPath(pathOf(form.path.path), x, y);
  context.beginPath();
  chain(context, (form.line ?? form.polygon)?.points ?? []);
  if (form.polygon) return context.isPointInPath(x, y);
  context.lineWidth = 2 * reach;
  context.setLineDash([]);
  return context.isPointInStroke(x, y);
}
