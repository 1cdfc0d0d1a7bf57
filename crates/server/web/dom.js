/** Elements of pages. Text is always text, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/** What the buttons show, in a box of 24 by 24. */
export const ICONS = {
  start: "M4 4h3v16H4zM20 4v16L8 12z",
  previousEvent: "M12 12l6-6 6 6-6 6zM11 4v16L2 12z",
  back: "M17 4v16L6 12z",
  play: "M6 3v18l15-9z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  forward: "M7 4v16l11-8z",
  nextEvent: "M12 12l-6-6-6 6 6 6zM13 4v16l9-8z",
  end: "M17 4h3v16h-3zM4 4v16l12-8z",
  loop: "M4 10V7h12V3l6 5-6 5V9H6v3zM20 14v3H8v4l-6-5 6-5v4h10v-3z",
  slower: "M4 10.5h16v3H4z",
  faster: "M10.500 4h3v6.500H20v3h-6.500V20h-3v-6.500H4v-3h6.500z",
  full: "M3 3h7v3H6v4H3zM14 3h7v7h-3V6h-4zM3 14h3v4h4v3H3zM18 14h3v7h-7v-3h4z",
  copy: "M8 3h12v14H8zM4 7h2v12h10v2H4z",
};

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} [className]
 * @param {(Node | string | null | undefined)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, className = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** @param {string} path */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

/**
 * @param {string} path
 * @param {string} label
 * @param {() => void} act
 * @param {string} [className]
 */
export function iconButton(path, label, act, className = "") {
  const button = element("button", `btn ${className}`, icon(path));
  button.type = "button";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
}

/** The sign of a seat: a disc or a diamond. @param {number} seat */
export function seatSign(seat) {
  const sign = element("span", `dot ${seat === 0 ? "first" : "second"}`, String(seat + 1));
  sign.setAttribute("role", "img");
  sign.setAttribute("aria-label", seat === 0 ? "first" : "second");
  return sign;
}

/** A command on lines that break between its words alone. @param {string} command */
export function commandWords(command) {
  return command.split(" ").flatMap((word, index) => [index ? " " : "", element("span", "", word)]);
}

/** @param {string} label @param {() => string} text */
export function copyButton(label, text) {
  const button = iconButton(ICONS.copy, label, async () => {
    try {
      await navigator.clipboard.writeText(text());
      say("Copied");
    } catch {
      say("Select it");
    }
  }, "copy");
  const said = element("span");
  const say = (/** @type {string} */ word) => {
    said.textContent = word;
    setTimeout(() => (said.textContent = ""), 1500);
  };
  said.setAttribute("role", "status");
  button.append(said);
  return button;
}

/** What is beside the stage changes no more often than this while a film is played, in milliseconds. */
const UNHURRIED_PAUSE = 120;

/**
 * Acts a moment later, on the latest of all values that came until then.
 * @template T
 * @param {(value: T) => void} act
 * @returns {(value: T) => void}
 */
export function unhurried(act) {
  let timer = 0;
  /** @type {T} */
  let latest;
  return (value) => {
    latest = value;
    timer ||= window.setTimeout(() => {
      timer = 0;
      act(latest);
    }, UNHURRIED_PAUSE);
  };
}

/** A mistake of ours or of a file, as text in place of what was to be shown. @param {Element} place @param {unknown} error */
export function showFailure(place, error) {
  const text = error instanceof Error ? error.message : String(error);
  place.replaceChildren(element("p", "card failed", text));
}
