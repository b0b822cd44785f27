"""Plays a game of chess with a client generated from the API description, and reads a game of every variant."""

import sys

sys.path.insert(0, sys.argv[1])

from zorkmid_client import AuthenticatedClient, Client
from zorkmid_client.api.games import act_in_game, begin_game, list_variants, look_at_game, write_game_as_pgn
from zorkmid_client.models import NewAction, NewGame, NewGameAnswer

server = sys.argv[2]
anybody = Client(server)


def begin(variant):
    game = begin_game.sync(client=anybody, body=NewGame(variant=variant, opponent="self"))
    assert isinstance(game, NewGameAnswer), game
    return game


game = begin("chess")
players = [AuthenticatedClient(server, seat.token) for seat in game.seats]
for ply, action in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):
    seen = act_in_game.sync(game.id, client=players[ply % 2], body=NewAction(ply=ply, action=action))
    assert seen.variant == "chess" and seen.ply == ply + 1, seen
assert seen.outcome.winner == "two" and seen.outcome.reason == "checkmate", seen.outcome
assert len(seen.view.diagram.pieces) == 32 and seen.view.diagram.sheet[-1].text == "Qh4#", seen.view.diagram
stale = act_in_game.sync(game.id, client=players[0], body=NewAction(ply=0, action="e2e4"))
assert stale.ply == 4 and stale.game.variant == "chess", stale
assert "2. g4 Qh4#" in write_game_as_pgn.sync(game.id, client=anybody)

for variant in list_variants.sync(client=anybody).variants:
    seen = look_at_game.sync(begin(variant.key).id, client=anybody)
    assert seen.variant == variant.key and seen.view.diagram.width, seen
    print(variant.key, type(seen).__name__, type(seen.view).__name__)
