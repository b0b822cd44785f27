// Perft with Fairy-Stockfish as a Node module. Each input line holds a position and a depth, FEN;DEPTH; the output line is the count.
//
//     NODE_PATH=FOLDER/node_modules node counter.js NAME DESCRIPTION CHESS960
//
// Variants that are not built in need a configuration. The module is npm's ffish: npm install --prefix FOLDER ffish@0.7.10

const { createInterface } = require("node:readline");

// With fetch present, the module believes that it runs in a page.
delete globalThis.fetch;
const ffish = require("ffish");
const [name, description, chess960] = process.argv.slice(2);

ffish.onRuntimeInitialized = () => {
    ffish.loadVariantConfig(description);
    const game = new ffish.Board(name, ffish.startingFen(name), chess960 === "true");
    const count = name === "duck" ? merged : plain;
    createInterface({ input: process.stdin }).on("line", (line) => {
        const [fen, depth] = line.split(";");
        game.setFen(fen);
        console.log(count(game, Number(depth)));
    });
};

/** The legal moves. */
function moves(game) {
    return game.legalMoves().split(" ").filter(Boolean);
}

/** Counts one line after another. */
function plain(game, depth) {
    if (depth === 1) {
        return game.numberLegalMoves();
    }
    let lines = 0;
    for (const move of moves(game)) {
        game.push(move);
        lines += plain(game, depth - 1);
        game.pop();
    }
    return lines;
}

/**
 * Counts the lines of duck chess ply by ply, for they are too many: what two lines led to is counted once. Each board without its duck has
 * the number of lines that led to it with the duck on each square, or on none.
 */
function merged(game, depth) {
    let boards = new Map();
    const [first, duck] = parted(game.fen());
    weights(boards, first)[duck] = 1;
    for (let ply = 1; ply < depth; ply += 1) {
        const next = new Map();
        for (const [board, ducks] of boards) {
            // The position after the move, without the old duck and before the new one.
            const after = new Map();
            ducks.forEach((lines, square) => {
                if (lines === 0) {
                    return;
                }
                game.setFen(placed(board, square));
                for (const move of moves(game)) {
                    const unit = move.slice(0, move.indexOf(","));
                    if (!after.has(unit)) {
                        game.push(move);
                        after.set(unit, weights(next, parted(game.fen())[0]));
                        game.pop();
                    }
                    after.get(unit)[index(move.slice(-2))] += lines;
                }
            });
        }
        boards = next;
    }
    let all = 0;
    for (const [board, ducks] of boards) {
        ducks.forEach((lines, square) => {
            if (lines > 0) {
                game.setFen(placed(board, square));
                all += lines * game.numberLegalMoves();
            }
        });
    }
    return all;
}

const NOWHERE = 64;

/** The numbers of lines to a board by the duck's square. */
function weights(boards, board) {
    if (!boards.has(board)) {
        boards.set(board, new Float64Array(NOWHERE + 1));
    }
    return boards.get(board);
}

/** The place of a square in a FEN. */
function index(square) {
    return (8 - Number(square[1])) * 8 + "abcdefgh".indexOf(square[0]);
}

/** The squares of a FEN with its further fields but the clocks, and the place of the duck. */
function parted(fen) {
    const [ranks, ...fields] = fen.split(" ");
    const squares = ranks.replaceAll("/", "").replace(/\d/g, (empty) => "1".repeat(Number(empty)));
    const duck = squares.indexOf("*");
    return [[squares.replace("*", "1"), ...fields.slice(0, 3)].join(" "), duck < 0 ? NOWHERE : duck];
}

/** The FEN of such squares and fields with the duck in its place. */
function placed(board, duck) {
    const squares = duck === NOWHERE ? board.slice(0, 64) : `${board.slice(0, duck)}*${board.slice(duck + 1, 64)}`;
    const ranks = squares.match(/.{8}/g).join("/").replace(/1+/g, (empty) => String(empty.length));
    return `${ranks}${board.slice(64)} 0 1`;
}
