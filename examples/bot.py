#!/usr/bin/env python3
"""A bot for every variant that relies on the API documentation alone: it plays a random listed action.

    bot.py SERVER serve NAME [GAMES]              offers itself as an opponent until GAMES games have ended
    bot.py SERVER play VARIANT OPPONENT [GAMES]   plays against an opponent such as bot:casual or program:NAME

It needs only Python. One key holds all its seats, and one stream covers all its games.
"""

import json
import random
import re
import sys
import time
import urllib.error
import urllib.request

DEADLINE = 300  # Seconds of silence after which a stream counts as dead.
LONG = 400  # Steps after which it resigns: two random players may go on for thousands.


class Server:
    def __init__(self, address):
        self.address = address.rstrip("/")
        self.key = None
        self.key = self.ask("/api/keys", {})["key"]

    def open(self, path, body=None, **fields):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, fields)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.key:
            request.add_header("Authorization", "Bearer " + self.key)
        return urllib.request.urlopen(request, timeout=DEADLINE)

    def ask(self, path, body=None):
        """Sends a request and returns the answer. Waits and retries if the server asks for it."""
        while True:
            try:
                with self.open(path, body) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                if refused.code not in (429, 503):
                    raise
                time.sleep(int(refused.headers.get("Retry-After", 1)))

    def events(self):
        """Yields the events of all games of the key. Empty lines only keep the stream alive."""
        with self.open("/api/stream", Accept="application/x-ndjson") as stream:
            for line in stream:
                if line.strip():
                    yield json.loads(line)


def filled(action):
    """Fills every blank such as {0..40} with a number. Returns None if the action has a blank of another kind."""

    def number(blank):
        least, most = blank.group(1), blank.group(2)
        places = len(least.partition(".")[2])
        low, high = (round(float(bound) * 10**places) for bound in (least, most))
        # The lower part of the range, so that the bot does not spend everything at once.
        chosen = random.randint(min(max(low, 0), high), max(low, high // 8))
        return f"{chosen / 10**places:.{places}f}"

    text = re.sub(r"\{(-?[0-9.]+?)\.\.(-?[0-9.]+)\}", number, action)
    return None if "{" in text else text


class Bot:
    def __init__(self, server):
        self.server = server
        self.over = 0

    def answer(self, game):
        """Plays an action in a game that waits for the bot."""
        seen = self.server.ask(f"/api/games/{game['id']}")
        if game["seat"] not in seen["turn"]["awaits"]:
            return
        sayable = [text for text in map(filled, seen["actions"]) if text]
        if seen["ply"] > LONG:
            sayable = ["resign"]
        if not sayable:
            raise RuntimeError(f"no playable action in {seen['actions']}")
        said = {"ply": seen["ply"], "action": random.choice(sayable)}
        try:
            self.server.ask(f"/api/games/{game['id']}/actions", said)
        except urllib.error.HTTPError as refused:
            # 409: the game has moved on, and the stream sends its new state.
            if refused.code != 409:
                raise RuntimeError(f"{game['variant']}: {said}: {refused.read().decode()}") from None

    def follow(self, games, over=lambda game: None):
        """Plays until the given number of games have ended."""
        if self.over >= games:
            return
        for event in self.server.events():
            game = event["game"]
            if event["type"] == "end":
                self.over += 1
                print(game["variant"], game["url"], json.dumps(game["outcome"]), flush=True)
                if self.over >= games:
                    return
                over(game)
            elif game["asked"]:
                self.answer(game)


def serve(server, name, games=10**9):
    registered = server.ask("/api/bots", {"name": name, "games": 10})
    print("opponent", registered["opponent"], flush=True)
    Bot(server).follow(int(games))


def play(server, variant, opponent, games=1):
    wanted = {"variant": variant, "opponent": opponent, "seat": "random", "name": "Example"}
    begin = lambda game=None: server.ask("/api/games", wanted)
    begin()
    Bot(server).follow(int(games), over=begin)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [address, "serve", name, *games]:
            serve(Server(address), name, *games)
        case [address, "play", variant, opponent, *games]:
            play(Server(address), variant, opponent, *games)
        case _:
            sys.exit(__doc__)
