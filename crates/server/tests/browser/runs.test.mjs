// Runs while they are played: their pages move, fill and end, and a large screen shows them part by part.

import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as house from "./house.mjs";
import { hide, open } from "./live.mjs";
import { HOSTILE, NAME, watchedPage, waitForTurn, waitUntilShown } from "./house.mjs";

let browser;

before(async () => {
  house.makeFolders();
  browser = await house.launch();
});

after(async () => {
  await browser?.close();
  house.cleanUp();
});

async function onPage(site, act, options = {}) {
  const { page, close } = await watchedPage(browser, [site], options);
  await act(page);
  await close();
}

/** A bot that waits before each of its games until it is let, and says something hostile about itself. */
function writeGatedBot() {
  const gate = mkdtempSync(path.join(house.folder, "gate-"));
  const bot = path.join(gate, "bot.sh");
  // It ends with the folder at the latest.
  const wait = `while [ -d "${gate}" ] && ! rm "${gate}/go" 2>/dev/null; do sleep 0.03; done`;
  writeFileSync(bot, `while read -r round; do\nif [ "$round" = 1 ]; then ${wait}; fi\ncat <<'END' >&2\n[PDATA] ${HOSTILE} = 1\nEND\necho "C;$round;nothing"\ndone\n`);
  const go = async () => {
    writeFileSync(path.join(gate, "go"), "");
    while (existsSync(path.join(gate, "go"))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return { command: `sh ${bot}`, go };
}

const RULES = ["--set", "game.maxRounds=3", "-j", "1", "--no-clock", "--sandbox", "off", "--force", "--quiet"];
const comparison = (bot) => open("compare", "worms", `${NAME}=${bot.command}`, "new=house:greedy", "--games", "4", ...RULES);
const tournament = (bot, ...more) => {
  const bots = [`slow=${bot.command}`, "random=house:random", "greedy=house:greedy"].flatMap((bot) => ["--bot", bot]);
  return open("tournament", "--game", "worms", ...bots, "--games-per-pair", "2", ...RULES, ...more);
};

/** Waits until the head of the page says how many games were played. */
const waitForGames = (page, games) => page.waitForFunction((games) => new RegExp(` ${games} games? in `).test(document.querySelector(".top .small, .heading p").textContent), games);
const waitForState = (page, state) => page.waitForFunction((state) => document.getElementById("following").textContent === state, state);

describe("a comparison that is played now", () => {
  test("moves with each game, keeps what a reader does, and ends", async () => {
    const bot = writeGatedBot();
    const played = await comparison(bot);
    assert.match(played.address, /\/now$/);
    await onPage(played.site, async (page) => {
      // The reader is there before anything is told.
      await page.route(/\/events/, async (route) => {
        await page.waitForTimeout(800);
        await route.continue();
      });
      await page.goto(played.address);
      await page.waitForURL(/\/run\/1$/);
      await waitForGames(page, 0);
      assert.equal(await page.locator(".top .chip").textContent(), "playing now");
      await page.getByRole("link", { name: "Projector" }).focus();
      for (const games of [1, 2]) {
        await bot.go();
        await waitForGames(page, games);
        assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Projector");
      }
      assert.match((await page.getByRole("region", { name: "Progress" }).textContent()) ?? "", /2 of 4 games.*left/s);
      await hide(page, true);
      await bot.go();
      await page.waitForTimeout(1500);
      assert.match((await page.locator(".top .small").textContent()) ?? "", / 2 games in /, "a page that nobody sees asks for nothing");
      await hide(page, false);
      await waitForGames(page, 3);
      await bot.go();
      await page.locator(".chip", { hasText: "finished" }).first().waitFor();
      await waitForGames(page, 4);
      await waitForState(page, "ended");
      assert.equal(await page.locator(".counted td a").count() > 0, true);
    });
    assert.equal(await played.end(), 0);
  });

  test("has matches that are watched turn by turn, and afterwards again", async () => {
    const bot = writeGatedBot();
    const played = await comparison(bot);
    await onPage(played.site, async (page) => {
      await page.goto(played.address);
      await page.getByRole("region", { name: "Playing now" }).getByRole("link").first().click();
      await waitUntilShown(page);
      await waitForTurn(page, 0);
      await bot.go();
      await waitForTurn(page, 3);
      await page.getByRole("link", { name: "Explain this match" }).click();
      await waitUntilShown(page);
      assert.match(page.url(), /%40store\/1\//);
    });
    played.kill();
  });

  test("is shown as it stands without scripts", async () => {
    const bot = writeGatedBot();
    const played = await comparison(bot);
    await onPage(
      played.site,
      async (page) => {
        await page.goto(played.address);
        await page.waitForURL(/\/run\/1$/);
        await bot.go();
        while (!/ 1 game in /.test((await page.locator(".top .small").textContent()) ?? "")) await page.getByRole("link", { name: "Look again" }).click();
      },
      { javaScriptEnabled: false },
    );
    played.kill();
  });
});

describe("a tournament that is played now", () => {
  test("fills, also on a large screen, and ends", async () => {
    const bot = writeGatedBot();
    const played = await tournament(bot);
    await onPage(played.site, async (page) => {
      await onPage(played.site, async (screen) => {
        await page.goto(played.address);
        await page.waitForURL(/\/run\/1$/);
        await screen.goto(`${played.site}/run/1/projector`);
        for (let game = 0; game < 4; game++) await bot.go();
        await page.locator(".chip", { hasText: "finished" }).first().waitFor();
        assert.equal(await page.locator(".heat tbody td a").count(), 6);
        await waitForState(page, "ended");
        await screen.locator(".chip", { hasText: "finished" }).first().waitFor();
        await waitForGames(screen, 6);
      });
    });
    played.kill();
  });

  test("is followed by a server that only has its store", async () => {
    const bot = writeGatedBot();
    const store = path.join(house.folder, "served.db");
    const played = await tournament(bot, "--store", store);
    const server = await house.serve("--store", store);
    await onPage(server.address, async (page) => {
      await page.goto(`${server.address}/runs`);
      assert.equal(await page.locator(".chip", { hasText: "1 playing now" }).count(), 1);
      await page.goto(`${server.address}/now`);
      const before = await page.locator(".top .small").textContent();
      await bot.go();
      await page.waitForFunction((before) => document.querySelector(".top .small").textContent !== before, before);
    });
    played.kill();
    server.end();
  });
});

describe("a ladder", () => {
  test("leads from rung to rung", async () => {
    const played = await open("ladder", "fencing", "house:greedy", "--from", "random", "--to", "greedy-20", "--games", "8", "--quiet", "--force");
    await onPage(played.site, async (page) => {
      await page.goto(played.address);
      await page.locator(".chip", { hasText: "finished" }).first().waitFor();
      assert.match(page.url(), /\/run\/\d$/);
    });
    played.kill();
  });
});

describe("a large screen", () => {
  let server;
  before(async () => {
    const store = path.join(house.folder, "screen.db");
    const bots = ["random", "greedy-40", "greedy-83", "greedy"].flatMap((name) => ["--bot", `${name}=house:${name}`]);
    const play = (form, ...more) => house.run("tournament", "--game", "fencing", ...bots, "--form", form, "--games-per-pair", "2", "--name", form, "--store", store, "--quiet", "--force", ...more);
    play("round-robin");
    play("knockout");
    house.run("compare", "fencing", "old=house:greedy-40", "new=house:greedy-83", "--games", "20", "--sprt", "0,20", "--name", "versions", "--store", store, "--quiet", "--force");
    server = await house.serve("--store", store);
  });
  after(() => server?.end());

  const part = (page) => page.locator(".slide:not([hidden])").getAttribute("aria-label");

  test("shows one part after the other by itself, and waits while it is paused", () =>
    onPage(server.address, async (page) => {
      await page.clock.install();
      await page.goto(`${server.address}/run/1`);
      await page.getByRole("link", { name: "Projector" }).click();
      await page.locator("#place", { hasText: "1 of 5" }).waitFor();
      await page.clock.fastForward(13000);
      await page.locator("#place", { hasText: "2 of 5" }).waitFor();
      await page.keyboard.press(" ");
      await page.clock.fastForward(30000);
      assert.equal(await page.locator("#place").textContent(), "2 of 5, paused");
      await page.keyboard.press(" ");
      await page.clock.fastForward(13000);
      await page.locator("#place", { hasText: "3 of 5" }).waitFor();
    }));

  test("is read from far away, obeys its keys and leads back", () =>
    onPage(
      server.address,
      async (page) => {
        await page.goto(`${server.address}/run/1/projector`);
        assert.equal(await page.locator(".slide:not([hidden])").count(), 1);
        const size = await page.locator("tbody th").first().evaluate((cell) => parseFloat(getComputedStyle(cell).fontSize));
        assert.ok(size >= 39, `letters of ${size} pixels`);
        await page.keyboard.press("ArrowLeft");
        await waitUntilShown(page);
        assert.match((await part(page)) ?? "", /^Match /);
        const { width, height } = (await page.locator(".stage canvas").boundingBox()) ?? { width: 0, height: 0 };
        assert.ok(width > 900 && height > 300, `a stage of ${width} by ${height}`);
        const below = await page.locator(".board").evaluate((board) => board.getBoundingClientRect().bottom - document.querySelector("footer").getBoundingClientRect().top);
        assert.ok(below <= 0, `${below} pixels of the match are below the screen`);
        await page.keyboard.press("ArrowRight");
        assert.equal(await part(page), "Table 1");
        await page.keyboard.press("t");
        assert.ok(["light", "dark"].includes(await page.evaluate(() => document.documentElement.dataset.theme)));
        await page.keyboard.press("Escape");
        await page.waitForURL(/\/run\/1$/);
      },
      { viewport: { width: 1920, height: 1080 } },
    ));

  test("has everything on one page without scripts", () =>
    onPage(
      server.address,
      async (page) => {
        await page.goto(`${server.address}/run/1/projector`);
        assert.equal(await page.locator("table").count(), 2);
        await page.getByRole("link", { name: "Back" }).click();
        assert.match(page.url(), /\/run\/1$/);
      },
      { javaScriptEnabled: false },
    ));

  const LARGE = ["light", "dark"].map((colorScheme) => ({ called: `1920-${colorScheme}`, options: { viewport: { width: 1920, height: 1080 }, colorScheme, bypassCSP: true } }));
  for (const { called, options } of [...LARGE, ...house.ROOMS]) {
    test(`is readable by everybody, part by part, ${called}`, () =>
      onPage(
        server.address,
        async (page) => {
          for (const [run, name] of [[1, "cup"], [2, "bracket"], [3, "versions"]]) {
            await page.goto(`${server.address}/run/${run}/projector`);
            await page.locator("#place", { hasText: "1 of" }).waitFor();
            const parts = Number((await page.locator("#place").textContent())?.split(" ")[2]);
            // Matches are alike: one of them is enough.
            for (let number = 1; number <= parts - 2; number++) {
              if (((await part(page)) ?? "").startsWith("Match")) {
                await waitUntilShown(page);
                await page.waitForTimeout(1000);
              }
              await house.lookAt(page, `projector-${name}-${number}-${called}`, options.viewport.width < 500);
              await page.keyboard.press("ArrowRight");
            }
          }
        },
        options,
      ));
  }
});

describe("pages of what is played now", () => {
  for (const { called, options } of house.ROOMS) {
    test(`are readable by everybody, ${called}`, async () => {
      for (const [name, start] of [["comparison", comparison], ["tournament", tournament]]) {
        const bot = writeGatedBot();
        const played = await start(bot);
        await onPage(
          played.site,
          async (page) => {
            await page.goto(played.address);
            await page.waitForURL(/\/run\/1$/);
            await bot.go();
            // In a tournament others play too.
            await page.waitForFunction(() => !document.querySelector(".top .small").textContent.includes(" 0 games in "));
            await page.getByRole("region", { name: "Playing now" }).waitFor();
            // A page that came with its games hears of the server a moment later.
            await waitForState(page, "live");
            await house.lookAt(page, `now-${name}-${called}`);
          },
          options,
        );
        played.kill();
      }
    });
  }
});
