// A sample bot for Overdrive: compares where each move leads, repairs, and uses what it has picked
// up. No packages needed.
//
// The host sends the number of the round on standard input. In files mode the state is in
// rounds/N/state.json below the working directory; with QUINTAIN_STATE=stdin it is the next line.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");

const SPEEDS = [0, 3, 5, 6, 8, 9];
const BOOST_SPEED = 15;
// The highest speed with a damage of 0, 1, 2 and so on.
const SPEED_LIMITS = [15, 9, 8, 6, 3, 0];

// What a surface is worth, by its number in the state: pickups above 0, hazards below.
const WORTH = { 1: -4, 2: -4, 3: 0.3, 5: 4, 6: -12, 7: 1.5, 8: 0.7, 9: 0.7 };
const TRUCK = -14;

/** One round, seen by the own car. */
class Turn {
  constructor(state) {
    this.state = state;
    this.car = state.player;
    this.rival = state.opponent;
    this.lane = this.car.position.y;
    this.block = this.car.position.x;
    this.speed = this.car.speed;
    this.firstBlock = state.worldMap[0][0].position.x;
  }

  has(powerup) {
    return this.car.powerups.includes(powerup);
  }

  faster() {
    const limit = SPEED_LIMITS[Math.min(this.car.damage, 5)];
    const above = SPEEDS.filter((speed) => speed > this.speed);
    return Math.min(above.length > 0 ? above[0] : this.speed, limit);
  }

  /** What the blocks from first to last are worth. */
  pathValue(lane, first, last) {
    let value = 0;
    for (let block = first; block <= last; block += 1) {
      const cell = this.state.worldMap[lane - 1][block - this.firstBlock];
      if (cell) {
        value += WORTH[cell.surfaceObject] || 0;
        value += cell.isOccupiedByCyberTruck ? TRUCK : 0;
      }
    }
    return value;
  }

  straight(speed) {
    return speed + this.pathValue(this.lane, this.block + 1, this.block + speed);
  }

  turn(lane) {
    if (lane < 1 || lane > 4 || this.speed === 0) {
      return -Infinity;
    }
    const end = this.block + this.speed - 1;
    return this.speed - 1 + this.pathValue(lane, this.block, end);
  }

  /** In the air nothing counts but where the car comes down. */
  jump() {
    if (!this.has("LIZARD")) {
      return -Infinity;
    }
    const end = this.block + this.speed;
    return this.speed + this.pathValue(this.lane, end, end) - 1;
  }

  command() {
    const { damage, boosting } = this.car;
    if (damage >= 2) {
      return "FIX";
    }
    if (this.has("BOOST") && !boosting && this.straight(BOOST_SPEED) >= BOOST_SPEED) {
      return damage === 0 ? "USE_BOOST" : "FIX";
    }
    const moves = [
      [this.straight(this.faster()), "ACCELERATE"],
      [this.turn(this.lane - 1), "TURN_LEFT"],
      [this.turn(this.lane + 1), "TURN_RIGHT"],
      [this.jump(), "USE_LIZARD"],
    ];
    const [value, best] = moves.reduce((one, other) => (other[0] > one[0] ? other : one));
    const goesOn = this.faster() === this.speed || boosting;
    if (best === "ACCELERATE" && goesOn && value >= this.speed) {
      return this.attack() || best;
    }
    return best;
  }

  /** Something against the rival, when the own way is free and fast. */
  attack() {
    const { position: there, speed } = this.rival;
    if (this.has("EMP") && there.x > this.block && Math.abs(there.y - this.lane) <= 1) {
      return "USE_EMP";
    }
    if (this.has("TWEET") && there.x + speed + 3 < 1500) {
      return `USE_TWEET ${there.y} ${there.x + speed + 3}`;
    }
    if (this.has("OIL") && there.x < this.block && there.y === this.lane) {
      return "USE_OIL";
    }
    return null;
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
    draw("line", turn.block, turn.lane, turn.block + turn.faster(), turn.lane);
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
