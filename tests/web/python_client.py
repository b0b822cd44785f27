"""Uses every part of the Python client against a server."""

import sys

from zorkmid import ApiError, Server

address = sys.argv[1]
server = Server(address)


def status(call):
    try:
        call()
    except ApiError as error:
        assert str(error) == error.problem["detail"], error.problem
        return error.status
    raise AssertionError("no error")


variants = {variant["key"]: variant for variant in server.variants()}
assert variants["bidding"]["options"] and variants["chess"]["uci"] == "chess"

white = server.create_game("chess", clock={"move_ms": 172_800_000}, name="Ada")
black = server.join(invitation=white.invitation, name="Bob")
assert (white.seat, black.seat) == ("one", "two") and white.url == black.url, (white, black)
follower = server.game(white.id).states()
assert next(follower)["ply"] == 0
for ply, (player, action) in enumerate([(white, "f2f3"), (black, "e7e5"), (white, "g2g4")]):
    assert player.act(action)["ply"] == ply + 1
assert status(lambda: black.act("d8h4", ply=0)) == 409
assert status(lambda: black.act("d8h1")) == 422
assert status(lambda: server.game(white.id).act("d8h4")) == 401
assert status(lambda: server.create_game("checkers")) == 422
assert black.act("d8h4")["outcome"] == {"winner": "two", "reason": "checkmate"}
last = list(follower)[-1]
assert last["outcome"] == {"winner": "two", "reason": "checkmate"} and last["ply"] == 4, last
assert "Qh4#" in white.pgn() and white.record()["lines"][-1]["action"] == "d8h4"

# A key holds the seats of several games, and an open game leaves the lobby when it is joined.
player = Server(address)
player.new_key()
assert player.register_bot("Grue", ["chess"]) == "program:Grue"
held = player.create_game("chess", opponent="open")
assert [game["id"] for game in server.lobby("chess")["open"]] == [held.id]
events = player.events()
event = next(events)
assert event["type"] == "game" and event["game"]["id"] == held.id and event["game"]["seat"] == "one", event
joined = server.join(game=held.id)
assert server.lobby("chess")["open"] == []
player.game(held.id).act("e2e4")
joined.resign()
assert any(event["type"] == "end" and event["game"]["outcome"]["winner"] == "one" for event in events)

# Challenges to the bot of a key.
challenger = Server(address)
challenger.new_key()
declined, accepted = (challenger.create_game("chess", opponent="challenge:Grue") for _ in range(2))
challenges = {event["game"]["id"] for event in (next(events), next(events)) if event["type"] == "challenge"}
assert challenges == {declined.id, accepted.id}, challenges
player.decline_challenge(declined.id, "later")
assert declined.state()["outcome"]["winner"] is None
accepted.act("e2e4")
assert player.accept_challenge(accepted.id).act("e7e5")["ply"] == 2

records = list(server.records([white.id, "nosuchgm"] + [held.id] * 100))
assert len(records) == 102 and records[0]["players"]["one"] == "Ada" and "error" in records[1], records[:2]

assert server.endgame("3k3R/8/3K4/8/8/8/8/8", n=5)["value"] == {"num": "3", "den": "4", "approx": 0.75}
answers = list(server.endgames(["2k/3/3/K1N"] * 150 + ["nonsense"]))
assert len(answers) == 151 and answers[149]["value"]["num"] == "5" and answers[150]["status"] == 400, answers[149:]

away = Server("http://127.0.0.1:1")
assert status(lambda: away.new_key()) == 0
