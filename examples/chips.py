"""Compares whole chips with shares of the money, for all totals up to a limit. Needs numpy.

    python3 examples/chips.py 4x4.csv.gz 8x8.csv.gz > docs/observations/chips.csv

Let x be the value of a position. With real money, White wins if Black holds less than x of the total, and Black wins if Black holds more. A
position differs at a total if this is wrong for some division of the whole chips, except the one exactly at x. "last" is the greatest total up to
the limit with a difference, by ranges; the ends of a range are included. "off" is the greatest distance in chips between a threshold and its share
at any total. "pairs" counts the pairs of a position and a total with a difference. In both schemes
bids may be negative, and the winner of the auction pays the opponent.

    last   the side that moved last loses equal bids, or names a price that the opponent takes or pays (an open auction)
    side   one side wins all equal bids

A threshold is the most chips that the opponent may hold while a player forces a win. Each player has two, with and without the right to equal
bids. The program finds the least solution of their equations, from -1 upwards.
"""

import argparse, csv, gzip
import numpy as np
from verify import black_moves, images, placement, white_moves

TOTALS = 64
BLOCK = 1024
MATERIALS = ["", "B", "N", "R", "Q", "P"]
FREE, BOUND = 0, 1  # with and without the right to equal bids


def read(path, letters=MATERIALS):
    """Returns the board's size, the values of all classes of some materials in order, the first number of each material, and both sides' moves as
    numbers. The last two numbers are a captured black and a captured white king."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        lines = [(placement(line["fen"]), (int(line["num"]), int(line["den"]))) for line in csv.DictReader(file)]
    lines = [line for line in lines if line[0][1][0] in letters]
    lines.sort(key=lambda line: MATERIALS.index(line[0][1][0]))
    size, number = lines[0][0][0], {}
    for at, ((_, position), _) in enumerate(lines):
        for image in images(size, position):
            number[image] = at
    first = [sum(MATERIALS.index(line[0][1][0]) < kind for line in lines) for kind in range(len(MATERIALS) + 1)]
    moves = []
    for start, end in zip(first, first[1:]):
        sides = []
        for side, kings in ((white_moves, len(lines)), (black_moves, len(lines) + 1)):
            found = []
            for at in range(start, end):
                after = [kings if to is None else number[to] for to in side(size, lines[at][0][1])] or [at]
                found.append(sorted(set(after)))
            most = max(map(len, found), default=0)
            sides.append(np.array([after + after[:1] * (most - len(after)) for after in found], "i4").reshape(len(found), most))
        moves.append(sides)
    return size, [value for _, value in lines], first, moves


def extreme(best, known, moves):
    found = known[moves[:, 0]]
    for column in moves.T[1:]:
        best(found, known[column], out=found)
    return found


def after_bids(scheme, most, least):
    """Returns the thresholds with and without the right to equal bids, from those after the player's and the opponent's best moves."""
    free, bound = (most[BOUND] + least[FREE],) * 2 if scheme == "last" else (most[FREE] + least[FREE], most[BOUND] + least[BOUND])
    return (free + 1) // 2, bound // 2


def thresholds(scheme, totals, white, first, moves):
    """Returns a player's thresholds for each right, class and total."""
    known = np.full((2, first[-1] + 2, len(totals)), -1, "i2")
    known[:, first[-1] + (not white)] = totals
    for (start, end), sides in zip(zip(first, first[1:]), moves):
        own, other = sides if white else sides[::-1]
        rows = np.arange(end - start)
        while len(rows):
            changed = np.zeros(first[-1] + 2, bool)
            # Blocks fit into the processor's cache.
            for block in np.split(rows, range(BLOCK, len(rows), BLOCK)):
                most = [extreme(np.maximum, part, own[block]) for part in known]
                least = [extreme(np.minimum, part, other[block]) for part in known]
                new = np.stack(after_bids(scheme, most, least))
                changed[start + block] = (new != known[:, start + block]).any(axis=(0, 2))
                known[:, start + block] = new
            # Only the positions before a change can change next.
            rows = np.flatnonzero(changed[own].any(axis=1) | changed[other].any(axis=1))
    return known[:, : first[-1]]


def shares(values, totals, white):
    """Returns the greatest whole number below the share of each total, and the greatest up to it."""
    distinct = sorted(set(values), key=lambda value: value[0] / value[1])
    near = np.array([num / den for num, den in distinct])
    near = (near if white else 1 - near)[:, None] * totals
    upto = np.floor(near).astype("i2")
    below = upto.copy()
    for row, column in zip(*np.nonzero(abs(near - np.rint(near)) < 1e-9)):
        num, den = distinct[row]
        share = (num if white else den - num) * int(totals[column])
        upto[row, column], below[row, column] = share // den, -(-share // den) - 1
    row = {value: at for at, value in enumerate(distinct)}
    rows = [row[value] for value in values]
    return below[rows], upto[rows]


def compare(scheme, limit, values, first, moves):
    """Returns for each class the last total with a difference, the number of them, and the greatest distance of a threshold from its share."""
    last, pairs, off = (np.zeros(len(values), int) for _ in range(3))
    for start in range(1, limit + 1, TOTALS):
        totals = np.arange(start, min(start + TOTALS, limit + 1))
        differs = np.zeros((len(values), len(totals)), bool)
        for white in (True, False):
            below, upto = shares(values, totals, white)
            known = thresholds(scheme, totals, white, first, moves)
            differs |= ((known < below) | (known > upto)).any(axis=0)
            off = np.maximum(off, np.maximum(below - known, known - upto).max(axis=(0, 2)))
        last = np.maximum(last, (differs * totals).max(axis=1))
        pairs += differs.sum(axis=1)
    return last, pairs, off


def ranges(limit):
    """Returns ranges of totals: none, then up to twice as long each time, and the last 32 totals."""
    start = max(1, limit - 31)
    ends = [0]
    while ends[-1] < start - 1:
        ends.append(min(max(2, 2 * ends[-1]), start - 1))
    return [(0, 0)] + [(low + 1, high) for low, high in zip(ends, ends[1:])] + [(start, limit)]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Compares whole chips with shares of the money.")
    asked.add_argument("files", nargs="+")
    asked.add_argument("--to", type=int, default=128)
    asked = asked.parse_args()
    print("board,scheme,material,classes,last_from,last_to,differ,pairs,off")
    for path in asked.files:
        size, values, first, moves = read(path)
        for scheme in ("last", "side"):
            last, pairs, off = compare(scheme, asked.to, values, first, moves)
            for letter, start, end in zip(MATERIALS, first, first[1:]):
                for low, high in ranges(asked.to):
                    there = np.arange(start, end)[(low <= last[start:end]) & (last[start:end] <= high)]
                    if len(there):
                        own = len(there), pairs[there].sum(), off[there].max()
                        print(f"{size[0]}x{size[1]}", scheme, f"K{letter}vK", end - start, low, high, *own, sep=",", flush=True)
