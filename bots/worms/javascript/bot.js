// A sample bot for Worms: shoots what it can hit, bombs and freezes what it can reach, and walks
// to the middle or to the nearest enemy. No packages needed.
//
// The host sends the number of the round on standard input. In files mode the state is in
// rounds/N/state.json below the working directory; with QUINTAIN_STATE=stdin it is the next line.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");

const DIRECTIONS = {
  N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1],
  S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1],
};

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
const isAt = (place) => (other) => other.x === place.x && other.y === place.y;

/** One round, seen by the worm that is to act. */
class Turn {
  constructor(state) {
    this.state = state;
    const mine = state.myPlayer.worms;
    this.worm = mine.find((worm) => worm.id === state.currentWormId);
    this.here = this.worm.position;
    this.friends = mine.filter((worm) => worm.health > 0).map((worm) => worm.position);
    this.enemies = state.opponents
      .flatMap((player) => player.worms)
      .filter((worm) => worm.health > 0);
    const half = Math.floor(state.mapSize / 2);
    this.middle = { x: half, y: half };
  }

  command() {
    return this.throwBanana() || this.throwSnowball() || this.shoot() || this.walk();
  }

  cell(x, y) {
    return (this.state.map[y] || [])[x];
  }

  /** The target that reaches most enemies and no friend, if there is one. */
  target(weapon, radius, isWorthwhile) {
    let best = null;
    let bestHits = 0;
    for (const { position } of this.enemies) {
      const isFar = Math.floor(distance(this.here, position)) > weapon.range;
      if (isFar || this.friends.some((friend) => distance(friend, position) <= radius)) {
        continue;
      }
      const isHit = (enemy) => isWorthwhile(enemy) && distance(enemy.position, position) <= radius;
      const hits = this.enemies.filter(isHit).length;
      if (hits > bestHits) {
        best = position;
        bestHits = hits;
      }
    }
    return best;
  }

  throwBanana() {
    const bananas = this.worm.bananaBombs;
    if (!bananas || bananas.count === 0) {
      return null;
    }
    const target = this.target(bananas, bananas.damageRadius, () => true);
    return target && `banana ${target.x} ${target.y}`;
  }

  throwSnowball() {
    const snowballs = this.worm.snowballs;
    if (!snowballs || snowballs.count === 0) {
      return null;
    }
    const radius = snowballs.freezeRadius * Math.SQRT2;
    const isWarm = (enemy) => enemy.roundsUntilUnfrozen === 0;
    const target = this.target(snowballs, radius, isWarm);
    return target && `snowball ${target.x} ${target.y}`;
  }

  shoot() {
    for (const [name, [dx, dy]] of Object.entries(DIRECTIONS)) {
      for (let steps = 1; ; steps += 1) {
        const at = { x: this.here.x + steps * dx, y: this.here.y + steps * dy };
        const cell = this.cell(at.x, at.y);
        const isInRange = Math.floor(distance(this.here, at)) <= this.worm.weapon.range;
        const isOpen = cell && (cell.type === "AIR" || cell.type === "LAVA");
        if (!isInRange || !isOpen || this.friends.some(isAt(at))) {
          break;
        }
        if (this.enemies.some((enemy) => isAt(at)(enemy.position))) {
          return `shoot ${name}`;
        }
      }
    }
    return null;
  }

  /** A step, or a dig, towards the goal; lava and other worms are walked around. */
  walk() {
    const goal = this.goal();
    let best = { cost: Infinity, command: "nothing" };
    for (const [dx, dy] of Object.values(DIRECTIONS)) {
      const at = { x: this.here.x + dx, y: this.here.y + dy };
      const cell = this.cell(at.x, at.y);
      if (!cell || cell.type === "DEEP_SPACE" || cell.occupier) {
        continue;
      }
      const extra = { LAVA: 3, DIRT: 0.6 }[cell.type] || 0;
      const cost = distance(at, goal) + extra - (cell.powerup ? 5 : 0);
      const verb = cell.type === "DIRT" ? "dig" : "move";
      if (cost < best.cost) {
        best = { cost, command: `${verb} ${at.x} ${at.y}` };
      }
    }
    return best.command;
  }

  /** The nearest enemy, but nothing outside of what lava will leave. */
  goal() {
    const dry = Math.max(3, 15 - Math.max(0, this.state.currentRound - 60) / 18);
    if (distance(this.here, this.middle) > dry || this.enemies.length === 0) {
      return this.middle;
    }
    const places = this.enemies.map((enemy) => enemy.position);
    const nearer = (one, other) =>
      distance(this.here, other) < distance(this.here, one) ? other : one;
    return places.reduce(nearer);
  }
}

/** Draws for whoever watches the match, as in draw("cell", 16, 16, "gold"): the book has the language. */
function draw(form, ...words) {
  if (process.env.QUINTAIN_DRAW === "1") {
    process.stderr.write(`[DRAW] ${[form, ...words].join(" ")}\n`);
  }
}

function main() {
  const readsFiles = process.env.QUINTAIN_STATE !== "stdin";
  let number = null;
  const answer = (state) => {
    const turn = new Turn(state);
    const goal = turn.goal();
    draw("arrow", turn.here.x, turn.here.y, goal.x, goal.y);
    process.stdout.write(`C;${number};${turn.command()}\n`);
    number = null;
  };
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    if (number !== null) {
      answer(JSON.parse(line));
      return;
    }
    number = line.trim();
    if (readsFiles) {
      answer(JSON.parse(fs.readFileSync(path.join("rounds", number, "state.json"), "utf8")));
    }
  });
}

main();
