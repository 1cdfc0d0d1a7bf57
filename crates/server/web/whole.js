/**
 * The page of one match: player, explanations, commands to copy, legend.
 *
 * @typedef {import("./film.js").Film} Film
 */
import { commandWords, copyButton, element, unhurried } from "./dom.js";
import { ExplainPanel } from "./explain.js";
import { legendCard } from "./legend.js";
import { Player } from "./player.js";

/**
 * @param {Element} place
 * @param {Film} film
 * @param {import("./explain.js").Source} source
 * @param {string} path the replay as commands take it; empty if nobody knows where it is
 * @param {import("./player.js").Options} [options]
 */
export function showMatch(place, film, source, path, options = {}) {
  const main = element("div", "main");
  const panel = new ExplainPanel(film.head.names, film.head.turn_name, source);
  const left = element("div", "", main);
  const right = element("div", "", panel.element);
  place.replaceChildren(element("div", "grid", left, right));
  const player = new Player(main, [film], options);
  if (film.head.stage.legend.length) left.append(legendCard(film));
  if (path) right.append(commandsCard(player, film, path));
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
  return element("section", "card pad later", element("h2", "", `Go on from this ${film.head.turn_name}`), list);
}
