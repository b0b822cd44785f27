"""Client for Zorkmid, a server for chess variants with stakes. It needs only the standard library.

    from zorkmid import Server

    server = Server("http://127.0.0.1:8080")
    game = server.create_game("chess", opponent="bot:casual")
    state = game.act("e2e4")

The dictionaries have the fields of the API, which every server documents under /docs.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "ApiError", "Days", "EndgameAnswer", "Event", "Fischer", "Game", "GameState", "Lobby", "OpenGame", "Outcome", "OwnGame", "Seat",
    "Server", "Turn", "Variant",
]

Seat = Literal["one", "two"]

BATCH = 100  # Most positions in one request.
RECORDS = 100  # Most game records in one request.
TRIES = 5  # Attempts when the server is busy or asks for a pause.
UNAVAILABLE = (0, 429, 503)  # Statuses of errors that pass.


class Days(TypedDict):
    """A time limit for each move, in milliseconds."""

    move_ms: int


class Fischer(TypedDict):
    """A clock, in milliseconds."""

    initial_ms: int
    increment_ms: int


class Outcome(TypedDict):
    """Result of a game; `winner` is None for a draw."""

    winner: Seat | None
    reason: str


class Turn(TypedDict):
    """Seats that must act, and the kind of action."""

    awaits: list[Seat]
    phase: str


class GameState(TypedDict):
    """A game as a seat or a spectator sees it."""

    id: str
    variant: str
    options: dict[str, Any]
    seat: Seat | None
    ply: int
    version: int
    turn: Turn
    clocks: dict[str, Any] | None
    offers: dict[str, Any]
    outcome: Outcome | None
    score: dict[Seat, str]
    players: dict[Seat, dict[str, Any]]
    actions: NotRequired[list[str]]
    view: dict[str, Any]


class OwnGame(TypedDict):
    """A game of a key; `asked` is true if the key's seat must act."""

    id: str
    url: str
    variant: str
    seat: Seat
    opponent: str
    ply: int
    version: int
    asked: bool
    phase: str
    outcome: Outcome | None


class Event(TypedDict):
    """A change in a game of a key. In a `challenge`, the seat is the free one."""

    type: Literal["challenge", "game", "joined", "turn", "offer", "end"]
    game: OwnGame


class OpenGame(TypedDict):
    """A game that waits for an opponent."""

    id: str
    url: str
    variant: str
    options: dict[str, Any]
    clock: list[Any]
    seat: Seat
    host: str
    created: int


class Lobby(TypedDict):
    """Open games and running games."""

    open: list[OpenGame]
    next: str | None
    running: list[dict[str, Any]]


class Variant(TypedDict):
    """A variant with its options."""

    key: str
    title: str
    summary: str
    uci: str | None
    options: list[dict[str, Any]]
    presets: list[dict[str, Any]]
    phrases: list[dict[str, Any]]


EndgameAnswer = dict[str, Any]


class ApiError(Exception):
    """An error of the server. `problem` is its problem document; `status` is 0 if the server cannot be reached."""

    def __init__(self, status: int, problem: dict[str, Any]):
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        self.problem = problem


class Server:
    """A server, used with a key or without one.

    A key holds all seats that the client takes, and can be stored for later. `new_key` creates one.
    """

    def __init__(self, address: str = "http://127.0.0.1:8080", key: str | None = None, timeout: float = 60):
        self.address = address.rstrip("/")
        self.key = key
        self.timeout = timeout

    def new_key(self) -> str:
        """Creates a key and uses it from now on."""
        self.key = self._json("/api/keys", {})["key"]
        return self.key

    def variants(self) -> list[Variant]:
        """All variants with their options."""
        return self._json("/api/variants")["variants"]

    def create_game(
        self,
        variant: str,
        *,
        opponent: str = "link",
        options: dict[str, Any] | None = None,
        seat: Literal["one", "two", "random"] = "one",
        clock: Days | Fischer | list[Days | Fischer | None] | None = None,
        name: str | None = None,
    ) -> Game:
        """Creates a game. The opponent is `link`, `open`, `bot:NAME` or `program:NAME`; `invitation` of the result is for a friend."""
        body = {"variant": variant, "opponent": opponent, "options": options or {}, "seat": seat, "clock": clock, "name": name}
        made = self._json("/api/games", body, idempotent=True)
        own, invite = made["seats"][0], made["invite"]
        return Game(self, made["id"], own["seat"], own["token"], made["url"], invite and invite["code"])

    def join(self, *, invitation: str | None = None, game: str | None = None, name: str | None = None) -> Game:
        """Takes the free seat of a game, by the code of an invitation or by the id of an open game."""
        body = {"code": invitation, "game": game, "name": name}
        taken = self._json("/api/seats", body, idempotent=True)
        return Game(self, taken["id"], taken["seat"], taken["token"], f"{self.address}/games/{taken['id']}")

    def game(self, id: str, seat: Seat | None = None, token: str | None = None) -> Game:
        """A known game. Without a token, the key proves the seat; without a key, the client is a spectator."""
        return Game(self, id, seat, token or self.key, f"{self.address}/games/{id}")

    def lobby(self, variant: str | None = None, after: str | None = None) -> Lobby:
        """Open games, a page at a time, and running games."""
        query = {name: value for name, value in [("variant", variant), ("after", after)] if value}
        return self._json("/api/games?" + urllib.parse.urlencode(query))

    def register_bot(self, name: str, variants: Iterable[str] = (), games: int = 4) -> str:
        """Registers the bot of the key, which players can choose while `events` is read. Returns its name as an opponent."""
        return self._json("/api/bots", {"name": name, "variants": list(variants), "games": games})["opponent"]

    def accept_challenge(self, id: str) -> Game:
        """Accepts a challenge to the key, which then holds the seat."""
        return self.game(id, self._json(f"/api/challenges/{id}/accept", {})["seat"])

    def decline_challenge(self, id: str, reason: str = "generic") -> None:
        """Declines a challenge to the key. The challenger sees the reason."""
        self._open(f"/api/challenges/{id}/decline", {"reason": reason}).close()

    def events(self) -> Iterator[Event]:
        """Yields the events in all games of the key, first one for each running game. Connects again when the connection is lost."""
        return self._follow("/api/stream", self.key)

    def records(self, ids: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Yields the public records of games. A game that does not exist has an `error`."""
        wanted = list(ids)
        for start in range(0, len(wanted), RECORDS):
            query = urllib.parse.urlencode({"ids": ",".join(wanted[start : start + RECORDS])})
            with self._open("/api/records?" + query, accept="application/x-ndjson") as lines:
                yield from map(json.loads, lines)

    def endgame(self, fen: str, **parameters: str | int) -> EndgameAnswer:
        """Value of an endgame at auction, with the bid and all moves."""
        return self._json("/api/richman?" + urllib.parse.urlencode({"fen": fen, **parameters}))

    def endgames(self, fens: Iterable[str]) -> Iterator[EndgameAnswer]:
        """Yields the values of any number of endgames, in order. An invalid FEN yields a problem document, which has a `status`."""
        wanted = list(fens)
        for start in range(0, len(wanted), BATCH):
            yield from self._json("/api/richman", {"fens": wanted[start : start + BATCH]})["results"]

    def _open(
        self, path: str, body: Any = None, *, token: str | None = None, accept: str = "application/json", idempotent: bool = False
    ) -> http.client.HTTPResponse:
        """Sends a request, again after a pause if the server asks for one or an idempotent request got no answer."""
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if token or self.key:
            headers["Authorization"] = f"Bearer {token or self.key}"
        if idempotent:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, TRIES + 1):
            request = urllib.request.Request(self.address + path, data, headers)
            try:
                return urllib.request.urlopen(request, timeout=self.timeout)
            except urllib.error.HTTPError as refused:
                problem = _problem(refused)
                if refused.code not in (429, 503) or attempt == TRIES:
                    raise ApiError(refused.code, problem) from None
                time.sleep(int(refused.headers.get("Retry-After", 1)))
            except (OSError, http.client.HTTPException) as lost:
                if attempt == TRIES or not (data is None or idempotent):
                    raise ApiError(0, {"detail": f"{self.address} cannot be reached: {lost}"}) from lost
                time.sleep(attempt)
        raise AssertionError("the last attempt returns or raises")

    def _json(self, path: str, body: Any = None, *, token: str | None = None, idempotent: bool = False) -> Any:
        with self._open(path, body, token=token, idempotent=idempotent) as answer:
            return json.load(answer)

    def _follow(self, path: str, token: str | None) -> Iterator[Any]:
        """Yields the lines of a stream without end. Empty lines keep the connection open."""
        while True:
            try:
                with self._open(path, token=token, accept="application/x-ndjson") as lines:
                    yield from (json.loads(line) for line in lines if line.strip())
            except ApiError as error:
                if error.status not in UNAVAILABLE:
                    raise
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(1)


def _problem(refused: urllib.error.HTTPError) -> dict[str, Any]:
    """The problem document of an error. A proxy may answer with something else."""
    try:
        problem = json.load(refused)
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"title": refused.reason, "status": refused.code}


@dataclass(frozen=True)
class Game:
    """A seat at a game, or a spectator's place."""

    server: Server
    id: str
    seat: Seat | None
    token: str | None
    url: str
    invitation: str | None = None

    def state(self) -> GameState:
        """The game now."""
        return self.server._json(self._path(), token=self.token)

    def act(self, action: str, ply: int | None = None) -> GameState:
        """Submits an action and returns the game after it. Without a ply, the action is for the current state.

        Raises `ApiError` with status 409 if the game is at another ply, and 422 if the rules refuse the action.
        """
        if ply is None:
            ply = self.state()["ply"]
        return self.server._json(self._path("/actions"), {"ply": ply, "action": action}, token=self.token, idempotent=True)

    def resign(self) -> GameState:
        """Resigns the game."""
        return self.act("resign")

    def states(self) -> Iterator[GameState]:
        """Yields the game now and after every change, until it is over. Connects again when the connection is lost."""
        version = -1
        for state in self.server._follow(self._path("/events?whole=true"), self.token):
            # A new connection begins with the current state. A missed version has no state.
            if "view" not in state or state["version"] <= version:
                continue
            version = state["version"]
            yield state
            if state["outcome"]:
                return

    def record(self) -> dict[str, Any]:
        """The game record, without anything that is still hidden from the seat."""
        return self.server._json(self._path("/record.json"), token=self.token)

    def pgn(self) -> str:
        """The game record in PGN."""
        with self.server._open(self._path("/record.pgn"), token=self.token, accept="application/x-chess-pgn") as answer:
            return answer.read().decode()

    def _path(self, rest: str = "") -> str:
        return f"/api/games/{urllib.parse.quote(self.id, safe='')}{rest}"
