"""Random games as python-chess writes them, in random styles: the text, the last position and the number of plies of each."""

import json
import random
import sys

import chess
import chess.pgn
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
REMARKS = ["good", "1. e4 (e5)", "[%clk 0:01:02]", "[%eval -0.35]", "+0.25/12 1.2s", "a; b", "½ $ 3", "%", "Nf3! 1-0", "(x"]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


def start(variant, rng):
    if variant == "chess960":
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return BOARDS[variant]()


def decorate(node, rng):
    if rng.random() < 0.15:
        node.comment = rng.choice(REMARKS)
    if rng.random() < 0.15:
        node.nags.add(rng.choice([1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 16, 22, 36, 132, 140, 146]))


def wander(node, board, rng, depth):
    """Adds a variation, and variations in it."""
    node = node.add_variation(chess.Move.null() if rng.random() < 0.05 else rng.choice(list(board.legal_moves)))
    if rng.random() < 0.2:
        node.starting_comment = rng.choice(REMARKS)
    board = board.copy(stack=False)
    for _ in range(rng.randrange(4)):
        board.push(node.move)
        if board.is_variant_end() or not any(board.legal_moves):
            return
        following = node.add_variation(rng.choice(list(board.legal_moves)))
        if depth and rng.random() < 0.3 and board.legal_moves.count() > 1:
            wander(node, board, rng, depth - 1)
        node = following
        decorate(node, rng)


def game(variant, rng):
    board = start(variant, rng)
    played = chess.pgn.Game()
    played.setup(board)
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "ECO", "Annotator"]:
        if rng.random() < 0.4:
            played.headers[name] = rng.choice(["?", 'A "B" \\ C', "Müller, X.", "{(;%", "1-0"])
    if rng.random() < 0.2:
        played.comment = rng.choice(REMARKS)
    # Board.push() does not count dropped pawns as pawn moves, unlike is_zeroing().
    halfmoves = board.halfmove_clock
    node, plies = played, rng.randrange(1, 90)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if board.is_variant_end() or not moves:
            break
        null = variant == "chess" and rng.random() < 0.02 and not board.is_check()
        move = chess.Move.null() if null else rng.choice(moves)
        following = node.add_main_variation(move)
        if rng.random() < 0.1 and not board.is_variant_end():
            wander(node, board, rng, 2)
            node.promote_to_main(following)
        node = following
        decorate(node, rng)
        halfmoves = 0 if board.is_zeroing(move) else halfmoves + 1
        board.push(move)
        board.halfmove_clock = halfmoves
    # Any result, right or wrong.
    played.headers["Result"] = rng.choice(RESULTS)
    return written(played, rng), board.fen(en_passant="fen"), len(board.move_stack)


def written(played, rng):
    style = chess.pgn.StringExporter(
        columns=rng.choice([None, 40, 80, 255]),
        headers=True,
        comments=rng.random() < 0.8,
        variations=rng.random() < 0.8,
    )
    text = played.accept(style)
    head, _, moves = text.partition("\n\n")
    kept = [line for line in head.split("\n") if line.startswith(('[FEN ', "[SetUp ", "[Variant ")) or rng.random() < 0.7]
    if type(played.board()) is not chess.Board and rng.random() < 0.3:
        kept = [line for line in kept if not line.startswith(("[FEN ", "[SetUp "))]
    moves = moves.rstrip()
    if rng.random() < 0.2:
        moves = moves.rsplit(None, 1)[0] if len(moves.split()) > 1 else moves
    elif rng.random() < 0.2:
        moves += rng.choice([" {White resigns}", " ; adjudicated", "\n{time}", " Black lost on time"])
    if rng.random() < 0.2:
        moves = moves.replace("O-O-O", "0-0-0").replace("O-O", "0-0")
    text = "\n".join(kept) + "\n\n" * bool(kept) + moves + rng.choice(["", "\n", "\n\n", "\n\n\n"])
    if rng.random() < 0.1:
        text = "% escaped [line\n" + text
    if rng.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if rng.random() < 0.2:
        text = "\ufeff" + text
    return text


def main():
    asked = json.load(sys.stdin)
    rng = random.Random(asked["seed"])
    for_each = [(variant, game(variant, rng)) for variant in [*BOARDS, "chess960"] for _ in range(asked["games"])]
    json.dump([[variant, *played] for variant, played in for_each], sys.stdout)


main()
