/** The first page: its commands can be copied. */
import { commandWords, copyButton } from "./dom.js";

for (const command of document.querySelectorAll(".cmd")) {
  const text = command.textContent?.trim() ?? "";
  command.querySelector("code")?.replaceChildren(...commandWords(text));
  command.append(copyButton(`Copy: ${text}`, () => text));
}
