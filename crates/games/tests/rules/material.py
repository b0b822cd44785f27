import json, sys
import chess, chess.variant

BOARDS = {
    "chess": chess.Board,
    "three-check": chess.variant.ThreeCheckBoard,
    "king-of-the-hill": chess.variant.KingOfTheHillBoard,
    "racing-kings": chess.variant.RacingKingsBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
}

answers = []
for variant, fen in json.load(sys.stdin):
    board = BOARDS[variant](fen)
    answers.append([board.has_insufficient_material(color) for color in (chess.WHITE, chess.BLACK)])
json.dump(answers, sys.stdout)
