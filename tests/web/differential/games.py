"""Random games of python-chess to their end: the start, the moves, all legal moves now and then, and the end of each."""

import json
import random
import sys

import chess
import chess.variant

BOARDS = {
    "chess": chess.Board,
    "three-check": chess.variant.ThreeCheckBoard,
    "king-of-the-hill": chess.variant.KingOfTheHillBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
    "racing-kings": chess.variant.RacingKingsBoard,
}
# Variants with a draw after 50 moves without a capture or a pawn move, as on lichess.
FIFTY = ["three-check", "king-of-the-hill", "antichess", "horde", "racing-kings"]
# Plies between two lists of legal moves.
STRIDE = 9


def start(variant, rng):
    if variant == "chess960":
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return BOARDS[variant]()


def ended(variant, board):
    """The end of the game as its name and winner; None while it goes on."""
    outcome = board.outcome()
    if outcome and not (variant == "crazyhouse" and outcome.termination is chess.Termination.SEVENTYFIVE_MOVES):
        return [outcome.termination.name, {True: "white", False: "black", None: None}[outcome.winner]]
    return ["FIFTY_MOVES", None] if variant in FIFTY and board.halfmove_clock >= 100 else None


def game(variant, rng, most):
    board = start(variant, rng)
    begin = board.fen() if variant == "chess960" else ""
    moves, legal = [], {}
    # Captures lead to endings with little material.
    greed = rng.random()
    while len(moves) < most and not ended(variant, board):
        choices = sorted(board.legal_moves, key=lambda move: move.uci())
        if len(moves) % STRIDE == 0:
            legal[len(moves)] = [move.uci() for move in choices]
        captures = [move for move in choices if board.is_capture(move)]
        move = rng.choice(captures if captures and rng.random() < greed else choices)
        moves.append(move.uci())
        board.push(move)
    return {"variant": variant, "fen": begin, "moves": moves, "legal": legal, "end": ended(variant, board)}


def main():
    asked = json.load(sys.stdin)
    rng = random.Random(asked["seed"])
    variants = [*BOARDS, "chess960"]
    json.dump([game(variant, rng, asked["plies"]) for variant in variants for _ in range(asked["games"])], sys.stdout)


main()
