#!/usr/bin/env python3
"""A sample bot for Fencing Esport. Copy it, then change `choose`.

It needs Python 3 and nothing else. The file has three parts: a fencer as the host describes one
(`Fencer`), the choice of an action (`choose`), and the conversation with the host (`main`).
"""

import os
import sys

# What the five actions of league 1 cost. Nobody tells a bot which league it plays in, and a command
# that the league does not have loses the match: these five are known in all of them.
STEP_COST = 1  # forwards or backwards
LUNGE_COST = 5
PARRY_COST = 2
PARRY_GAIN = 2  # what a parry takes from a lunge and gives to the other

STEP = 20
LUNGE_REACH = 40  # without drugs

# Whoever falls below 0 energy loses the match, and a lunge that is parried costs 7.
LUNGE_RESERVE = LUNGE_COST + PARRY_GAIN
# What we want to have before we go near: the way there and one lunge.
ATTACK_ENERGY = LUNGE_RESERVE + 3 * STEP_COST


class Fencer:
    """One line of the host: twelve numbers about one fencer, always in this order."""

    def __init__(self, line):
        numbers = [int(word) for word in line.split()]
        self.position, self.energy, self.score, self.drugs, self.energy_max = numbers[:5]
        self.break_skill, self.walk_skill, self.double_walk_skill = numbers[5:8]
        self.retreat_skill, self.double_retreat_skill = numbers[8:10]
        self.lunge_skill, self.parry_skill = numbers[10:]

    def reach(self):
        """A lunge touches from this far, unless it is parried."""
        return LUNGE_REACH + self.lunge_skill


def choose(me, opponent):
    """The action for this turn.

    This is the part to improve. It only looks at the present gap, but both act at the same time:
    moves come before lunges, so an opponent that steps forward can be touched from further away. A
    stronger bot remembers what the opponent did in such places before, and bets on it. It also has
    ten more commands in the higher leagues.
    """
    # Both fencers are told that they come from the low end, so this is the same for both.
    gap = opponent.position - me.position
    in_danger = gap <= opponent.reach() and opponent.energy >= LUNGE_COST

    if me.energy >= LUNGE_RESERVE and gap <= me.reach():
        return "LUNGE"
    if in_danger:
        # Too tired to strike. A step beyond the end of the piste would give the other a point; a
        # parry gets its cost back if a lunge comes.
        has_room = me.position >= STEP
        if has_room and me.energy >= STEP_COST:
            return "RETREAT"
        if me.energy >= PARRY_COST:
            return "PARRY"
        return "BREAK"
    if me.energy < ATTACK_ENERGY:
        return "BREAK"
    return "WALK"


def note(key, value, adds_up=False):
    """Tells the host something about this match, beside the game.

    What a bot writes to stderr is kept in the replay. Lines with a tag are also collected into the
    result: `[PDATA] key = value` is the bot's own data and the last value counts, with `[PDATA+]`
    the numbers are added up. Key, equals sign and value stand one space apart.
    """
    tag = "[PDATA+]" if adds_up else "[PDATA]"
    print(f"{tag} {key} = {value}", file=sys.stderr, flush=True)


def draw(form, *words, layer=None):
    """Draws for whoever watches the match, as in draw("circle", 250, -30, 9, "gold").

    The book has the language. Without an audience QUINTAIN_DRAW is not set, and nothing is written.
    """
    if os.environ.get("QUINTAIN_DRAW") == "1":
        tag = f"[DRAW:{layer}]" if layer else "[DRAW]"
        print(tag, form, *words, file=sys.stderr, flush=True)


def main():
    # A turn is two lines, our own first. After a touch the host sets both fencers back and asks
    # nobody, so the next two lines can be those of a turn later. The input ends with the match.
    least_energy = None
    for line in sys.stdin:
        me, opponent = Fencer(line), Fencer(sys.stdin.readline())
        if least_energy is None or me.energy < least_energy:
            least_energy = me.energy
            note("least_energy", least_energy)
        action = choose(me, opponent)
        if action == "LUNGE":
            note("lunges", 1, adds_up=True)
            draw("text", me.position, -75, "now!", layer="plan")
        print(action, flush=True)  # without flush the line waits in a buffer until time is up


if __name__ == "__main__":
    main()
