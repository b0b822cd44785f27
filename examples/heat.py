"""Draws the gap between alpha and beta for a four-piece position, with one piece moved to every other square. A server computes the values.

    python3 examples/heat.py http://127.0.0.1:8080 8/6B1/8/8/4k3/2R5/8/K7 k B > docs/pictures/four.svg

There is one board for each named piece. Numbers are beta - alpha in percent of the money. A frame marks the position itself.
"""

import json
import sys
import urllib.request

SIDE = 44
SIGNS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))


def stands(fen):
    """Returns the pieces by square, such as e4."""
    found = {}
    for rank, row in zip("87654321", fen.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found["abcdefgh"[file] + rank] = letter
                file += 1
    return found


def board(server, fen, piece, left):
    """Returns one board as SVG, with the largest gap as its title."""
    with urllib.request.urlopen(f"{server}/api/richman/heat?fen={fen}&piece={piece}") as answer:
        squares = json.load(answer)["squares"]
    gaps = {one["square"]: float(one["gap"]["lo"]) for one in squares if one["gap"]}
    most, here, lines = max(gaps.values()), stands(fen), []
    for one in squares:
        name = one["square"]
        x, y = left + "abcdefgh".index(name[0]) * SIDE, (8 - int(name[1])) * SIDE
        share = gaps.get(name, 0) / most if most else 0
        # A larger gap is darker.
        shade = "#%02x%02x%02x" % tuple(round(a + (b - a) * share) for a, b in zip((244, 239, 226), (178, 84, 36)))
        frame = ' stroke="#000" stroke-width="3"' if here.get(name) == piece else ' stroke="#999"'
        lines.append(f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 2}" fill="{shade}"{frame}/>')
        said, size = ("%.2f" % (100 * gaps[name]) if gaps.get(name, 0) >= 5e-5 else "", 12)
        if name in here and here[name] != piece:
            said, size = SIGNS[here[name]], 30
        colour = "#fff" if share > 0.6 else "#000"
        middle = f'x="{x + SIDE / 2}" y="{y + SIDE / 2 + size * 0.36:.1f}"'
        lines.append(f'<text {middle} font-size="{size}" text-anchor="middle" fill="{colour}">{said}</text>')
    title = f"{SIGNS[piece]} on every square: at most {100 * most:.3f} percent"
    lines.append(f'<text x="{left + 4 * SIDE}" y="{8 * SIDE + 22}" font-size="14" text-anchor="middle">{title}</text>')
    return "\n".join(lines)


if __name__ == "__main__":
    server, fen, pieces = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3:]
    width, height = len(pieces) * 9 * SIDE - SIDE, 8 * SIDE + 32
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4} {height}" font-family="sans-serif">')
    print(f'<rect x="-2" y="-2" width="{width + 4}" height="{height}" fill="#fff"/>')
    for at, piece in enumerate(pieces):
        print(board(server, fen, piece, at * 9 * SIDE))
    print("</svg>")
