"""Bounds alpha and beta on a small board if a bank takes a share tau of every payment. Needs numpy.

    python3 examples/bank.py 3x4 KPvKP 4x4 KBvKN > docs/observations/bank.csv

tau = 0 is Richman bidding, tau = 1 poorman bidding, and values between are taxman bidding. Bids may be negative. Let H be the greater and L the
lesser of the greatest x after White's moves and the least x after Black's. Then x = F(x) = (H + (1 - tau) L) / (2 - tau + tau (H - L)), and F is
monotone. Iteration from 0, rounded down, bounds the least solution alpha from below; an x that is nowhere less than F(x), rounded up, bounds it from
above. For beta, up and down are exchanged. Numbers are multiples of 2^-30. Positions are counted up to symmetry, with both colours.

"apart" counts the positions with a proved gap, "open" those in which the bounds are more than 10^-4 apart without one. For each tau there is the
position with the widest gap, and the position that has it for tau = 0.
"""

import sys
from itertools import permutations, product
import numpy as np
from smallest import after, over, same

ONE = 1 << 30
QUARTERS = range(5)
OPEN = ONE // 10**4


def placements(width, height, material):
    """Yields all positions of a material, such as KPvKP."""
    white, black = material.split("v")
    letters = white + black.lower()
    squares = list(product(range(width), range(height)))
    for at in permutations(squares, len(letters)):
        if all(letter not in "Pp" or 0 < y < height - 1 for letter, (_, y) in zip(letters, at)):
            yield dict(zip(at, letters))


def graph(width, height, material):
    """Returns the number of positions of the material, all reachable positions, and both sides' moves as numbers. The last two numbers are a
    captured black and a captured white king."""
    number = {}
    for pieces in placements(width, height, material):
        number.setdefault(same(width, height, pieces), len(number))
    count, places, moves = len(number), list(number), [[], []]
    # The list grows by the positions that captures and promotions reach.
    for place in places:
        for white, side in zip((True, False), moves):
            found = set()
            for pieces in after(width, height, dict(place), white):
                if over(pieces):
                    found.add(-2 if white else -1)
                    continue
                to = same(width, height, pieces)
                if to not in number:
                    number[to] = len(number)
                    places.append(to)
                found.add(number[to])
            side.append(sorted(found))
    most = [max(map(len, side)) for side in moves]
    return count, places, [np.array([found + found[:1] * (size - len(found)) for found in side]) for side, size in zip(moves, most)]


def mean(values, moves, quarters, up):
    """Returns F for tau = quarters / 4, rounded up or down."""
    white, black = values[moves[0]].max(axis=1), values[moves[1]].min(axis=1)
    low, d = np.minimum(white, black), abs(white - black)
    above, divisor = d * (4 * ONE - quarters * low), 8 * ONE - quarters * (ONE - d)
    return low + (-(-above // divisor) if up else above // divisor)


def settle(values, step):
    while True:
        new = step(values)
        if np.array_equal(new, values[:-2]):
            return values
        values = np.concatenate([new, values[-2:]])


def bounds(moves, quarters):
    """Returns a lower and an upper bound of alpha, and of beta."""
    size, kings = len(moves[0]), [ONE, 0]
    found = []
    for start, up in ((0, False), (ONE, True)):
        first = settle(np.array([start] * size + kings), lambda values: mean(values, moves, quarters, up))
        further = np.minimum if up else np.maximum
        second = settle(first, lambda values: further(values[:-2], mean(values, moves, quarters, not up)))
        found += [first[:-2], second[:-2]][:: -1 if up else 1]
    return found


def fen(width, height, place):
    board, rows = dict(place), []
    for y in reversed(range(height)):
        row = "".join(board.get((x, y), " ") for x in range(width))
        for gap in range(width, 0, -1):
            row = row.replace(" " * gap, str(gap))
        rows.append(row)
    return "/".join(rows)


def lines(board, material):
    width, height = map(int, board.split("x"))
    count, places, moves = graph(width, height, material)
    first = None
    for quarters in QUARTERS:
        alpha_low, alpha, beta, beta_high = (bound[:count] for bound in bounds(moves, quarters))
        apart = beta > alpha
        open_ = ~apart & (beta_high - alpha_low > OPEN)
        widest = int(np.argmax(beta - alpha))
        first = widest if first is None else first
        for at in dict.fromkeys((widest, first)):
            numbers = (f"{bound[at] / ONE:.6f}" for bound in (alpha_low, alpha, beta, beta_high))
            yield board, material, quarters / 4, count, np.count_nonzero(apart), np.count_nonzero(open_), fen(width, height, places[at]), *numbers


if __name__ == "__main__":
    print("board,material,tau,positions,apart,open,fen,alpha_low,alpha_high,beta_low,beta_high")
    for board, material in zip(sys.argv[1::2], sys.argv[2::2]):
        for line in lines(board, material):
            print(*line, sep=",", flush=True)
