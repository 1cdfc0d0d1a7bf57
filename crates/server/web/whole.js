/**
 * The page of one match: player, explanations, commands to copy, legend.
 *
 * @typedef {import("./film.js").Film} Film
 */
import { commandWords, copyButton, element, unhurried } from "./dom.js";
import { ExplainPanel } from "./explain.js";
import { Brush } from "./paint.js";
import { Player } from "./player.js";
import { currentTheme, watchTheme } from "./theme.js";

/** How large the pictures of a legend are, in pixels. */
const SIGN = 34;

/**
 * @param {Element} place
 * @param {Film} film
 * @param {import("./explain.js").Source} source
 * @param {string} path the replay as commands take it; empty if nobody knows where it is
 */
export function showMatch(place, film, source, path) {
  const main = element("div", "main");
  const panel = new ExplainPanel(film.head.names, film.head.turn_name, source);
  const below = element("div", "below");
  place.replaceChildren(element("div", "grid", main, panel.element, below));
  const player = new Player(main, [film], {});
  if (film.head.stage.legend.length) below.append(legendCard(film));
  if (path) below.append(commandsCard(player, film, path));
  player.follow((moment) => panel.show(moment));
  return { player, panel };
}

/** A word as a shell takes it. @param {string} text */
export function shellWord(text) {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {Player} player @param {Film} film @param {string} path */
function commandsCard(player, film, path) {
  const file = shellWord(path);
  const list = element("div", "commands");
  /** @type {[string, (turn: number) => string][]} */
  const commands = [
    ["ask my bot what the first was asked", (turn) => `quintain feed ${file} ./mybot --seat 1 --turn ${turn}`],
    ["ask my bot what the second was asked", (turn) => `quintain feed ${file} ./mybot --seat 2 --turn ${turn}`],
    ["play on from here", (turn) => `quintain play --from ${file} --turn ${turn} ./mybot house:greedy`],
    ["a film to show", () => `quintain export ${file} --gif match.gif`],
  ];
  const shown = commands.map(([label, command]) => {
    const code = element("code");
    const line = element("div", "cmd", code, copyButton(`Copy: ${label}`, () => code.textContent ?? ""));
    list.append(element("div", "", element("div", "lab", label), line));
    return { code, command };
  });
  const last = film.head.turns[film.last];
  const tell = (/** @type {import("./player.js").Moment} */ { turn }) => {
    for (const { code, command } of shown) code.replaceChildren(...commandWords(command(Math.min(Math.max(turn, 1), Math.max(last, 1)))));
  };
  player.follow(unhurried(tell));
  return element("section", "card pad", element("h2", "", `Go on from this ${film.head.turn_name}`), list);
}

/** @param {Film} film */
function legendCard(film) {
  const list = element("div", "what");
  const draw = () => {
    list.replaceChildren(...film.head.stage.legend.map(({ looks, text }) => element("span", "", legendSign(film, looks), text)));
  };
  draw();
  watchTheme(draw);
  return element("section", "card pad", element("h2", "", "What is what"), list);
}

/** @param {Film} film @param {[import("./film.js").Form, import("./film.js").Style][]} looks */
function legendSign(film, looks) {
  const canvas = element("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = SIGN * ratio;
  canvas.height = SIGN * ratio;
  const brush = new Brush(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), film.head.stage, currentTheme(), ratio);
  brush.lens = { scale: SIGN / 2.2, x: SIGN / 2, y: SIGN / 2 };
  for (const [form, style] of looks) brush.draw(style, { form, alpha: 1, scale: 1, rise: 0, trace: 1 });
  return canvas;
}
