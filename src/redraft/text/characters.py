"""What redraft knows of every Unicode character: two arrays by code point, made from a shipped table."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SPACE, LETTER, DIGIT, NUMBER, LOWER, UPPER, JOINER = (1 << bit for bit in range(7))
CODE_POINTS = 0x110000

Codes = NDArray[np.uint32]
Flags = NDArray[np.uint8]


class Characters(NamedTuple):
    """Properties of all characters: bit flags, and the simple lower-case mapping."""

    flags: Flags  # (CODE_POINTS,)
    lower: Codes  # (CODE_POINTS,)


@cache
def characters() -> Characters:
    """Read the shipped table once; it is the same on every Python, whatever Unicode that Python has."""
    table = json.loads(files("redraft.text").joinpath("characters.json").read_text("ascii"))
    flags = np.zeros(CODE_POINTS, dtype=np.uint8)
    for first, last, value in table["flags"]:
        flags[first : last + 1] = value
    lower = np.arange(CODE_POINTS, dtype=np.uint32)
    pairs = np.array(table["lower"], dtype=np.uint32)
    lower[pairs[:, 0]] = pairs[:, 1]
    return Characters(flags, lower)


def encode(text: str) -> Codes:
    """A string as its code points, lone surrogates included; index i is index i of the string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def decode(codes: Codes) -> str:
    """The string of some code points."""
    return codes.tobytes().decode("utf-32-le", "surrogatepass")
