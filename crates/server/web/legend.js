/**
 * What is what on a stage.
 *
 * @typedef {import("./film.js").Film} Film
 */
import { element } from "./dom.js";
import { Brush } from "./paint.js";
import { currentTheme, watchTheme } from "./theme.js";

/** How large the pictures of a legend are, in pixels. */
const SIGN = 34;

/** @param {Film} film */
export function legendCard(film) {
  const list = element("div", "what");
  const draw = () => {
    list.replaceChildren(...film.head.stage.legend.map(({ looks, text }) => element("span", "", legendSign(film, looks), text)));
  };
  draw();
  watchTheme(draw);
  return element("section", "card pad later", element("h2", "", "What is what"), list);
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
