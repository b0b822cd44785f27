"""Reads rounds of pieces and boards as JSON, and answers with the moves that Fairy-Stockfish finds on every board."""

import json
import sys

import pyffish

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NO_ORDINARY_PIECES = "".join(f"{name} = -\n" for name in ("king", "queen", "rook", "bishop", "knight", "pawn"))

answers = []
for number, round in enumerate(json.load(sys.stdin)):
    variant = f"workshop{number}"
    pieces = "".join(f"customPiece{i + 1} = {LETTERS[i]}:{text}\n" for i, text in enumerate(round["pieces"]))
    start = "startFen = 8/8/8/8/8/8/8/8 w - - 0 1\n"
    pyffish.load_variant_config(f"[{variant}:chess]\n{NO_ORDINARY_PIECES}castling = false\n{pieces}{start}")
    answers.append([sorted(pyffish.legal_moves(variant, fen, [])) for fen in round["boards"]])
json.dump(answers, sys.stdout)
