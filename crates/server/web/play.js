/**
 * A person at play: the board, what may be done, what the other one did. What is new comes as lines
 * (`people/news.rs`); everything is asked for again after a reload.
 *
 * @typedef {import("./choices.js").Offer} Offer
 * @typedef {{ number: number, film: number, frames: number, is_anew: boolean, turns: number[],
 *   phase: "inviting" | "playing" | "over" | "broken-off", ending?: string, result?: "won" | "lost" | "drawn",
 *   replay?: string, question: number, asked?: Offer[] | null, left_ms?: number, has_left: boolean, can_take_back: boolean, next?: string }} News
 */
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { copyButton, element, showFailure } from "./dom.js";
import { Film } from "./film.js";
import { legendCard } from "./legend.js";
import { Targets } from "./targets.js";
import { watchTheme } from "./theme.js";

const RETRY_MS = 1000;
/** What is around a stage on the page, in pixels. */
const AROUND_STAGE = 250;
const RESULTS = { won: "You won", lost: "You lost", drawn: "A draw" };

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

class Game {
  /** @param {HTMLElement} place */
  constructor(place) {
    const { at = "", seat = "0", other = "", invitation = "", person } = place.dataset;
    this.at = at;
    this.seat = Number(seat);
    this.other = other;
    this.isAgainstPerson = person !== undefined;
    this.invitation = invitation;
    /** @type {News | null} */
    this.news = null;
    /** @type {Film | null} */
    this.film = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {Targets | null} */
    this.targets = null;
    this.position = 0;
    this.lastTime = 0;
    this.isMoving = false;
    this.newsAt = 0;
    /** What has been chosen of an answer. */
    this.chosen = "";
    /** The question that the choices belong to. */
    this.shownFor = 0;
    this.isWaiting = false;
    this.choices = new Choices((offer) => this.choose(offer), () => this.begin());
    this.stage = element("section", "card player at-play");
    this.caption = element("p", "caption");
    this.heading = element("h2");
    this.clock = element("span", "clock");
    this.words = element("div", "words");
    this.complaint = element("p", "bad");
    this.backButton = this.button("Take back", () => this.send("back"));
    this.resignButton = this.button("Resign", () => this.resign());
    this.panel = element("section", "card pad panel explain");
    this.below = element("div", "later");
    this.build(place);
    watchTheme(() => this.refresh());
    document.fonts.addEventListener("loadingdone", () => this.refresh());
    window.addEventListener("resize", () => this.resize());
    setInterval(() => this.tellTime(), 250);
  }

  /** @param {HTMLElement} place */
  build(place) {
    this.stage.setAttribute("aria-label", "Board");
    this.heading.setAttribute("role", "status");
    this.complaint.setAttribute("role", "alert");
    this.panel.setAttribute("aria-label", "Your turn");
    const head = element("div", "row spread", this.heading, this.clock);
    const deeds = element("div", "row", this.backButton, this.resignButton);
    this.panel.append(head, this.words, this.complaint, this.choices.element, deeds);
    place.replaceChildren(element("div", "grid", element("div", "", element("div", "main", this.stage), this.below), element("div", "", this.panel)));
    this.tell();
  }

  /** @param {string} text @param {() => void} act */
  button(text, act) {
    const button = element("button", "btn", text);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
  }

  /** Asks for news until there will be no more. */
  async listen() {
    for (;;) {
      const { number = 0, film = 0, frames = 0 } = this.news ?? {};
      try {
        const answer = await fetch(`${this.at}/news?number=${number}&film=${film}&frames=${frames}`);
        if (answer.status === 404) throw new Error("This game is no more.");
        if (!answer.ok) throw new TypeError();
        this.take((await answer.text()).split("\n"));
      } catch (error) {
        if (!(error instanceof TypeError)) {
          showFailure(this.panel, error);
          return;
        }
        this.heading.textContent = "The server does not answer; trying again";
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** @param {string[]} lines */
  take([first, ...lines]) {
    /** @type {News | null} */
    const news = JSON.parse(first);
    if (!news) return;
    this.news = news;
    this.newsAt = performance.now();
    if (news.is_anew) this.beginFilm(JSON.parse(lines.shift() ?? ""), lines, news.turns);
    else this.film?.lines.push(...lines);
    if (!news.is_anew) this.film?.head.turns.push(...news.turns);
    this.complaint.textContent = "";
    this.move();
    this.tell();
  }

  /** @param {import("./film.js").Head} head @param {string[]} lines @param {number[]} turns */
  beginFilm(head, lines, turns) {
    this.film = new Film({ ...head, turns, curve: [], marks: [] });
    this.film.lines.push(...lines);
    this.position = this.film.last;
    this.board = new Board(this.film);
    this.targets = new Targets(this.board.view);
    this.stage.replaceChildren(this.board.element, this.caption);
    this.board.stage.append(this.choices.menu);
    this.listenToBoard(this.board, this.targets);
    this.below.replaceChildren(...(head.stage.legend.length ? [legendCard(this.film)] : []));
    this.resize();
  }

  /** @param {Board} board @param {Targets} targets */
  listenToBoard(board, targets) {
    const { canvas } = board;
    const found = (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return targets.at(event.clientX - box.left, event.clientY - box.top);
    };
    canvas.addEventListener("pointermove", (event) => {
      board.point(event);
      const pointed = found(event);
      canvas.style.cursor = pointed ? "pointer" : "";
      if (pointed === targets.pointed) return;
      targets.pointed = pointed;
      this.refresh();
    });
    canvas.addEventListener("pointerleave", () => {
      board.tip.hidden = true;
      targets.pointed = null;
      this.refresh();
    });
    canvas.addEventListener("click", (event) => {
      const target = found(event);
      const box = board.stage.getBoundingClientRect();
      if (target) this.choices.open(target.offers, event.clientX - box.left, event.clientY - box.top);
    });
  }

  /** Goes to the latest frame, turn by turn. */
  move() {
    if (!this.film || this.isMoving) return;
    if (calm.matches) this.position = this.film.last;
    this.isMoving = this.position < this.film.last;
    this.lastTime = 0;
    if (this.isMoving) requestAnimationFrame((time) => this.tick(time));
    else this.refresh();
  }

  /** @param {number} time */
  tick(time) {
    if (!this.film) return;
    const passed = this.lastTime ? Math.min(time - this.lastTime, 250) : 0;
    this.lastTime = time;
    const behind = this.film.last - this.position;
    this.position = Math.min(this.position + (passed * Math.max(behind, 1)) / this.film.head.turn_ms, this.film.last);
    this.isMoving = this.position < this.film.last;
    this.draw();
    if (this.isMoving) requestAnimationFrame((next) => this.tick(next));
    else this.tell();
  }

  /** Draws with the next picture of the screen. */
  refresh() {
    if (this.isWaiting || this.isMoving) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  draw() {
    if (!this.film || !this.board || !this.targets) return;
    this.board.draw(this.position);
    this.caption.textContent = this.film.frame(Math.round(this.position)).fields.caption ?? "";
    if (!this.isMoving) this.targets.draw();
    performance.mark("quintain-shown");
  }

  resize() {
    const height = Math.max(window.innerHeight - AROUND_STAGE, 320);
    this.board?.resize(this.stage.clientWidth, height);
    this.refresh();
  }

  /** Says how things are, and offers what can be done now. */
  tell() {
    const { news } = this;
    const isAsked = Boolean(news?.asked) && !this.isMoving;
    this.heading.textContent = this.state(isAsked);
    this.panel.classList.toggle("asked", isAsked);
    this.panel.dataset.phase = this.isMoving ? "moving" : (news?.phase ?? "");
    this.panel.dataset.asked = isAsked ? String(news?.question) : "";
    this.backButton.disabled = !news?.can_take_back || this.isMoving;
    this.backButton.hidden = this.isAgainstPerson;
    this.resignButton.disabled = news?.has_left || !["inviting", "playing"].includes(news?.phase ?? "");
    this.words.replaceChildren(...this.explained());
    this.tellTime();
    if (!isAsked) this.offer([], "");
    else if (this.shownFor !== news?.question) this.begin();
    this.shownFor = isAsked ? (news?.question ?? 0) : 0;
  }

  /** @param {boolean} isAsked */
  state(isAsked) {
    const { news } = this;
    if (!news) return "One moment";
    if (news.phase === "inviting") return "Invite the other one";
    if (news.phase === "broken-off") return "Broken off";
    if (news.phase === "over") return this.isMoving ? "" : RESULTS[news.result ?? "drawn"];
    if (news.has_left) return "You have left";
    if (isAsked) return "Your turn";
    return `${this.film?.head.names[1 - this.seat] ?? this.other} is to act`;
  }

  /** What else is said below the heading. */
  explained() {
    const { news } = this;
    if (!news) return [];
    if (news.phase === "inviting") {
      const link = element("code", "", this.invitation);
      return [element("p", "", "Send this link to whom you want to play against. The game begins when it is opened."), element("div", "cmd", link, copyButton("Copy the link", () => this.invitation))];
    }
    if (news.phase === "playing") return news.has_left ? [element("p", "", "The match goes on as its rules have it when a player is gone.")] : [];
    if (this.isMoving) return [];
    const again = this.button(news.next ? "Play again: the other one waits" : "Play again", () => this.playAgain());
    const watch = element("a", "btn main", "Watch the replay");
    watch.href = news.replay ?? "/";
    return [element("p", "", news.ending ?? ""), element("div", "row", ...(news.replay ? [watch] : []), again)];
  }

  tellTime() {
    const left = this.news?.left_ms;
    this.clock.hidden = left === undefined || left === null;
    if (this.clock.hidden) return;
    const seconds = Math.max(Math.ceil((Number(left) - (performance.now() - this.newsAt)) / 1000), 0);
    this.clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.clock.classList.toggle("bad", seconds <= 5);
  }

  /** Offers what an answer can begin with. */
  begin() {
    this.offer(this.news?.asked ?? [], "");
  }

  /** @param {Offer[]} offers @param {string} chosen */
  offer(offers, chosen) {
    this.chosen = chosen;
    this.choices.show(offers, chosen);
    this.targets?.show(offers);
    this.refresh();
  }

  /** @param {Offer} offer */
  async choose(offer) {
    this.choices.menu.hidden = true;
    this.complaint.textContent = "";
    if (!offer.is_beginning) {
      await this.answer(offer.text);
    } else if (offer.inner?.length) {
      this.offer(offer.inner, offer.text);
    } else {
      const answer = await fetch(`${this.at}/offers?chosen=${encodeURIComponent(offer.text)}`);
      if (answer.ok) this.offer(await answer.json(), offer.text);
    }
  }

  /** @param {string} text */
  async answer(text) {
    const question = this.news?.question;
    const isTaken = await this.send("answer", text);
    if (!isTaken || !this.news || this.news.question !== question) return;
    this.news.asked = null;
    this.tell();
  }

  /** @param {string} what @param {string} [text] @returns {Promise<boolean>} whether it was accepted */
  async send(what, text = "") {
    const answer = await fetch(`${this.at}/${what}`, { method: "POST", body: text });
    this.complaint.textContent = answer.ok ? "" : await answer.text();
    return answer.ok;
  }

  /** Asks once more, on the button itself. */
  async resign() {
    if (this.resignButton.classList.toggle("sure")) {
      this.resignButton.textContent = "Really resign";
      return;
    }
    this.resignButton.textContent = "Resign";
    await this.send("resign");
  }

  async playAgain() {
    const answer = await fetch(`${this.at}/again`, { method: "POST" });
    if (answer.ok) location.assign(answer.url);
  }
}

const place = /** @type {HTMLElement} */ (document.getElementById("play"));
new Game(place).listen();
