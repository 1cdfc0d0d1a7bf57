"""A sample bot for Worms: shoots what it can hit, bombs and freezes what it can reach, and walks
to the middle or to the nearest enemy. Standard library only.

The host sends the number of the round on standard input. In files mode the state is in
rounds/N/state.json below the working directory; with QUINTAIN_STATE=stdin it is the next line.
"""

import json
import math
import os
import sys

DIRECTIONS = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}


def distance(one, other):
    return math.hypot(one[0] - other[0], one[1] - other[1])


def place(worm):
    return worm["position"]["x"], worm["position"]["y"]


class Turn:
    """One round, seen by the worm that is to act."""

    def __init__(self, state):
        self.state = state
        self.map = state["map"]
        self.size = state["mapSize"]
        mine = state["myPlayer"]["worms"]
        self.worm = next(worm for worm in mine if worm["id"] == state["currentWormId"])
        self.here = place(self.worm)
        self.friends = [place(worm) for worm in mine if worm["health"] > 0]
        self.enemies = [
            worm for player in state["opponents"] for worm in player["worms"] if worm["health"] > 0
        ]
        self.middle = (self.size // 2, self.size // 2)

    def command(self):
        return self.throw_banana() or self.throw_snowball() or self.shoot() or self.walk()

    def throw(self, weapon, radius, worthwhile):
        """The target that reaches most enemies and no friend, if there is one."""
        best, best_hits = None, 0
        for enemy in self.enemies:
            target = place(enemy)
            if math.floor(distance(self.here, target)) > weapon["range"]:
                continue
            if any(distance(friend, target) <= radius for friend in self.friends):
                continue
            hits = sum(
                worthwhile(other) and distance(place(other), target) <= radius
                for other in self.enemies
            )
            if hits > best_hits:
                best, best_hits = target, hits
        return best

    def throw_banana(self):
        bananas = self.worm.get("bananaBombs")
        if bananas and bananas["count"] > 0:
            target = self.throw(bananas, bananas["damageRadius"], lambda enemy: True)
            return target and f"banana {target[0]} {target[1]}"
        return None

    def throw_snowball(self):
        snowballs = self.worm.get("snowballs")
        if snowballs and snowballs["count"] > 0:
            radius = snowballs["freezeRadius"] * math.sqrt(2)
            is_warm = lambda enemy: enemy["roundsUntilUnfrozen"] == 0
            target = self.throw(snowballs, radius, is_warm)
            return target and f"snowball {target[0]} {target[1]}"
        return None

    def shoot(self):
        targets = {place(enemy) for enemy in self.enemies}
        for name, (dx, dy) in DIRECTIONS.items():
            x, y = self.here
            while True:
                x, y = x + dx, y + dy
                if not (0 <= x < self.size and 0 <= y < self.size):
                    break
                if math.floor(distance(self.here, (x, y))) > self.worm["weapon"]["range"]:
                    break
                if self.map[y][x]["type"] not in ("AIR", "LAVA") or (x, y) in self.friends:
                    break
                if (x, y) in targets:
                    return f"shoot {name}"
        return None

    def walk(self):
        """A step, or a dig, towards the goal; lava and other worms are walked around."""
        options = []
        for dx, dy in DIRECTIONS.values():
            x, y = self.here[0] + dx, self.here[1] + dy
            if not (0 <= x < self.size and 0 <= y < self.size):
                continue
            cell = self.map[y][x]
            if cell["type"] == "DEEP_SPACE" or "occupier" in cell:
                continue
            cost = distance((x, y), self.goal())
            if cell["type"] == "LAVA":
                cost += 3
            if cell["type"] == "DIRT":
                cost += 0.6
            if "powerup" in cell:
                cost -= 5
            verb = "dig" if cell["type"] == "DIRT" else "move"
            options.append((cost, f"{verb} {x} {y}"))
        return min(options)[1] if options else "nothing"

    def goal(self):
        """The nearest enemy, but nothing outside of what lava will leave."""
        round_number = self.state["currentRound"]
        dry = max(3, 15 - max(0, round_number - 60) / 18)
        if distance(self.here, self.middle) > dry or not self.enemies:
            return self.middle
        return min((place(enemy) for enemy in self.enemies), key=lambda at: distance(self.here, at))


def draw(form, *words, layer=None):
    """Draws for whoever watches the match, as in draw("cell", 16, 16, "gold").

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
        draw("arrow", *turn.here, *turn.goal(), layer="plan")
        print(f"C;{number};{turn.command()}", flush=True)


if __name__ == "__main__":
    main()
