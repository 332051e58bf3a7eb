"""The tokeniser's inner loop, compiled: one pass over the code points of a whole block of lines.

The conventions are those of the Moses tokeniser, without its escaping. They are local: whether a token ends
at a character depends on the character, its two neighbours, and, for a final period, on the next token.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from redraft.kernels import kernel
from redraft.text.characters import DIGIT, JOINER, LETTER, LOWER, NUMBER, SPACE, UPPER, Codes, Flags

Offsets = NDArray[np.int64]

NEWLINE, PERIOD, COMMA, APOSTROPHE, HYPHEN, BACKTICK = 10, 46, 44, 39, 45, 96
ZERO_WIDTH_JOINER = 0x200D
SMALL_S = 115
ALPHANUMERIC = LETTER | DIGIT

# How an apostrophe between letters behaves (`Language.apostrophe`).
ALONE, JOINS_NEXT, JOINS_PREVIOUS = 0, 1, 2


@kernel
def find_trigger_lines(codes: Codes) -> Offsets:
    """Start and end of every line that may hold a protected stretch, flat: start, end, start, end ..."""
    found = [np.int64(0) for _ in range(0)]
    start = 0
    triggered = False
    size = codes.size
    for i in range(size + 1):
        if i == size or codes[i] == NEWLINE:
            if triggered:
                found.append(np.int64(start))
                found.append(np.int64(i))
            start = i + 1
            triggered = False
            continue
        code = codes[i]
        triggered |= code in (60, 64, 123, 37, 38)  # < @ { % &
        if code == 58 and i + 2 < size:  # ://
            triggered |= codes[i + 1] == 47 and codes[i + 2] == 47
        elif code == 119 and i + 3 < size:  # www.
            triggered |= codes[i + 1] == 119 and codes[i + 3] == PERIOD
    return np.array(found, dtype=np.int64)


@kernel
def hash_codes(codes: Codes, start: int, end: int) -> int:
    """FNV-1a over code points, folded to 31 bits: good enough to index a table of words."""
    value = np.uint64(14695981039346656037)
    for i in range(start, end):
        value = (value ^ np.uint64(codes[i])) * np.uint64(1099511628211)
    return int(np.int64((value ^ (value >> np.uint64(29))) & np.uint64(0x7FFFFFFF)))


@kernel
def find_word(codes: Codes, start: int, end: int, words: Codes, offsets: Offsets, table: Offsets) -> int:
    """The index of codes[start:end] in a word list with its hash table, or -1."""
    mask = table.size - 1
    place = hash_codes(codes, start, end) & mask
    while table[place] >= 0:
        word = table[place]
        if offsets[word + 1] - offsets[word] == end - start:
            equal = True
            for i in range(end - start):
                if codes[start + i] != words[offsets[word] + i]:
                    equal = False
                    break
            if equal:
                return int(word)
        place = (place + 1) & mask
    return -1


@kernel
def build_table(words: Codes, offsets: Offsets) -> Offsets:
    """An open-addressing hash table over a word list, its size a power of two: word indices or -1."""
    size = 4
    while size < 3 * offsets.size:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    for word in range(offsets.size - 1):
        place = hash_codes(words, offsets[word], offsets[word + 1]) & (size - 1)
        while table[place] >= 0:
            place = (place + 1) & (size - 1)
        table[place] = word
    return table


@kernel
def _flag(codes: Codes, flags: Flags, i: int) -> int:
    """Properties of the character at i; beyond either end of the block there is white space."""
    if i < 0 or i >= codes.size:
        return SPACE
    return int(flags[codes[i]])


@kernel
def _apostrophe_breaks(codes: Codes, flags: Flags, i: int, style: int) -> tuple[bool, bool]:
    """Whether a token ends before, and whether one ends after, the apostrophe at i."""
    if style == ALONE:
        return True, True
    before = _flag(codes, flags, i - 1)
    after = _flag(codes, flags, i + 1)
    if before & LETTER and after & LETTER:
        return style == JOINS_NEXT, style == JOINS_PREVIOUS
    if style == JOINS_NEXT and before & NUMBER and after & LETTER:
        return codes[i + 1] == SMALL_S, False
    return True, True


@kernel
def _comma_joins(codes: Codes, flags: Flags, i: int) -> bool:
    """A comma between two digits is part of the number."""
    return bool(_flag(codes, flags, i - 1) & NUMBER) and bool(_flag(codes, flags, i + 1) & NUMBER)


@kernel
def _is_repeated_period(codes: Codes, i: int) -> bool:
    after = i + 1 < codes.size and codes[i + 1] == PERIOD
    return after or (i > 0 and codes[i - 1] == PERIOD)


@kernel
def _end_of_word(codes: Codes, flags: Flags, start: int, stop: int, style: int) -> int:
    """The end of the word-like token that begins at start; stop is where it must end at the latest."""
    i = start
    if codes[i] == APOSTROPHE:
        if _apostrophe_breaks(codes, flags, i, style)[1]:
            return i + 1
        i += 1
    while i < stop:
        code = codes[i]
        flag = flags[code]
        if flag & ALPHANUMERIC or flag & JOINER or code in (HYPHEN, BACKTICK):
            i += 1
        elif code == PERIOD:
            if _is_repeated_period(codes, i):
                return i
            i += 1
        elif code == COMMA:
            if not _comma_joins(codes, flags, i):
                return i
            i += 1
        elif code == APOSTROPHE:
            before, after = _apostrophe_breaks(codes, flags, i, style)
            if before:
                return i
            i += 1
            if after:
                return i
        else:
            return i
    return i


@kernel
def _end_of_symbol(codes: Codes, flags: Flags, start: int, stop: int) -> int:
    """The end of a one-character token with the marks on it; emoji that are joined stay whole."""
    i = start + 1
    while i < stop:
        is_joined = codes[i - 1] == ZERO_WIDTH_JOINER and not flags[codes[i]] & (SPACE | ALPHANUMERIC)
        if not is_joined and not flags[codes[i]] & JOINER:
            return i
        i += 1
    return i


@kernel
def _keeps_period(
    codes: Codes,
    flags: Flags,
    start: int,
    end: int,
    words: Codes,
    offsets: Offsets,
    table: Offsets,
    always: int,
    ordinals: bool,
) -> bool:
    """Whether the token codes[start:end] keeps its last period: abbreviations, initials, ordinals."""
    last = end - 1
    has_letter = False
    has_period = False
    all_digits = True
    for i in range(start, last):
        flag = flags[codes[i]]
        has_letter |= bool(flag & LETTER)
        has_period |= codes[i] == PERIOD
        all_digits &= bool(flag & DIGIT)
    if has_period and has_letter:
        return True
    if last - start == 1 and flags[codes[start]] & UPPER:
        return True
    if ordinals and all_digits and last - start <= 2:
        return True
    following = end
    while following < codes.size and codes[following] != NEWLINE and flags[codes[following]] & SPACE:
        following += 1
    next_flag = _flag(codes, flags, following)
    if next_flag & LOWER:
        return True
    word = find_word(codes, start, last, words, offsets, table)
    if word < 0:
        return False
    return word < always or bool(next_flag & DIGIT)


@kernel
def scan(
    codes: Codes,
    flags: Flags,
    protected: Offsets,
    style: int,
    words: Codes,
    offsets: Offsets,
    table: Offsets,
    always: int,
    ordinals: bool,
) -> tuple[Offsets, Offsets, Offsets]:
    """All tokens of a block: their starts, their ends, and for each line the number of tokens up to its end.

    `protected` holds disjoint stretches (start, end, start, end ...). `words` are the abbreviations, those
    before `always` in every place and the others only before a number.
    """
    size = codes.size
    starts = np.empty(size, dtype=np.int64)
    ends = np.empty(size, dtype=np.int64)
    lines = 1
    for i in range(size):
        lines += codes[i] == NEWLINE
    line_ends = np.empty(lines, dtype=np.int64)
    count = 0
    line = 0
    span = 0
    i = 0
    while i < size:
        code = codes[i]
        if code == NEWLINE:
            line_ends[line] = count
            line += 1
            i += 1
            continue
        if flags[code] & SPACE:
            i += 1
            continue
        while span < protected.size and protected[span + 1] <= i:
            span += 2
        stop = protected[span] if span < protected.size else size
        if stop == i:
            end = protected[span + 1]
        elif code == PERIOD and _is_repeated_period(codes, i):
            end = i + 1
            while end < stop and codes[end] == PERIOD:
                end += 1
        elif code == COMMA and not _comma_joins(codes, flags, i):
            end = _end_of_symbol(codes, flags, i, stop)
        elif flags[code] & (ALPHANUMERIC | JOINER) or code in (PERIOD, COMMA, APOSTROPHE, HYPHEN, BACKTICK):
            end = _end_of_word(codes, flags, i, stop, style)
            splits = end - i > 1 and codes[end - 1] == PERIOD
            if splits and not _keeps_period(codes, flags, i, end, words, offsets, table, always, ordinals):
                starts[count] = i
                ends[count] = end - 1
                count += 1
                i = end - 1
        else:
            end = _end_of_symbol(codes, flags, i, stop)
        starts[count] = i
        ends[count] = end
        count += 1
        i = end
    line_ends[line] = count
    return starts[:count].copy(), ends[:count].copy(), line_ends
