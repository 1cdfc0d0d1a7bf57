/**
 * Films: read line by line, put together frame by frame. What the lines mean is said in `film_text.rs`,
 * what shapes are in `core/src/scene`.
 *
 * @typedef {[number, number]} Point
 * @typedef {string | { own?: number, exact?: string }} Ink
 * @typedef {{ fill?: Ink, stroke?: Ink, stroke_width?: number, dash?: number, opacity?: number, halo?: Ink }} Style
 * @typedef {{ fill: Ink, rim: Ink, is_round: boolean, has_leader: boolean }} Plate
 * @typedef {{ at: Point, shift?: Point, size: { world?: number, screen?: number }, anchor?: "start" | "end",
 *   is_bold?: boolean, text: string, plate?: Plate }} Label
 * @typedef {{ symbol: number, at: Point, size: number, turned: number, is_mirrored: boolean }} Placed
 * @typedef {{ circle?: { centre: Point, radius: number }, line?: { points: Point[] }, polygon?: { points: Point[] },
 *   path?: { path: string }, symbol?: Placed, text?: Label }} Form
 * @typedef {"fade" | "grow" | "rise" | "trace" | { fly: Point } | { throw: Point }} Entrance
 * @typedef {{ how: Entrance, from: number, to: number }} Enter
 * @typedef {{ cut?: number, fade?: Point, shrink?: Point }} Leave
 * @typedef {{ id: number, layer: number, plane?: number, form: Form, style: Style, label?: string,
 *   motion?: "jump" | "push" | "arc", enter?: Enter, leave?: Leave, presence?: "roomy" | "ornament", group?: string }} Shape
 * @typedef {{ x: number, y: number, width: number, height: number }} Area
 * @typedef {{ id: number, plane: number, view: Area, place: Area, is_round: boolean }} View
 * @typedef {{ flat?: string, down?: [string, string], out?: [string, string] }} Tone
 * @typedef {{ path: string, fill?: Ink, stroke?: Ink, width: number, opacity: number }} Part
 * @typedef {{ name: string, parts: Part[] }} SymbolOf
 * @typedef {{ name: string, kind: "both" | "difference", max: number }} Curve
 * @typedef {{ world: Area, narrow?: [number, number], background: Shape[], palette: { light: Tone, dark: Tone }[],
 *   symbols: SymbolOf[], legend: { looks: [Form, Style][], text: string }[], curve?: Curve }} Stage
 * @typedef {{ kind: "event" | "loss" | "warning" | "fault" | "own", seat?: number, text: string }} Mark
 * @typedef {{ value: number, max: number, cells: number }} Gauge
 * @typedef {{ seat: number | null, name: string, value: string, change?: string, gauge?: Gauge, is_decisive?: boolean }} Panel
 * @typedef {{ panels?: Panel[], caption?: string, deeds?: [string[], string[]],
 *   windows?: { wide: View[], narrow?: View[] } | null }} Fields
 * @typedef {{ shapes: Shape[], fields: Fields }} Frame
 * @typedef {{ title: string, turn_name: string, names: [string, string], ending: string, turn_ms: number, eye: string,
 *   stage: Stage, turns: number[], curve: Point[], expected?: number[], marks: [number, Mark][], groups?: string[] }} Head
 */
import { mapPlaces } from "./motion.js";

export class Film {
  /** @param {Head} head */
  constructor(head) {
    this.head = head;
    /** @type {string[]} */
    this.lines = [];
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {Map<number, Shape>} */
    this.byId = new Map();
    /** @type {Map<number, number[]>} */
    this.layers = new Map();
    /** What shapes have beside id, form and label. @type {Partial<Shape>[]} */
    this.looks = [];
    /** @type {Promise<void>} */
    this.isWhole = Promise.resolve();
  }

  /** How many frames there are in all; those that have not arrived yet included. */
  get count() {
    return this.head.turns.length;
  }

  get last() {
    return this.count - 1;
  }

  /**
   * The frame of that number, or the last one that has arrived.
   * @param {number} number
   * @returns {Frame}
   */
  frame(number) {
    const wanted = Math.min(Math.max(number, 0), this.lines.length - 1);
    while (this.frames.length <= wanted) this.frames.push(this.next());
    return this.frames[wanted] ?? { shapes: [], fields: {} };
  }

  /**
   * One more frame, of a match that is played now.
   * @param {{ turn: number, curve: Point, marks?: Mark[], groups?: string[] }} news
   * @param {string} line
   */
  grow({ turn, curve, marks = [], groups = [] }, line) {
    const { head } = this;
    const number = head.turns.length;
    head.turns.push(turn);
    head.curve.push(curve);
    head.marks.push(...marks.map((mark) => /** @type {[number, Mark]} */ ([number, mark])));
    head.groups = [...new Set([...(head.groups ?? []), ...groups])];
    this.lines.push(line);
  }

  /** @returns {Frame} */
  next() {
    const { whole = false, looks = [], set = [], moved = [], gone = [], order = {}, ...changes } = JSON.parse(this.lines[this.frames.length]);
    if (whole) {
      this.byId = new Map();
      this.layers = new Map();
      this.looks = [];
    }
    this.looks.push(...looks);
    for (const id of gone) this.remove(id);
    for (const [right, down, ...ids] of moved) {
      for (const id of ids) this.move(id, right, down);
    }
    for (const shape of set) this.set(shape);
    for (const [layer, ids] of Object.entries(order)) this.layers.set(Number(layer), ids);
    const before = this.frames[this.frames.length - 1];
    const isSame = before && !whole && !set.length && !moved.length && !gone.length;
    const shapes = isSame ? before.shapes : this.list();
    return { shapes, fields: merged((!whole && before?.fields) || {}, changes) };
  }

  /** @param {number} id */
  remove(id) {
    const shape = this.byId.get(id);
    if (!shape) return;
    const ids = this.layers.get(shape.layer) ?? [];
    this.layers.set(shape.layer, ids.filter((other) => other !== id));
    this.byId.delete(id);
  }

  /** @param {number} id @param {number} right @param {number} down */
  move(id, right, down) {
    const shape = this.byId.get(id);
    if (shape) this.byId.set(id, { ...shape, form: movedForm(shape.form, right, down) });
  }

  /** @param {Shape & { look?: number }} changes */
  set({ look, ...changes }) {
    const old = this.byId.get(changes.id);
    let shape = old ? merged(old, changes) : changes;
    if (look !== undefined) {
      const { id, form, label } = shape;
      shape = /** @type {Shape} */ ({ ...this.looks[look], id, form, label });
    }
    if (old && old.layer !== shape.layer) this.remove(shape.id);
    if (!this.byId.has(shape.id)) {
      const ids = this.layers.get(shape.layer);
      if (ids) ids.push(shape.id);
      else this.layers.set(shape.layer, [shape.id]);
    }
    this.byId.set(shape.id, shape);
  }

  /** @returns {Shape[]} */
  list() {
    const layers = [...this.layers.keys()].sort((one, other) => one - other);
    /** @type {Shape[]} */
    const shapes = [];
    for (const layer of layers) {
      for (const id of this.layers.get(layer) ?? []) {
        const shape = this.byId.get(id);
        if (shape) shapes.push(shape);
      }
    }
    return shapes;
  }

  /**
   * The last frame of a turn: an answer that was refused leaves the turn where it was.
   * @param {number} turn
   */
  frameOfTurn(turn) {
    const turns = this.head.turns;
    let low = 0;
    let high = turns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (turns[middle] <= turn) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }
}

/**
 * An object or a list with changes, part by part: `null` takes a part away. What it was made of stays as it is.
 * @template {object} T
 * @param {T} old
 * @param {object} changes
 * @returns {T}
 */
function merged(old, changes) {
  /** @type {any} */
  const result = Array.isArray(old) ? [...old] : { ...old };
  for (const [key, value] of Object.entries(changes)) {
    const hasParts = value !== null && typeof value === "object" && !Array.isArray(value);
    if (value === null) delete result[key];
    else result[key] = hasParts && result[key] && typeof result[key] === "object" ? merged(result[key], value) : value;
  }
  return result;
}

/**
 * A form somewhere else, to a thousandth, as films say places.
 * @param {Form} form
 * @param {number} x
 * @param {number} y
 * @returns {Form}
 */
function movedForm(form, x, y) {
  const to = (/** @type {number} */ number, /** @type {number} */ way) => Math.round((number + way) * 1000) / 1000;
  return mapPlaces(form, ([px, py]) => [to(px, x), to(py, y)]);
}

/**
 * Reads a film; `more` is called whenever frames have arrived. Gives the film as soon as it has one.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {() => void} more
 * @returns {Promise<Film>}
 */
export async function readFilm(stream, more) {
  const reader = stream.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  /** @type {Film | undefined} */
  let film;
  let rest = "";
  const take = async () => {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (film) film.lines.push(line);
      else film = new Film(JSON.parse(line));
    }
    return done;
  };
  let isDone = false;
  while (!isDone && !film?.lines.length) isDone = await take();
  if (!film) throw new Error("expected a film, found nothing");
  const readRest = async () => {
    while (!isDone) {
      isDone = await take();
      more();
    }
  };
  film.isWhole = readRest();
  return film;
}

/**
 * A film of the server.
 * @param {string} address
 * @param {() => void} more
 */
export async function fetchFilm(address, more) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(await refusalOf(answer));
  return readFilm(answer.body, more);
}

/**
 * What an error page says.
 * @param {Response} answer
 */
async function refusalOf(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("main p")?.textContent ?? `the server answered ${answer.status}`;
}
