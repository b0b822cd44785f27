"""Bots written with berserk, a client of lichess, play here."""

import random
import sys
import threading

import berserk
import chess
import chess.variant
import requests

address = sys.argv[1]
random.seed(1)


def new_key():
    return requests.post(f"{address}/api/keys").json()["key"]


def client_of(key):
    return berserk.Client(berserk.TokenSession(key), base_url=address)


def named(name):
    """A client of a key whose bot has a name."""
    key = new_key()
    answer = requests.post(f"{address}/api/bots", json={"name": name}, headers={"Authorization": f"Bearer {key}"})
    answer.raise_for_status()
    return client_of(key)


def board_of(full):
    cls = {"crazyhouse": chess.variant.CrazyhouseBoard}.get(full["variant"]["key"], chess.Board)
    start = cls.starting_fen if full["initialFen"] == "startpos" else full["initialFen"]
    return cls(start, chess960=full["variant"]["key"] == "chess960")


def play(api, game, me, longest=1000):
    """Plays random moves until the game is over, like every bot for lichess. Returns its first and its last event."""
    full = state = None
    for event in api.stream_game_state(game):
        if event["type"] == "gameFull":
            full, state = event, event["state"]
        else:
            state = event
        assert state["type"] == "gameState", event
        if state["status"] != "started":
            continue
        board = board_of(full)
        for move in state["moves"].split():
            board.push_uci(move)
        if full["white" if board.turn else "black"]["id"] == me:
            if board.ply() >= longest:
                api.resign_game(game)
            else:
                api.make_move(game, random.choice(list(board.legal_moves)).uci())
    return full, state


def refused(call, status):
    try:
        call()
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == status, (error.status_code, error.cause)
        assert list(error.response.json()) == ["error"], error.response.text
        return error.response.json()["error"]
    raise AssertionError("no error")


# A key without a bot plays against a bot of the site.
client = client_of(new_key())
me = client.account.get()["id"]
for api, variant in [(client.board, "standard"), (client.bots, "crazyhouse"), (client.board, "chess960"), (client.bots, "threeCheck")]:
    events = client.bots.stream_incoming_events()
    challenge = client.challenges.create(
        "newcomer", rated=False, clock_limit=600, clock_increment=5, variant=variant, color="white"
    )
    assert challenge["variant"]["key"] == variant and challenge["destUser"]["id"] == "newcomer", challenge
    event = next(events)
    assert event["type"] == "gameStart" and event["game"]["gameId"] == challenge["id"], event
    assert event["game"]["color"] == "white" and event["game"]["isMyTurn"], event
    api.post_message(challenge["id"], "Hello!")
    full, state = play(api, challenge["id"], me)
    assert full["clock"] == {"initial": 600_000, "increment": 5_000} and full["speed"] == "rapid", full
    assert full["black"]["title"] == "BOT" and full["variant"]["key"] == variant, full
    ends = {"mate", "draw", "stalemate", "outoftime", "variantEnd"}
    assert state["status"] in ends and 0 < state["wtime"].total_seconds() < 10_000, state
    assert (state["status"] == "mate") <= (state.get("winner") in ("white", "black")), state
    over = next(event for event in events if event["type"] == "gameFinish")
    assert over["game"]["id"] == challenge["id"] and over["game"]["status"]["name"] == state["status"], over
    print(variant, state["status"], len(state["moves"].split()))

# Two bots by lichess's clients play each other. One of them serves in a thread.
grue, visitor = named("Grue"), named("Visitor")
assert grue.account.get()["username"] == "Grue" and grue.account.get()["title"] == "BOT"
served = []


def serve():
    for event in grue.bots.stream_incoming_events():
        served.append(event)
        if event["type"] == "challenge" and event["challenge"]["speed"] == "bullet":
            grue.bots.decline_challenge(event["challenge"]["id"])
        elif event["type"] == "challenge":
            grue.bots.accept_challenge(event["challenge"]["id"])
        elif event["type"] == "gameStart" and event["game"]["speed"] != "bullet":
            threading.Thread(target=play, args=(grue.bots, event["game"]["id"], "grue"), daemon=True).start()


threading.Thread(target=serve, daemon=True).start()
while not any(bot["name"] == "Grue" for bot in requests.get(f"{address}/api/bots").json()["bots"]):
    pass
declined = visitor.challenges.create("Grue", rated=False, clock_limit=60, clock_increment=0, variant="standard", color="black")
full, state = play(visitor.bots, declined["id"], "visitor")
assert state["status"] == "aborted" and "winner" not in state, state
accepted = visitor.challenges.create("grue", rated=False, days=2, variant="atomic", color="black")
full, state = play(visitor.bots, accepted["id"], "visitor", longest=9)
assert (full["white"]["id"], full["black"]["id"], full["daysPerTurn"]) == ("grue", "visitor", 2), full
assert state["status"] in ("resign", "variantEnd"), state
challenges = [event["challenge"] for event in served if event["type"] == "challenge"]
assert [challenge["challenger"]["name"] for challenge in challenges] == ["Visitor", "Visitor"], challenges

# An open game, a position, draws, and the levels of lichess's own engine.
mine = client.challenges.create_open(clock_limit=180, clock_increment=2, position="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", variant="fromPosition")
assert mine["status"] == "created" and mine["destUser"] is None, mine
other = client_of(new_key())
other.challenges.accept(mine["id"])
full = next(other.board.stream_game_state(mine["id"]))
assert full["variant"]["key"] == "fromPosition" and full["initialFen"].startswith("4k3/8/8"), full
white, black = (other, client) if full["white"]["id"] == "you" else (client, other)
white.board.make_move(mine["id"], "e2e4")
black.board.offer_draw(mine["id"])
state = next(white.board.stream_game_state(mine["id"]))["state"]
assert state["bdraw"] and not state["wdraw"], state
white.board.decline_draw(mine["id"])
white.board.offer_draw(mine["id"])
black.board.accept_draw(mine["id"])
assert next(white.board.stream_game_state(mine["id"]))["state"]["status"] == "draw"
level = client.challenges.create_ai(level=8, color="black", variant="antichess")
assert level["opponent"]["username"] == "deep" and level["color"] == "black", level

# Errors have lichess's shape.
game = client.challenges.create("steady", rated=False, color="white")["id"]
refused(lambda: client.board.make_move(game, "e2e5"), 400)
refused(lambda: client.board.make_move(game, "resign"), 400)
refused(lambda: client.board.handle_takeback_offer(game, True), 404)
refused(lambda: client_of(new_key()).board.resign_game(game), 401)
refused(lambda: client_of("nonsense").account.get(), 401)
refused(lambda: client.board.resign_game("nosuchgm"), 404)
refused(lambda: client.challenges.create("Zork the Grey", rated=False), 400)
refused(lambda: client.challenges.create("steady", rated=False, clock_limit=0), 400)
refused(lambda: client.challenges.create("steady", rated=False, position="nonsense"), 400)
assert "crazyhouse" in refused(lambda: client.challenges.create("steady", rated=False, variant="fogOfWar"), 400)
bearer = {"Authorization": client._r.session.headers["Authorization"]}
for body, status in [({"data": "color=green"}, 400), ({"data": "days=x"}, 400), ({"json": [1]}, 400), ({}, 200)]:
    if "data" in body:
        body["headers"] = {"Content-Type": "application/x-www-form-urlencoded"}
    body["headers"] = bearer | body.get("headers", {})
    answer = requests.post(f"{address}/api/challenge/steady", **body)
    assert answer.status_code == status, answer.text
    assert (list(answer.json()) == ["error"]) == (status >= 400), answer.text
assert list(requests.get(f"{address}/api/challenge/steady").json()) == ["error"]
# Other variants are invisible.
hidden = requests.post(f"{address}/api/games", json={"variant": "bidding", "opponent": "bot:random"}, headers=bearer).json()["id"]
refused(lambda: next(client.board.stream_game_state(hidden)), 404)
client.board.abort_game(game)
running = client.board.stream_incoming_events()
assert all(next(running)["game"]["id"] != hidden for _ in range(2))
