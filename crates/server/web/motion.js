/**
 * How shapes get from one frame to the next. The times are those of `core/src/scene/motion.rs`.
 *
 * @typedef {import("./film.js").Shape} Shape
 * @typedef {import("./film.js").Form} Form
 * @typedef {import("./film.js").Point} Point
 * @typedef {import("./film.js").View} View
 * @typedef {{ shape: Shape, old: Shape | null, role: "same" | "changed" | "enter" | "leave" }} Actor
 * @typedef {{ form: Form, alpha: number, scale: number, rise: number, trace: number }} Pose
 */

/** Things have arrived where they go by this part of a turn. */
const ARRIVED = 0.6;
/** By how many pixels a number rises. */
const RISE_PIXELS = 18;
/** From here on what is gone at the end of the turn becomes fainter. */
const FADES_FROM = 0.92;

/**
 * A curve of CSS: how far something is at a time from 0 to 1.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function bezier(x1, y1, x2, y2) {
  /** @param {number} a @param {number} b @param {number} s */
  const along = (a, b, s) => 3 * a * s * (1 - s) * (1 - s) + 3 * b * s * s * (1 - s) + s * s * s;
  return (/** @type {number} */ time) => {
    if (time <= 0) return 0;
    if (time >= 1) return 1;
    let low = 0;
    let high = 1;
    for (let round = 0; round < 20; round++) {
      const middle = (low + high) / 2;
      if (along(x1, x2, middle) < time) low = middle;
      else high = middle;
    }
    return along(y1, y2, (low + high) / 2);
  };
}

const glide = bezier(0.65, 0, 0.35, 1);
const push = bezier(0.3, 1.4, 0.6, 1);
const burst = bezier(0.16, 1, 0.3, 1);
const easeOut = bezier(0, 0, 0.58, 1);

/**
 * Where `time` is between two moments, from 0 to 1.
 * @param {number} time
 * @param {number} from
 * @param {number} to
 */
function part(time, from, to) {
  if (to <= from) return time >= from ? 1 : 0;
  return Math.min(Math.max((time - from) / (to - from), 0), 1);
}

/** @param {number} a @param {number} b @param {number} s */
function mix(a, b, s) {
  return a + (b - a) * s;
}

/** @param {Point} a @param {Point} b @param {number} s @returns {Point} */
function mixPoints(a, b, s) {
  return [mix(a[0], b[0], s), mix(a[1], b[1], s)];
}

/**
 * All who are seen in the turn between two frames, in the order in which they are drawn: who leaves stands
 * below those who stay in the same layer.
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @returns {Actor[]}
 */
export function castOf(before, after) {
  if (before === after) return after.map((shape) => ({ shape, old: shape, role: "same" }));
  const old = new Map(before.map((shape) => [shape.id, shape]));
  /** @type {Actor[]} */
  const staying = after.map((shape) => {
    const was = old.get(shape.id) ?? null;
    old.delete(shape.id);
    const role = was === null ? "enter" : was === shape ? "same" : "changed";
    return { shape, old: was, role };
  });
  /** @type {Actor[]} */
  const leaving = [...old.values()].map((shape) => ({ shape, old: shape, role: "leave" }));
  return layered(leaving, staying);
}

/** @param {Actor[]} leaving @param {Actor[]} staying @returns {Actor[]} */
function layered(leaving, staying) {
  const all = [];
  let next = 0;
  for (const actor of staying) {
    while (next < leaving.length && leaving[next].shape.layer <= actor.shape.layer) all.push(leaving[next++]);
    all.push(actor);
  }
  return all.concat(leaving.slice(next));
}

/** @type {Pose} */
const STILL = { form: {}, alpha: 1, scale: 1, rise: 0, trace: 1 };

/**
 * How an actor is shown at a time of the turn from 0 to 1; `null` if it is not.
 * @param {Actor} actor
 * @param {number} time
 * @returns {Pose | null}
 */
export function poseOf(actor, time) {
  const { shape, old, role } = actor;
  if (role === "same") return { ...STILL, form: shape.form };
  if (role === "leave") return leavingPose(shape, time);
  if (role === "enter" || !old) return enteringPose(shape, time);
  return { ...STILL, form: between(old, shape, time) };
}

/** @param {Shape} shape @param {number} time @returns {Pose | null} */
function leavingPose(shape, time) {
  const leave = shape.leave ?? { cut: 0 };
  const [from, to] = leave.fade ?? leave.shrink ?? [leave.cut ?? 0, leave.cut ?? 0];
  const gone = part(time, from / 100, to / 100);
  if (gone >= 1) return null;
  const scale = leave.shrink ? mix(1, 0.6, gone * gone) : 1;
  const alpha = from === to ? 1 : 1 - gone;
  return { ...STILL, form: shape.form, alpha, scale };
}

/** @param {Shape} shape @param {number} time @returns {Pose | null} */
function enteringPose(shape, time) {
  const enter = shape.enter;
  if (!enter) return { ...STILL, form: shape.form };
  const come = part(time, enter.from / 100, enter.to / 100);
  if (come <= 0) return null;
  const pose = { ...STILL, form: shape.form };
  const { how } = enter;
  if (how === "fade") return { ...pose, alpha: come };
  if (how === "grow") return { ...pose, scale: mix(0.4, 1, burst(come)), alpha: Math.min(come * 4, 1) };
  if (how === "trace") return { ...pose, trace: come };
  if (how === "rise") {
    const alpha = Math.min(come * 4, 1) * (1 - part(time, FADES_FROM, 1));
    return { ...pose, rise: (1 - easeOut(come)) * RISE_PIXELS, alpha };
  }
  if (come >= 1) return null;
  const isThrown = "throw" in how;
  const from = isThrown ? how.throw : how.fly;
  const way = isThrown ? come : glide(come);
  const at = middleOf(shape.form);
  const place = mixPoints(from, at, way);
  const lift = isThrown ? arcLift(from, at, way) : 0;
  return { ...pose, form: moved(shape.form, place[0] - at[0], place[1] - at[1] - lift) };
}

/** @param {Point} from @param {Point} to @param {number} way */
function arcLift(from, to, way) {
  return 0.35 * Math.hypot(to[0] - from[0], to[1] - from[1]) * 4 * way * (1 - way);
}

/** @param {Shape} old @param {Shape} shape @param {number} time @returns {Form} */
function between(old, shape, time) {
  const motion = shape.motion;
  if (motion === "jump") return shape.form;
  const passed = part(time, 0, ARRIVED);
  const way = motion === "push" ? push(passed) : motion === "arc" ? passed : glide(passed);
  const form = mixed(old.form, shape.form, way, time);
  if (motion !== "arc") return form;
  return moved(form, 0, -arcLift(middleOf(old.form), middleOf(shape.form), way));
}

/** @param {Form} a @param {Form} b @param {number} s @param {number} time @returns {Form} */
function mixed(a, b, s, time) {
  if (a.circle && b.circle) {
    return { circle: { centre: mixPoints(a.circle.centre, b.circle.centre, s), radius: Math.max(mix(a.circle.radius, b.circle.radius, s), 0) } };
  }
  if (a.line && b.line) return { line: { points: mixChains(a.line.points, b.line.points, s) } };
  if (a.polygon && b.polygon) return { polygon: { points: mixChains(a.polygon.points, b.polygon.points, s) } };
  if (a.symbol && b.symbol) {
    const turn = ((b.symbol.turned - a.symbol.turned + 540) % 360) - 180;
    const place = { at: mixPoints(a.symbol.at, b.symbol.at, s), size: mix(a.symbol.size, b.symbol.size, s) };
    return { symbol: { ...b.symbol, ...place, turned: a.symbol.turned + turn * s } };
  }
  if (a.text && b.text) {
    const text = time < ARRIVED ? a.text.text : b.text.text;
    return { text: { ...b.text, text, at: mixPoints(a.text.at, b.text.at, s) } };
  }
  return s < 0.5 ? a : b;
}

/** @param {Point[]} a @param {Point[]} b @param {number} s @returns {Point[]} */
function mixChains(a, b, s) {
  if (a.length !== b.length) return s < 0.5 ? a : b;
  return b.map((point, index) => mixPoints(a[index], point, s));
}

/** @param {Form} form @returns {Point} */
export function middleOf(form) {
  if (form.circle) return form.circle.centre;
  if (form.symbol) return form.symbol.at;
  if (form.text) return form.text.at;
  const points = (form.line ?? form.polygon)?.points ?? [];
  if (!points.length) return [0, 0];
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** @param {Form} form @param {number} x @param {number} y @returns {Form} */
function moved(form, x, y) {
  return mapPlaces(form, ([px, py]) => [px + x, py + y]);
}

/**
 * A form whose places are others.
 * @param {Form} form
 * @param {(place: Point) => Point} to
 * @returns {Form}
 */
export function mapPlaces(form, to) {
  if (form.circle) return { circle: { ...form.circle, centre: to(form.circle.centre) } };
  if (form.symbol) return { symbol: { ...form.symbol, at: to(form.symbol.at) } };
  if (form.text) return { text: { ...form.text, at: to(form.text.at) } };
  if (form.line) return { line: { points: form.line.points.map(to) } };
  if (form.polygon) return { polygon: { points: form.polygon.points.map(to) } };
  return form;
}

/**
 * The windows of a moment: those of the later frame, whose views glide from where they were.
 * @param {View[]} before
 * @param {View[]} after
 * @param {number} time
 * @returns {View[]}
 */
export function viewsBetween(before, after, time) {
  if (before === after) return after;
  const way = glide(part(time, 0, ARRIVED));
  return after.map((view) => {
    const old = before.find((other) => other.id === view.id && other.plane === view.plane);
    if (!old) return view;
    return { ...view, view: mixAreas(old.view, view.view, way), place: mixAreas(old.place, view.place, way) };
  });
}

/** @param {import("./film.js").Area} a @param {import("./film.js").Area} b @param {number} s */
function mixAreas(a, b, s) {
  return { x: mix(a.x, b.x, s), y: mix(a.y, b.y, s), width: mix(a.width, b.width, s), height: mix(a.height, b.height, s) };
}
