"""Reads variants with games as JSON, and prints Fairy-Stockfish's legal moves at every ply of each game.
A game ends at the first move that Fairy-Stockfish considers illegal."""

import json
import sys

import pyffish

answers = []
for question in json.load(sys.stdin):
    pyffish.load_variant_config(question["ini"])
    name = question["name"]
    found = []
    for game in question["games"]:
        fen, plies = game["fen"], []
        for move in game["moves"] + [None]:
            legal = sorted(pyffish.legal_moves(name, fen, []))
            plies.append(legal)
            if move not in legal:
                break
            fen = pyffish.get_fen(name, fen, [move])
        found.append(plies)
    answers.append(found)
json.dump(answers, sys.stdout)
