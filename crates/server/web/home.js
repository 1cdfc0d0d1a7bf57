/** Commands on a page can be copied. */
import { commandWords, copyButton } from "./dom.js";

/** Puts a button beside each command that has none yet. */
export function addCopyButtons() {
  for (const command of document.querySelectorAll(".cmd:not(:has(.copy))")) {
    const text = command.textContent?.trim() ?? "";
    command.querySelector("code")?.replaceChildren(...commandWords(text));
    command.append(copyButton(`Copy: ${text}`, () => text));
  }
}

addCopyButtons();
