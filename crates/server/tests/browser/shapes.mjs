// The stage by itself, with films made by hand: shapes are where they should be at every moment of a turn.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

/** Draws moments of a film in the page and gives the colours at places, as `#rrggbb`. */
async function colours(page, { stage = {}, frames, width = 800, theme = "light", zoom, moments, places }) {
  const scenes = frames.map((frame) => JSON.stringify(frame));
  return page.evaluate(
    async ([stage, scenes, width, theme, zoom, moments, places]) => {
      const sheet = document.querySelector("link[rel=stylesheet]").href;
      const load = (name) => import(new URL(name, sheet).href);
      const [{ Film }, { StageView }] = await Promise.all([load("film.js"), load("stage.js")]);
      document.documentElement.dataset.theme = theme;
      const world = { x: 0, y: 0, width: 100, height: 50 };
      const whole = { world, background: [], palette: [], symbols: [], legend: [], ...stage };
      const film = new Film({ title: "", turn_name: "turn", names: ["", ""], ending: "", turn_ms: 400, eye: "all", stage: whole, turns: scenes.map((_, turn) => turn), curve: [], marks: [] });
      film.lines.push(...scenes);
      const view = new StageView(document.createElement("canvas"), film);
      view.resize(width, 5000);
      if (zoom) view.zoomBy(...zoom);
      const scale = view.width / world.width;
      return moments.map((moment) => {
        view.draw(moment);
        return places.map(([x, y]) => {
          const [r, g, b] = view.context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data;
          return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        });
      });
    },
    [stage, scenes, width, theme, zoom, moments, places],
  );
}

const FIRST = "#1f5fd0";
const GROUND = "#ffffff";

const disc = (id, x, more = {}) => ({ id, layer: 1, form: { circle: { centre: [x, 25], radius: 4 } }, style: { fill: "first" }, ...more });
const box = (id, x, y, width, height, fill, more = {}) => ({
  id,
  layer: 0,
  form: { polygon: { points: [[x, y], [x + width, y], [x + width, y + height], [x, y + height]] } },
  style: { fill },
  ...more,
});

export function testShapes(onStage) {
  const check = (name, drawing, expected) => test(name, () => onStage(async (page) => assert.deepEqual(await colours(page, drawing), expected)));

  describe("a shape", () => {
    const places = [[10, 25], [50, 25], [90, 25]];
    check(
      "glides to its new place in the first part of a turn",
      { frames: [{ set: [disc(1, 10)] }, { set: [{ id: 1, form: { circle: { centre: [90, 25], radius: 4 } } }] }], moments: [0, 0.3, 0.6, 0.9, 1], places },
      [[FIRST, GROUND, GROUND], [GROUND, FIRST, GROUND], [GROUND, GROUND, FIRST], [GROUND, GROUND, FIRST], [GROUND, GROUND, FIRST]],
    );
    check(
      "jumps if it is said to",
      { frames: [{ set: [disc(1, 10, { motion: "jump" })] }, { set: [{ id: 1, form: { circle: { centre: [90, 25], radius: 4 } } }] }], moments: [0, 0.01], places },
      [[FIRST, GROUND, GROUND], [GROUND, GROUND, FIRST]],
    );
    check(
      "comes and goes when it is said to",
      {
        frames: [
          { set: [disc(1, 10, { leave: { cut: 72 } }), disc(2, 50)] },
          { gone: [1, 2], set: [disc(3, 90, { enter: { how: "fade", from: 80, to: 81 } })] },
        ],
        moments: [0, 0.1, 0.7, 0.75, 0.85, 1],
        places,
      },
      [[FIRST, FIRST, GROUND], [FIRST, GROUND, GROUND], [FIRST, GROUND, GROUND], [GROUND, GROUND, GROUND], [GROUND, GROUND, FIRST], [GROUND, GROUND, FIRST]],
    );
    const line = { line: { points: [[10, 25], [90, 25]] } };
    const shot = { id: 1, layer: 2, form: line, style: { stroke: "first", stroke_width: 6 }, enter: { how: "trace", from: 50, to: 100 } };
    check("is traced from its first point to its last", { frames: [{}, { set: [shot] }], moments: [0.4, 0.7, 1], places: [[15, 25], [50, 25], [85, 25]] }, [
      [GROUND, GROUND, GROUND],
      [FIRST, GROUND, GROUND],
      [FIRST, FIRST, FIRST],
    ]);
    const flying = disc(1, 90, { enter: { how: { fly: [10, 25] }, from: 0, to: 100 } });
    check("flies to its place and is seen there in a still picture", { frames: [{}, { set: [flying] }], moments: [0.5, 1], places }, [
      [GROUND, FIRST, GROUND],
      [GROUND, GROUND, FIRST],
    ]);
    check(
      "is above those of lower layers, whatever the order in which it came",
      { frames: [{ set: [disc(1, 50)] }, { set: [box(2, 0, 0, 100, 50, "second")] }, { gone: [1], set: [disc(3, 50)] }], moments: [1, 2], places: [[50, 25], [5, 5]] },
      [[FIRST, "#e25a0c"], [FIRST, "#e25a0c"]],
    );
    check(
      "follows the order within its layer",
      { frames: [{ set: [box(1, 0, 0, 100, 50, "second"), box(2, 0, 0, 100, 50, "first")] }, { order: { 0: [2, 1] }, set: [{ id: 2, label: "x" }] }], moments: [0, 1], places: [[50, 25]] },
      [[FIRST], ["#e25a0c"]],
    );
    check("that needs room is left out where there is little", { frames: [{ set: [disc(1, 50, { presence: "roomy" })] }], width: 400, moments: [0], places: [[50, 25]] }, [[GROUND]]);
  });

  describe("a stage", () => {
    const paint = { light: { down: ["#000000", "#ffffff"] }, dark: { flat: "#123456" } };
    const drawing = { stage: { palette: [paint] }, frames: [{ set: [box(1, 0, 0, 100, 50, { own: 0 })] }], moments: [0], places: [[50, 0], [50, 49.9]] };
    test("has paints for light and dark rooms", () =>
      onStage(async (page) => {
        const [[top, bottom]] = await colours(page, drawing);
        assert.ok(top < "#101010" && bottom > "#f0f0f0", `${top} ${bottom}`);
        assert.deepEqual(await colours(page, { ...drawing, theme: "dark" }), [["#123456", "#123456"]]);
      }));
    const symbol = { name: "flag", parts: [{ path: "M-1 -1h1v2h-1z", fill: "tint", width: 0, opacity: 1 }] };
    const flag = (id, at, more) => ({ id, layer: 0, form: { symbol: { symbol: 0, at, size: 10, turned: 0, is_mirrored: false, ...more } }, style: { fill: "first" } });
    check(
      "shows symbols, mirrored and turned",
      {
        stage: { symbols: [symbol] },
        frames: [{ set: [flag(1, [20, 25], {}), flag(2, [50, 25], { is_mirrored: true }), flag(3, [80, 25], { turned: 90 })] }],
        moments: [0],
        places: [[15, 25], [25, 25], [45, 25], [55, 25], [80, 20], [80, 30]],
      },
      [[FIRST, GROUND, GROUND, FIRST, FIRST, GROUND]],
    );
    const views = (x) => ({ wide: [{ id: 0, plane: 0, view: { x, y: 0, width: 50, height: 25 }, place: { x: 0, y: 0, width: 1, height: 1 }, is_round: false }] });
    check(
      "has windows whose views glide",
      { frames: [{ set: [box(1, 50, 0, 10, 50, "first")], windows: views(0) }, { windows: views(50) }], moments: [0, 0.3, 1], places: [[10, 25], [55, 25], [90, 25]] },
      [[GROUND, GROUND, GROUND], [GROUND, FIRST, GROUND], [FIRST, GROUND, GROUND]],
    );
    const lens = { id: 1, plane: 1, view: { x: 0, y: 0, width: 10, height: 10 }, place: { x: 0.5, y: 0, width: 0.5, height: 1 }, is_round: true };
    const whole = { id: 0, plane: 0, view: { x: 0, y: 0, width: 100, height: 50 }, place: { x: 0, y: 0, width: 1, height: 1 }, is_round: false };
    check(
      "has lenses that show another plane and are round",
      { frames: [{ set: [box(1, 0, 0, 100, 50, "second"), box(2, 0, 0, 10, 10, "first", { plane: 1 })], windows: { wide: [whole, lens] } }], moments: [0], places: [[25, 25], [75, 25], [52, 2], [98, 48]] },
      [["#e25a0c", FIRST, "#e25a0c", "#e25a0c"]],
    );
    const above = { ...whole, id: 2, plane: 2 };
    check(
      "has windows that lie over others and hide nothing but what they draw",
      { frames: [{ set: [box(1, 0, 0, 100, 50, "second"), box(2, 40, 20, 20, 10, "first", { plane: 2 })], windows: { wide: [whole, above] } }, { set: [{ id: 2, label: "x" }] }], moments: [0, 0.5, 1], places: [[5, 5], [50, 25]] },
      [["#e25a0c", FIRST], ["#e25a0c", FIRST], ["#e25a0c", FIRST]],
    );
    check("can be zoomed", { frames: [{ set: [disc(1, 50)] }], zoom: [4, 400, 200], moments: [0], places: [[50, 25], [62, 25], [70, 25]] }, [[FIRST, FIRST, GROUND]]);
    const plate = { text: { at: [50, 25], size: { screen: 20 }, text: "  ", plate: { fill: "first", rim: "first", is_round: false, has_leader: false } } };
    const label = { id: 1, layer: 0, form: plate, style: { fill: "text" } };
    const beyond = { text: { at: [99, 1], size: { screen: 20 }, text: "    ", plate: plate.text.plate } };
    const rim = [[99.5, 0.5], [96, 2], [90, 2], [97, 6]];
    check(
      "keeps plates whole at its edge",
      { frames: [{ set: [{ id: 1, layer: 0, form: beyond, style: { fill: "text" } }] }], moments: [0], places: rim },
      [[FIRST, FIRST, GROUND, GROUND]],
    );
    const beside = [[50, 25], [50, 26.5], [50, 29]];
    test("has words that keep their size when it is zoomed", () =>
      onStage(async (page) => {
        const near = { frames: [{ set: [label] }], moments: [0], places: beside };
        const small = await colours(page, near);
        assert.deepEqual(small, [[FIRST, FIRST, GROUND]]);
        assert.deepEqual(await colours(page, { ...near, zoom: [4, 400, 200] }), small);
      }));
  });
}
