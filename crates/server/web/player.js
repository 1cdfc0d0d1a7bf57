/**
 * Plays one film, or two in step: the clock, the buttons, the keys.
 *
 * @typedef {import("./film.js").Film} Film
 * @typedef {{ turn?: number, speed?: number, isLooping?: boolean, isPlaying?: boolean, hasControls?: boolean,
 *   partsAt?: number, linksTurns?: boolean, isLive?: boolean }} Options
 * @typedef {{ frame: number, turn: number, isOver: boolean }} Moment
 */
import { Board } from "./board.js";
import { ICONS, element, iconButton, unhurried } from "./dom.js";
import { showKeys } from "./keys.js";
import { SeekBar, drawMark } from "./seek.js";
import { INKS, currentTheme, watchTheme } from "./theme.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
/** Beyond this nobody could follow the way from turn to turn. */
const SMOOTH_SPEED_MAX = 8;
/** How many kinds of marks are explained. */
const LEGEND_MAX = 10;
/** What is around a stage on the page, in pixels. */
const AROUND_STAGE = 330;
/** How soon a player that is behind a match has caught up with it, in milliseconds. */
const CATCH_UP = 600;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Player {
  /**
   * @param {Element} place
   * @param {Film[]} films
   * @param {Options} options
   */
  constructor(place, films, options) {
    this.films = films;
    this.options = options;
    this.position = 0;
    this.isPlaying = false;
    this.isLooping = options.isLooping ?? false;
    this.speed = SPEEDS.reduce((best, speed) => (Math.abs(speed - (options.speed ?? 1)) < Math.abs(best - (options.speed ?? 1)) ? speed : best), 1);
    /** @type {Set<(moment: Moment) => void>} */
    this.followers = new Set();
    this.lastFrame = -1;
    this.lastTime = 0;
    this.isWaiting = false;
    this.isShown = false;
    /** Whether the film still grows, and whether the latest of it is shown. */
    this.isGrowing = options.isLive ?? false;
    this.isLive = this.isGrowing;
    /** Browsers refuse to change addresses too often. */
    this.linkSoon = unhurried(() => this.linkTurn());
    this.boards = films.map((film) => new Board(film));
    this.bars = films.map((film) => new SeekBar(element("canvas"), film, (position) => this.seek(position)));
    this.now = element("span");
    this.playButton = iconButton(ICONS.play, "Play (space)", () => this.toggle(), "main");
    this.speedButton = element("button", "btn", "1×");
    this.loopButton = iconButton(ICONS.loop, "Play again and again (l)", () => this.setLooping(!this.isLooping));
    this.liveButton = element("button", "btn live", "Live");
    this.end = element("span");
    this.legend = element("div", "marks");
    this.groups = element("div", "controls switches");
    this.element = element("section", "card player");
    this.element.setAttribute("aria-label", "Player");
    this.build();
    place.append(this.element);
    this.listen();
    this.resize();
    this.seek(this.frameOfTurn(options.turn ?? this.linkedTurn() ?? 0));
    if (options.isPlaying) this.play();
    if (this.isGrowing) this.goLive();
  }

  get last() {
    return Math.max(...this.films.map((film) => film.last));
  }

  get longest() {
    return this.films.reduce((longest, film) => (film.last > longest.last ? film : longest));
  }

  /** Turns of another film can be shown in its place, such as what one seat has seen. @param {Film} film */
  replaceFilm(film) {
    const board = new Board(film);
    this.boards[0].element.replaceWith(board.element);
    this.films[0] = film;
    this.boards[0] = board;
    this.bars[0].film = film;
    this.bars[0].pictureKey = "";
    this.listenToBoard(board);
    this.resize();
    this.lastFrame = -1;
    this.refresh();
  }

  build() {
    const boards = element("div", "boards", ...this.boards.map((board) => board.element));
    for (const bar of this.bars) {
      bar.canvas.setAttribute("role", "slider");
      bar.canvas.setAttribute("aria-label", "Turn");
      bar.canvas.tabIndex = 0;
      if (this.options.partsAt) bar.partsAt = bar.film.frameOfTurn(this.options.partsAt - 1);
    }
    const axis = element("div", "axis", element("span", "", "0"), this.now, this.end);
    const seek = element("div", "seek", ...this.bars.map((bar) => bar.canvas), axis);
    this.element.append(boards, seek, this.controls(), this.groups, this.legend);
    this.measure();
    this.switches();
    this.markLegend();
    watchTheme(() => this.markLegend());
    if (this.options.hasControls === false) {
      for (const part of this.element.children) {
        if (part !== boards) /** @type {HTMLElement} */ (part).hidden = true;
      }
    }
  }

  controls() {
    this.speedButton.type = "button";
    this.speedButton.title = "Speed (+ and -)";
    this.speedButton.addEventListener("click", () => this.setSpeed(1));
    const bar = element(
      "div",
      "controls",
      iconButton(ICONS.start, "First turn (home)", () => this.seek(0), "rare"),
      iconButton(ICONS.previousEvent, "Previous event (q)", () => this.jump(-1)),
      iconButton(ICONS.back, "One turn back (left)", () => this.step(-1)),
      this.playButton,
      iconButton(ICONS.forward, "One turn on (right)", () => this.step(1)),
      iconButton(ICONS.nextEvent, "Next event (e)", () => this.jump(1)),
      iconButton(ICONS.end, "Last turn (end)", () => this.goLive(), "rare"),
      element("span", "gap"),
      this.liveButton,
      iconButton(ICONS.slower, "Slower (-)", () => this.changeSpeed(-1), "rare"),
      this.speedButton,
      iconButton(ICONS.faster, "Faster (+)", () => this.changeSpeed(1), "rare"),
      this.loopButton,
      iconButton(ICONS.full, "Full screen (f)", () => this.toggleFull()),
    );
    this.liveButton.type = "button";
    this.liveButton.title = "Go with the match (end)";
    this.liveButton.hidden = !this.isGrowing;
    this.liveButton.addEventListener("click", () => this.goLive());
    this.setSpeed(this.speed);
    this.setLooping(this.isLooping);
    return bar;
  }

  /** How long the films are. */
  measure() {
    this.end.textContent = String(this.longest.head.turns[this.longest.last]);
    for (const bar of this.bars) bar.end = this.last;
  }

  /** Frames have come. */
  grow() {
    const [film] = this.films;
    this.measure();
    for (const bar of this.bars) bar.pictureKey = "";
    if ((film.head.groups?.length ?? 0) > this.groups.querySelectorAll("button").length) this.switches();
    if (film.head.marks.some(([frame]) => frame === film.last)) this.markLegend();
    if (this.isLive) this.play();
    else this.refresh();
  }

  /** Shows the latest, and what comes. */
  goLive() {
    if (!this.isGrowing) return this.seek(this.last);
    this.setLive(true);
    if (this.position < this.last - 1) this.position = this.last - 1;
    this.play();
  }

  /** No more frames will come. */
  endLive() {
    this.isGrowing = false;
    this.liveButton.hidden = true;
    if (this.isLive && !this.isPlaying) this.showState();
    this.setLive(false);
    this.lastFrame = -1;
    this.refresh();
  }

  /** @param {boolean} isLive */
  setLive(isLive) {
    this.isLive = isLive && this.isGrowing;
    this.liveButton.setAttribute("aria-pressed", String(this.isLive));
  }

  /** What bots drew can be switched off, layer by layer. */
  switches() {
    const row = this.groups;
    row.replaceChildren();
    const groups = new Set(this.films.flatMap((film) => film.head.groups ?? []));
    for (const group of groups) {
      const button = element("button", "btn", group);
      button.type = "button";
      button.title = `Show or hide what bots drew as ${group}`;
      button.setAttribute("aria-pressed", String(!this.boards[0].view.hidden.has(group)));
      button.addEventListener("click", () => {
        const isShown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(isShown));
        for (const board of this.boards) board.view.switchGroup(group, isShown);
        this.refresh();
      });
      row.append(button);
    }
    row.prepend(...(groups.size ? [element("span", "small", "drawn by bots")] : []));
    row.hidden = groups.size === 0;
  }

  /** What the marks of this match mean. */
  markLegend() {
    /** @type {Map<string, Map<string, import("./film.js").Mark>>} */
    const texts = new Map();
    for (const [, mark] of this.films.flatMap((film) => film.head.marks)) {
      const kinds = texts.get(mark.text) ?? new Map();
      texts.set(mark.text, kinds.set(`${mark.kind}${mark.seat}`, mark));
    }
    const items = [...texts].slice(0, LEGEND_MAX).map(([text, kinds]) => element("span", "", ...[...kinds.values()].map(markSign), text));
    const { stage, expected } = this.films[0].head;
    const curves = [stage.curve?.name, expected && "line: what the champion expects, up is the first seat"];
    this.legend.replaceChildren(...curves.filter((name) => name).map((name) => element("span", "", name ?? "")), ...items);
  }

  listen() {
    for (const board of this.boards) this.listenToBoard(board);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", (event) => {
      // The page may have named its own turn again before it was told of another.
      const turn = this.linkedTurn(new URL(event.newURL).hash);
      if (turn !== null) this.seek(this.frameOfTurn(turn));
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
    window.addEventListener("resize", () => this.resize());
    watchTheme(() => this.refresh());
    document.fonts.addEventListener("loadingdone", () => {
      for (const board of this.boards) board.view.forget();
      this.refresh();
    });
    calm.addEventListener("change", () => this.refresh());
  }

  /** @param {Board} board */
  listenToBoard(board) {
    const { canvas, view } = board;
    /** @type {Map<number, { x: number, y: number }>} */
    const pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (view.zoom.scale > 1 || pointers.size > 1) canvas.setPointerCapture(event.pointerId);
      board.point(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      const old = pointers.get(event.pointerId);
      if (!old || !event.buttons) {
        board.point(event);
        return;
      }
      this.drag(board, pointers, old, event);
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      canvas.addEventListener(end, (event) => {
        pointers.delete(event.pointerId);
        if (end === "pointerleave") board.tip.hidden = true;
      });
    }
    canvas.addEventListener("wheel", (event) => this.wheel(board, event), { passive: false });
    canvas.addEventListener("dblclick", () => {
      view.resetZoom();
      this.refresh();
    });
  }

  /**
   * @param {Board} board
   * @param {Map<number, { x: number, y: number }>} pointers
   * @param {{ x: number, y: number }} old
   * @param {PointerEvent} event
   */
  drag(board, pointers, old, event) {
    const { view } = board;
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length) {
      const box = board.canvas.getBoundingClientRect();
      const far = (/** @type {{ x: number, y: number }} */ from) => Math.hypot(from.x - others[0].x, from.y - others[0].y) || 1;
      const now = { x: event.clientX, y: event.clientY };
      view.zoomBy(far(now) / far(old), (now.x + others[0].x) / 2 - box.left, (now.y + others[0].y) / 2 - box.top);
    } else {
      view.panBy(event.clientX - old.x, event.clientY - old.y);
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.refresh();
  }

  /**
   * The wheel scrolls the page unless the stage was clicked, is zoomed or fills the screen.
   * @param {Board} board
   * @param {WheelEvent} event
   */
  wheel(board, event) {
    const isMeant = event.ctrlKey || board.view.zoom.scale > 1 || document.activeElement === board.canvas || document.fullscreenElement;
    if (!isMeant) return;
    event.preventDefault();
    const box = board.canvas.getBoundingClientRect();
    board.view.zoomBy(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    this.refresh();
  }

  resize() {
    const isFull = document.fullscreenElement === this.element;
    const around = isFull ? 300 : AROUND_STAGE;
    const height = this.options.hasControls === false ? Infinity : window.innerHeight - around;
    const width = this.element.clientWidth / (this.boards.filter((board) => !board.element.hidden).length || 1);
    const columns = width < 300 ? 1 : this.boards.length;
    const room = this.boards.length > 1 ? this.element.clientWidth / columns : this.element.clientWidth;
    for (const board of this.boards) board.resize(Math.min(room, this.element.clientWidth), Math.max(height, 320));
    this.refresh();
  }

  /** @param {number} turn */
  frameOfTurn(turn) {
    return this.longest.frameOfTurn(turn);
  }

  /** The turn that the address of the page names. @param {string} hash */
  linkedTurn(hash = location.hash) {
    const found = this.options.linksTurns === false ? null : /^#t=(\d{1,9})$/.exec(hash);
    return found ? Number(found[1]) : null;
  }

  /** The address of the page names the turn. */
  linkTurn() {
    if (this.options.linksTurns === false || this.isPlaying) return;
    const turn = this.longest.head.turns[Math.round(this.position)];
    history.replaceState(null, "", turn ? `#t=${turn}` : location.pathname + location.search);
  }

  /** Goes to a frame and stays there. @param {number} frame */
  seek(frame) {
    if (this.isLive) this.leaveLive();
    this.position = Math.min(Math.max(Math.round(frame), 0), this.last);
    this.lastTime = 0;
    this.refresh();
    this.linkSoon(null);
  }

  /** Stays behind while the match goes on. */
  leaveLive() {
    this.setLive(false);
    this.isPlaying = false;
    this.showState();
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.seek(by > 0 ? Math.floor(this.position) + by : Math.ceil(this.position) + by);
  }

  /** To the next or the previous event. @param {number} direction */
  jump(direction) {
    const at = Math.round(this.position);
    const frames = this.films.flatMap((film) => film.head.marks.map(([frame]) => frame)).concat(this.last, 0);
    const ahead = frames.filter((frame) => (frame - at) * direction > 0);
    if (!ahead.length) return;
    this.pause();
    this.seek(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
  }

  play() {
    if (this.isPlaying) return;
    if (this.position >= this.last && !this.isGrowing) this.position = 0;
    this.isPlaying = true;
    this.lastTime = 0;
    this.showState();
    requestAnimationFrame((time) => this.tick(time));
  }

  pause() {
    this.setLive(false);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.position = Math.round(this.position);
    this.showState();
    this.refresh();
    this.linkSoon(null);
  }

  toggle() {
    if (this.isPlaying || this.isLive) this.pause();
    else this.play();
  }

  /** @param {number} time */
  tick(time) {
    if (!this.isPlaying) return;
    const passed = this.lastTime ? Math.min(time - this.lastTime, 250) : 0;
    this.lastTime = time;
    this.position += this.isLive ? this.pace(passed) : (passed * this.speed) / this.longest.head.turn_ms;
    if (this.position >= this.last) this.finish();
    this.draw();
    if (this.isPlaying) requestAnimationFrame((next) => this.tick(next));
  }

  /** How far a player that goes with a match goes on: faster the further it is behind. @param {number} passed */
  pace(passed) {
    const behind = this.last - this.position;
    return passed * Math.max(1 / this.longest.head.turn_ms, behind / CATCH_UP);
  }

  finish() {
    this.position = this.last;
    if (this.isGrowing) {
      // The next turn goes on with it.
      this.isPlaying = false;
      this.setLive(true);
      this.showState();
      return;
    }
    if (this.isLooping) {
      this.tell();
      this.position = 0;
      return;
    }
    this.isPlaying = false;
    this.showState();
    this.linkSoon(null);
  }

  /** Draws with the next picture of the screen. */
  refresh() {
    if (this.isWaiting || this.isPlaying) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  draw() {
    const isSmooth = !calm.matches && this.speed <= SMOOTH_SPEED_MAX;
    const position = isSmooth ? this.position : Math.round(this.position);
    this.boards.forEach((board, index) => board.draw(Math.min(position, this.films[index].last)));
    for (const bar of this.bars) bar.draw(position);
    this.tell();
    if (!this.isShown) performance.mark("quintain-shown");
    this.isShown = true;
  }

  /** Tells whoever follows which turn is shown. */
  tell() {
    const frame = Math.round(this.position);
    if (frame === this.lastFrame) return;
    this.lastFrame = frame;
    const { head } = this.longest;
    const turn = head.turns[frame] ?? 0;
    const place = `${head.turn_name} ${turn} of ${head.turns[head.turns.length - 1]}`;
    this.now.textContent = [place, ...this.captions(frame)].join(" · ");
    for (const bar of this.bars) {
      bar.canvas.setAttribute("aria-valuenow", String(turn));
      bar.canvas.setAttribute("aria-valuemin", "0");
      bar.canvas.setAttribute("aria-valuemax", String(head.turns[head.turns.length - 1]));
    }
    for (const follower of this.followers) follower({ frame, turn, isOver: frame >= this.last });
  }

  /** What is said of a frame beside what both did: how it ended, or all where nobody's deeds are told. @param {number} frame */
  captions(frame) {
    return this.films.flatMap((film) => {
      const { caption, deeds } = film.frame(Math.min(frame, film.last)).fields;
      const isTold = deeds?.some((lines) => lines.length) && frame < film.last;
      return caption && !isTold ? [caption] : [];
    });
  }

  /** @param {(moment: Moment) => void} follower */
  follow(follower) {
    this.followers.add(follower);
    this.lastFrame = -1;
    this.refresh();
  }

  showState() {
    const isOn = this.isPlaying || this.isLive;
    const button = iconButton(isOn ? ICONS.pause : ICONS.play, isOn ? "Pause (space)" : "Play (space)", () => {});
    this.playButton.replaceChildren(...button.children);
    this.playButton.title = button.title;
    this.playButton.setAttribute("aria-label", button.title);
  }

  /** @param {number} by */
  changeSpeed(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.speedButton.textContent = `${speed}×`;
    this.speedButton.setAttribute("aria-label", `Speed ${speed}, back to 1`);
  }

  /** @param {boolean} isLooping */
  setLooping(isLooping) {
    this.isLooping = isLooping;
    this.loopButton.setAttribute("aria-pressed", String(isLooping));
  }

  async toggleFull() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await this.element.requestFullscreen();
    } catch {
      // A page in a frame may not be allowed to.
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if ((event.key === " " || event.key === "Enter") && target.closest("button, summary, a")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.toggle(),
      k: () => this.toggle(),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      Home: () => this.seek(0),
      End: () => this.goLive(),
      "+": () => this.changeSpeed(1),
      "=": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      e: () => this.jump(1),
      q: () => this.jump(-1),
      l: () => this.setLooping(!this.isLooping),
      f: () => this.toggleFull(),
      0: () => {
        for (const board of this.boards) board.view.resetZoom();
        this.refresh();
      },
      "?": showKeys,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** @param {import("./film.js").Mark} mark */
function markSign(mark) {
  const canvas = element("canvas");
  canvas.width = 28;
  canvas.height = 28;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(2, 0, 0, 2, 0, 0);
  const height = mark.kind === "warning" ? 11 : mark.kind === "fault" ? 20 : 22;
  drawMark(context, mark, 7, height, INKS[currentTheme()]);
  return canvas;
}
