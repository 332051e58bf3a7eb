"""Normalisation on the way to ids, compiled: lower case, one symbol for numbers, one id for each word type.

A number is an optional sign, digits with single separators between them (1.234,5  12:30  2008-12-31  3/4),
and an optional tail: a period (German ordinals), a per cent or per mille sign, or st, nd, rd, th.
Anything with other letters is a word (1990s, 4x4, B2B), and so are names of months and spelled-out numbers.
Invisible characters that only guide line breaks (soft hyphen, zero-width space) do not count.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from redraft.kernels import kernel
from redraft.text.characters import DIGIT, LETTER, NUMBER, Codes, Flags
from redraft.text.scanner import Offsets

Hashes = NDArray[np.uint64]
LocalIds = NDArray[np.int32]

NUMBER_ID = -1  # what `intern` gives for every number

SIGNS = (0x2B, 0x2D, 0xB1, 0x2212, 0x2013)  # + - ± − –
SEPARATORS = (0x2E, 0x2C, 0x3A, 0x2F, 0x27, 0x2019, 0x2D, 0x2013)  # . , : / ' ’ - –
TAILS = (0x2E, 0x25, 0x2030)  # . % ‰
INVISIBLE = (0xAD, 0x200B, 0x2060, 0xFEFF)


@kernel
def _is_ordinal_suffix(codes: Codes, i: int) -> bool:
    """st, nd, rd or th, in any case."""
    first = codes[i] | np.uint32(0x20)
    second = codes[i + 1] | np.uint32(0x20)
    if second == 0x74:  # t
        return bool(first == 0x73)  # s
    if second == 0x64:  # d
        return bool(first == 0x6E or first == 0x72)  # n r
    return bool(first == 0x74 and second == 0x68)  # th


@kernel
def is_number(codes: Codes, start: int, end: int, flags: Flags) -> bool:
    """Whether the token codes[start:end] is a number, as the head of this file defines it."""
    i = start
    if i < end and codes[i] in SIGNS:
        i += 1
    if i < end and (codes[i] == 0x2E or codes[i] == 0x2C):
        i += 1
    if i == end or not flags[codes[i]] & NUMBER:
        return False
    while i < end:
        if flags[codes[i]] & NUMBER:
            i += 1
        elif i + 1 < end and codes[i] in SEPARATORS and flags[codes[i + 1]] & NUMBER:
            i += 2
        else:
            break
    if i + 2 == end and _is_ordinal_suffix(codes, i):
        return True
    if i < end and codes[i] in TAILS:
        i += 1
    return i == end


@kernel
def lower_token(codes: Codes, start: int, end: int, lower: Codes, target: Codes, place: int) -> int:
    """Write the lower-cased token, without invisible characters, to target[place:]; return where it ends."""
    write = place
    for i in range(start, end):
        if codes[i] in INVISIBLE:
            continue
        target[write] = lower[codes[i]]
        write += 1
    if write == place:  # nothing but invisible characters: keep them, so that no word is empty
        for i in range(start, end):
            target[write] = codes[i]
            write += 1
    return write


@kernel
def intern(
    codes: Codes, starts: Offsets, ends: Offsets, flags: Flags, lower: Codes
) -> tuple[LocalIds, Codes, Offsets]:
    """Number the tokens by normalised type, types in the order they come up; numbers get NUMBER_ID.

    Returns the numbers, and the types as one array of code points with offsets.
    """
    count = starts.size
    ids = np.empty(count, dtype=np.int32)
    size = 1024
    while size < 2 * count:
        size *= 2
    table = np.full(size, -1, dtype=np.int32)
    buffer = np.empty(codes.size + 1, dtype=np.uint32)
    offsets = np.zeros(count + 1, dtype=np.int64)
    types = 0
    for token in range(count):
        if is_number(codes, starts[token], ends[token], flags):
            ids[token] = NUMBER_ID
            continue
        begin = offsets[types]
        finish = lower_token(codes, starts[token], ends[token], lower, buffer, begin)
        value = np.uint64(14695981039346656037)
        for i in range(begin, finish):
            value = (value ^ np.uint64(buffer[i])) * np.uint64(1099511628211)
        place = np.int64((value ^ (value >> np.uint64(32))) & np.uint64(size - 1))
        found = -1
        while table[place] >= 0:
            candidate = table[place]
            first = offsets[candidate]
            if offsets[candidate + 1] - first == finish - begin:
                equal = True
                for i in range(finish - begin):
                    if buffer[first + i] != buffer[begin + i]:
                        equal = False
                        break
                if equal:
                    found = candidate
                    break
            place = (place + 1) & (size - 1)
        if found < 0:
            found = types
            table[place] = types
            types += 1
            offsets[types] = finish
        ids[token] = found
    return ids, buffer[: offsets[types]].copy(), offsets[: types + 1].copy()


@kernel
def _mix(value: np.uint64) -> np.uint64:
    """Spread the bits of a hash (the finaliser of SplitMix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def hash_lines(
    codes: Codes, starts: Offsets, ends: Offsets, line_ends: Offsets, flags: Flags, lower: Codes
) -> tuple[Hashes, Hashes]:
    """Two hashes a line: of its tokens as they stand, and of its letters and digits alone without case.

    Lines that differ only in blanks agree in the first; in blanks, case and punctuation, in the second.
    """
    exact = np.empty(line_ends.size, dtype=np.uint64)
    loose = np.empty(line_ends.size, dtype=np.uint64)
    prime = np.uint64(1099511628211)
    token = 0
    for line in range(line_ends.size):
        tight = np.uint64(14695981039346656037)
        content = np.uint64(14695981039346656037)
        has_content = False
        while token < line_ends[line]:
            for i in range(starts[token], ends[token]):
                tight = (tight ^ np.uint64(codes[i])) * prime
                if flags[codes[i]] & (LETTER | DIGIT | NUMBER):
                    content = (content ^ np.uint64(lower[codes[i]])) * prime
                    has_content = True
            tight = (tight ^ np.uint64(0x20)) * prime
            token += 1
        exact[line] = _mix(tight)
        loose[line] = _mix(content) if has_content else exact[line]
    return exact, loose
