/**
 * A part of a page becomes what it is by now. What is the same stays untouched, so that whoever reads, has unfolded
 * or points at something is not disturbed; nor is what has `data-kept`.
 */

/** By what parts are told apart: a part with a label is another one than the part beside it. @param {Node} node */
function keyOf(node) {
  if (!(node instanceof Element)) return node.nodeName;
  return `${node.nodeName} ${node.getAttribute("aria-label") ?? ""}`;
}

/** @param {Element} shown @param {Element} wanted */
function renewAttributes(shown, wanted) {
  // What is unfolded is up to the reader.
  for (const { name } of [...shown.attributes]) {
    if (name !== "open" && !wanted.hasAttribute(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (name !== "open" && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
}

/** @param {Node} shown @param {Node} wanted of the same kind */
function renewNode(shown, wanted) {
  if (shown instanceof HTMLElement && "kept" in shown.dataset) return;
  if (shown instanceof Element && wanted instanceof Element) {
    renewAttributes(shown, wanted);
    renew(shown, wanted);
  } else if (shown.textContent !== wanted.textContent) {
    shown.textContent = wanted.textContent;
  }
}

/**
 * @param {Element} shown
 * @param {Element} wanted is used up
 */
export function renew(shown, wanted) {
  // A command has got its button, and is the same as long as it says the same.
  if (shown.matches(".cmd") && shown.querySelector("code")?.textContent === wanted.textContent?.trim()) return;
  const nodes = [...wanted.childNodes];
  const keys = nodes.map(keyOf);
  nodes.forEach((node, index) => {
    /** @type {ChildNode | undefined} */
    let old = shown.childNodes[index];
    while (old && keyOf(old) !== keys[index] && !keys.includes(keyOf(old), index + 1)) {
      old.remove();
      old = shown.childNodes[index];
    }
    if (old && keyOf(old) === keys[index]) renewNode(old, node);
    else shown.insertBefore(node, old ?? null);
  });
  while (shown.childNodes.length > nodes.length) shown.lastChild?.remove();
}

/**
 * What a server has sent, as a part of a page. Its scripts do nothing. It stands in a part of its own: at the start of
 * a body a parser drops blanks that the page has.
 * @param {string} html
 */
export function parsed(html) {
  const page = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html");
  return /** @type {HTMLElement} */ (page.querySelector("main"));
}
