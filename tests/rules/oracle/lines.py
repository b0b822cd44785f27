"""Writes lines.txt: the number of lines of so many moves from positions of random games, as Fairy-Stockfish counts them.

    PYTHON lines.py > lines.txt
"""

import random

import pyffish

DEPTH = 4
POSITIONS = 20
# Our key, its name there, its description if it is not built in, and whether kings take their rooks to castle.
GAMES = [
    ("antichess", "antichess", "", False),
    ("horde", "horde", "", False),
    ("racing-kings", "racingkings", "", False),
]


def lines(variant, fen, moves, depth, chess960):
    """Counts the lines of so many moves."""
    legal = pyffish.legal_moves(variant, fen, moves, chess960)
    if depth == 1:
        return len(legal)
    return sum(lines(variant, fen, moves + [move], depth - 1, chess960) for move in legal)


def position(variant, chess960):
    """The position after some moves at random."""
    moves = []
    for _ in range(random.randrange(4, 70)):
        legal = pyffish.legal_moves(variant, pyffish.start_fen(variant), moves, chess960)
        if not legal:
            return position(variant, chess960)
        moves.append(random.choice(legal))
    return pyffish.get_fen(variant, pyffish.start_fen(variant), moves, chess960)


for key, variant, config, chess960 in GAMES:
    random.seed(key)
    if config:
        pyffish.load_variant_config(config)
    for fen in [pyffish.start_fen(variant)] + [position(variant, chess960) for _ in range(POSITIONS)]:
        print(f"{key};{fen};{DEPTH};{lines(variant, fen, [], DEPTH, chess960)}", flush=True)
