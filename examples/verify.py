"""Proves a file of bidding chess endgame values from the file alone, with its own move generator and exact fractions.

    python3 examples/verify.py 8x8-KRvK.csv.gz

Each value must be the mean of White's best move and Black's best move, and the labels must decrease to the end of the game along moves that
keep the value. Then every value is exact (Larsson and Wästlund, "Endgames in bidding chess", Proposition 2). Every position must be present.
"""

import csv, gzip, sys
from fractions import Fraction
from itertools import product

LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT, SLANTED = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
RAYS = {"B": SLANTED, "R": STRAIGHT, "Q": STRAIGHT + SLANTED}
WHITE, BLACK = (Fraction(1), 0, 0), (Fraction(0), 0, 0)  # a king is captured


def fail(why):
    sys.exit(f"not proved: {why}")


def placement(fen):
    """Returns the board size, and (letter of the white piece or "", its square, the white king's square, the black king's square)."""
    rows, found = fen.split("/"), {}
    for row, y in zip(rows, reversed(range(len(rows)))):
        x = 0
        for letter in row:
            if not letter.isdigit():
                found[letter] = (x, y)
            x += int(letter) if letter.isdigit() else 1
    white, black = found.pop("K"), found.pop("k")
    (letter, piece), = found.items() if found else [("", white)]
    return (x, len(rows)), (letter, piece, white, black)


def images(size, position):
    """Returns the positions that a line represents: under all symmetries of the board, or with pawns only the left-right mirror."""
    (width, height), (letter, *squares) = size, position
    for right, up, turn in product((0, 1), (0, 1), (0, 1)):
        if (turn and width != height) or (letter == "P" and (up or turn)):
            continue
        moved = [(width - 1 - x if right else x, height - 1 - y if up else y) for x, y in squares]
        yield letter, *(((y, x) if turn else (x, y)) for x, y in moved)


def white_moves(size, position):
    (letter, piece, white, black), (x, y) = position, position[1]
    inside = lambda to: 0 <= to[0] < size[0] and 0 <= to[1] < size[1]
    moved = [(white[0] + dx, white[1] + dy) for dx, dy in STRAIGHT + SLANTED]
    for to in filter(inside, moved):
        if not letter or to != piece:
            yield None if to == black else (letter, piece if letter else to, to, black)
    ends = []
    for dx, dy in RAYS.get(letter, []):
        to = (x + dx, y + dy)
        while inside(to) and to != white:
            ends.append((letter, to))
            to = (to[0] + dx, to[1] + dy) if to != black else white
    if letter == "N":
        ends += [(letter, (x + dx, y + dy)) for dx, dy in LEAPS if inside((x + dx, y + dy)) and (x + dx, y + dy) != white]
    if letter == "P":
        goes = [to for to in ((x - 1, y + 1), (x + 1, y + 1)) if to == black]
        if (x, y + 1) not in (white, black):
            goes.append((x, y + 1))
            if y == 1 and inside((x, y + 2)) and (x, y + 2) not in (white, black):
                goes.append((x, y + 2))
        ends += [(kind, to) for to in goes for kind in ("NBRQ" if to[1] == size[1] - 1 else "P")]
    for kind, to in ends:
        yield None if to == black else (kind, to, white, black)


def black_moves(size, position):
    letter, piece, white, black = position
    for dx, dy in STRAIGHT + SLANTED:
        to = (black[0] + dx, black[1] + dy)
        if 0 <= to[0] < size[0] and 0 <= to[1] < size[1]:
            taken = letter and to == piece
            yield None if to == white else ("", white, white, to) if taken else (letter, piece, white, to)


def main(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        lines = [(placement(line["fen"]), line) for line in csv.DictReader(file)]
    size, known = lines[0][0][0], {}
    for (own, position), line in lines:
        int(line["den"]) > 0 or fail(f"the value of {line['fen']} is not a fraction")
        value = Fraction(int(line["num"]), int(line["den"]))
        own == size or fail("the file mixes board sizes")
        written = (str(value.numerator), str(value.denominator))
        (line["num"], line["den"]) == written or fail(f"the value of {line['fen']} is not in lowest terms")
        entry = (value, int(line["white_label"]), int(line["black_label"]))
        for image in set(images(size, position)):
            image not in known or fail(f"{line['fen']} is listed twice")
            known[image] = entry
    for (_, position), line in lines:
        value, white_label, black_label = known[position]
        reach = lambda moves, end: [end if move is None else known[move] for move in moves] or [known[position]]
        try:
            white, black = reach(white_moves(size, position), WHITE), reach(black_moves(size, position), BLACK)
        except KeyError as missing:
            fail(f"a position is missing: {missing}")
        most, least = max(entry[0] for entry in white), min(entry[0] for entry in black)
        2 * value == most + least or fail(f"wrong value of {line['fen']}")
        soon = 1 + min(min(e[1] for e in white if e[0] == most), max(e[1] for e in black))
        late = 1 + min(min(e[2] for e in black if e[0] == least), max(e[2] for e in white))
        (white_label, black_label) == (soon, late) or fail(f"wrong labels of {line['fen']}")
        flags = (line["zugzwang"], line["quiescent"])
        flags == (str(int(most < least)), str(int(most == least))) or fail(f"wrong zugzwang or quiescent flag of {line['fen']}")
    squares = list(product(range(size[0]), range(size[1])))
    for letter in {image[0] for image in known}:
        for piece, white, black in product(squares if letter else [None], squares, squares):
            stands = letter != "P" or 0 < piece[1] < size[1] - 1
            if white != black and piece not in (white, black) and stands:
                (letter, piece or white, white, black) in known or fail(f"missing: {letter} {piece} {white} {black}")
    print(f"{path}: {len(lines)} classes, {len(known)} positions of {size[0]}x{size[1]}, every value exact")


if __name__ == "__main__":
    main(sys.argv[1])
