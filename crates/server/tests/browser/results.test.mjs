// The pages of a store in a real browser: what they show, with and without scripts, and whether everybody can read them.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as house from "./house.mjs";
import { HOSTILE, NAME, watchedPage } from "./house.mjs";

const store = path.join(house.folder, "games.db");

let server;
let browser;
/** @type {Record<string, string>} */
const pages = {};

before(async () => {
  fillStore();
  server = await house.serve("--store", store);
  browser = await house.launch();
  await findPages();
});

after(async () => {
  await browser?.close();
  server?.end();
  house.cleanUp();
});

/** A bot that does nothing but talk about itself. */
function writeTaggingBot() {
  const bot = path.join(house.folder, "tagging.sh");
  const tags = ["[PDATA] depth = 7", `[PDATA] ${HOSTILE} = ${HOSTILE}`];
  const lines = ["#!/bin/sh", "while read -r round; do", "  cat <<'END' >&2", ...tags, "END", `  echo "C;$round;nothing"`, "done"];
  writeFileSync(bot, lines.join("\n") + "\n");
  chmodSync(bot, 0o755);
  return bot;
}

/** A comparison, a tournament of each kind, and one with a bot that means harm. */
function fillStore() {
  house.makeFolders();
  const kept = ["--store", store, "--quiet", "--force"];
  house.run("compare", "fencing", "old=house:greedy-60", "new=house:greedy-83", "--sprt", "0,20", "--games", "60", ...kept);
  house.run("compare", "fencing", "old=house:greedy-60", "new=house:greedy-83", "--games", "20", "--name", "plain", ...kept);
  const bots = ["random", "greedy-40", "greedy-83", "greedy"].flatMap((name) => ["--bot", `${name}=house:${name}`]);
  const tournament = (name, form, games) =>
    house.run("tournament", "--game", "fencing", ...bots, "--form", form, "--games-per-pair", games, "--name", name, ...kept);
  tournament("cup", "round-robin", "4");
  tournament("bracket", "knockout", "2");
  tournament("swiss", "swiss", "2");
  const many = Array.from({ length: 30 }, (_, index) => ["--bot", `team-${index}=house:random`]).flat();
  house.run("tournament", "--game", "hockey", ...many, "--games-per-pair", "1", "--name", "large", ...kept);
  house.run("tournament", "--game", "worms", "--bot", `${NAME}=sh ${writeTaggingBot()}`, "--bot", "random=house:random", "--games-per-pair", "2", "--set", "game.maxRounds=4", "--name", NAME, "--sandbox", "off", ...kept);
  evaluate("--store", store, "--quiet");
}

/** An evaluation of two teams that play and one that never comes. */
function evaluate(...kept) {
  const teams = path.join(house.folder, "teams");
  const player = (name) => `exec "${house.quintain}" bot hockey ${name} --connect "$QUINTAIN_HOST:$QUINTAIN_PORT"`;
  for (const [name, script] of [["ada", player("greedy")], ["bob", player("random")], ["cleo", "exit 1"]]) {
    mkdirSync(path.join(teams, name), { recursive: true });
    const file = path.join(teams, name, "run.sh");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  house.run("evaluate", "hockey", teams, "--games", "4", "--give-up", "2", "--weight", "4", "--listen", "127.0.0.1:0", "--sandbox", "off", ...kept);
}

async function findPages() {
  await onPage(async (page) => {
    await page.goto(`${server.address}/runs`);
    for (const link of await page.locator("tbody th a").all()) pages[(await link.textContent()) ?? ""] = (await link.getAttribute("href")) ?? "";
  });
}

async function onPage(act, options = {}) {
  const { page, close } = await watchedPage(browser, [server.address], options);
  await act(page);
  await close();
}

const addresses = () => ({
  home: "/",
  ...Object.fromEntries(house.GAMES.map((game) => [`game-${game}`, `/game/${game}`])),
  runs: "/runs",
  comparison: pages["compare fencing old new"],
  cup: pages.cup,
  bracket: pages.bracket,
  swiss: pages.swiss,
  large: pages.large,
  evaluation: pages["evaluate hockey"],
  hostile: Object.entries(pages).find(([name]) => name.includes("pwned"))?.[1],
  matches: "/matches",
  "matches-filtered": "/matches?run=cup&bot=greedy&verdict=win",
  bot: "/bot?name=greedy",
  "bot-hostile": `/bot?name=${encodeURIComponent(NAME)}`,
});

describe("every page", () => {
  for (const { called, options } of house.ROOMS) {
    test(`is readable by everybody and has no other width than the screen, ${called}`, () =>
      onPage(async (page) => {
        for (const [name, address] of Object.entries(addresses())) {
          assert.ok(address, name);
          await page.goto(server.address + address);
          await house.lookAt(page, `results-${name}-${called}`);
        }
      }, options));
  }

  test("says the same without scripts", () =>
    onPage(
      async (page) => {
        for (const [name, address] of Object.entries(addresses())) {
          await page.goto(server.address + address);
          assert.ok(await page.locator("h1").isVisible(), name);
          assert.ok((await page.locator("main table, main h2").count()) > 0, name);
        }
        await page.goto(server.address + pages.cup);
        assert.equal(await page.locator("caption", { hasText: "Standings" }).count(), 1);
        await page.getByRole("link", { name: "Its matches" }).click();
        await page.getByLabel("bot", { exact: true }).fill("greedy");
        await page.getByLabel("verdict for the bot").selectOption("loss");
        await page.getByRole("button", { name: "Show" }).click();
        assert.match(page.url(), /run=cup&bot=greedy.*verdict=loss/);
      },
      { javaScriptEnabled: false },
    ));
});

test("words of tables are whole, and a table is as wide as its card", () =>
  onPage(async (page) => {
    await page.goto(`${server.address}/game/code-royale`);
    const broken = await page.evaluate(() => {
      const cells = [...document.querySelectorAll(".prose th, .prose td, .wordy th, .wordy td")];
      const isOneWord = (cell) => /^[\w:-]+$/.test(cell.textContent.trim()) && cell.textContent.trim().length < 12 && !cell.textContent.includes("-");
      return cells.filter((cell) => isOneWord(cell) && rows(cell) > 1).map((cell) => cell.textContent);
      function rows(cell) {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
      }
    });
    assert.deepEqual(broken, []);
    for (const run of ["cup", "swiss", "large"]) {
      await page.goto(server.address + pages[run]);
      for (const table of [".standings", ".heat"]) {
        const hidden = await page.locator(table).evaluate((table) => table.parentElement.scrollWidth - table.parentElement.clientWidth);
        assert.ok(hidden <= 0, `${hidden} pixels of ${table} of ${run} are out of sight`);
      }
    }
    await page.goto(`${server.address}/runs`);
    const states = await page.locator("td .chip").all();
    assert.equal(states.length, await page.locator("tbody tr").count(), "every run has a state");
    for (const part of [...states, ...(await page.locator("td.begun").all())]) {
      const { height } = await part.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
      });
      assert.ok(height < 30, `${await part.textContent()} is broken into lines`);
    }
  }));

test("an evaluation has marks, pairings with their games, and what went wrong", () =>
  onPage(async (page) => {
    await page.goto(server.address + pages["evaluate hockey"]);
    const teams = await page.getByRole("region", { name: "Marks" }).locator("tbody th").allTextContents();
    assert.deepEqual([teams.length, teams[0], teams[2]], [3, "ada", "cleo"]);
    assert.match((await page.getByRole("region", { name: "Failures" }).textContent()) ?? "", /cleo/);
    await page.getByRole("region", { name: "Pairings" }).getByRole("link").first().click();
    assert.equal(await page.locator("tbody tr").count(), 4);
  }));

describe("numbers lead to their games", () => {
  test("of a pair of games", () =>
    onPage(async (page) => {
      await page.goto(server.address + pages.plain);
      const figure = page.locator(".counted td a").last();
      const pairs = Number(await figure.textContent());
      await figure.click();
      assert.equal(await page.locator("tbody tr").count(), 2 * pairs);
    }));

  test("of a comparison", () =>
    onPage(async (page) => {
      await page.goto(server.address + pages.plain);
      const won = page.locator(".tiles div", { hasText: "won" }).getByRole("link");
      const count = Number(await won.textContent());
      await won.click();
      assert.equal(await page.locator("tbody tr").count(), count);
      assert.equal(await page.locator("tbody td.win", { hasText: "new" }).count(), count);
    }));

  test("of a cell of the cross table, down to the match itself", () =>
    onPage(async (page) => {
      await page.goto(server.address + pages.cup);
      await page.locator(".heat tbody td a").first().click();
      assert.equal(await page.locator("tbody tr").count(), 4);
      await page.locator("tbody a", { hasText: "game" }).first().click();
      await house.waitUntilShown(page);
      assert.match((await page.locator("h1").textContent()) ?? "", /against/);
    }));
});

test("a page on paper is light, and what cannot be clicked there is not there", () =>
  onPage(
    async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.goto(server.address + pages.cup);
      assert.equal(await page.locator(".card").first().evaluate((card) => getComputedStyle(card).backgroundColor), "rgb(255, 255, 255)");
      for (const part of ["nav", ".btn"]) assert.ok(!(await page.locator(part).first().isVisible()), part);
      assert.ok(await page.locator(".standings").isVisible());
    },
    { colorScheme: "dark" },
  ));

test("a page that was kept is the same page, from a file and without a server", () =>
  onPage(async (page) => {
    const bots = ["random", "greedy-40", "greedy-83", "greedy"].flatMap((name) => ["--bot", `${name}=house:${name}`]);
    const html = house.run("tournament", "--game", "fencing", ...bots, "--games-per-pair", "4", "--name", "cup", "--store", store, "--standings", "--output", "html");
    await page.setContent(html);
    assert.equal(await page.locator("caption", { hasText: "Standings" }).count(), 1);
    assert.equal(await page.locator(".heat tbody tr").count(), 4);
    assert.equal(await page.locator("a").count(), 0);
    await page.screenshot({ path: path.join(house.output, "results-kept-1400-light.png"), fullPage: true });
  }));
