// Uses every part of the TypeScript client against a server.
import assert from "node:assert/strict";
const [folder, address] = process.argv.slice(2);
const { ApiError, Server } = await import(`${folder}/index.js`);

const server = new Server(address + "/");
const status = (wanted) => (error) => error instanceof ApiError && error.status === wanted && error.message === error.problem.detail;

assert((await server.variants()).some(({ key }) => key === "bidding"));
const made = await server.createGame({ variant: "chess", clock: { days: 2 }, name: "Ada" });
const black = await server.join({ code: made.invite.code, name: "Bob" });
const [white] = made.seats;
const states = server.states(made.id);
assert.equal((await states.next()).value.ply, 0);
const moves = [[white, "f2f3"], [black, "e7e5"], [white, "g2g4"], [black, "d8h4"]];
for (const [ply, [{ token }, action]] of moves.entries()) {
    assert.equal((await server.act(made.id, ply, action, token)).ply, ply + 1);
}
await assert.rejects(server.act(made.id, 0, "e2e4", white.token), status(409));
await assert.rejects(server.act(made.id, 4, "e2e4"), status(401));
await assert.rejects(server.createGame({ variant: "checkers" }), status(422));
let last;
for await (const state of states) last = state;
assert.deepEqual(last.outcome, { winner: "two", reason: "checkmate" });
assert((await server.pgn(made.id)).includes("Qh4#"));
assert.equal((await server.record(made.id, white.token)).players.one, "Ada");

const player = new Server(address);
await player.newKey();
assert.equal((await player.registerBot({ name: "Grue", variants: ["chess"] })).opponent, "program:Grue");
const held = await player.createGame({ variant: "chess", opponent: "open" });
assert.deepEqual((await server.lobby({ variant: "chess" })).open.map(({ id }) => id), [held.id]);
const joined = await server.join({ game: held.id });
const stop = new AbortController();
const events = player.events(stop.signal);
assert.equal((await events.next()).value.game.id, held.id);
await server.resign(held.id, joined.token);
for await (const { event, game } of events) {
    if (event === "end") {
        assert.equal(game.outcome.winner, "one");
        break;
    }
}
const challenger = new Server(server.address);
await challenger.newKey();
const challenge = () => challenger.createGame({ variant: "chess", opponent: "challenge:Grue", seat: "two" });
const [declined, accepted] = [await challenge(), await challenge()];
await player.declineChallenge(declined.id, "later");
assert.equal((await server.game(declined.id)).outcome.winner, null);
await player.acceptChallenge(accepted.id);
assert.equal((await player.act(accepted.id, 0, "e2e4")).ply, 1);
stop.abort();
await assert.rejects(player.events(stop.signal).next(), { name: "AbortError" });

assert.equal((await server.endgame("3k3R/8/3K4/8/8/8/8/8")).value.num, "3");
const answers = await server.endgames([...Array(150).fill("2k/3/3/K1N"), "nonsense"]);
assert.equal(answers.length, 151);
assert.equal(answers[149].value.den, "8");
assert.equal(answers[150].status, 400);
