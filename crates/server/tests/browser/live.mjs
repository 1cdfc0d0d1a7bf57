// Matches while they are played.

import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { folder, quintain, waitForTurn, waitUntilShown } from "./house.mjs";

/** A bot that plays as many rounds as it is let. */
function writePatientBot() {
  const gate = mkdtempSync(path.join(folder, "gate-"));
  const bot = path.join(gate, "bot.sh");
  writeFileSync(bot, `while read -r round; do while [ ! -e "${gate}/$round" ]; do sleep 0.03; done; echo "C;$round;nothing"; done\n`);
  let allowed = 0;
  const play = (rounds) => {
    while (allowed < rounds) writeFileSync(path.join(gate, String(++allowed)), "");
  };
  return { name: `patient=sh ${bot}`, play };
}

/** What is still shown when the tests are over, after a failure, is ended: nobody waits for it. @type {Set<import("node:child_process").ChildProcess>} */
const started = new Set();
after(() => started.forEach((child) => child.kill("SIGKILL")));

/** Starts something that is shown while it is played, and gives its address. */
export async function open(...words) {
  const child = spawn(quintain, [...words, "--serve", "127.0.0.1:0"], { cwd: folder, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "ignore", "pipe"] });
  started.add(child);
  const address = await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
      const found = /on (http:\S+) until/.exec(said);
      if (found) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
  });
  const end = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGINT");
    });
  return { address, site: new URL(address).origin, end, kill: () => child.kill("SIGKILL") };
}

const turnOf = (page) => page.locator(".axis span:nth-child(2)").textContent().then((text) => Number(text.split(" ")[1]));
const lengthOf = (page) => page.locator(".axis span:nth-child(3)").textContent().then(Number);
const isLive = (page) => page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed");

/** Says that the page is hidden or seen, as a browser does. */
export function hide(page, isHidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

export function testLive(onPage, shoot) {
  describe("a match that is played now", () => {
    test("arrives turn by turn, can be left and gone back to, and ends", async () => {
      const bot = writePatientBot();
      const played = await open("play", "worms", bot.name, "house:random", "--set", "game.maxRounds=30", "--set", "game.maxDoNothings=100", "--seed", "5", "--no-clock", "--sandbox", "off");
      await onPage(
        async (page) => {
          await page.goto(played.address);
          await waitUntilShown(page);
          for (const turn of [1, 2, 3, 4]) {
            bot.play(turn);
            await waitForTurn(page, turn);
          }
          assert.equal(await isLive(page), "true");
          await page.keyboard.press("Home");
          await waitForTurn(page, 0);
          assert.equal(await isLive(page), "false");
          bot.play(8);
          await page.waitForFunction(() => document.querySelector(".axis span:nth-child(3)").textContent === "8");
          assert.equal(await turnOf(page), 0, "who looks back stays there");
          await hide(page, true);
          bot.play(12);
          await page.waitForTimeout(300);
          assert.equal(await lengthOf(page), 8, "a page that nobody sees asks for nothing");
          await hide(page, false);
          await page.getByRole("button", { name: "Live" }).click();
          await waitForTurn(page, 12);
          assert.equal(await isLive(page), "true");
          bot.play(30);
          await page.getByRole("link", { name: "Explain this match" }).waitFor();
          await waitForTurn(page, 30);
          await page.keyboard.press("Home");
          for (const turn of [1, 2, 3]) {
            await page.keyboard.press("ArrowRight");
            await waitForTurn(page, turn);
          }
          await page.getByRole("link", { name: "Explain this match" }).click();
          await waitUntilShown(page);
          await page.keyboard.press("ArrowRight");
          await page.locator(".explain .answer").first().waitFor();
        },
        {},
        [played.site],
      );
      assert.equal(await played.end(), 0);
    });

    test("is seen from its start by whoever comes when it is over", async () => {
      const played = await open("play", "fencing", "house:greedy", "house:random", "--seed", "5", "--no-replay", "--swap");
      await onPage(
        async (page) => {
          await page.goto(played.address);
          await waitUntilShown(page);
          await page.waitForFunction(() => /won|draw/i.test(document.getElementById("state").textContent));
          await page.waitForFunction(() => document.querySelector(".axis span:nth-child(3)").textContent === "200");
          await page.keyboard.press("Home");
          await waitForTurn(page, 0);
          assert.equal(await page.getByRole("button", { name: "Live" }).count(), 0);
          await page.goto(`${played.site}/live`);
          assert.equal(await page.locator("tbody tr").count(), 2);
        },
        {},
        [played.site],
      );
      await played.end();
    });
  });

  describe("pictures of what is played now", () => {
    shoot(async (page, take) => {
      const played = await open("play", "code-royale", "house:greedy", "house:random", "--seed", "5", "--no-replay");
      await page.goto(played.address);
      await waitUntilShown(page);
      await page.waitForTimeout(1500);
      await take("live");
      // A page that still listens complains when the server ends.
      await page.goto("about:blank");
      await played.end();
    });
  });
}
