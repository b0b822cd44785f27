"""Fairy-Stockfish's legal moves of positions."""

import json
import sys

import pyffish

game = json.load(sys.stdin)
if game["config"]:
    pyffish.load_variant_config(game["config"])
json.dump([sorted(pyffish.legal_moves(game["name"], fen, [], game["chess960"])) for fen in game["fens"]], sys.stdout)
