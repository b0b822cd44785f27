"""Counts the gaps between alpha and beta by size, by distance from a core, and up to symmetry. Needs numpy.

    python3 examples/gaps.py 8x8.bin data/endgames > docs/observations/gaps.csv
    python3 examples/gaps.py 8x8.bin data/endgames --distances > docs/observations/distances.csv
    python3 examples/gaps.py 8x8.bin data/endgames --classes > docs/observations/classes.csv
    python3 examples/gaps.py 8x8.bin data/endgames --zugzwangs > docs/observations/zugzwangs.csv

"positions" counts places of the file. The board is turned until White's king is on one of ten squares, or 32 with pawns. With this king on the
diagonal, mirror images are two places, and two like pieces have two orders.

Size k holds the gaps between 2^-(k + 1/2) and 2^-(k - 1/2). "below" holds the gaps that the .gaps file decides but the bounds do not show.

With --distances, only gaps that the bounds show are counted. In a waiting position, a best move of White for beta and a best move of Black for
alpha lead to waiting positions, and both thresholds may stay as they are. A core consists of waiting positions. "outer" is the least number of such
moves that lead to a waiting position. For "inner", White's moves are best for alpha and Black's for beta. Where the bounds leave open which move is
best, all moves that may be best count, so both numbers may be too small.

With --classes, "classes" counts positions that differ by more than a symmetry of the board, the order of two like pieces, and the exchange of colours
where both sides have the same piece. "apart" and "classes_apart" count those with alpha < beta. "cores" counts the waiting positions among the gaps
that the bounds show, and "core_classes" their classes.

With --zugzwangs, "zugzwangs" counts the positions in which both sides lose by moving: by the bounds, White's greatest beta after a move is less than
Black's least alpha. "open" counts those in which the bounds show neither this nor that White's greatest alpha is at least Black's least beta.
"""

import argparse, collections, hashlib, pathlib
import numpy as np
from verify_four import ALPHA, BETA, HIGH, IMAGES, LOW, ONE, Proof, State, fail, moves

# Gaps in these materials come from cores of the same material.
CLOSED = ("KRBvK", "KBNvK", "KBvKN", "KNNvK", "KRvKP")
FAR = 1 << 30


def decisions(path, four):
    """Returns the decision about every place: 1 where alpha = beta, 2 where alpha < beta."""
    data = path.with_suffix(".gaps").read_bytes()
    data[:8] == b"ZORKGAPS" and data[32:64] == hashlib.sha256(four).digest() or fail(f"{path}: the decisions belong to another file")
    packed = np.frombuffer(data, "u1", len(data) - 96, 64)
    places = int.from_bytes(data[12:16], "little")
    return (packed[:, None] >> np.array([0, 2, 4, 6], "u1") & 3).ravel()[:places]


def gaps(columns):
    """Returns the least and the greatest gap by the bounds. The least is 0 where they do not show a gap."""
    low, alpha, beta, high = columns
    return np.where(beta > alpha, beta - np.minimum(alpha, beta), 0), high - low


def size(gap):
    return np.rint(63 - np.log2(gap.astype(float))).astype(int)


def sizes(name, decided, columns):
    """Prints the number of gaps of each size, and the ratio to the number before."""
    total, apart = np.count_nonzero(decided), decided == 2
    least, most = (gap[apart] for gap in gaps(columns))
    shown = least > 0
    least, most = size(least[shown]), size(most[shown])
    counts, before = collections.Counter(least[least == most].tolist()), 0
    for k in range(max(counts, default=-1) + 1):
        ratio = f"{counts[k] / before:.3f}" if before else ""
        if counts[k] or before:
            print(name, total, k, counts[k], ratio, sep=",")
        before = counts[k]
    for word, count in (("between", np.count_nonzero(least != most)), ("below", np.count_nonzero(~shown))):
        if count:
            print(name, total, word, count, "", sep=",")


def edges(proof, shown):
    """Returns the moves between positions with a gap that may be best, as two pairs of (White's, Black's): for the opponent's threshold and for
    the mover's own. Each move is a place and the place after it."""
    found = [[[], []], [[], []]]
    columns = proof.own.columns
    for place, state in proof.blocks(np.flatnonzero(shown)):
        for white in (True, False):
            after = list(reached(proof, state, white))
            for kind, (low, high) in enumerate([(BETA, HIGH), (LOW, ALPHA)] if white else [(LOW, ALPHA), (BETA, HIGH)]):
                best = np.zeros(len(place), "u8") if white else np.full(len(place), ONE, "u8")
                for at, bounds, _ in after:
                    best[at] = np.maximum(best[at], bounds[low]) if white else np.minimum(best[at], bounds[high])
                for at, bounds, to in after:
                    if to is not None:
                        may = (bounds[high] >= best[at] if white else bounds[low] <= best[at]) & shown[to]
                        found[kind][not white].append((place[at[may]], to[may]))
    return [[tuple(map(np.concatenate, zip(*part))) for part in kind] for kind in found]


def reached(proof, state, white):
    """Yields indexes, four bounds and places after the moves of one side."""
    for at, after in moves(state, white):
        if not len(at):
            continue
        if after is None:
            yield at, np.full((4, len(at)), ONE * white, "u8"), None
        else:
            _, place = proof.bound(LOW, after)
            yield at, [proof.bound(column, after)[0] for column in range(4)], place


def waiting(columns, outer, places):
    """Returns which places may be waiting positions."""
    low, alpha, beta, high = columns
    same = []
    for at, to in outer:
        may = (low[at] <= alpha[to]) & (low[to] <= alpha[at]) & (beta[at] <= high[to]) & (beta[to] <= high[at])
        same.append((at[may], to[may]))
    alive = np.ones(places, bool)
    while True:
        left = alive.copy()
        for at, to in same:
            some = np.zeros(places, bool)
            some[at[alive[to]]] = True
            left &= some
        if np.array_equal(left, alive):
            return alive
        alive = left


def distances(start, kind):
    """Returns the least number of moves to a starting place."""
    far = np.where(start, 0, FAR)
    at, to = (np.concatenate(part) for part in zip(*kind))
    step = 0
    while True:
        new = at[(far[to] == step) & (far[at] == FAR)]
        if not len(new):
            return far
        step += 1
        far[new] = step


def by_distance(name, proof):
    columns = proof.own.columns
    least, most = gaps(columns)
    shown = least > 0
    outer, inner = edges(proof, shown)
    start = waiting(columns, outer, len(shown))
    size_of = np.zeros(len(shown))
    size_of[shown] = 63 - np.log2(least[shown].astype(float))
    for word, kind in (("outer", outer), ("inner", inner)):
        far, before = distances(start, kind), 0
        for step in np.unique(far[shown]):
            there = size_of[shown & (far == step)]
            ratio = f"{len(there) / before:.3f}" if before and step < FAR else ""
            low, middle, high = np.quantile(there, [0, 0.5, 1])
            print(name, word, "none" if step == FAR else step, len(there), ratio, *(f"{k:.2f}" for k in (low, middle, high)), sep=",")
            before = len(there)


def classes(proof):
    """Returns the least place of each place's class, and -1 for places without a position."""
    own = proof.own
    least = np.full(len(own.columns[LOW]), -1)
    for place, state in proof.blocks(np.arange(len(least))):
        least[place] = place
        for turn in own.turns:
            turned = lambda squares: IMAGES[turn, squares]
            men = tuple((letter, white, turned(squares)) for letter, white, squares in state.men)
            same = [State(turned(state.white), turned(state.black), men, state.stepped)]
            if own.letters[0] == own.letters[1]:
                other = same[0] if own.together else same[0].reversed()
                same.append(other._replace(men=other.men[::-1]))
            for image in same:
                least[place] = np.minimum(least[place], own.place(image))
    return least


def by_class(name, decided, proof):
    least = classes(proof)
    first = least == np.arange(len(least))
    apart = decided == 2
    core = np.zeros(len(apart), bool)
    if np.any(apart):
        columns = proof.own.columns
        shown = gaps(columns)[0] > 0
        core = shown & waiting(columns, edges(proof, shown)[0], len(shown))
    print(name, *(np.count_nonzero(part) for part in (decided, apart, first, first & apart, core, first & core)), sep=",", flush=True)


def zugzwangs(name, proof):
    """Prints the number of positions in which both sides lose by moving."""
    counts = np.zeros(3, int)
    for place, state in proof.blocks(np.arange(len(proof.own.columns[LOW]))):
        white_low, _, _, black_low, _ = proof.reached(LOW, state, True)
        white_high, _, _, black_high, _ = proof.reached(HIGH, state, True)
        sure, excluded = white_high < black_low, white_low >= black_high
        counts += len(place), np.count_nonzero(sure), np.count_nonzero(~sure & ~excluded)
    print(name, *counts, sep=",", flush=True)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Counts gaps by size, by distance from a core, or up to symmetry, and zugzwangs.")
    asked.add_argument("exact", type=pathlib.Path)
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("--material", action="append", help="only this material; may be repeated")
    kinds = asked.add_mutually_exclusive_group()
    kinds.add_argument("--distances", action="store_true")
    kinds.add_argument("--classes", action="store_true")
    kinds.add_argument("--zugzwangs", action="store_true")
    asked = asked.parse_args()
    if asked.classes:
        print("material,positions,apart,classes,classes_apart,cores,core_classes")
    elif asked.zugzwangs:
        print("material,positions,zugzwangs,open")
    else:
        print("material,distance,moves,positions,ratio,widest,median,narrowest" if asked.distances else "material,positions,size,gaps,ratio")
    for path in sorted(asked.folder.glob("*.four")):
        if (asked.material and path.stem not in asked.material) or (asked.distances and path.stem not in CLOSED):
            continue
        decided = decisions(path, path.read_bytes())
        if asked.zugzwangs:
            zugzwangs(path.stem, Proof(asked.exact, path))
        elif asked.classes:
            by_class(path.stem, decided, Proof(asked.exact, path))
        elif np.any(decided == 2):
            proof = Proof(asked.exact, path)
            by_distance(path.stem, proof) if asked.distances else sizes(path.stem, decided, proof.own.columns)
