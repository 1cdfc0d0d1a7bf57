#!/usr/bin/env python3
"""A sample bot for Paper Hockey. Copy it, then change `choose`.

    python3 bot.py [NAME] [--host HOST] [--port PORT]    over TCP, as in the contest
    python3 bot.py --stdio [NAME]                        over standard input and output

It needs Python 3 and nothing else. The file has four parts: the rink (`Board`), the choice of a
throw (`choose`), the conversation with the host (`Bot`), and the connection (`main`).
"""

import argparse
import os
import socket
import sys

# The eight words that the host understands, and the step that each stands for. The rink has 11 by
# 11 nodes; (0, 0) is its north-west corner, x grows to the east and y to the south.
DIRECTIONS = {
    "north": (0, -1),
    "north east": (1, -1),
    "east": (1, 0),
    "south east": (1, 1),
    "south": (0, 1),
    "south west": (-1, 1),
    "west": (-1, 0),
    "north west": (-1, -1),
}

LAST = 10  # the highest x and y of the rink
MIDDLE = 5  # the column of both mouths; the puck starts at (MIDDLE, MIDDLE)
NET_ROW = {"north": -1, "south": LAST + 1}  # nodes in these rows are nets


class Board:
    """The rink: where the puck is, which nodes it has seen and which segments it has used."""

    def __init__(self):
        self.puck = (MIDDLE, MIDDLE)
        self.visited = {self.puck}
        self.used = set()

    def target(self, direction):
        """The node to which a throw in this direction would bring the puck."""
        dx, dy = DIRECTIONS[direction]
        return (self.puck[0] + dx, self.puck[1] + dy)

    def is_free(self, a, b):
        """Whether there is a segment between two neighbouring nodes that nobody has used yet."""
        (ax, ay), (bx, by) = a, b
        if not (0 <= ax <= LAST and 0 <= bx <= LAST):
            return False  # outside, to the west or to the east
        if ax == bx and ax in (0, LAST):
            return False  # along the west or the east wall
        if max(ay, by) <= 0 or min(ay, by) >= LAST:
            # Along an end wall, or from it into the net: only around the middle of the mouth.
            if MIDDLE not in (ax, bx):
                return False
        return frozenset((a, b)) not in self.used

    def legal(self):
        """The directions in which the puck can be thrown now."""
        return [d for d in DIRECTIONS if self.is_free(self.puck, self.target(d))]

    def is_wall(self, node):
        """Walls throw the puck back. The two mouths are open, their posts are walls."""
        x, y = node
        return x in (0, LAST) or (y in (0, LAST) and x != MIDDLE)

    def bounces(self, direction):
        """Whether whoever throws in this direction may throw again."""
        node = self.target(direction)
        return self.is_wall(node) or node in self.visited

    def is_dead_end(self, direction):
        """Whether the puck would be stuck after this throw, which loses the game."""
        here, there = self.puck, self.target(direction)
        if there[1] in NET_ROW.values():
            return False
        steps = DIRECTIONS.values()
        neighbours = [(there[0] + dx, there[1] + dy) for dx, dy in steps]
        return not any(node != here and self.is_free(there, node) for node in neighbours)

    def move(self, direction):
        """Moves the puck, whoever has thrown it."""
        node = self.target(direction)
        self.used.add(frozenset((self.puck, node)))
        self.visited.add(node)
        self.puck = node


def choose(board, goal, refused=()):
    """Picks the throw with the best value; `goal` is "north" or "south".

    None if no throw is left, which ends a game before anyone is asked.

    This is the part to improve. It looks at a single throw: a goal is best, a dead end or an own
    goal is worst, and in between it goes towards the net. A stronger bot follows its own bounces
    to their end and asks what the opponent can do from there.
    """
    net = (MIDDLE, NET_ROW[goal])

    def value(direction):
        x, y = board.target(direction)
        if y == NET_ROW[goal]:
            rank = 2
        elif y in NET_ROW.values() or board.is_dead_end(direction):
            rank = 0
        else:
            rank = 1
        throws_to_net = max(abs(x - net[0]), abs(y - net[1]))
        # Python compares tuples from left to right: rank first, then the way to the net, then
        # whether we may throw again, then how far from the middle we are.
        return (rank, -throws_to_net, board.bounces(direction), -abs(x - MIDDLE))

    throws = [direction for direction in board.legal() if direction not in refused]
    return max(throws, key=value, default=None)


def draw(form, *words, layer=None):
    """Draws for whoever watches the match, as in draw("circle", 5, 5, 0.4, "gold", "fill").

    The book has the language. Without an audience QUINTAIN_DRAW is not set, and nothing is written.
    """
    if os.environ.get("QUINTAIN_DRAW") == "1":
        tag = f"[DRAW:{layer}]" if layer else "[DRAW]"
        print(tag, form, *words, file=sys.stderr, flush=True)


class Bot:
    """The conversation: takes one line of the host and gives the line to answer, or None."""

    def __init__(self, name):
        self.wanted_name = name
        self.names_tried = 0
        self.board = Board()
        self.goal = "north"
        self.refused = []  # throws that the host has not accepted since the puck last moved
        self.last_throw = None

    def hear(self, line):
        # Before the game there is a dialogue about names.
        if line == "What's your name?" or line.startswith("Name taken"):
            return self.next_name()

        # During the game every message carries a number, as in "Game is on - 1".
        message, _, _ = line.rpartition(" - ")
        if message == "Game is on":
            self.board = Board()
        elif message.startswith("your goal is "):
            self.goal = message.split()[-1]
        elif message == "invalid move":
            # The host expects another try and the clock is running. It should not happen, because
            # we only make legal throws.
            self.refused.append(self.last_throw)
            return self.throw()
        elif " did go " in message:
            # Said after each throw to both players, so this is also where our own throws count.
            # A name can contain anything, so the direction is what follows the last " did go ".
            _, _, direction = message.rpartition(" did go ")
            self.board.move(direction)
            self.refused = []
        elif message.endswith(" is active player"):
            # Only said to the one who is to throw; after a bounce it is said again.
            return self.throw()
        return None

    def throw(self):
        self.last_throw = choose(self.board, self.goal, self.refused)
        if self.last_throw is not None:
            draw("arrow", *self.board.puck, *self.board.target(self.last_throw), layer="plan")
        return self.last_throw

    def next_name(self):
        self.names_tried += 1
        if self.names_tried == 1:
            return self.wanted_name
        return f"{self.wanted_name}-{self.names_tried}"


def talk(bot, reader, writer):
    """Lets the bot answer line by line until the host closes the connection."""
    for raw in reader:
        # The host ends its lines with CR LF; a bare LF will do as well.
        answer = bot.hear(raw.decode("utf-8", "replace").rstrip("\r\n"))
        if answer is not None:
            writer.write((answer + "\r\n").encode("utf-8"))
            writer.flush()  # without this the line waits in a buffer until time is up


def main():
    parser = argparse.ArgumentParser(description="A sample bot for Paper Hockey.")
    parser.add_argument("name", nargs="?", default=os.environ.get("QUINTAIN_NAME", "Pythonista"))
    parser.add_argument("--host", default=os.environ.get("QUINTAIN_HOST", "localhost"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("QUINTAIN_PORT", "8023")))
    parser.add_argument("--stdio", action="store_true", help="talk over stdin and stdout")
    options = parser.parse_args()
    bot = Bot(options.name)
    try:
        if options.stdio:
            talk(bot, sys.stdin.buffer, sys.stdout.buffer)
        else:
            with socket.create_connection((options.host, options.port)) as connection:
                stream = connection.makefile("rwb")
                talk(bot, stream, stream)
    except ConnectionRefusedError:
        address = f"{options.host}:{options.port}"
        sys.exit(f"nobody listens on {address}; start `quintain host hockey` first")
    except (BrokenPipeError, ConnectionResetError):
        # The host left in the middle of a line. The match is over, which is all we need to know;
        # os._exit leaves without trying to write what can no longer be delivered.
        os._exit(0)


if __name__ == "__main__":
    main()
