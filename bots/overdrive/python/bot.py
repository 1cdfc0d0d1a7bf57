"""A sample bot for Overdrive: compares where each move leads, repairs, and uses what it has picked
up. Standard library only.

The host sends the number of the round on standard input. In files mode the state is in
rounds/N/state.json below the working directory; with QUINTAIN_STATE=stdin it is the next line.
"""

import json
import os
import sys

SPEEDS = [0, 3, 5, 6, 8, 9]
BOOST_SPEED = 15
# The highest speed with a damage of 0, 1, 2 and so on.
SPEED_LIMITS = [15, 9, 8, 6, 3, 0]

MUD, OIL_SPILL, OIL_ITEM, FINISH, BOOST, WALL, LIZARD, TWEET, EMP = range(1, 10)
PICKUPS = {OIL_ITEM: 0.3, BOOST: 4, LIZARD: 1.5, TWEET: 0.7, EMP: 0.7}
HAZARDS = {MUD: 4, OIL_SPILL: 4, WALL: 12}
TRUCK = 14


class Turn:
    """One round, seen by the own car."""

    def __init__(self, state):
        self.state = state
        self.car = state["player"]
        self.rival = state["opponent"]
        self.lane = self.car["position"]["y"]
        self.block = self.car["position"]["x"]
        self.speed = self.car["speed"]
        self.damage = self.car["damage"]
        self.first_block = state["worldMap"][0][0]["position"]["x"]

    def has(self, powerup):
        return powerup in self.car["powerups"]

    def limit(self):
        return SPEED_LIMITS[min(self.damage, 5)]

    def faster(self):
        above = [speed for speed in SPEEDS if speed > self.speed]
        return min(above[0] if above else self.speed, self.limit())

    def cell(self, lane, block):
        cells = self.state["worldMap"][lane - 1]
        index = block - self.first_block
        return cells[index] if 0 <= index < len(cells) else None

    def path_value(self, lane, first, last):
        """What the blocks from first to last are worth: pickups less hazards."""
        value = 0
        for block in range(first, last + 1):
            cell = self.cell(lane, block)
            if cell is None:
                continue
            value += PICKUPS.get(cell["surfaceObject"], 0) - HAZARDS.get(cell["surfaceObject"], 0)
            if cell["isOccupiedByCyberTruck"]:
                value -= TRUCK
        return value

    def straight(self, speed):
        return speed + self.path_value(self.lane, self.block + 1, self.block + speed)

    def turn(self, lane):
        if not 1 <= lane <= 4 or self.speed == 0:
            return float("-inf")
        end = self.block + self.speed - 1
        return self.speed - 1 + self.path_value(lane, self.block, end)

    def jump(self):
        """In the air nothing counts but where the car comes down."""
        if not self.has("LIZARD"):
            return float("-inf")
        end = self.block + self.speed
        return self.speed + self.path_value(self.lane, end, end) - 1

    def command(self):
        if self.damage >= 2:
            return "FIX"
        if self.has("BOOST") and not self.car["boosting"]:
            if self.straight(BOOST_SPEED) >= BOOST_SPEED:
                return "USE_BOOST" if self.damage == 0 else "FIX"
        moves = [
            (self.straight(self.faster()), "ACCELERATE"),
            (self.turn(self.lane - 1), "TURN_LEFT"),
            (self.turn(self.lane + 1), "TURN_RIGHT"),
            (self.jump(), "USE_LIZARD"),
        ]
        value, best = max(moves)
        goes_on = self.faster() == self.speed or self.car["boosting"]
        if best == "ACCELERATE" and goes_on and value >= self.speed:
            return self.attack() or best
        return best

    def attack(self):
        """Something against the rival, when the own way is free and fast."""
        there = self.rival["position"]
        if self.has("EMP") and there["x"] > self.block and abs(there["y"] - self.lane) <= 1:
            return "USE_EMP"
        if self.has("TWEET") and there["x"] + self.rival["speed"] + 3 < 1500:
            return f"USE_TWEET {there['y']} {there['x'] + self.rival['speed'] + 3}"
        if self.has("OIL") and there["x"] < self.block and there["y"] == self.lane:
            return "USE_OIL"
        return None


def draw(form, *words, layer=None):
    """Draws for whoever watches the match, as in draw("cell", 250, 3, "gold").

    The book has the language. Without an audience QUINTAIN_DRAW is not set, and nothing is written.
    """
    if os.environ.get("QUINTAIN_DRAW") == "1":
        tag = f"[DRAW:{layer}]" if layer else "[DRAW]"
        print(tag, form, *words, file=sys.stderr, flush=True)


def main():
    reads_files = os.environ.get("QUINTAIN_STATE") != "stdin"
    for line in sys.stdin:
        number = line.strip()
        if reads_files:
            with open(os.path.join("rounds", number, "state.json"), encoding="utf-8") as file:
                state = json.load(file)
        else:
            state = json.loads(sys.stdin.readline())
        turn = Turn(state)
        draw("line", turn.block, turn.lane, turn.block + turn.faster(), turn.lane, layer="plan")
        print(f"C;{number};{turn.command()}", flush=True)


if __name__ == "__main__":
    main()
