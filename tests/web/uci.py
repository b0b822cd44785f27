"""Plays games of several variants under python-chess: the engine against random moves."""

import random
import sys

import chess
import chess.engine
import chess.variant

program = sys.argv[1]
random.seed(1)


def play(engine, board, side):
    """Plays a whole game and returns its result. python-chess rejects every illegal move of the engine."""
    scores = 0
    while not board.is_game_over(claim_draw=True):
        if board.turn == side:
            limit = chess.engine.Limit(white_clock=30, black_clock=30, white_inc=0.1, black_inc=0.1)
            limit = limit if board.ply() < 4 else chess.engine.Limit(nodes=3000)
            played = engine.play(board, limit, info=chess.engine.INFO_ALL, game=id(board))
            assert played.info["depth"] >= 1 and played.info["nodes"] >= 1, played
            scores += "score" in played.info
            board.push(played.move)
        else:
            board.push(random.choice(list(board.legal_moves)))
    assert scores > 2, scores
    return board.result(claim_draw=True)


def begin(*arguments):
    return chess.engine.SimpleEngine.popen_uci([program, "uci", *arguments], timeout=60)


boards = [
    chess.Board(),
    chess.variant.CrazyhouseBoard(),
    chess.variant.AtomicBoard(),
    chess.variant.AntichessBoard(),
    chess.variant.ThreeCheckBoard(),
    chess.variant.KingOfTheHillBoard(),
    chess.variant.RacingKingsBoard(),
    chess.Board.from_chess960_pos(35),
    # The king and the rook of this start are so near that castling must be written as in Chess960.
    chess.Board("1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1", chess960=True),
]
with begin() as engine:
    assert engine.id["name"].startswith("Zorkmid "), engine.id
    for number, board in enumerate(boards):
        side = number % 2 == 0
        assert play(engine, board, side) == ("1-0" if side else "0-1"), board
        print(board.uci_variant, board.fullmove_number)
    mate = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert engine.analyse(mate, chess.engine.Limit(depth=4))["score"].white() == chess.engine.Mate(1)
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
with begin("crazyhouse") as engine:
    assert engine.options["UCI_Variant"].default == "crazyhouse"
