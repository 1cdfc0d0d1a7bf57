/** The help on keys. */
import { element } from "./dom.js";

const KEYS = [
  ["space, k", "play and pause"],
  ["← →", "one turn back and on; ten with shift"],
  ["home, end", "first and last turn"],
  ["q, e", "previous and next event"],
  ["+, -", "faster and slower"],
  ["l", "again and again"],
  ["f", "full screen"],
  ["wheel, pinch", "zoom, once the stage was clicked; drag to move, 0 to see all"],
];

export function showKeys() {
  const list = element("dl", "", ...KEYS.flatMap(([keys, text]) => [element("dt", "", element("kbd", "", keys)), element("dd", "", text)]));
  const close = element("button", "btn", "Close");
  close.type = "button";
  const dialog = element("dialog", "", element("h2", "", "Keys"), list, close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
