"""Write src/redraft/text/characters.json: what redraft knows of every Unicode character, as ranges.

The table is shipped, not made at run time, so that the same text gives the same tokens on every Python.
Run with the newest Python at hand: `python scripts/make_characters.py`.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

SPACE, LETTER, DIGIT, NUMBER, LOWER, UPPER, JOINER = (1 << bit for bit in range(7))
SKIN_TONES = range(0x1F3FB, 0x1F400)  # modify the emoji before them
REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)  # pairs of them are flags: letters, so that a flag is one token


def flags_of(code: int) -> int:
    """The properties that the scanner asks about, as one small number."""
    character = chr(code)
    category = unicodedata.category(character)
    if character.isspace():
        return SPACE
    if category in ("Mn", "Mc", "Me", "Cf") or code in SKIN_TONES:
        return JOINER
    flags = 0
    if category[0] == "L" or code in REGIONAL_INDICATORS:
        flags |= LETTER
    if category == "Nd":
        flags |= DIGIT | NUMBER
    if category == "Nl":
        flags |= LETTER | NUMBER
    if category == "No":
        flags |= NUMBER
    if character.islower():
        flags |= LOWER
    if character.isupper() or character.istitle():
        flags |= UPPER
    return flags


def lower_of(code: int) -> int:
    """The simple lower-case mapping: always one character (İ becomes i, Σ becomes σ wherever it stands)."""
    lowered = chr(code).lower()
    return ord(lowered[0])


def ranges(values: list[int], default: int) -> list[list[int]]:
    """Runs of equal values as [first, last, value], without those that have the default."""
    runs: list[list[int]] = []
    for code, value in enumerate(values):
        if value == default:
            continue
        if runs and runs[-1][1] == code - 1 and runs[-1][2] == value:
            runs[-1][1] = code
        else:
            runs.append([code, code, value])
    return runs


def main() -> None:
    codes = range(sys.maxunicode + 1)
    table = {
        "unicode": unicodedata.unidata_version,
        "flags": ranges([flags_of(code) for code in codes], 0),
        "lower": [[code, lower_of(code)] for code in codes if lower_of(code) != code],
    }
    rows = [f' "{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in table.items()]
    path = Path(__file__).parents[1] / "src/redraft/text/characters.json"
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
