"""Moves of Fairy-Stockfish's built-in pieces, on boards that write each of them with the letter x."""

import json
import sys

import pyffish

NO_ORDINARY_PIECES = "".join(f"{name} = -\n" for name in ("king", "queen", "rook", "bishop", "knight", "pawn"))

answers = []
question = json.load(sys.stdin)
for name in question["names"]:
    plain = f"[only{name}:chess]\n{NO_ORDINARY_PIECES}castling = false\ndoubleStep = false\n"
    pyffish.load_variant_config(f"{plain}{name} = x\nstartFen = 8/8/8/8/8/8/8/8 w - - 0 1\n")
    answers.append([sorted(pyffish.legal_moves(f"only{name}", fen, [])) for fen in question["boards"]])
json.dump(answers, sys.stdout)
