"""Writes lines.txt: the number of lines of so many moves from positions of random games. Fairy-Stockfish plays the games as a Python
module, and counts the lines as a module of Node, for which counter.js tells what it needs.

    NODE_PATH=FOLDER/node_modules PYTHON lines.py [NAME ...] > lines.txt
"""

import pathlib
import random
import subprocess
import sys

import pyffish

# So deep from the position to begin from and from so many others. Duck chess, where a turn is two choices, has 164,000 million lines of
# four turns from the start.
START, OTHERS = 5, 4
DUCK = 4
POSITIONS = 20
# Its name there, its description if it is not built in, and whether kings take their rooks to castle.
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
    """Fairy-Stockfish as a module of Node, set to a variant."""

    def __init__(self, variant, config, chess960):
        program = pathlib.Path(__file__).with_name("counter.js")
        words = ["node", program, variant, config, str(chess960).lower()]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def lines(self, fen, depth):
        """Counts the lines of so many moves."""
        self.process.stdin.write(f"{fen};{depth}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


def position(variant, chess960):
    """The position after some moves at random."""
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
