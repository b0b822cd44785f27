"""Proves a file of four-piece bounds with its own move generator. Needs numpy.

    python3 examples/verify_four.py 8x8.bin KRBvK.four [--sample 20000]

8x8.bin has the exact values of three pieces, which captures lead to (`examples/verify.py` proves them). Tables after promotions are read from
the folder of the .four file; each needs its own proof. All numbers are multiples of 2^-63. Let F(x) be the mean of the greatest x after White's
moves and the least x after Black's. The program checks four inequalities in every position, or in a random sample:

    low <= F(low)    alpha >= F(alpha)    beta <= F(beta)    high >= F(high)

As F is monotone, alpha then bounds the least solution of x = F(x) from above, and beta bounds the greatest from below. For low and high the
inequalities are not enough: without --sample, the program also labels every position with low > 0 from which White reaches a capture, a promotion
or low = 0 by moves that keep low on average, with a lucky coin. Then low is a lower bound of the least solution. For high, colours are reversed.
"""

import argparse, hashlib, pathlib, struct, sys
from typing import NamedTuple, Optional
import numpy as np

ONE = 1 << 63
LETTERS = "QRBNP"
LOW, ALPHA, BETA, HIGH = range(4)
BLOCK = 1 << 16
STRAIGHT, SLANTED = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
DIRECTIONS = {"K": STRAIGHT + SLANTED, "Q": STRAIGHT + SLANTED, "R": STRAIGHT, "B": SLANTED, "N": LEAPS}


def shifted(dx, dy):
    """Returns the square in a direction from each of the 64 squares, -1 beyond the edge."""
    inside = lambda x, y: y * 8 + x if 0 <= x < 8 and 0 <= y < 8 else -1
    return np.array([inside(at % 8 + dx, at // 8 + dy) for at in range(64)])


STEP = {by: shifted(*by) for by in STRAIGHT + SLANTED + LEAPS}


def image(turn, at):
    x, y = at % 8, at // 8
    x, y = (7 - x if turn & 1 else x), (7 - y if turn & 2 else y)
    return x * 8 + y if turn & 4 else y * 8 + x


IMAGES = np.array([[image(turn, at) for at in range(64)] for turn in range(8)])


class State(NamedTuple):
    """Many positions of one material. Squares are arrays."""

    white: np.ndarray
    black: np.ndarray
    men: tuple  # of (letter, whether it is White's, squares)
    stepped: Optional[bool] = None  # whether White's or Black's pawn has just made a double step

    def at(self, where):
        men = tuple((letter, color, squares[where]) for letter, color, squares in self.men)
        return State(self.white[where], self.black[where], men, self.stepped)

    def reversed(self):
        men = tuple((letter, not color, squares ^ 56) for letter, color, squares in self.men)
        return State(self.black ^ 56, self.white ^ 56, men, None if self.stepped is None else not self.stepped)


def moves(state, white):
    """Yields the indexes of positions with a move, and the state after it; None if it captures the king."""
    king, bare = (state.white, state.black) if white else (state.black, state.white)
    own = [king] + [squares for _, color, squares in state.men if color == white]
    others = [bare] + [squares for _, color, squares in state.men if color != white]
    among = lambda to, at, pieces: np.any([to == squares[at] for squares in pieces], axis=0)

    def after(at, to, mover, became=None, stepped=None, without=None):
        now = state.at(at)
        men = [(became or man[0], white, to) if index == mover else man for index, man in enumerate(now.men)]
        kings = (now.white, now.black) if mover is not None else (to, now.black) if white else (now.white, to)
        return at, State(*kings, tuple(man for index, man in enumerate(men) if index != without), stepped)

    def landed(at, to, mover, became=None):
        hit = to == bare[at]
        yield at[hit], None
        for index, (_, color, squares) in enumerate(state.men):
            at, to = at[~hit], to[~hit]
            if color != white:
                hit = to == squares[at]
                yield after(at[hit], to[hit], mover, became, without=index)
            else:
                hit = np.zeros(len(at), bool)
        yield after(at[~hit], to[~hit], mover, became)

    everywhere = np.arange(len(king))
    for mover, (letter, color, squares) in [(None, ("K", white, king)), *enumerate(state.men)]:
        if color == white and letter != "P":
            for by in DIRECTIONS[letter]:
                at, to = everywhere, squares
                while len(at):
                    to = STEP[by][to]
                    free = (to >= 0) & ~among(to, at, own)
                    at, to = at[free], to[free]
                    yield from landed(at, to, mover)
                    if letter in "KN":
                        break
                    free = ~among(to, at, others)
                    at, to = at[free], to[free]
        elif color == white:
            ahead, home, last, third = (1, 1, 7, 3) if white else (-1, 6, 0, 4)
            opposing = [(index, man[2]) for index, man in enumerate(state.men) if man[:2] == ("P", not white)]
            ends = []
            for side in (-1, 1):
                to = STEP[side, ahead][squares]
                hit = (to >= 0) & among(to, everywhere, others)
                ends.append((everywhere[hit], to[hit]))
            free = ~among(squares + 8 * ahead, everywhere, own + others)
            at, to = everywhere[free], squares[free] + 8 * ahead
            ends.append((at, to))
            for at, to in ends:
                for became in "QRBN":
                    yield from landed(at[to // 8 == last], to[to // 8 == last], mover, became)
                yield from landed(at[to // 8 != last], to[to // 8 != last], mover)
            free = squares[at] // 8 == home
            at, to = at[free], to[free] + 8 * ahead
            free = ~among(to, at, own + others)
            at, to = at[free], to[free]
            beside = np.zeros(len(at), bool)
            for _, pawn in opposing:
                beside |= (pawn[at] // 8 == third) & (abs(pawn[at] - to) == 1)
            yield after(at[~beside], to[~beside], mover)
            yield after(at[beside], to[beside], mover, stepped=white)
            if state.stepped == (not white):
                for index, pawn in opposing:
                    yield after(everywhere, pawn + 8 * ahead, mover, without=index)


class Table:
    """Columns of one file."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, *letters, together, places, wides = struct.unpack("<8sBBBBII", data[:20])
        magic == b"ZORKFOUR" and version == 1 or fail("not a version 1 table of four pieces")
        hashlib.sha256(data[:-32]).digest() == data[-32:] or fail(f"{path}: the checksum is wrong")
        self.letters, self.together = tuple(map(chr, letters)), bool(together)
        self.turns = range(2 if "P" in self.letters else 8)
        self.kings = np.array([at for at in range(64) if all(IMAGES[turn][at] >= at for turn in self.turns)])
        # For each square of White's king, a symmetry that makes it canonical, and its number.
        self.turn = np.array([next(turn for turn in self.turns if IMAGES[turn][at] in self.kings) for at in range(64)])
        self.slot = np.searchsorted(self.kings, IMAGES[self.turn, np.arange(64)])
        self.plain = len(self.kings) << 18
        places == self.plain + (len(self.kings) << 11) * (self.letters == ("P", "P") and not together) or fail("wrong length")
        low = np.frombuffer(data, "<u8", places, 32)
        span = np.frombuffer(data, "<u2", places, 32 + 8 * places)
        high = low + span
        wide = np.frombuffer(data, np.dtype("<u4,<u8,<u8,<u8"), wides, 32 + 10 * places)
        np.array_equal(wide["f0"], np.flatnonzero(span == 65535)) or fail("the wide places do not match their marks")
        high[wide["f0"]] = wide["f3"]
        self.columns = [low, high.copy(), low.copy(), high]
        self.columns[ALPHA][wide["f0"]], self.columns[BETA][wide["f0"]] = wide["f1"], wide["f2"]
        self.men = [(self.letters[0], True), (self.letters[1], self.together)]

    def state(self, place):
        """Returns the positions of places, all with or all without an en passant right, and whether each exists."""
        if place[0] < self.plain:
            men = [(*man, place >> shift & 63) for man, shift in zip(self.men, (6, 0))]
            state = State(self.kings[place >> 18], place >> 12 & 63, tuple(men))
            stands = np.ones(len(place), bool)
        else:
            number = place - self.plain
            white = bool(number[0] >> 10 < len(self.kings))
            own = (24 if white else 32) + (number >> 1 & 7)
            other = own + np.where(number & 1, 1, -1)
            stands = own // 8 == other // 8
            men = tuple((*man, squares) for man, squares in zip(self.men, (own, other) if white else (other, own)))
            state = State(self.kings[(number >> 10) % len(self.kings)], number >> 4 & 63, men, white)
            back = -8 if white else 8
            for passed in (own + back, own + 2 * back):
                stands &= (state.white != passed) & (state.black != passed)
        squares = [state.white, state.black, *(man[2] for man in state.men)]
        for one in range(4):
            for two in range(one):
                stands &= squares[one] != squares[two]
        for letter, _, at in state.men:
            if letter == "P":
                stands &= (at >= 8) & (at < 56)
        return state, stands

    def place(self, state):
        turn = self.turn[state.white]
        (_, _, first), (_, _, second) = state.men
        bare, first, second = (IMAGES[turn, squares] for squares in (state.black, first, second))
        slot = self.slot[state.white]
        if state.stepped is None:
            return slot << 18 | bare << 12 | first << 6 | second
        own, other = (first, second) if state.stepped else (second, first)
        slot = slot if state.stepped else slot + len(self.kings)
        return self.plain + (slot << 10 | bare << 4 | own % 8 << 1 | (other > own))


class Proof:
    def __init__(self, exact, path):
        self.own = Table(path)
        self.tables = {self.key(self.own): self.own}
        if "P" in self.own.letters:
            for other in path.parent.glob("K*vK*.four"):
                if other.stem.replace("P", "", 1) != other.stem and other.stem.count("P") >= path.stem.count("P"):
                    continue
                table = Table(other)
                self.tables[self.key(table)] = table
        self.three = self.read_three(exact)

    @staticmethod
    def key(table):
        return table.letters, table.together

    @staticmethod
    def read_three(path):
        """Returns the values of three pieces, rounded down and up, by letter and squares of king, bare king and piece."""
        data, at = path.read_bytes(), 52
        magic, width, height, values, classes = struct.unpack("<8sBBxxII", data[:20])
        (magic, width, height) == (b"ZORKMID1", 8, 8) or fail(f"{path}: not the exact table of the 8x8 board")
        bounds = np.empty((2, values), "u8")
        for index in range(values):
            pair = []
            for _ in range(2):
                size = int.from_bytes(data[at : at + 2], "little")
                pair.append(int.from_bytes(data[at + 2 : at + 2 + size], "little"))
                at += 2 + size
            scaled = pair[0] << 63
            bounds[:, index] = scaled // pair[1], -(-scaled // pair[1])
        rows = np.frombuffer(data, np.dtype("u1,u1,u1,u1,<u4,<u8"), classes, at)
        three = {}
        for number, letter in enumerate("NBRQP", 1):
            found = rows[rows["f0"] == number]
            three[letter] = np.zeros((2, 64, 64, 64), "u8")
            for turn in range(2 if letter == "P" else 8):
                squares = (IMAGES[turn][found[name]] for name in ("f1", "f2", "f3"))
                three[letter][(slice(None), *squares)] = bounds[:, found["f4"]]
        return three

    def bound(self, column, state):
        """Returns a column's bounds of positions, and their places in the own table if they are in it."""
        men = tuple(sorted(state.men, key=lambda man: (LETTERS.index(man[0]), not man[1])))
        state = state._replace(men=men)
        if not men[0][1]:
            return ONE - self.bound(3 - column, state.reversed())[0], None
        if len(men) == 1:
            return self.three[men[0][0]][column % 2][state.white, state.black, men[0][2]], None
        table = self.tables.get(((men[0][0], men[1][0]), men[1][1])) or fail("the table after a promotion is missing")
        place = table.place(state)
        return table.columns[column][place], place if table is self.own else None

    def reached(self, column, state, player, labels=None):
        """Returns the player's best chance after a move, the best after a move to a labelled position, whether there is one, the least chance
        after the opponent's moves, and whether all of these lead to labelled positions. Chances of Black are 1 minus the bounds."""
        size = len(state.white)
        best, sure, least = np.zeros(size, "u8"), np.zeros(size, "u8"), np.full(size, ONE, "u8")
        some, every = np.zeros(size, bool), np.ones(size, bool)
        for mover in (player, not player):
            for at, after in moves(state, mover):
                if not len(at):
                    continue
                found, place = (ONE * mover, None) if after is None else self.bound(column, after)
                chance = np.broadcast_to(np.asarray(found if player else ONE - found, "u8"), at.shape)
                labelled = True if labels is None or place is None else labels[place]
                if mover == player:
                    best[at] = np.maximum(best[at], chance)
                    sure[at] = np.maximum(sure[at], np.where(labelled, chance, 0))
                    some[at] |= labelled
                else:
                    least[at] = np.minimum(least[at], chance)
                    every[at] &= labelled
        return best, sure, some, least, every

    def blocks(self, places):
        """Yields places with their positions, block by block."""
        own = self.own
        first_black = own.plain + (len(own.kings) << 10)
        for part in np.split(places, np.searchsorted(places, [own.plain, first_black])):
            for start in range(0, len(part), BLOCK):
                place = part[start : start + BLOCK]
                state, stands = own.state(place)
                yield place[stands], state.at(stands)

    def inequalities(self, places):
        """Checks the four inequalities and returns the number of positions."""
        count = 0
        for place, state in self.blocks(places):
            low, alpha, beta, high = (column[place] for column in self.own.columns)
            np.all((low <= alpha) & (beta <= high) & (high <= ONE)) or fail("bounds out of order")
            for column in range(4):
                white, _, _, black, _ = self.reached(column, state, True)
                floor = (white >> 1) + (black >> 1) + (white & black & 1)
                ceiling = floor + ((white ^ black) & 1)
                own = self.own.columns[column][place]
                holds = own <= floor if column in (LOW, BETA) else own >= ceiling
                if not holds.all():
                    fail(f"{'low alpha beta high'.split()[column]} at place {place[~holds][0]} does not keep its inequality")
            count += len(place)
        return count

    def labelled(self, player):
        """Labels all positions for a player."""
        column = LOW if player else HIGH
        chance = self.own.columns[column] if player else ONE - self.own.columns[column]
        labels = chance == 0
        left = np.concatenate([place for place, _ in self.blocks(np.arange(len(labels)))])
        while len(left := left[~labels[left]]):
            for place, state in self.blocks(left):
                best, sure, some, least, every = self.reached(column, state, player, labels)
                most = np.where(every, best, sure)
                labels[place] = (some | every) & ((most >> 1) + (least >> 1) + (most & least & 1) >= chance[place])
            labels[left].any() or fail(f"{len(left)} positions have no label of {'White' if player else 'Black'}")


def fail(why):
    sys.exit(f"not proved: {why}")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Proves a file of four-piece bounds.")
    asked.add_argument("exact", type=pathlib.Path)
    asked.add_argument("file", type=pathlib.Path)
    asked.add_argument("--sample", type=int)
    asked = asked.parse_args()
    proof = Proof(asked.exact, asked.file)
    places = np.arange(len(proof.own.columns[LOW]))
    if asked.sample is not None:
        places = np.sort(np.random.default_rng(1).choice(places, min(asked.sample, len(places)), replace=False))
        print(f"{asked.file}: the inequalities hold in {proof.inequalities(places)} positions of the sample")
    else:
        count = proof.inequalities(places)
        proof.labelled(True)
        proof.labelled(False)
        print(f"{asked.file}: proved. The bounds of all {count} positions hold")
