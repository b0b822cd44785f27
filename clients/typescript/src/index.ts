// Client for Zorkmid, a server for chess variants with stakes. It needs only fetch, so it runs in browsers and in Node.
import type { components } from "./schema.js";

type Schemas = components["schemas"];
export type Game = Schemas["GameAnswer"];
export type NewGame = Schemas["NewGame"];
export type CreatedGame = Schemas["NewGameAnswer"];
export type TakenSeat = Schemas["TakenSeat"];
export type Variant = Schemas["VariantAnswer"];
export type Lobby = Schemas["LobbyAnswer"];
export type GameRecord = Schemas["GameRecord"];
export type Endgame = Schemas["ChipsAnswer"];
export type Problem = Schemas["Problem"];
/** A challenge to a key, or a change in a game of it. */
export type KeyEvent =
    | { event: "challenge"; game: Schemas["OpenGame"] }
    | { event: "game" | "joined" | "turn" | "offer" | "end"; game: Schemas["OwnGame"] };

/** Most positions in one request. */
const BATCH = 100;
/** Attempts when the server is busy or asks for a pause. */
const TRIES = 5;
/** Statuses of errors that pass. */
const PAUSES = [429, 503];

/** An error of the server, with its HTTP status and its problem document. */
export class ApiError extends Error {
    constructor(readonly status: number, readonly problem: Partial<Problem>) {
        super(problem.detail ?? problem.title ?? `status ${status}`);
    }
}

type Request = { body?: unknown; token?: string; accept?: string; signal?: AbortSignal };

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** A server, used with a key or without one. A key holds all seats that the client takes. */
export class Server {
    constructor(readonly address = "http://127.0.0.1:8080", public key?: string) {}

    /** Creates a key and uses it from now on. */
    async newKey(): Promise<string> {
        const { key } = await this.json<Schemas["NewKey"]>("/api/keys", { body: {} });
        this.key = key;
        return key;
    }

    /** All variants with their options. */
    async variants(): Promise<Variant[]> {
        return (await this.json<Schemas["VariantsAnswer"]>("/api/variants")).variants;
    }

    /** Creates a game. */
    createGame(game: NewGame): Promise<CreatedGame> {
        return this.json("/api/games", { body: game });
    }

    /** Takes the free seat of a game, by the code of an invitation or by the id of an open game. */
    join(seat: Schemas["SeatToTake"]): Promise<TakenSeat> {
        return this.json("/api/seats", { body: seat });
    }

    /** A game as the seat of the token or key sees it, otherwise as spectators do. */
    game(id: string, token?: string): Promise<Game> {
        return this.json(gamePath(id), { token });
    }

    /** Submits an action for a ply and returns the game after it. The status of the error is 409 if the game is at another ply. */
    act(id: string, ply: number, action: string, token?: string): Promise<Game> {
        return this.json(gamePath(id, "/actions"), { body: { ply, action }, token });
    }

    /** Resigns a game. */
    async resign(id: string, token?: string): Promise<Game> {
        return this.act(id, (await this.game(id, token)).ply, "resign", token);
    }

    /** Open games, a page at a time, and running games. */
    lobby(query: { variant?: string; after?: string } = {}): Promise<Lobby> {
        return this.json(`/api/games?${new URLSearchParams(query)}`);
    }

    /** Registers the bot of the key, which players can choose while `events` is read. */
    registerBot(bot: Schemas["NewBot"]): Promise<Schemas["BotAnswer"]> {
        return this.json("/api/bots", { body: bot });
    }

    /** Accepts a challenge to the key, which then holds the seat. */
    async acceptChallenge(id: string): Promise<void> {
        await this.send(`/api/challenges/${encodeURIComponent(id)}/accept`, { body: {} });
    }

    /** Declines a challenge to the key. The challenger sees the reason. */
    async declineChallenge(id: string, reason = "generic"): Promise<void> {
        await this.send(`/api/challenges/${encodeURIComponent(id)}/decline`, { body: { reason } });
    }

    /** The record of a game, without anything that is still hidden from the seat. */
    record(id: string, token?: string): Promise<GameRecord> {
        return this.json(gamePath(id, "/record.json"), { token });
    }

    /** The record of a game in PGN. */
    async pgn(id: string, token?: string): Promise<string> {
        return (await this.send(gamePath(id, "/record.pgn"), { token, accept: "application/x-chess-pgn" })).text();
    }

    /** Value of an endgame at auction, with the bid and all moves. */
    endgame(fen: string): Promise<Endgame> {
        return this.json(`/api/richman?${new URLSearchParams({ fen })}`);
    }

    /** Values of any number of endgames, in order, with a problem document for each invalid FEN. */
    async endgames(fens: string[]): Promise<(Endgame | Problem)[]> {
        const results: (Endgame | Problem)[] = [];
        for (let start = 0; start < fens.length; start += BATCH) {
            const body = { fens: fens.slice(start, start + BATCH) };
            results.push(...(await this.json<Schemas["Outcomes"]>("/api/richman", { body })).results);
        }
        return results;
    }

    /** The events in all games of the key, first one for each running game. Connects again when the connection is lost. */
    events(signal?: AbortSignal): AsyncGenerator<KeyEvent> {
        return this.follow("/api/stream", { signal });
    }

    /** The game now and after every change, until it is over. Connects again when the connection is lost. */
    async *states(id: string, token?: string, signal?: AbortSignal): AsyncGenerator<Game> {
        let version = -1;
        for await (const game of this.follow<Game>(gamePath(id, "/events?whole=true"), { token, signal })) {
            // A new connection begins with the current game. A missed version has no view.
            if (!game.view || game.version <= version) continue;
            version = game.version;
            yield game;
            if (game.outcome) return;
        }
    }

    private async *follow<T>(path: string, request: Request): AsyncGenerator<T> {
        for (;;) {
            let reader: ReadableStreamDefaultReader<string> | undefined;
            try {
                const { body } = await this.send(path, { ...request, accept: "application/x-ndjson" });
                reader = body!.pipeThrough(new TextDecoderStream()).getReader();
                let text = "";
                for (;;) {
                    const { done, value } = await reader.read();
                    if (done) break;
                    const lines = (text + value).split("\n");
                    text = lines.pop()!;
                    // Empty lines keep the connection open.
                    for (const line of lines.filter(Boolean)) yield JSON.parse(line) as T;
                }
            } catch (error) {
                // fetch throws a TypeError when the connection is lost.
                const passes = error instanceof ApiError ? PAUSES.includes(error.status) : error instanceof TypeError;
                if (request.signal?.aborted || !passes) throw error;
            } finally {
                await reader?.cancel().catch(() => {});
            }
            await pause(1);
        }
    }

    private async json<T>(path: string, request: Request = {}): Promise<T> {
        return (await this.send(path, request)).json();
    }

    /** Sends a request, again after a pause if the server asks for one. A repeated request counts once. */
    private async send(path: string, { body, token = this.key, accept = "application/json", signal }: Request): Promise<Response> {
        const headers: Record<string, string> = { accept };
        if (token) headers.authorization = `Bearer ${token}`;
        if (body !== undefined) {
            headers["content-type"] = "application/json";
            headers["idempotency-key"] = crypto.randomUUID();
        }
        const init = { method: body === undefined ? "GET" : "POST", body: JSON.stringify(body), headers, signal };
        for (let attempt = 1; ; attempt++) {
            const response = await fetch(this.address.replace(/\/$/, "") + path, init);
            if (response.ok) return response;
            if (!PAUSES.includes(response.status) || attempt === TRIES) {
                throw new ApiError(response.status, await response.json().catch(() => ({})));
            }
            await pause(Number(response.headers.get("retry-after") ?? 1));
        }
    }
}

function gamePath(id: string, rest = ""): string {
    return `/api/games/${encodeURIComponent(id)}${rest}`;
}
