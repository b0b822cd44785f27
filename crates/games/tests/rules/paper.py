import io, json, sys
import chess.pgn

read = []
for text in json.load(sys.stdin):
    paper, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(paper)) is not None:
        nodes = list(game.mainline())
        games.append({
            "errors": [str(error) for error in game.errors],
            "tags": dict(game.headers),
            "clocks": [node.clock() for node in nodes],
            "ends": game.end().board().board_fen(),
        })
    read.append(games)
json.dump(read, sys.stdout)
