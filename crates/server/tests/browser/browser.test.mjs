// The pages in a real browser. `node --test browser.test.mjs`, or `cargo xtask test --only browser`.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as house from "./house.mjs";
import { testLive } from "./live.mjs";
import { testShapes } from "./shapes.mjs";
import { GAMES, HOSTILE, openMatch, picture, waitForTurn, waitUntilShown, watchedPage } from "./house.mjs";

let server;
let browser;

before(async () => {
  house.playMatches();
  server = await house.serve();
  browser = await house.launch();
});

after(async () => {
  await browser?.close();
  server?.end();
  house.cleanUp();
});

/** Runs a test on a page that is watched. */
async function onPage(act, options, addresses = [server.address]) {
  const { page, close } = await watchedPage(browser, addresses, options);
  await act(page);
  await close();
}

test("the modules keep to their types", () => {
  const tsc = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", path.dirname(fileURLToPath(import.meta.url))], { encoding: "utf8" });
});

testShapes((act) =>
  onPage(async (page) => {
    await page.goto(server.address);
    await act(page);
  }),
);

/** A test that takes pictures in each width and theme; `act` is given what takes one. */
function testPictures(act) {
  for (const width of [1400, 400]) {
    for (const colorScheme of ["light", "dark"]) {
      const options = { viewport: { width, height: width > 500 ? 1000 : 800 }, colorScheme, deviceScaleFactor: width > 500 ? 1 : 2, bypassCSP: true };
      test(`${width} pixels, ${colorScheme}`, () =>
        onPage(
          async (page) => {
            await act(page, (name) => house.lookAt(page, `${name}-${colorScheme}-${width}`));
          },
          options,
          ["http://127.0.0.1:"],
        ));
    }
  }
}

testLive(onPage, testPictures);

describe("a match", () => {
  for (const game of GAMES) {
    test(`of ${game} plays`, () =>
      onPage(async (page) => {
        await openMatch(page, server.address, game);
        const start = await picture(page);
        await page.keyboard.press("Space");
        await page.waitForFunction(() => Number(document.querySelector(".axis span:nth-child(2)").textContent.split(" ")[1]) >= 2);
        assert.notEqual(await picture(page), start);
        await page.keyboard.press("Space");
        // A pause ends on a whole turn, which is drawn with the next picture of the screen.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        const rest = await picture(page);
        await page.waitForTimeout(300);
        assert.equal(await picture(page), rest, "a pause is a pause");
      }));
  }

  test("shows the turn that is sought, whatever the way to it", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "worms", "#t=57");
      await waitForTurn(page, 57);
      const linked = await picture(page);
      await page.keyboard.press("Home");
      await waitForTurn(page, 0);
      assert.notEqual(await picture(page), linked);
      for (let step = 0; step < 5; step++) await page.keyboard.press("Shift+ArrowRight");
      for (let step = 0; step < 7; step++) await page.keyboard.press("ArrowRight");
      await waitForTurn(page, 57);
      assert.equal(await picture(page), linked);
      await page.waitForFunction(() => location.hash === "#t=57");
      const bar = page.locator(".seek canvas");
      const { width, height } = await bar.boundingBox();
      const last = Number(await bar.getAttribute("aria-valuemax"));
      await bar.click({ position: { x: 9 + ((width - 18) * 57) / last, y: height / 2 } });
      await waitForTurn(page, 57);
      await bar.click({ position: { x: width - 1, y: height / 2 } });
      await waitForTurn(page, last);
      assert.match(await page.locator(".explain h2").textContent(), /explained/);
    }));

  test("goes to the turn of a link also when it names its own turn at that moment", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "hockey");
      await page.evaluate(() => {
        location.hash = "#t=9";
        history.replaceState(null, "", location.pathname);
      });
      await waitForTurn(page, 9);
    }));

  test("obeys the keys", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "code-royale");
      await page.keyboard.press("End");
      const last = Number(await page.locator(".seek canvas").getAttribute("aria-valuemax"));
      await waitForTurn(page, last);
      await page.keyboard.press("q");
      const turn = async () => Number((await page.locator(".axis span:nth-child(2)").textContent()).split(" ")[1]);
      await page.waitForFunction((end) => Number(document.querySelector(".axis span:nth-child(2)").textContent.split(" ")[1]) < end, last);
      const event = await turn();
      await page.keyboard.press("Home");
      await waitForTurn(page, 0);
      await page.keyboard.press("e");
      await page.waitForFunction(() => document.querySelector(".axis span:nth-child(2)").textContent.split(" ")[1] !== "0");
      assert.ok((await turn()) <= event);
      await page.keyboard.press("+");
      await page.keyboard.press("+");
      await page.keyboard.press("-");
      assert.equal(await page.locator(".controls button", { hasText: "×" }).textContent(), "2×");
      await page.keyboard.press("l");
      assert.equal(await page.getByRole("button", { name: /again and again/ }).getAttribute("aria-pressed"), "true");
      await page.keyboard.press("?");
      assert.ok(await page.locator("dialog").isVisible());
      await page.getByRole("button", { name: "Close" }).click();
      // It is taken away by its own event, which comes a moment later.
      await page.locator("dialog").waitFor({ state: "detached" });
    }));

  test("can be zoomed and says what things are", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "worms", "#t=20");
      await waitForTurn(page, 20);
      const whole = await picture(page);
      const box = await page.locator(".stage canvas").boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.wheel(0, -600);
      await page.waitForTimeout(200);
      const near = await picture(page);
      assert.notEqual(near, whole);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 40);
      await page.mouse.up();
      await page.waitForTimeout(100);
      assert.notEqual(await picture(page), near);
      await page.keyboard.press("0");
      await page.waitForTimeout(100);
      assert.equal(await picture(page), whole);
      const tips = new Set();
      for (let x = 0.1; x < 0.95; x += 0.05) {
        for (let y = 0.1; y < 0.95; y += 0.05) {
          await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
          if (await page.locator(".tip").isVisible()) tips.add(await page.locator(".tip").textContent());
        }
      }
      assert.ok(tips.size > 0, "something has a label");
    }));

  test("fills the screen, and begins anew when it is to go on for ever", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "hockey");
      const small = await page.locator(".stage canvas").boundingBox();
      await page.keyboard.press("f");
      await page.waitForFunction(() => document.fullscreenElement?.classList.contains("player"));
      await page.waitForFunction((width) => document.querySelector(".stage canvas").clientWidth > width, small.width);
      await page.keyboard.press("f");
      await page.waitForFunction(() => !document.fullscreenElement);
      await page.keyboard.press("l");
      for (let step = 0; step < 5; step++) await page.keyboard.press("+");
      const last = Number(await page.locator(".seek canvas").getAttribute("aria-valuemax"));
      await page.keyboard.press("End");
      await waitForTurn(page, last);
      await page.keyboard.press("ArrowLeft");
      await waitForTurn(page, last - 1);
      await page.keyboard.press("Space");
      await page.waitForFunction((turn) => Number(document.querySelector(".axis span:nth-child(2)").textContent.split(" ")[1]) < turn, last - 1);
      assert.ok(await page.getByRole("button", { name: /^Pause/ }).isVisible(), "it plays on");
    }));

  test("obeys fingers", () =>
    onPage(
      async (page) => {
        await openMatch(page, server.address, "worms", "#t=20");
        await waitForTurn(page, 20);
        const whole = await picture(page);
        const { x, y, width, height } = await page.locator(".stage canvas").boundingBox();
        const fingers = await page.context().newCDPSession(page);
        const touch = (type, apart) => {
          const points = apart === null ? [] : [-apart, apart].map((way, id) => ({ id, x: x + width / 2 + way, y: y + height / 2 }));
          return fingers.send("Input.dispatchTouchEvent", { type, touchPoints: points });
        };
        await touch("touchStart", 20);
        for (let apart = 30; apart <= 120; apart += 10) await touch("touchMove", apart);
        await touch("touchEnd", null);
        await page.waitForFunction(() => document.querySelector(".stage canvas").classList.contains("zoomed"));
        assert.notEqual(await picture(page), whole);
        const bar = await page.locator(".seek canvas").boundingBox();
        await page.locator(".seek canvas").scrollIntoViewIfNeeded();
        await page.locator(".seek canvas").tap({ position: { x: bar.width - 2, y: bar.height / 2 } });
        await waitForTurn(page, Number(await page.locator(".seek canvas").getAttribute("aria-valuemax")));
        await page.getByRole("button", { name: "One turn back (left)" }).tap();
        await page.waitForFunction(() => /#t=\d+$/.test(location.hash));
      },
      { hasTouch: true, isMobile: true, viewport: { width: 400, height: 800 }, deviceScaleFactor: 2 },
    ));

  test("without motion shows each turn as its still picture", () =>
    onPage(
      async (page) => {
        await openMatch(page, server.address, "hockey");
        const stills = new Set();
        for (let turn = 0; turn < 4; turn++) {
          stills.add(await picture(page));
          await page.keyboard.press("ArrowRight");
          await waitForTurn(page, turn + 1);
        }
        stills.add(await picture(page));
        await page.keyboard.press("Home");
        await waitForTurn(page, 0);
        await page.keyboard.press("Space");
        while (Number((await page.locator(".axis span:nth-child(2)").textContent()).split(" ")[1]) < 3) {
          assert.ok(stills.has(await picture(page)), "nothing lies between two turns");
        }
      },
      { reducedMotion: "reduce" },
    ));

  test("is on the screen soon after its bytes have come", () =>
    onPage(async (page) => {
      const waits = [];
      for (let round = 0; round < 4; round++) {
        await openMatch(page, server.address, "worms");
        waits.push(
          await page.evaluate(() => {
            const film = performance.getEntriesByType("resource").find((entry) => entry.name.includes("/film/"));
            return performance.getEntriesByName("quintain-shown")[0].startTime - film.responseEnd;
          }),
        );
      }
      assert.ok(Math.min(...waits) < 300, `after ${waits.map(Math.round)} ms`);
    }));

  test("of 400 rounds is on the screen soon, and can be scrubbed: the figures", (t) =>
    onPage(async (page) => {
      await openMatch(page, server.address, "long");
      const wait = await page.evaluate(() => {
        const film = performance.getEntriesByType("resource").find((entry) => entry.name.includes("/film/"));
        return performance.getEntriesByName("quintain-shown")[0].startTime - film.responseEnd;
      });
      const bar = page.locator(".seek canvas");
      assert.equal(await bar.getAttribute("aria-valuemax"), "400");
      // What the page's thread works for a picture is the same on a busy machine; pictures a second are not.
      const clock = await page.context().newCDPSession(page);
      await clock.send("Performance.enable", { timeDomain: "threadTicks" });
      const worked = async () => (await clock.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
      const before = await worked();
      const { pictures, milliseconds } = await bar.evaluate(scrub, 400);
      const each = (1000 * ((await worked()) - before)) / pictures;
      await waitForTurn(page, 400);
      t.diagnostic(`400 rounds of Worms: on the screen ${wait.toFixed(0)} ms after the last byte`);
      t.diagnostic(`scrubbing them: ${((1000 * pictures) / milliseconds).toFixed(0)} pictures a second, ${each.toFixed(1)} ms of work for each`);
    }));
});

/** Draws the pointer over the seek bar, one place for each picture of the screen, and tells how long that took. */
async function scrub(bar, pictures) {
  const { left, top, width } = bar.getBoundingClientRect();
  const send = (type, share) => bar.dispatchEvent(new PointerEvent(type, { pointerId: 1, buttons: 1, clientX: left + share * width, clientY: top + 20 }));
  bar.setPointerCapture = () => {};
  send("pointerdown", 0);
  const started = performance.now();
  for (let picture = 1; picture <= pictures; picture++) {
    send("pointermove", picture / pictures);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return { pictures, milliseconds: performance.now() - started };
}

describe("the explain panel", () => {
  test("says what was sent, answered, and how long it took", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "code-royale", "#t=4");
      await page.locator(".explain .answer").first().waitFor();
      assert.equal(await page.locator(".explain h2").textContent(), "Turn 4 explained");
      assert.equal(await page.locator(".explain .answer").count(), 2);
      assert.match(await page.locator(".explain .answer").first().textContent(), /^(BUILD|MOVE|WAIT)/);
      await page.locator(".explain summary").first().click();
      assert.match(await page.locator(".explain details pre").first().textContent(), /\d+ -?\d+/);
      const commands = await page.locator(".cmd code").allTextContents();
      assert.ok(commands.some((command) => /^quintain feed .* --seat 1 --turn 4$/.test(command)), String(commands));
      assert.ok(commands.some((command) => /^quintain play --from .* --turn 4 /.test(command)), String(commands));
    }));

  test("shows the text of a state file when it is asked for", () =>
    onPage(async (page) => {
      const asked = [];
      page.on("request", (request) => request.url().includes("/sent/") && asked.push(request.url()));
      await openMatch(page, server.address, "drawing", "#t=2");
      await page.locator(".explain .answer").first().waitFor();
      await page.locator(".explain summary").first().click();
      assert.deepEqual(asked, [], "nobody has asked yet");
      const file = page.locator(".explain .file").first();
      assert.match(await file.locator("summary").textContent(), /^rounds\/2\/state\.json [\d,]+ bytes$/);
      await file.locator("summary").click();
      await page.waitForFunction(() => /"currentRound":\s*2/.test(document.querySelector(".explain .file pre").textContent));
      assert.equal(asked.length, 1);
    }));

  test("says so where nobody was asked", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "fencing");
      const heading = page.locator(".explain h2");
      const quiet = page.getByText("There was no question in this step");
      for (let step = 0; step < 60 && !(await quiet.count()); step++) {
        await page.keyboard.press("ArrowRight");
        await page.waitForTimeout(90);
      }
      assert.equal(await quiet.count(), 1, "both return to their places after a touch");
      const turn = await page.locator(".axis span:nth-child(2)").textContent();
      assert.ok(turn.startsWith((await heading.textContent()).replace(" explained", " of").replace("Turn", "turn")), turn);
    }));

  test("is that of one seat in its private view", () =>
    onPage(async (page) => {
      await openMatch(page, server.address, "code-royale", "#t=10");
      await page.locator(".explain .answer").first().waitFor();
      const gold = page.locator(".seat.second .figures", { hasText: "gold" });
      assert.equal(await gold.count(), 1);
      await page.getByLabel("Whose view").selectOption("first");
      await gold.waitFor({ state: "detached" });
      assert.equal(await page.locator(".seat.first .figures", { hasText: "gold" }).count(), 1);
      const film = await page.locator("#match").getAttribute("data-film");
      const panels = (eye) =>
        page.evaluate(async ([film, seen]) => (await (await fetch(`${film}?eye=${seen}`)).text()).match(/"name":"gold","seat":\d/g), [film, eye]);
      assert.deepEqual([...new Set(await panels("first"))], ['"name":"gold","seat":0'], "what is hidden does not come either");
      assert.deepEqual([...new Set(await panels("second"))], ['"name":"gold","seat":1']);
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.querySelectorAll(".explain .answer").length === 1);
    }));
});

test("a fork is shown beside its origin, the common part once", () =>
  onPage(async (page) => {
    await page.goto(`${server.address}/fork/${house.idOf("fork")}#t=3`);
    await waitUntilShown(page);
    await page.waitForFunction(() => /that both share/.test(document.querySelector(".player > .caption").textContent));
    assert.equal(await page.locator(".board:visible").count(), 1);
    for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => /first difference is in turn 6/.test(document.querySelector(".player > .caption").textContent));
    assert.equal(await page.locator(".board:visible").count(), 2);
    assert.notEqual(await picture(page, 0), await picture(page, 1));
    assert.equal(await page.locator(".seek canvas").count(), 2);
  }));

test("any two matches of a game stand side by side", () =>
  onPage(async (page) => {
    const [left, right] = [house.idOf("code-royale"), house.idOf("fork")].map(encodeURIComponent);
    await page.goto(`${server.address}/compare-replays?left=${left}&right=${right}`);
    await waitUntilShown(page);
    assert.equal(await page.locator(".board:visible").count(), 2);
    assert.match(await page.locator(".player > .caption").first().textContent(), /first difference is in turn 6/);
  }));

test("the page to mail works from a file, without network", () =>
  onPage(
    async (page) => {
      const file = path.join(house.folder, "mailed.html");
      for (const game of GAMES) {
        house.run("export", house.fileOf(game), "--html", file);
        const { size } = statSync(file);
        assert.ok(size <= 400_000, `${game}: ${size} bytes`);
        await page.goto("about:blank");
        await page.goto(`${pathToFileURL(file)}#t=3`);
        await waitUntilShown(page);
        await waitForTurn(page, 3);
        const still = await picture(page);
        await page.keyboard.press("End");
        await page.waitForTimeout(200);
        assert.notEqual(await picture(page), still, game);
        await page.locator(".explain .answer").first().waitFor();
      }
    },
    {},
    ["file:"],
  ));

test("an embedded match talks to its parent, and to nobody who was not allowed", async () => {
  const parent = createServer((_request, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end(`<!doctype html><title>parent</title><link rel="icon" href="data:,"><script>window.heard=[];addEventListener("message",(event)=>heard.push({...event.data,from:event.origin}))</script><iframe width="800" height="900" src="${new URL(_request.url, "http://x").searchParams.get("show") ?? ""}"></iframe>`);
  });
  await new Promise((resolve) => parent.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${parent.address().port}`;
  const friendly = await house.serve("--embed", site);
  const show = (address, more) => `${site}/?show=${encodeURIComponent(`${address}/embed/${house.idOf("hockey")}?${more}`)}`;
  await onPage(
    async (page) => {
      await page.goto(show(friendly.address, "turn=2&speed=16&autoplay=1&theme=dark&controls=0"));
      await page.waitForFunction(() => window.heard?.some((message) => message.event === "GAME_OVER"));
      const heard = await page.evaluate(() => window.heard);
      assert.ok(heard.every((message) => message.source === "quintain" && message.from === friendly.address));
      const turns = heard.filter((message) => message.event === "TURN").map((message) => message.data.turn);
      assert.equal(turns[0], 2);
      assert.ok(turns.length > 2);
      assert.ok(heard.some((message) => message.event === "RESIZE" && message.data.height > 100));
      const frame = page.frames()[1];
      assert.equal(await frame.locator(".controls:visible").count(), 0);
      assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "dark");
    },
    {},
    [friendly.address, site],
  );
  await onPage(
    async (page) => {
      await page.goto(`${friendly.address}/embed/${house.idOf("hockey")}?turn=9&speed=16&autoplay=1&loop=1&theme=light`);
      await waitUntilShown(page);
      assert.equal(await page.getByRole("button", { name: /again and again/ }).getAttribute("aria-pressed"), "true");
      // Its end is not the end: it comes back to a turn before the one that it began with.
      await page.waitForFunction(() => Number(document.querySelector(".axis span:nth-child(2)").textContent.split(" ")[1]) < 9);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    },
    {},
    [friendly.address],
  );
  friendly.end();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(show(server.address, "autoplay=1"));
  await page.waitForTimeout(1500);
  assert.deepEqual(await page.evaluate(() => window.heard), []);
  await context.close();
  parent.close();
});

test("hostile texts are texts", () =>
  onPage(async (page) => {
    await page.goto(server.address);
    assert.ok((await page.locator("table").textContent()).includes(house.NAME));
    await page.locator('a[href*="below"]').first().click();
    await waitUntilShown(page);
    await page.keyboard.press("ArrowRight");
    await page.locator(".explain .answer").first().waitFor();
    const explained = await page.locator(".explain").textContent();
    assert.ok(explained.includes(HOSTILE), explained);
    assert.ok((await page.locator("h1").textContent()).includes(house.NAME));
    const commands = await page.locator(".cmd code").allTextContents();
    assert.ok(commands[0].includes(`'\\''`), "a quote in a name of a file stays within its word");
    assert.equal(await page.locator("main img").count(), 0);
  }));

test("what a bot draws is seen, and can be switched off", () =>
  onPage(async (page) => {
    await openMatch(page, server.address, "drawing", "#t=2");
    await waitForTurn(page, 2);
    const purple = () =>
      page.locator(".stage canvas").evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) count += data[at] > 200 && data[at + 1] < 80 && data[at + 2] > 200;
        return count;
      });
    assert.ok((await purple()) > 500, "a line of its own colour");
    await page.getByRole("button", { name: "1: drawing", exact: true }).click();
    await page.waitForTimeout(200);
    assert.ok((await purple()) < 100, "switched off");
    assert.ok((await page.locator(".switches").textContent()).includes("1: tips"));
    assert.ok((await page.locator(".marks").textContent()).includes("<img src=x"));
  }));

test("hostile texts stay texts in a page that was mailed", () =>
  onPage(
    async (page) => {
      const file = path.join(house.folder, "hostile.html");
      house.run("export", house.fileOf("hostile"), "--html", file);
      await page.goto(`${pathToFileURL(file)}#t=2`);
      await page.locator(".explain .answer").first().waitFor();
      assert.ok((await page.locator(".explain").textContent()).includes(HOSTILE));
      assert.equal(await page.locator("img").count(), 0);
    },
    {},
    ["file:"],
  ));

test("what is not there is said on a page", async () => {
  const page = await browser.newPage();
  for (const place of ["/nowhere", "/match/absent.jsonl", "/fork/absent.jsonl"]) {
    const answer = await page.goto(server.address + place);
    assert.equal(answer.status(), 404);
    assert.equal(await page.locator("h1").textContent(), "Nothing here");
  }
  await page.close();
});

test("the README has a picture of the player", () =>
  onPage(
    async (page) => {
      if (process.env.QUINTAIN_UPDATE) {
        await openMatch(page, server.address, "code-royale", "#t=44");
        await page.locator(".explain .answer").first().waitFor();
        // What was sent fills the column, so that no folder of this machine is in the picture.
        await page.locator(".explain summary").first().click();
        await page.screenshot({ path: house.readmePicture, type: "jpeg", quality: 80, clip: { x: 0, y: 56, width: 1400, height: 950 } });
      }
      const { size } = statSync(house.readmePicture);
      assert.ok(size < 150_000, `${size} bytes`);
    },
    { viewport: { width: 1400, height: 1010 }, deviceScaleFactor: 0.8 },
  ));

describe("pictures for people to look at", () => {
  for (const width of [1400, 400]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`${width} pixels, ${colorScheme}`, () =>
        onPage(
          async (page) => {
            const shoot = (name) => house.lookAt(page, `${name}-${colorScheme}-${width}`);
            for (const game of GAMES) {
              await openMatch(page, server.address, game);
              const last = Number(await page.locator(".seek canvas").getAttribute("aria-valuemax"));
              await page.evaluate((turn) => (location.hash = `#t=${turn}`), Math.round(last * 0.6));
              await waitForTurn(page, Math.round(last * 0.6));
              await page.locator(".explain .answer").first().waitFor();
              await shoot(game);
              const tooSmall = await page.locator(".controls .btn:visible").evaluateAll((buttons) => buttons.filter((button) => button.getBoundingClientRect().height < 40).length);
              assert.equal(tooSmall, 0, "buttons can be hit by fingers");
            }
            await page.goto(server.address);
            await page.waitForLoadState("networkidle");
            await shoot("home");
            await page.goto(`${server.address}/fork/${house.idOf("fork")}#t=9`);
            await waitUntilShown(page);
            await page.waitForTimeout(200);
            await shoot("fork");
            await page.goto(`${server.address}/embed/${house.idOf("overdrive")}?turn=40&theme=${colorScheme}`);
            await waitUntilShown(page);
            await shoot("embed");
          },
          { viewport: { width, height: width > 500 ? 1000 : 800 }, colorScheme, deviceScaleFactor: width > 500 ? 1 : 2, bypassCSP: true },
        ));
    }
  }
});
