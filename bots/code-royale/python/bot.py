#!/usr/bin/env python3
"""A sample bot for Code Royale. Copy it, then change `choose_order`.

It needs Python 3 and nothing else. The file has four parts: what the host tells (`Site`, `Unit`,
`World`), the order for the queen (`choose_order`), the training of creeps (`choose_training`), and
the conversation with the host (`main`).
"""

import math
import os
import sys

NOTHING, MINE, TOWER, BARRACKS = -1, 0, 1, 2  # what stands on a site
QUEEN, KNIGHT = -1, 0  # units; archers are 1 and giants 2
ME, ENEMY = 0, 1  # owners, seen from here: every bot is told that it is 0

KNIGHTS_COST = 80
START_GOLD = 100

# What the plan wants. Play with these first.
MINES_FIRST = 2
MINES_WANTED = 5
TOWERS_WANTED = 3
TOWER_HP_WANTED = 400
DANGER = 350  # a knight as near as this is a danger
GOLD_WORTH_A_MINE = 30


class Site:
    """A building site. Its place never changes, the rest is told anew each turn."""

    def __init__(self, line):
        self.id, self.x, self.y, self.radius = (int(word) for word in line.split())
        self.gold = -1  # never seen

    def update(self, line):
        numbers = [int(word) for word in line.split()]
        _, gold, self.max_rate, self.structure, self.owner = numbers[:5]
        # Gold and the highest rate of a mine are -1 while the site is too far away to be seen. The
        # gold that was there before is remembered, or the queen would go back to empty sites.
        if gold != -1:
            self.gold = gold
        # Of a mine: its rate. Of a tower: health and range. Of barracks: turns left, kind of creep.
        self.param1, self.param2 = numbers[5:]

    def is_mine(self):
        return self.owner == ME and self.structure == MINE

    def is_tower(self):
        return self.owner == ME and self.structure == TOWER

    def is_barracks(self):
        return self.owner == ME and self.structure == BARRACKS


class Unit:
    """A queen or a creep."""

    def __init__(self, line):
        self.x, self.y, self.owner, self.kind, self.health = (int(word) for word in line.split())


def distance(one, other):
    """Between the centres of two things on the field."""
    dx, dy = one.x - other.x, one.y - other.y
    return math.sqrt(dx * dx + dy * dy)


class World:
    """Everything that we are told."""

    def __init__(self):
        self.turn = -1
        self.sites = [Site(input()) for _ in range(int(input()))]
        # Nobody tells which league this is, and to build what it does not have loses the match.
        # So we begin as if there were only barracks.
        self.has_mines = False

    def read_turn(self):
        self.turn += 1
        self.gold, touched = (int(word) for word in input().split())
        for site in self.sites:
            site.update(input())
        units = [Unit(input()) for _ in range(int(input()))]
        self.touched = self.sites[touched] if touched >= 0 else None
        self.queen, self.enemy_queen = (
            next(unit for unit in units if unit.kind == QUEEN and unit.owner == owner)
            for owner in (ME, ENEMY)
        )
        self.knights = [unit for unit in units if unit.kind == KNIGHT and unit.owner == ENEMY]
        if self.turn == 1:
            # Leagues without mines pay ten gold a turn. The others have towers too.
            self.has_mines = self.gold == START_GOLD

    def nearest(self, sites):
        """The site whose rim is nearest to our queen, or None."""
        return min(sites, key=lambda site: distance(site, self.queen) - site.radius, default=None)

    def is_quiet(self, site):
        """Out of reach of the enemy's towers."""
        return not any(
            other.owner == ENEMY
            and other.structure == TOWER
            and distance(other, site) < other.param2 + site.radius
            for other in self.sites
        )


def build(site, structure):
    """From afar the queen walks there instead, so that it is enough to repeat this."""
    return f"BUILD {site.id} {structure}"


def choose_order(world):
    """The order for the queen.

    This is the part to improve. It knows towers only as a shelter and knights as the only army;
    giants against towers and archers against knights are left to you.
    """
    return flee(world) or improve(world) or expand(world) or "WAIT"


def flee(world):
    """With a knight near: build a tower and stay at it. Without towers: straight away."""
    knight = min(world.knights, key=lambda unit: distance(unit, world.queen), default=None)
    if knight is None or distance(knight, world.queen) > DANGER:
        return None
    if world.has_mines:
        shelter = world.nearest(
            site
            for site in world.sites
            if site.is_tower()
            or (site.is_mine() or site.structure == NOTHING) and world.is_quiet(site)
        )
        if shelter is not None:
            return build(shelter, "TOWER")
    # Ten times as far on the other side: she comes as far as her feet carry her.
    x = world.queen.x + 10 * (world.queen.x - knight.x)
    y = world.queen.y + 10 * (world.queen.y - knight.y)
    return f"MOVE {x} {y}"


def improve(world):
    """Work on what the queen stands at, until it is good enough."""
    site = world.touched
    if site is None:
        return None
    if site.is_mine() and site.param1 < site.max_rate:
        return build(site, "MINE")
    if site.is_tower() and site.param1 < TOWER_HP_WANTED:
        return build(site, "TOWER")
    return None


def expand(world):
    """The next structure of the plan, on the nearest site that will take it."""
    structure = next_structure(world)
    if structure is None:
        return mend(world)
    site = world.nearest(
        site
        for site in world.sites
        if site.structure == NOTHING
        and world.is_quiet(site)
        # At the start every site has gold, so one that was never seen is worth the way.
        and (structure != "MINE" or site.gold == -1 or site.gold > GOLD_WORTH_A_MINE)
    )
    return None if site is None else build(site, structure)


def mend(world):
    """All is built: look after the tower that needs it most."""
    towers = [site for site in world.sites if site.is_tower()]
    weakest = min(towers, key=lambda site: site.param1, default=None)
    return None if weakest is None else build(weakest, "TOWER")


def next_structure(world):
    """What to build next, or None if there is enough of everything."""
    mines = sum(site.is_mine() for site in world.sites)
    towers = sum(site.is_tower() for site in world.sites)
    barracks = sum(site.is_barracks() for site in world.sites)
    if not world.has_mines:
        return "BARRACKS-KNIGHT" if barracks < 2 else None
    if mines < MINES_FIRST and towers == 0 and barracks == 0:
        return "MINE"
    if barracks == 0:
        return "BARRACKS-KNIGHT"
    if towers == 0:
        return "TOWER"
    if mines < MINES_WANTED:
        return "MINE"
    if towers < TOWERS_WANTED:
        return "TOWER"
    return None


def choose_training(world):
    """The barracks that train, those nearest to the enemy's queen first. Gold pays in advance."""
    idle = [site for site in world.sites if site.is_barracks() and site.param1 == 0]
    idle.sort(key=lambda site: distance(site, world.enemy_queen))
    return idle[: world.gold // KNIGHTS_COST]


def draw(form, *words, layer=None):
    """Draws for whoever watches the match, as in draw("circle", 960, 500, 90, "gold").

    The book has the language. Without an audience QUINTAIN_DRAW is not set, and nothing is written.
    """
    if os.environ.get("QUINTAIN_DRAW") == "1":
        tag = f"[DRAW:{layer}]" if layer else "[DRAW]"
        print(tag, form, *words, file=sys.stderr, flush=True)


def main():
    try:
        world = World()
        while True:
            world.read_turn()
            draw("circle", world.queen.x, world.queen.y, 60, layer="queen")
            for knight in world.knights:
                draw("line", world.queen.x, world.queen.y, knight.x, knight.y, "loss", layer="threats")
            print(choose_order(world))
            # The word stands alone if nobody trains: a space behind it would lose the match.
            # Without flush the lines would wait in a buffer until time is up.
            print("TRAIN", *(site.id for site in choose_training(world)), flush=True)
    except EOFError:
        pass  # the match is over


if __name__ == "__main__":
    main()
