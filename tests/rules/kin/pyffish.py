"""Reads moments of games as JSON, and answers with the moves that Fairy-Stockfish finds there and whether the game is over at once."""

import json
import sys

import pyffish

answers = []
for variant, fen in json.load(sys.stdin):
    over, _ = pyffish.is_immediate_game_end(variant, fen, [])
    answers.append([over, [] if over else sorted(pyffish.legal_moves(variant, fen, []))])
json.dump(answers, sys.stdout)
