/**
 * The panel that says of each turn what both bots were sent, what they answered and what the rules made of it.
 *
 * @typedef {{ file: string, bytes: number, part: number }} StateFile
 * @typedef {{ sent: (string | StateFile)[], left_out?: number, answered: string[], ignored?: string[], fault?: string, refusal?: string,
 *   stderr?: string, time_ms?: number, limit_ms?: number }} Said
 * @typedef {{ turn: number, notes?: string[], seats: [Said | null, Said | null] }} Explained
 * @typedef {{ step: (step: number) => Promise<Explained | undefined>,
 *   file?: (step: number, seat: number, part: number) => Promise<string> }} Source
 */
import { element, seatSign, unhurried } from "./dom.js";

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
    this.wanted = { frame: -1, turn: 0 };
    this.loadSoon = unhurried((/** @type {{ frame: number, turn: number }} */ moment) => this.load(moment));
    /** Which of the seats' questions are unfolded. */
    this.isOpen = [false, false];
  }

  /** @param {import("./player.js").Moment} moment */
  show(moment) {
    this.wanted = moment;
    this.loadSoon(moment);
  }

  /** @param {{ frame: number, turn: number }} moment */
  async load({ frame, turn }) {
    if (frame === 0) {
      this.heading.textContent = "Before the first " + this.turnName;
      this.body.replaceChildren(element("p", "pad mut", "Step on to see what both bots were sent and what they answered."));
      return;
    }
    let explained;
    try {
      explained = await this.source.step(frame - 1);
    } catch (error) {
      if (frame === this.wanted.frame) this.body.replaceChildren(element("p", "pad bad", String(error)));
      return;
    }
    if (frame === this.wanted.frame) this.fill(explained, frame - 1, turn);
  }

  /** @param {Explained | undefined} explained @param {number} step @param {number} turn */
  fill(explained, step, turn) {
    const parts = explained?.seats.map((said, seat) => (said ? this.seat(said, step, seat) : null)).filter((part) => part !== null);
    const isAsked = explained && (parts?.length || explained.notes?.length);
    this.heading.textContent = `${capital(this.turnName)} ${isAsked ? explained.turn : turn} explained`;
    if (!isAsked) {
      this.body.replaceChildren(element("p", "pad mut", "There was no question in this step: the rules went on by themselves."));
      return;
    }
    const notes = explained.notes ?? [];
    const what = notes.length ? element("section", "said", element("div", "lab", "what happened"), bullets(notes)) : null;
    this.body.replaceChildren(...(what ? [what] : []), ...(parts ?? []));
  }

  /** @param {Said} said @param {number} step @param {number} seat */
  seat(said, step, seat) {
    const name = element("h3", "", seatSign(seat), this.names[seat]);
    const time = said.time_ms === undefined ? "" : `${said.time_ms} ms` + (said.limit_ms === undefined ? "" : ` of ${said.limit_ms} ms`);
    const section = element("section", `said ${seat === 0 ? "first" : "second"}`, element("div", "row spread", name, element("span", "small", time)));
    section.setAttribute("aria-label", this.names[seat]);
    if (said.time_ms !== undefined && said.limit_ms) section.append(timeBar(said.time_ms / said.limit_ms));
    section.append(element("div", "lab", "answered"), element("pre", "answer", said.answered.join("\n") || "nothing"));
    const wrong = [said.fault ? `it ${said.fault}` : "", said.refusal ?? "", ...(said.ignored ?? []).map((line) => `without meaning: ${line}`)];
    for (const text of wrong.filter((line) => line)) section.append(element("p", "bad small", text));
    section.append(this.question(said, step, seat));
    section.append(element("div", "lab", "stderr"), element("pre", said.stderr ? "" : "mut", said.stderr || "nothing in this turn"));
    return section;
  }

  /** @param {Said} said @param {number} step @param {number} seat */
  question(said, step, seat) {
    const count = said.sent.length + (said.left_out ?? 0);
    if (!count) return element("p", "small", "It sits inside the program, so that it was sent nothing.");
    const summary = element("summary", "", "was sent ", element("span", "small", summaryOf(said)));
    const details = element("details", "", summary);
    /** @type {string[]} */
    let lines = [];
    const flush = () => {
      if (lines.length) details.append(element("pre", "", lines.join("\n")));
      lines = [];
    };
    for (const part of said.sent) {
      if (typeof part === "string") lines.push(part);
      else {
        flush();
        details.append(this.file(part, step, seat));
      }
    }
    if (said.left_out) lines.push(`… ${said.left_out} more lines`);
    flush();
    details.open = this.isOpen[seat];
    details.addEventListener("toggle", () => (this.isOpen[seat] = details.open));
    return details;
  }

  /** A state file, whose text is fetched when it is unfolded. @param {StateFile} file @param {number} step @param {number} seat */
  file({ file, bytes, part }, step, seat) {
    const name = [file, " ", element("span", "small", `${bytes.toLocaleString("en")} bytes`)];
    const fetchText = this.source.file;
    if (!fetchText) return element("p", "", ...name);
    const text = element("pre", "mut", "…");
    const details = element("details", "file", element("summary", "", ...name), text);
    const load = async () => {
      text.textContent = await fetchText(step, seat, part).catch(String);
      text.classList.remove("mut");
    };
    details.addEventListener("toggle", load, { once: true });
    return details;
  }
}

/** @param {Said} said */
function summaryOf({ sent, left_out = 0 }) {
  const files = sent.filter((part) => typeof part !== "string").length;
  const lines = sent.length - files + left_out;
  const counted = [[files, "file"], [lines, "line"]].filter(([count]) => count);
  return counted.map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`).join(", ");
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
