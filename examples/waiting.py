"""Counts the positions of exact tables in which both sides can wait.

    python3 examples/waiting.py 3x3.csv.gz 8x8.csv.gz > waiting.csv

A position is quiescent if the best moves of both sides lead to the same value: the move is worth nothing. In a waiting position, each side also has
a best move to a waiting position, so both can wait there for ever. The last two columns count the waiting positions in which a side has a best move
that ends the waiting. Positions are counted up to symmetry.
"""

import collections, csv, gzip, sys
from verify import black_moves, images, placement, white_moves


def read(path):
    """Returns the size of the board and all classes: the value and whether it is quiescent."""
    size, classes = None, {}
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        for line in csv.DictReader(file):
            size, position = placement(line["fen"])
            classes[position] = ((int(line["num"]), int(line["den"])), line["quiescent"] == "1")
    return size, classes


def best_moves(size, classes):
    """Returns the values of quiescent classes, and the quiescent classes after the best moves of White and of Black; None for any other end."""
    quiet = {image: position for position, (_, quiescent) in classes.items() if quiescent for image in images(size, position)}
    values = {position: classes[position][0] for position in set(quiet.values())}
    found = {}
    for position, value in values.items():
        sides = (white_moves(size, position), (1, 1)), (black_moves(size, position), (0, 1))
        found[position] = []
        for moves, win in sides:
            # A best move keeps the value, because the position is quiescent. A side without moves passes.
            after = [(win, None) if to is None else (value_of(size, classes, to), quiet.get(to)) for to in moves]
            found[position].append([to for worth, to in after or [(value, position)] if worth == value])
    return values, found


def value_of(size, classes, position):
    return next(classes[image][0] for image in images(size, position) if image in classes)


def waiting(found):
    """Returns the largest set of positions from which each side has a best move into the set."""
    alive = set(found)
    while True:
        left = {position for position in alive if all(any(to in alive for to in side) for side in found[position])}
        if left == alive:
            return alive
        alive = left


def kind(size, position):
    """Returns the kind of a quiescent position, as in the paper."""
    letter, piece, white, black = position
    if not letter:
        return "bare kings"
    if letter == "B" and (sum(piece) + sum(black)) % 2:
        return "bishop on squares of the opposite colour"
    if letter == "P" and piece[0] == black[0] and black[1] > piece[1]:
        return "blocked pawn"
    return "other"


def count(path):
    """Yields the lines of one table."""
    size, classes = read(path)
    values, found = best_moves(size, classes)
    alive = waiting(found)
    totals = collections.Counter(position[0] for position in classes)
    groups = collections.defaultdict(list)
    for position in found:
        groups[position[0], kind(size, position), values[position]].append(position)
    for (letter, name, (num, den)), positions in sorted(groups.items()):
        inside = [position for position in positions if position in alive]
        leaves = [sum(any(to not in alive for to in found[position][side]) for position in inside) for side in (0, 1)]
        yield f"{size[0]}x{size[1]}", f"K{letter}vK", totals[letter], name, f"{num}/{den}", len(positions), len(inside), *leaves


if __name__ == "__main__":
    print("board,material,classes,kind,value,quiescent,waiting,white_can_leave,black_can_leave")
    for path in sys.argv[1:]:
        for line in count(path):
            print(*line, sep=",")
