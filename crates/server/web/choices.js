/**
 * What a person may do, as buttons, keys and a menu beside the pointer. It knows offers and no game.
 *
 * @typedef {{ text: string, label: string, note?: string, aim?: import("./film.js").Form,
 *   arrow?: "up" | "down" | "left" | "right", is_beginning: boolean, inner?: Offer[] }} Offer
 */
import { element } from "./dom.js";

const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };

export class Choices {
  /** @param {(offer: Offer) => void} choose @param {() => void} goBack */
  constructor(choose, goBack) {
    this.choose = choose;
    this.goBack = goBack;
    /** @type {Offer[]} */
    this.offers = [];
    this.list = element("div", "offers");
    this.path = element("p", "small path");
    this.path.hidden = true;
    this.element = element("div", "", this.path, this.list);
    this.menu = element("div", "menu card");
    this.menu.hidden = true;
    this.menu.setAttribute("role", "menu");
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!this.menu.contains(/** @type {Node} */ (event.target))) this.menu.hidden = true;
    });
  }

  /** @param {Offer[]} offers @param {string} chosen what they go on from */
  show(offers, chosen) {
    this.offers = offers;
    this.menu.hidden = true;
    this.path.hidden = chosen === "";
    if (chosen) {
      const back = element("button", "btn", "Back");
      back.type = "button";
      back.addEventListener("click", () => this.goBack());
      this.path.replaceChildren(back, ` ${chosen.trim().replaceAll("\n", ", then ")}, then:`);
    }
    this.list.replaceChildren(...offers.map((offer, index) => this.button(offer, hint(offer, index))));
  }

  clear() {
    this.show([], "");
  }

  /** @param {Offer} offer @param {string} [key] */
  button(offer, key) {
    const note = offer.note ? element("span", "note", offer.note) : null;
    const button = element("button", "offer", key ? element("kbd", "", key) : null, element("b", "", offer.label), note, offer.is_beginning ? element("span", "more", "…") : null);
    button.type = "button";
    button.dataset.text = offer.text;
    button.addEventListener("click", () => this.choose(offer));
    return button;
  }

  /**
   * One is chosen at once, several in a menu at a place of the stage.
   * @param {Offer[]} offers
   * @param {number} x
   * @param {number} y
   */
  open(offers, x, y) {
    if (offers.length === 1) {
      this.choose(offers[0]);
      return;
    }
    this.menu.replaceChildren(...offers.map((offer) => this.button(offer)));
    this.menu.hidden = false;
    const room = /** @type {HTMLElement} */ (this.menu.parentElement);
    const left = Math.min(x + 8, room.clientWidth - this.menu.offsetWidth - 4);
    const top = Math.min(y + 8, room.clientHeight - this.menu.offsetHeight - 4);
    this.menu.style.transform = `translate(${Math.max(left, 0)}px, ${Math.max(top, 0)}px)`;
    /** @type {HTMLElement} */ (this.menu.firstElementChild).focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (this.menu.hidden) this.goBack();
      this.menu.hidden = true;
      return;
    }
    const offer = this.offers.find((offer) => offer.arrow && event.key.toLowerCase() === `arrow${offer.arrow}`) ?? this.numbered(event.key);
    if (!offer) return;
    event.preventDefault();
    this.choose(offer);
  }

  /** @param {string} key @returns {Offer | undefined} */
  numbered(key) {
    return /^[1-9]$/.test(key) ? this.offers[Number(key) - 1] : undefined;
  }
}

/** The key of an offer. @param {Offer} offer @param {number} index */
function hint(offer, index) {
  if (offer.arrow) return ARROWS[offer.arrow];
  return index < 9 ? String(index + 1) : undefined;
}
