/** The first page: its commands can be copied. */
import { copyButton } from "./dom.js";

for (const command of document.querySelectorAll(".cmd")) {
  const text = command.textContent?.trim() ?? "";
  command.append(copyButton(`Copy: ${text}`, () => text));
}
