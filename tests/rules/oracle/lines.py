"""Writes lines.txt: the number of lines of so many moves from positions of random games. Fairy-Stockfish plays the games as a Python
module, and counts the lines as a program, or where the program is too old for that as the same module.

    PYTHON lines.py fairy-stockfish [NAME ...] > lines.txt
"""

import random
import subprocess
import sys
import tempfile

import pyffish

# So deep from the position to begin from and from so many others, or as deep as no more than so many lines lead.
START, OTHERS = 5, 4
POSITIONS = 20
MOST = 20_000_000, 6_000_000
# What the program of Debian does not know, ducks and chess without captures in passing. The module is a thousand times slower, and a turn
# with a duck has two parts: three of them are 250 million lines from the start.
MODULE = {"duck": (3, 2), "old": (4, 3)}
# Its name there, its description if it is not built in, and whether kings take their rooks to castle.
SMALL = (
    "[{0}:chess]\nmaxRank = {1}\nmaxFile = 4\npromotionPieceTypes = {2}\npromotionRank = {1}\npromotionRegionWhite = *{1}\n"
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
    ("antichess", "", False),
    ("crazyhouse", "", False),
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


class Module:
    """Fairy-Stockfish as a module."""

    def __init__(self, variant, chess960):
        self.variant, self.chess960 = variant, chess960

    def lines(self, fen, depth, moves=()):
        """Counts the lines of so many moves."""
        legal = pyffish.legal_moves(self.variant, fen, list(moves), self.chess960)
        if depth == 1:
            return len(legal)
        return sum(self.lines(fen, depth - 1, (*moves, move)) for move in legal)


class Program:
    """Fairy-Stockfish as a program, set to a variant."""

    def __init__(self, variant, config, chess960):
        self.process = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if config:
            with tempfile.NamedTemporaryFile("w", suffix=".ini", delete=False) as file:
                file.write(config)
            self.say(f"setoption name VariantPath value {file.name}")
        self.say(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
        self.say(f"setoption name UCI_Variant value {variant}")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines(self, fen, depth):
        """Counts the lines of so many moves."""
        self.say(f"position fen {fen}")
        self.say(f"go perft {depth}")
        for line in self.process.stdout:
            if line.startswith("Nodes searched"):
                return int(line.split(":")[1])
        raise RuntimeError(f"no answer about {fen}")


def deepest(counter, fen, depth, most):
    """The depth, at most the given one, to which no more than so many lines lead, and their number."""
    moves = counter.lines(fen, 1)
    counted = (1, moves)
    for deep in range(2, depth + 1):
        # One move more multiplies them by about as many as there are moves.
        if counted[1] * moves > 4 * most:
            break
        number = counter.lines(fen, deep)
        if number > most:
            break
        counted = (deep, number)
    return counted


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
    if sys.argv[2:] and variant not in sys.argv[2:]:
        continue
    random.seed(variant)
    if config:
        pyffish.load_variant_config(config)
    module = variant in MODULE
    counter = Module(variant, chess960) if module else Program(variant, config, chess960)
    fens = [pyffish.start_fen(variant)] + [position(variant, chess960) for _ in range(POSITIONS)]
    for number, fen in enumerate(fens):
        other = number > 0
        if module:
            deep = MODULE[variant][other]
            lines = counter.lines(fen, deep)
        else:
            deep, lines = deepest(counter, fen, (START, OTHERS)[other], MOST[other])
        print(f"{variant};{fen};{deep};{lines}", flush=True)
    if not module:
        counter.say("quit")
