// What all tests share: matches played by the real binary, its server, and a browser that trusts nothing.

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
export const output = path.join(here, "output");
export const readmePicture = path.join(here, "../../../../docs/src/player.jpg");
export const quintain = process.env.QUINTAIN ?? path.join(here, "../../../../target/debug/quintain");

export const GAMES = ["hockey", "fencing", "code-royale", "worms", "overdrive"];
export const HOSTILE = `<img src=x onerror="window.pwned=1">'"&<script>window.pwned=1</script>`;

export const NAME = `<script>pwned()<b>'"&`;

export const folder = mkdtempSync(path.join(tmpdir(), "quintain-browser-"));
export const replays = path.join(folder, "replays");

/** Runs the binary and gives what it prints. */
export function run(...words) {
  return execFileSync(quintain, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], cwd: folder });
}

/** A bot that says something hostile on both of its streams, whatever it is asked. */
function writeHostileBot() {
  const bot = path.join(folder, "hostile.sh");
  const lines = ["#!/bin/sh", "while read -r round; do", `  cat <<'END' >&2`, HOSTILE, "END", `  cat <<'END'`, `C;0;${HOSTILE}`, "END", "done"];
  writeFileSync(bot, lines.join("\n") + "\n");
  chmodSync(bot, 0o755);
  return bot;
}

/** A bot that draws, and whose drawings are hostile where they can be. */
function writeDrawingBot() {
  const bot = path.join(folder, "drawing.sh");
  const drawing = ["[DRAW] line 4 16 28 16 #ff00ff", `[DRAW:${"<b>"}] text 16 16 1 ${HOSTILE}`, `[TIP] 16 16 ${HOSTILE}`, `[MARK] ${HOSTILE}`];
  const lines = ["#!/bin/sh", "while read -r round; do", `  cat <<'END' >&2`, ...drawing, "END", `  echo "C;$round;nothing"`, "done"];
  writeFileSync(bot, lines.join("\n") + "\n");
  chmodSync(bot, 0o755);
  return bot;
}

export function makeFolders() {
  mkdirSync(path.join(replays, "below"), { recursive: true });
  mkdirSync(output, { recursive: true });
}

/** A match of each game, one of 400 rounds, one that goes on from another, and one of everything that could do harm. */
export function playMatches() {
  makeFolders();
  for (const game of GAMES) {
    run("play", game, "house:greedy", "house:random", "--seed", "5", "--replay", fileOf(game));
  }
  const health = ["agent", "commando", "technologist"].flatMap((kind) => ["--set", `game.${kind}Worms.initialHp=5000`]);
  run("play", "worms", "house:greedy", "house:greedy", ...health, "--seed", "7", "--replay", fileOf("long"));
  run("play", "--from", fileOf("code-royale"), "--turn", "6", "house:random", "house:greedy", "--replay", fileOf("fork"));
  const bot = writeHostileBot();
  run("play", "worms", `${NAME}=sh ${bot}`, "house:random", "--set", "game.maxRounds=6", "--seed", "5", "--replay", fileOf("hostile"));
  run("play", "worms", `drawing=sh ${writeDrawingBot()}`, "house:random", "--set", "game.maxRounds=6", "--seed", "5", "--replay", fileOf("drawing"));
  copyFileSync(fileOf("hostile"), path.join(replays, "below", `<img src=x onerror=pwned=1>'&.replay.jsonl.zst`));
}

export function idOf(name) {
  return `${name}.replay.jsonl.zst`;
}

export function fileOf(name) {
  return path.join(replays, idOf(name));
}

/** Starts the server and gives its address. */
export async function serve(...options) {
  const child = spawn(quintain, ["serve", "--listen", "127.0.0.1:0", "--replays", replays, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim().replace(/\/$/, "")));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { address, end: () => child.kill() };
}

export function launch() {
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });
}

/** A page that fails its test for every error and every request that leaves these addresses. */
export async function watchedPage(browser, addresses, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => wrong.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob|about):/.test(url) && !addresses.some((address) => url.startsWith(address))) wrong.push(`request to ${url}`);
  });
  const check = async () => {
    assert.deepEqual(wrong, []);
    for (const frame of page.frames()) assert.equal(await frame.evaluate(() => window.pwned), undefined, "a hostile text ran");
  };
  const close = async () => {
    await check();
    await context.close();
  };
  return { page, check, close };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Takes a picture of a page, which must be as wide as the screen and readable by everybody. Its policy must be bypassed. */
export async function lookAt(page, name, fullPage = true) {
  await page.evaluate(() => document.fonts.ready);
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(tooWide <= 0, `${name} is ${tooWide} pixels too wide`);
  assert.deepEqual(await page.evaluate(lettersBelowEachOther), [], name);
  await page.screenshot({ path: path.join(output, `${name}.png`), fullPage });
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run()).violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`));
  assert.deepEqual(found.filter((line) => /^(serious|critical)|landmark-unique/.test(line)), [], name);
}

/** Cells of tables so narrow that their words are broken into columns of letters. */
function lettersBelowEachOther() {
  const cells = [...document.querySelectorAll("td, th")].filter((cell) => cell.checkVisibility() && !cell.querySelector("span[class]"));
  const lines = (/** @type {Element} */ cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const words = (/** @type {Element} */ cell) => (cell.textContent ?? "").trim().split(/[^\p{L}\p{N}]+/u).length;
  return cells.filter((cell) => lines(cell) > words(cell) + 1).map((cell) => cell.textContent);
}

/** Light and dark, wide and narrow: options of pages, each with what its pictures are called. */
export const ROOMS = ["light", "dark"].flatMap((colorScheme) =>
  [1400, 400].map((width) => ({ called: `${width}-${colorScheme}`, options: { viewport: { width, height: 900 }, colorScheme, bypassCSP: true } })),
);

/** The picture on the stage, as text that differs when it does. */
export function picture(page, number = 0) {
  return page.locator(".stage canvas").nth(number).evaluate((canvas) => canvas.toDataURL());
}

/** Waits until the player shows a turn. */
export async function waitForTurn(page, turn) {
  await page.waitForFunction((wanted) => document.querySelector(".axis span:nth-child(2)")?.textContent?.split(" ")[1] === String(wanted), turn);
  // The picture is drawn before the turn is told.
}

/** Opens a match and waits until it is on the screen. */
export async function openMatch(page, address, name, more = "") {
  await page.goto(`${address}/match/${encodeURIComponent(idOf(name))}${more}`);
  await waitUntilShown(page);
}

/** Waits until a match is on the screen, in the letters of its page. */
export async function waitUntilShown(page) {
  await page.waitForFunction(() => performance.getEntriesByName("quintain-shown").length > 0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let picture = 0; picture < 2; picture++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

export function cleanUp() {
  rmSync(folder, { recursive: true, force: true });
}
