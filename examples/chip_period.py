"""Proves that whole chips with a bishop behave alike at totals that differ by a multiple of 16. Needs numpy.

    python3 examples/chip_period.py 8x8.csv.gz

`chips.py` defines the schemes and thresholds. All values x of bare kings and of a bishop are multiples of 1/16 on the boards named. Let t(T) be a
threshold at the total T. The program finds a power of two S such that for all T from S to S + 15

1. x is the mean of the greatest x after the player's moves and the least after the opponent's. t(T) is not negative. Some move with the greatest x
   has the greatest t after it, and the same holds for the least.
2. The positions have ranks: if the player wins the auction, or the opponent does, the next position has a lower rank or leaves the player a chip
   more than needed. In each case one move with the greatest x and all moves with the least x count.

By 1, t(T) + 16 k x solves the equations at T + 16 k, so the thresholds there are at most that great. By 2, a player whose opponent holds so much
wins, because the surplus in chips never falls, and the rank falls until it grows. So t(T + 16 k) = t(T) + 16 k x. A position that differs from its
share at one of these sixteen totals then does so at infinitely many, and any other position agrees at all totals from S on.
"""

import sys
import numpy as np
from chips import BOUND, FREE, compare, read, thresholds

PERIOD = 16


def proved(scheme, start, white, values, first, moves):
    """Returns whether the two conditions hold for one player."""
    totals, size = np.arange(start, start + PERIOD), first[-1]
    known = thresholds(scheme, totals, white, first, moves)
    if (known < 0).any():
        return False
    known = np.concatenate([known, np.full((2, 2, PERIOD), -1, "i2")], axis=1)
    known[:, size + (not white)] = totals
    share = np.array([PERIOD * num // den for num, den in values] + [PERIOD, 0])
    share = share if white else PERIOD - share
    # For each right: the greatest and least thresholds after a move, and the moves with the greatest and least x that lead to them.
    parts = []
    for start, end, sides in zip(first, first[1:], moves):
        own, other = sides if white else sides[::-1]
        if (share[own].max(axis=1) + share[other].min(axis=1) != 2 * share[start:end]).any():
            return False
        top = (share[own] == share[own].max(axis=1)[:, None])[:, :, None]
        bottom = (share[other] == share[other].min(axis=1)[:, None])[:, :, None]
        most = [part[own].max(axis=1) for part in known]
        least = [part[other].min(axis=1) for part in known]
        goods = [top & (part[own] == best[:, None]) for part, best in zip(known, most)]
        bads = [bottom & (part[other] == worst[:, None]) for part, worst in zip(known, least)]
        if not all(some.any(axis=1).all() for some in goods + bads):
            return False
        parts.append((start, end, own, other, most, least, goods, bads))
    ranked = np.zeros(known.shape, bool)
    ranked[:, size:] = True
    while True:
        new = ranked.copy()
        for start, end, own, other, most, least, goods, bads in parts:
            for right in (FREE, BOUND):
                after = (BOUND, FREE) if scheme == "last" else (right, right)
                won = (goods[after[0]] & ranked[after[0]][own]).any(axis=1)
                lost = (~bads[after[1]] | ranked[after[1]][other]).all(axis=1)
                spare = (most[after[0]] + least[after[1]] + (right == FREE)) % 2 == 1
                new[right, start:end] = np.where(spare, won | lost, won & lost)
        if np.array_equal(new, ranked):
            return bool(ranked.all())
        ranked = new


if __name__ == "__main__":
    for path in sys.argv[1:]:
        size, values, first, moves = read(path, ["", "B"])
        first, moves = first[:3], moves[:2]
        for scheme in ("last", "side"):
            starts = (1 << exponent for exponent in range(10))
            start = next((at for at in starts if all(proved(scheme, at, white, values, first, moves) for white in (True, False))), None)
            if start is None:
                sys.exit(f"{size[0]}x{size[1]}, {scheme}: not proved")
            last, *_ = compare(scheme, start + PERIOD - 1, values, first, moves)
            print(f"{size[0]}x{size[1]}, {scheme}: proved from total {start} on. Of {first[-1]} positions,"
                  f" {np.count_nonzero(last >= start)} differ at infinitely many totals. The others agree from {last[last < start].max() + 1} on")
