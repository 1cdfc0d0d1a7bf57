/**
 * The panel that says of each turn what both bots were sent, what they answered and what the rules made of it.
 *
 * @typedef {{ sent: string[], left_out?: number, answered: string[], ignored?: string[], fault?: string, refusal?: string,
 *   stderr?: string, time_ms?: number, limit_ms?: number }} Said
 * @typedef {{ turn: number, notes?: string[], seats: [Said | null, Said | null] }} Explained
 * @typedef {(step: number) => Promise<Explained | undefined>} Source
 */
import { element, seatSign } from "./dom.js";

/** While a film is played, the panel changes no more often than this, in milliseconds. */
const PAUSE = 180;

export class ExplainPanel {
  /**
   * @param {[string, string]} names
   * @param {string} turnName
   * @param {Source} source
   */
  constructor(names, turnName, source) {
    this.names = names;
    this.turnName = turnName;
    this.source = source;
    this.heading = element("h2", "", "Explained");
    this.body = element("div");
    this.element = element("aside", "card explain", element("div", "pad", this.heading), this.body);
    this.element.setAttribute("aria-label", "Explain");
    this.wanted = -1;
    this.timer = 0;
    /** Which of the seats' questions are unfolded. */
    this.isOpen = [false, false];
  }

  /** @param {import("./player.js").Moment} moment */
  show(moment) {
    this.wanted = moment.frame;
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.load(this.wanted, moment.turn);
    }, PAUSE / 3);
  }

  /** @param {number} frame @param {number} turn */
  async load(frame, turn) {
    if (frame === 0) {
      this.heading.textContent = "Before the first " + this.turnName;
      this.body.replaceChildren(element("p", "pad mut", "Step on to see what both bots were sent and what they answered."));
      return;
    }
    let explained;
    try {
      explained = await this.source(frame - 1);
    } catch (error) {
      if (frame === this.wanted) this.body.replaceChildren(element("p", "pad bad", String(error)));
      return;
    }
    if (frame !== this.wanted) return;
    this.fill(explained, turn);
  }

  /** @param {Explained | undefined} explained @param {number} turn */
  fill(explained, turn) {
    this.heading.textContent = `${capital(this.turnName)} ${explained?.turn ?? turn} explained`;
    if (!explained) {
      this.body.replaceChildren(element("p", "pad mut", "Nothing is known of this turn."));
      return;
    }
    const parts = explained.seats.map((said, seat) => (said ? this.seat(said, seat) : null)).filter((part) => part !== null);
    const notes = explained.notes ?? [];
    const what = notes.length ? element("section", "said", element("div", "lab", "what happened"), bullets(notes)) : null;
    this.body.replaceChildren(...(what ? [what] : []), ...parts);
  }

  /** @param {Said} said @param {number} seat */
  seat(said, seat) {
    const name = element("h3", "", seatSign(seat), this.names[seat]);
    const time = said.time_ms === undefined ? "" : `${said.time_ms} ms` + (said.limit_ms === undefined ? "" : ` of ${said.limit_ms} ms`);
    const section = element("section", `said ${seat === 0 ? "first" : "second"}`, element("div", "row spread", name, element("span", "small", time)));
    section.setAttribute("aria-label", this.names[seat]);
    if (said.time_ms !== undefined && said.limit_ms) section.append(timeBar(said.time_ms / said.limit_ms));
    section.append(element("div", "lab", "answered"), element("pre", "answer", said.answered.join("\n") || "nothing"));
    const wrong = [said.fault ? `it ${said.fault}` : "", said.refusal ?? "", ...(said.ignored ?? []).map((line) => `without meaning: ${line}`)];
    for (const text of wrong.filter((line) => line)) section.append(element("p", "bad small", text));
    section.append(this.question(said, seat));
    section.append(element("div", "lab", "stderr"), element("pre", said.stderr ? "" : "mut", said.stderr || "nothing in this turn"));
    return section;
  }

  /** @param {Said} said @param {number} seat */
  question(said, seat) {
    const count = said.sent.length + (said.left_out ?? 0);
    const lines = said.left_out ? [...said.sent, `… ${said.left_out} more lines`] : said.sent;
    const summary = element("summary", "", "was sent ", element("span", "small", count === 1 ? "1 line" : `${count} lines`));
    const details = element("details", "", summary, element("pre", "", lines.join("\n") || "nothing: it sits inside the program"));
    details.open = this.isOpen[seat];
    details.addEventListener("toggle", () => (this.isOpen[seat] = details.open));
    return details;
  }
}

/** @param {number} share */
function timeBar(share) {
  const bar = element("i", share > 1 ? "over" : "");
  bar.style.width = `${Math.min(share, 1) * 100}%`;
  return element("div", "time", bar);
}

/** @param {string[]} lines */
function bullets(lines) {
  return element("ul", "", ...lines.map((line) => element("li", "", line)));
}

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
