/**
 * What on the stage can be pointed at: drawn above the scene, and found by a pointer.
 *
 * @typedef {import("./film.js").Form} Form
 * @typedef {import("./choices.js").Offer} Offer
 * @typedef {{ form: Form, offers: Offer[], isPlain: boolean }} Target
 */
import { Brush, isOn } from "./paint.js";
import { currentTheme } from "./theme.js";

/** How near to a target a pointer must be, in pixels. */
const REACH_PIXELS = 10;

export class Targets {
  /** @param {import("./stage.js").StageView} view */
  constructor(view) {
    this.view = view;
    /** @type {Target[]} */
    this.all = [];
    /** @type {Target | null} */
    this.pointed = null;
  }

  /**
   * Offers can be pointed at from now on. Those that another one leads to are found but not drawn.
   * @param {Offer[]} offers
   */
  show(offers) {
    /** @type {Map<string, Target>} */
    const byForm = new Map();
    const add = (/** @type {Offer} */ offer, /** @type {boolean} */ isPlain) => {
      if (!offer.aim) return;
      const key = JSON.stringify(offer.aim);
      const target = byForm.get(key) ?? { form: offer.aim, offers: [], isPlain: false };
      target.isPlain ||= isPlain;
      if (!target.offers.some((other) => other.text === offer.text)) target.offers.push(offer);
      byForm.set(key, target);
    };
    for (const offer of offers) add(offer, true);
    for (const offer of offers) for (const inner of offer.inner ?? []) add(inner, false);
    this.all = [...byForm.values()];
    this.pointed = null;
  }

  /** @param {number} x @param {number} y in pixels of the canvas @returns {Target | null} */
  at(x, y) {
    const { shown, context } = this.view;
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const { view, lens, rect } of [...shown].reverse()) {
      if (view.plane !== 0 || x < rect.x || y < rect.y || x > rect.x + rect.width || y > rect.y + rect.height) continue;
      /** @type {[number, number]} */
      const place = [(x - lens.x) / lens.scale, (y - lens.y) / lens.scale];
      const found = this.nearest(place, REACH_PIXELS / lens.scale);
      if (found || view.is_round) return found;
    }
    return null;
  }

  /** @param {[number, number]} place @param {number} reach @returns {Target | null} */
  nearest(place, reach) {
    const far = (/** @type {Target} */ { form }) => Math.hypot(place[0] - middle(form)[0], place[1] - middle(form)[1]);
    const near = this.all.filter(({ form }) => isOn(this.view.context, form, place, reach));
    return near.reduce((/** @type {Target | null} */ best, target) => (best && far(best) <= far(target) ? best : target), null);
  }

  draw() {
    const { shown, context, canvas, width, film } = this.view;
    const brush = new Brush(context, film.head.stage, currentTheme(), canvas.width / width);
    for (const { view, lens, rect } of shown) {
      if (view.plane !== 0 || view.is_round) continue;
      context.save();
      brush.lens = lens;
      brush.pagely();
      context.beginPath();
      context.rect(rect.x, rect.y, rect.width, rect.height);
      context.clip();
      for (const target of this.all) {
        const isPointed = target === this.pointed;
        if (!target.isPlain && !isPointed) continue;
        const stroke_width = (isPointed ? 4 : 2.5) / lens.scale;
        const pose = { form: target.form, alpha: 1, scale: 1, rise: 0, trace: 1 };
        brush.draw({ fill: "accent", opacity: isPointed ? 0.55 : 0.22 }, pose);
        brush.draw({ stroke: "accent", stroke_width }, pose);
      }
      context.restore();
    }
  }
}

/** @param {Form} form @returns {[number, number]} */
function middle(form) {
  if (form.circle) return form.circle.centre;
  const points = (form.polygon ?? form.line)?.points ?? [[0, 0]];
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}
