// Persons at play in a real browser: by clicks on the stage, by buttons and by keys. `node --test play.test.mjs`.

import path from "node:path";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as house from "./house.mjs";
import { GAMES, watchedPage } from "./house.mjs";

let server;
let browser;

before(async () => {
  house.makeFolders();
  server = await house.serve();
  browser = await house.launch();
});

after(async () => {
  await browser?.close();
  server?.end();
  house.cleanUp();
});

/** A person's page: without motion, so that nothing waits for a picture to move. */
function person(options = {}) {
  return watchedPage(browser, [server.address], { reducedMotion: "reduce", ...options });
}

/** Fills in the form of a game and begins it. */
async function begin(page, game, wishes = {}) {
  await page.goto(`${server.address}/play`);
  await page.locator(`a[href="/play/${game}"]`).first().click();
  const { opponent = "house:random", ...fields } = wishes;
  await page.locator(`input[name=opponent][value="${opponent}"]`).check();
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`[name=${name}]`);
    if ((await field.evaluate((element) => element.localName)) === "select") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/play\/at\/[0-9a-f]{32}$/);
}

/** Waits for the next question or the end; gives its number and what is offered. */
async function question(page, before = "") {
  await page.waitForFunction((before) => {
    const { asked, phase } = document.querySelector(".panel")?.dataset ?? {};
    return phase === "over" || phase === "broken-off" || (asked && asked !== before);
  }, before);
  return page.evaluate(() => {
    const { asked } = document.querySelector(".panel").dataset;
    const offers = [...document.querySelectorAll(".offers .offer")].map((button) => ({
      text: button.dataset.text,
      note: button.querySelector(".note")?.textContent ?? "",
    }));
    return { asked, offers };
  });
}

/** Plays to the end: `act` answers each question. Gives how it ended and how many answers it took. */
async function playOut(page, act) {
  let { asked, offers } = await question(page);
  let count = 0;
  while (asked) {
    await act(page, offers);
    ({ asked, offers } = await question(page, asked));
    assert.ok(++count < 1000, "a match ends");
  }
  return { heading: await page.locator(".panel h2").textContent(), count };
}

/** A text as selectors have it. */
function quoted(text) {
  return `"${text.replaceAll("\n", "\\a ")}"`;
}

/** Clicks the button of an offer. */
async function press(page, text) {
  await page.locator(`.offers .offer[data-text=${quoted(text)}]`).click();
}

/** Where on the stage of hockey a node is. */
async function nodePlace(page, [x, y]) {
  const box = await page.locator(".stage canvas").boundingBox();
  const { world } = await stageOf(page);
  return { x: box.x + ((x - world.x) / world.width) * box.width, y: box.y + ((y - world.y) / world.height) * box.height };
}

/** The stage of the film and what is offered, as the page is told. */
async function told(page) {
  return page.evaluate(async () => {
    const lines = (await (await fetch(`${location.pathname}/news`)).text()).split("\n");
    return { news: JSON.parse(lines[0]), head: JSON.parse(lines[1]) };
  });
}

async function stageOf(page) {
  return (await told(page)).head.stage;
}

/** Throws towards a row by a click on the stage: into a net if that is there, else as near to it as can be. */
function throwTo(row, net) {
  return async (page) => {
    const { news } = await told(page);
    const far = ({ aim, note }) => (note === net ? -1 : note.includes("goal") ? 100 : Math.abs(aim.circle.centre[1] - row) + Math.abs(aim.circle.centre[0] - 5) / 10);
    const best = news.asked.reduce((best, offer) => (far(offer) < far(best) ? offer : best));
    const { x, y } = await nodePlace(page, best.aim.circle.centre);
    await page.mouse.click(x, y);
  };
}

/** The replay of the match that is over on a page, verified by the binary. */
async function verifyReplay(page) {
  const address = await page.getByRole("link", { name: "Watch the replay" }).getAttribute("href");
  const id = decodeURIComponent(address.replace("/match/", ""));
  house.run("verify", path.join(house.replays, id));
}

describe("hockey", () => {
  test("a person wins by clicks on the nodes, and the replay is one like any other", async () => {
    const { page, close } = await person();
    await begin(page, "hockey", { seed: "3", name: "Anna" });
    const { heading } = await playOut(page, throwTo(-1, "goal"));
    assert.equal(heading, "You won");
    await verifyReplay(page);
    await page.getByRole("link", { name: "Watch the replay" }).click();
    await house.waitUntilShown(page);
    assert.match(await page.locator("h1").textContent(), /Anna against random/);
    await close();
  });

  test("a person loses by own goals", async () => {
    const { page, close } = await person();
    await begin(page, "hockey", { seed: "4" });
    const { heading } = await playOut(page, throwTo(11, "own goal"));
    assert.equal(heading, "You lost");
    await close();
  });

  test("a hostile name is a name", async () => {
    const { page, close } = await person();
    await begin(page, "hockey", { seed: "5", name: house.NAME });
    await question(page);
    assert.equal(await page.locator(".seat.first b").textContent(), house.NAME);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign" }).click();
    await page.waitForFunction(() => document.querySelector(".panel").dataset.phase === "over");
    assert.equal(await page.locator(".panel h2").textContent(), "You lost");
    await close();
  });
});

/** Clicks the middle of what a text is aimed at, and what the menu there offers under that text. */
async function point(page, text) {
  const { news, head } = await told(page);
  const offers = news.asked.flatMap((offer) => [offer, ...(offer.inner ?? [])]);
  const { aim } = offers.find((offer) => offer.text === text);
  const points = aim.circle ? [aim.circle.centre] : aim.polygon.points;
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const box = await page.locator(".stage canvas").boundingBox();
  const { world } = head.stage;
  const at = [box.x + ((middle[0] - world.x) / world.width) * box.width, box.y + ((middle[1] - world.y) / world.height) * box.height];
  await page.mouse.click(at[0], at[1]);
  const item = page.locator(`.menu .offer[data-text=${quoted(text)}]`);
  if (await page.locator(".menu").isVisible()) await item.click();
}

/** Presses the buttons of an answer one after the other: of each list the first that is wanted, else the first of all. */
function pressing(...wanted) {
  return async (page, offers) => {
    for (let list = offers, depth = 0; list.length && depth < 5; depth++) {
      const offer = wanted.flatMap((pattern) => list.filter(({ text }) => pattern.test(text))).find(Boolean) ?? list[0];
      await press(page, offer.text);
      if (!/[ ;\n]$/.test(offer.text)) return;
      await page.waitForFunction((first) => document.querySelector(".offers .offer")?.dataset.text !== first, list[0].text);
      ({ offers: list } = await question(page));
    }
  };
}

describe("a whole match", () => {
  test("of fencing, by buttons with their costs", async () => {
    const { page, close } = await person();
    await begin(page, "fencing", { seed: "1", opponent: "house:greedy" });
    const { offers } = await question(page);
    assert.ok(offers.every(({ note }) => /energy [+-]\d/.test(note)), JSON.stringify(offers));
    const { count } = await playOut(page, pressing(/^LUNGE$/, /^WALK$/, /^BREAK$/));
    assert.ok(count > 3);
    await verifyReplay(page);
    await close();
  });

  test("of Code Royale, by clicks on sites", async () => {
    const { page, close } = await person();
    await begin(page, "code-royale", { seed: "2", opponent: "house:greedy", league: "3" });
    let built = 0;
    const { count } = await playOut(page, async (page, offers) => {
      const site = offers.find(({ text, note }) => /^BUILD \d+ $/.test(text) && note.startsWith("empty"));
      if (!site || built++ > 12) return pressing(/^WAIT/, /TRAIN$/)(page, offers);
      await point(page, site.text);
      await page.waitForFunction(() => /MINE|TOWER|BARRACKS/.test(document.querySelector(".offers .offer")?.dataset.text ?? ""));
      const { offers: plans } = await question(page);
      await pressing(/BARRACKS-KNIGHT\n$/, /TRAIN \d/)(page, plans);
    });
    assert.ok(count > 20);
    await verifyReplay(page);
    await close();
  });

  test("of Worms, by clicks on cells", async () => {
    const { page, close } = await person();
    await begin(page, "worms", { seed: "3", opponent: "house:greedy" });
    let clicks = 0;
    const { count } = await playOut(page, async (page, offers) => {
      const { news } = await told(page);
      const step = news.asked.find(({ text }) => /^(move|dig) /.test(text));
      if (clicks > 20 || !step) return pressing(/^shoot/, /^nothing/)(page, offers);
      clicks += 1;
      await point(page, step.text);
    });
    assert.ok(count > 20 && clicks > 10);
    await verifyReplay(page);
    await close();
  });

  test("of Overdrive, by arrow keys", async () => {
    const { page, close } = await person();
    await begin(page, "overdrive", { seed: "4" });
    const keys = { ACCELERATE: "ArrowRight", TURN_LEFT: "ArrowUp", TURN_RIGHT: "ArrowDown" };
    let turns = 0;
    const { count, heading } = await playOut(page, async (page, offers) => {
      const side = offers.map(({ text }) => text).find((text) => /^TURN/.test(text));
      const boost = offers.some(({ text }) => text === "USE_BOOST");
      const isBroken = offers.some(({ text, note }) => text === "FIX" && /damage [3-9]/.test(note));
      if (isBroken) await press(page, "FIX");
      else if (boost) await press(page, "USE_BOOST");
      else await page.keyboard.press(++turns % 8 === 0 && side ? keys[side] : keys.ACCELERATE);
    });
    assert.ok(count > 50);
    assert.match(heading, /^You (won|lost)$/);
    await verifyReplay(page);
    await close();
  });
});

test("two browsers play each other by an invitation, each with its own view", async () => {
  const [host, guest] = [await person(), await person()];
  await begin(host.page, "worms", { seed: "6", opponent: "person", name: "Anna", set: "game.maxRounds=4" });
  await host.page.waitForFunction(() => document.querySelector(".panel").dataset.phase === "inviting");
  const link = await host.page.locator(".panel .cmd code").textContent();
  await guest.page.goto(link);
  assert.match(await guest.page.locator("h1").textContent(), /Anna invites you to/);
  await guest.page.locator("[name=name]").fill(house.NAME);
  await guest.page.getByRole("button", { name: "Sit down" }).click();
  const both = await Promise.all([host, guest].map(({ page }) => playOut(page, pressing(/^dig/, /^move/))));
  assert.deepEqual(both.map(({ count }) => count), [4, 4]);
  assert.equal(await host.page.locator(".seat.second b").textContent(), house.NAME);
  await host.page.getByRole("button", { name: "Play again" }).click();
  await guest.page.getByRole("button", { name: /the other one waits/ }).click();
  await Promise.all([question(host.page), question(guest.page)]);
  assert.equal(await guest.page.locator(".seat.first b").textContent(), house.NAME, "the seats are swapped");
  await host.close();
  await guest.close();
});

test("a private view hides what the other one's page shows", async () => {
  const { page, close } = await person();
  await begin(page, "code-royale", { seed: "8", league: "3" });
  await question(page);
  const { head } = await told(page);
  assert.equal(head.eye, "first");
  await close();
});

test("a reload in mid-game goes on where it was", async () => {
  const { page, close } = await person();
  await begin(page, "hockey", { seed: "3" });
  const play = throwTo(-1, "goal");
  let { asked } = await question(page);
  for (let count = 0; count < 3; count++) {
    await play(page);
    ({ asked } = await question(page, asked));
  }
  const caption = await page.locator(".caption").textContent();
  const turn = await page.locator(".between").textContent();
  await page.reload();
  await question(page);
  assert.equal(await page.locator(".caption").textContent(), caption);
  assert.equal(await page.locator(".between").textContent(), turn);
  assert.equal((await playOut(page, play)).heading, "You won");
  await close();
});

test("against a house bot an answer can be taken back, also the last one of a lost match", async () => {
  const { page, close } = await person();
  await begin(page, "hockey", { seed: "4" });
  const back = page.getByRole("button", { name: "Take back" });
  let { asked } = await question(page);
  assert.ok(await back.isDisabled(), "nothing was answered yet");
  const start = await page.locator(".between").textContent();
  await throwTo(11, "own goal")(page);
  ({ asked } = await question(page, asked));
  await back.click();
  await page.waitForFunction((start) => document.querySelector(".between")?.textContent === start && document.querySelector(".panel").dataset.asked, start);
  assert.equal((await playOut(page, throwTo(11, "own goal"))).heading, "You lost");
  await back.click();
  await page.waitForFunction(() => document.querySelector(".panel").dataset.asked);
  assert.equal((await playOut(page, throwTo(-1, "goal"))).heading, "You won");
  await verifyReplay(page);
  await close();
});

test("who lets the clock run out leaves the match", async () => {
  const { page, close } = await person();
  await begin(page, "hockey", { seed: "4", clock: "10" });
  await question(page);
  assert.match(await page.locator(".clock").textContent(), /^0:\d\d$/);
  await page.waitForFunction(() => document.querySelector(".panel").dataset.phase === "over", null, { timeout: 15_000 });
  assert.equal(await page.locator(".panel h2").textContent(), "You lost");
  await close();
});

/** What is offered, and broken in the midst of a word or cut off. */
function brokenWords() {
  const words = [...document.querySelectorAll(".offer b")].filter((label) => !/\s/.test(label.textContent ?? ""));
  const isBroken = (label) => label.getClientRects().length > 1 || label.getBoundingClientRect().height > 30;
  const isCut = (label) => label.getBoundingClientRect().right > label.parentElement.getBoundingClientRect().right - 4;
  return words.filter((label) => isBroken(label) || isCut(label)).map((label) => label.textContent);
}

test("screenshots of every game and form", async () => {
  for (const game of GAMES) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await person({ colorScheme, bypassCSP: true });
      await begin(page, game, { seed: "5", opponent: "house:greedy" });
      const { asked } = await question(page);
      await pressing(/^WAIT/, /^LUNGE/, /^ACC/, /^move/)(page, (await question(page)).offers);
      await question(page, asked);
      for (const width of [1400, 400]) {
        await page.setViewportSize({ width, height: width === 400 ? 860 : 1000 });
        await page.waitForTimeout(150);
        await house.lookAt(page, `play-${game}-${colorScheme}-${width}`);
        assert.deepEqual(await page.evaluate(brokenWords), [], game);
      }
      await close();
    }
  }
  for (const [name, address] of [["choose", "/play"], ["setup", "/play/code-royale"]]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await person({ colorScheme, bypassCSP: true });
      for (const width of [1400, 400]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${server.address}${address}`);
        await house.lookAt(page, `${name}-${colorScheme}-${width}`);
      }
      await close();
    }
  }
});
