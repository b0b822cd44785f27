"""Writes lines.txt: perft counts of positions from random games. Fairy-Stockfish plays the games as a Python module and counts as a
Node module; see counter.js for its requirements.

    NODE_PATH=FOLDER/node_modules PYTHON lines.py [NAME ...] > lines.txt
"""

import pathlib
import random
import subprocess
import sys

import pyffish

# Depth from the starting position, and the number of other positions. In duck chess, whose turns have two parts, perft 4 of the start is
# 164 billion.
START, OTHERS = 5, 4
DUCK = 4
POSITIONS = 20
# Name in Fairy-Stockfish, configuration if it is not built in, and whether castling is written as king takes rook.
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
LRS = (
    "[lrs:chess]\ncastling = false\nenPassantRegion = -\npromotionPieceTypes = q\nking = -\ncommoner = k\n"
    "extinctionValue = loss\nextinctionPieceTypes = k\n"
    "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\n"
)
GAMES = [
    ("3check", "", False),
    ("kingofthehill", "", False),
    ("lrs", LRS, False),
    ("antichess", "", False),
    ("crazyhouse", "", False),
    ("atomic", "", False),
    ("horde", "", False),
    ("racingkings", "", False),
    ("gardner", "", False),
    ("losalamos", "", False),
    ("four", SMALL.format("four", 4, "qr", "rqkr/pppp/PPPP/RQKR"), False),
    ("narrow", SMALL.format("narrow", 8, "rbn", "kbnr/pppp/4/4/4/4/PPPP/KBNR"), False),
    ("shatranj", "", False),
    ("old", OLD, False),
    ("chess", "", True),
    ("almost", "", False),
    ("amazon", "", False),
    ("kings", KINGS, False),
    ("duck", "", False),
]


class Counter:
    """Fairy-Stockfish as a Node module, configured for a variant."""

    def __init__(self, variant, config, chess960):
        program = pathlib.Path(__file__).with_name("counter.js")
        words = ["node", program, variant, config, str(chess960).lower()]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def lines(self, fen, depth):
        """Perft of a position."""
        self.process.stdin.write(f"{fen};{depth}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


def position(variant, chess960):
    """The position after some random moves."""
    moves = []
    for _ in range(random.randrange(4, 70)):
        legal = pyffish.legal_moves(variant, pyffish.start_fen(variant), moves, chess960)
        if not legal:
            return position(variant, chess960)
        moves.append(random.choice(legal))
    return pyffish.get_fen(variant, pyffish.start_fen(variant), moves, chess960)


for variant, config, chess960 in GAMES:
    if sys.argv[1:] and variant not in sys.argv[1:]:
        continue
    random.seed(variant)
    if config:
        pyffish.load_variant_config(config)
    counter = Counter(variant, config, chess960)
    fens = [pyffish.start_fen(variant)] + [position(variant, chess960) for _ in range(POSITIONS)]
    for number, fen in enumerate(fens):
        deep = OTHERS if number > 0 else DUCK if variant == "duck" else START
        print(f"{variant};{fen};{deep};{counter.lines(fen, deep)}", flush=True)
    counter.process.stdin.close()
