"""Fairy-Stockfish's legal moves of positions with designed pieces, on boards of the same size."""

import json
import sys

import pyffish

answers = []
for number, game in enumerate(json.load(sys.stdin)):
    variant, ranks = f"designed{number}", game["ranks"]
    pyffish.load_variant_config(
        f"[{variant}:chess]\n"
        f"maxRank = {ranks}\nmaxFile = {game['files']}\n"
        f"customPiece1 = a:{game['piece']}\n"
        f"promotionPieceTypes = {game['promotions']}\n"
        f"promotionRegionWhite = *{ranks}\npromotionRegionBlack = *1\n"
        f"doubleStep = {'true' if ranks == 8 else 'false'}\n"
        f"castling = {'true' if game['files'] == 8 else 'false'}\n"
        f"startFen = {game['fens'][0]}\n"
    )
    answers.append([sorted(pyffish.legal_moves(variant, fen, [])) for fen in game["fens"]])
json.dump(answers, sys.stdout)
