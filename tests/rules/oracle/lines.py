"""Writes lines.txt: the number of lines of so many moves from positions of random games, as Fairy-Stockfish counts them.

    PYTHON lines.py > lines.txt
"""

import random

import pyffish

# So deep from the position to begin from, and from so many others.
DEPTH = 4
POSITIONS = 20
# Less deep from the position to begin from, where a turn has two parts.
START = {"duck": 3}
# Its name there, its description if it is not built in, whether kings take their rooks to castle, and how deep other
# positions than the first are counted.
SMALL = (
    "[{0}:chess]\nmaxRank = {1}\nmaxFile = 4\npromotionPieceTypes = {2}\npromotionRegionWhite = *{1}\n"
    "promotionRegionBlack = *1\ndoubleStep = false\ncastling = false\nstartFen = {3} w - - 0 1\n"
)
OLD = (
    "[old:chess]\ncastling = false\nenPassantRegion = -\n"
    "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\n"
)
KINGS = (
    "[kings:chess]\nking = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\n"
    "extinctionPieceTypes = k\n"
)
GAMES = [
    ("antichess", "", False, DEPTH),
    ("crazyhouse", "", False, DEPTH - 1),
    ("horde", "", False, DEPTH),
    ("racingkings", "", False, DEPTH - 1),
    ("gardner", "", False, DEPTH),
    ("losalamos", "", False, DEPTH),
    ("four", SMALL.format("four", 4, "qr", "rqkr/pppp/PPPP/RQKR"), False, DEPTH),
    ("narrow", SMALL.format("narrow", 8, "rbn", "kbnr/pppp/4/4/4/4/PPPP/KBNR"), False, DEPTH),
    ("shatranj", "", False, DEPTH - 1),
    ("old", OLD, False, DEPTH - 1),
    ("chess", "", True, DEPTH - 1),
    ("almost", "", False, DEPTH - 1),
    ("amazon", "", False, DEPTH - 1),
    ("kings", KINGS, False, DEPTH - 1),
    ("duck", "", False, DEPTH - 2),
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


for variant, config, chess960, depth in GAMES:
    random.seed(variant)
    if config:
        pyffish.load_variant_config(config)
    start = (pyffish.start_fen(variant), START.get(variant, DEPTH))
    for fen, deep in [start] + [(position(variant, chess960), depth) for _ in range(POSITIONS)]:
        print(f"{variant};{fen};{deep};{lines(variant, fen, [], deep, chess960)}", flush=True)
