"""Strengths by choix, a published implementation of the model of Bradley and Terry.

Reads contests.json from standard input and writes the same with the figures of choix filled in.
Exits with 77 where choix is not installed.
"""

import json
import sys

try:
    import choix
    import numpy
except ImportError:
    sys.exit(77)


def fitted(wins):
    return choix.ilsr_pairwise_dense(wins, max_iter=100_000, tol=1e-13)


def figures(case):
    bots = case["bots"]
    wins = numpy.zeros((bots + 1, bots + 1))
    for one, other, games, points in case["contests"]:
        wins[one, other] += points
        wins[other, one] += games - points
    plain = None
    if case["plain"] is not None:
        plain = fitted(wins[:bots, :bots]).tolist()
    # One draw each against one more bot, which stands for the average.
    wins[bots, :bots] += 0.5
    wins[:bots, bots] += 0.5
    with_prior = fitted(wins)[:bots]
    return {**case, "plain": plain, "with_prior": (with_prior - with_prior.mean()).tolist()}


cases = [figures(case) for case in json.load(sys.stdin)]
lines = ",\n".join("  " + json.dumps(case) for case in cases)
print("[\n" + lines + "\n]")
