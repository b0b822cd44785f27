"""Proves from a file that the thresholds alpha and beta of a position differ, on a board of any size.

    python3 examples/smallest.py docs/smallest/3x4.csv

Each line has a position, an upper bound of its alpha and a lower bound of its beta. Either bound may be empty. The player who captures the
king wins: the value is 1 if White wins and 0 if Black wins. Let z be the upper bounds of the file. Three-piece positions that are not in the
file get their exact values, which this program computes and checks as fractions. All other positions get 1. Suppose that in every position
of the file, the greatest z after a White move plus the least z after a Black move is at most twice its own z. Then alpha is at most z,
because alpha is the least solution of that equation. The mirrored argument, with 0 instead of 1, proves the lower bounds of beta, the
greatest solution.
"""

import sys
from fractions import Fraction

STRAIGHT, SLANTED = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
STEPS = {"K": STRAIGHT + SLANTED, "Q": STRAIGHT + SLANTED, "R": STRAIGHT, "B": SLANTED, "N": LEAPS}


def read(fen):
    """Returns the number of files and ranks, and the pieces by square."""
    rows, pieces = fen.split("/"), {}
    for y, row in enumerate(reversed(rows)):
        x = 0
        for letter in row:
            if letter.isdigit():
                x += int(letter)
            else:
                pieces[x, y] = letter
                x += 1
    return x, len(rows), pieces


def same(width, height, pieces):
    """Returns one representative of all symmetric positions: mirrored and, without pawns, flipped and on a square board rotated."""
    turns = [lambda x, y: (x, y), lambda x, y: (width - 1 - x, y)]
    if not {"P", "p"} & set(pieces.values()):
        turns += [lambda x, y: (x, height - 1 - y), lambda x, y: (width - 1 - x, height - 1 - y)]
        if width == height:
            turns += [lambda x, y, turn=turn: turn(y, x) for turn in turns]
    return min(tuple(sorted((turn(x, y), piece) for (x, y), piece in pieces.items())) for turn in turns)


def goes(width, height, pieces, white, square):
    """Returns the targets of a piece and the piece that it becomes there."""
    (x, y), piece = square, pieces[square].upper()
    inside = lambda to: 0 <= to[0] < width and 0 <= to[1] < height
    own = lambda to: to in pieces and pieces[to].isupper() == white
    if piece == "P":
        ahead, start, last = (1, 1, height - 1) if white else (-1, height - 2, 0)
        found = [(x + side, y + ahead) for side in (-1, 1)]
        found = [to for to in found if to in pieces and not own(to)]
        one, two = (x, y + ahead), (x, y + 2 * ahead)
        if inside(one) and one not in pieces:
            found.append(one)
            if y == start and inside(two) and two not in pieces:
                found.append(two)
                other = "p" if white else "P"
                if other in (pieces.get((x - 1, two[1])), pieces.get((x + 1, two[1]))):
                    sys.exit("en passant captures are not supported")
        return [(to, new) for to in found for new in ("QRBN" if to[1] == last else "P")]
    found = []
    for dx, dy in STEPS[piece]:
        to = (x + dx, y + dy)
        while inside(to) and not own(to):
            found.append((to, piece))
            if piece in "KN" or to in pieces:
                break
            to = (to[0] + dx, to[1] + dy)
    return found


def after(width, height, pieces, white):
    """Returns the positions after each move of a side. A side without moves passes."""
    found = []
    for square, piece in pieces.items():
        if piece.isupper() == white:
            for to, new in goes(width, height, pieces, white, square):
                rest = {at: other for at, other in pieces.items() if at != square}
                found.append({**rest, to: new if white else new.lower()})
    return found or [pieces]


def over(pieces):
    """Returns whether a king has been captured."""
    return "k" not in pieces.values() or "K" not in pieces.values()


def solved(width, height, starts):
    """Returns the exact values of all reachable positions with at most three pieces."""
    moves, left = {}, list(starts)
    while left:
        pieces = left.pop()
        place = same(width, height, pieces)
        if len(pieces) <= 3 and not over(pieces) and place not in moves:
            moves[place] = [after(width, height, dict(place), white) for white in (True, False)]
            left += sum(moves[place], [])
    moves = {place: [[same(width, height, next) for next in side] for side in sides] for place, sides in moves.items()}
    value = {next: Fraction("K" in dict(next).values()) for sides in moves.values() for side in sides for next in side}
    near = {**value, **dict.fromkeys(moves, 0.5)}
    mean = lambda of, place: (max(map(of.get, moves[place][0])) + min(map(of.get, moves[place][1]))) / 2
    moved = 1
    while moved > 1e-15:
        moved = 0
        for place in moves:
            old, near[place] = near[place], mean(near, place)
            moved = max(moved, abs(near[place] - old))
    value.update((place, Fraction(near[place]).limit_denominator(1 << 24)) for place in moves)
    if any(value[place] != mean(value, place) for place in moves):
        sys.exit("the values of three-piece positions failed their check")
    return {place: value[place] for place in moves}


def prove(lines):
    """Checks every line. Returns the first position with its two bounds, and the number of inequalities checked."""
    told, listed = [{}, {}], []
    for line in lines[1:]:
        fen, *numbers = line.split(",")
        width, height, pieces = read(fen)
        if listed and (width, height) != listed[0][1]:
            sys.exit(f"{fen}: the board size differs from the first line")
        listed.append((fen, (width, height), pieces))
        for known, number in zip(told, numbers):
            if number:
                known[same(width, height, pieces)] = Fraction(number)
    width, height = listed[0][1]
    next = {fen: [after(width, height, pieces, white) for white in (True, False)] for fen, _, pieces in listed}
    three = solved(width, height, sum(sum(next.values(), []), []))
    for fen, _, pieces in listed:
        for known, silent, sign in zip(told, (1, 0), (1, -1)):

            def worth(pieces):
                if over(pieces):
                    return int("K" in pieces.values())
                place = same(width, height, pieces)
                return known.get(place, three.get(place, silent))

            own = known.get(same(width, height, pieces))
            if own is not None:
                white, black = max(map(worth, next[fen][0])), min(map(worth, next[fen][1]))
                if sign * 2 * own < sign * (white + black):
                    sys.exit(f"{fen}: {own} does not hold: White gets {white}, Black {black}")
    fen, _, pieces = listed[0]
    return fen, *(known.get(same(width, height, pieces)) for known in told), sum(map(len, told))


if __name__ == "__main__":
    fen, alpha, beta, count = prove(open(sys.argv[1]).read().split())
    if alpha is None or beta is None or alpha >= beta:
        sys.exit(f"{fen}: the file claims no gap")
    print(f"{fen}: proved by {count} inequalities: alpha is at most {alpha}, and beta at least {beta}")
