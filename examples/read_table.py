"""Converts a binary table of endgame values to CSV, following docs/tables.md.

    python3 examples/read_table.py 8x8-KRvK.bin
"""

import struct, sys

file = open(sys.argv[1], "rb")
magic, width, height, values, classes, digest = struct.unpack("<8sBBxxII32s", file.read(52))
assert magic == b"ZORKMID1", "this file is not a table"
number = lambda: int.from_bytes(file.read(*struct.unpack("<H", file.read(2))), "little")
fractions = [(number(), number()) for _ in range(values)]
print("fen,num,den,white_label,black_label,zugzwang,quiescent")
for _ in range(classes):
    material, king, bare, piece, value, white, black, flags = struct.unpack("<BBBBIHHBxxx", file.read(16))
    board = {piece: "KNBRQP"[material], king: "K", bare: "k"}
    rows = ["".join(board.get(y * 8 + x, " ") for x in range(width)) for y in reversed(range(height))]
    fen = "/".join(rows)
    for gap in range(width, 0, -1):
        fen = fen.replace(" " * gap, str(gap))
    print(fen, *fractions[value], white, black, flags & 1, flags >> 1 & 1, sep=",")
assert not file.read(), "unexpected data after the end of the table"
