"""The truecase model's inner loops, compiled: features, training and prediction over blocks of tokens.

The model is a softmax over three ways to write a word (lower, Title, or its own special form such as USA or
McDonald), linear in hashed features of the word, its ending and its neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from redraft.kernels import kernel
from redraft.text.characters import DIGIT, LETTER, LOWER, UPPER, Codes, Flags
from redraft.text.scanner import Offsets

Weights = NDArray[np.float32]
Classes = NDArray[np.int8]
Hashes = NDArray[np.uint64]

NO_CASE, AS_LOWER, AS_TITLE, AS_SPECIAL = -1, 0, 1, 2
CLASSES = 3
FEATURES = 15

# What a word is by itself, from how it was written in the middle of sentences.
NEVER_SEEN_INSIDE, ALWAYS_LOWER, MOSTLY_LOWER, MIXED, MOSTLY_TITLE, ALWAYS_TITLE, SPECIAL, UNKNOWN_WORD = (
    range(1, 9)
)


@kernel
def classify(codes: Codes, start: int, end: int, flags: Flags) -> int:
    """How a token is written: NO_CASE, AS_LOWER, AS_TITLE (first letter only; I too) or AS_SPECIAL."""
    letters = uppers = 0
    first_is_upper = False
    for i in range(start, end):
        flag = flags[codes[i]]
        if not flag & (UPPER | LOWER):
            continue
        if flag & UPPER:
            uppers += 1
            if letters == 0:
                first_is_upper = True
        letters += 1
    if letters == 0:
        return NO_CASE
    if uppers == 0:
        return AS_LOWER
    return AS_TITLE if first_is_upper and uppers == 1 else AS_SPECIAL


@kernel
def hash_lower(codes: Codes, start: int, end: int, lower: Codes) -> np.uint64:
    """A hash of the lower-cased token."""
    value = np.uint64(14695981039346656037)
    for i in range(start, end):
        value = (value ^ np.uint64(lower[codes[i]])) * np.uint64(1099511628211)
    return value ^ (value >> np.uint64(31))


@kernel
def _describe_shape(codes: Codes, start: int, end: int, flags: Flags, lower: Codes) -> int:
    """What stands for an unknown word: its length, and whether it has hyphens, vowels, digits, periods."""
    hyphen = vowel = digit = period = 0
    for i in range(start, end):
        code = lower[codes[i]]
        if code == 0x2D:
            hyphen = 1
        elif code == 0x2E:
            period = 1
        elif flags[code] & DIGIT:
            digit = 1
        elif code > 0x7F or code in (0x61, 0x65, 0x69, 0x6F, 0x75, 0x79):  # a e i o u y
            vowel = 1
    return 1 + min(end - start, 7) + 8 * hyphen + 16 * vowel + 32 * digit + 64 * period


@kernel
def _place(value: np.uint64, kind: int, mask: np.uint64) -> np.int64:
    """The row of the weight table for a feature."""
    mixed = (value + np.uint64(kind) * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int64((mixed ^ (mixed >> np.uint64(29))) & mask)


@kernel
def describe_tokens(
    codes: Codes, starts: Offsets, ends: Offsets, line_ends: Offsets, flags: Flags, lower: Codes
) -> tuple[Classes, NDArray[np.bool_], Hashes, Hashes, Hashes]:
    """For every token: its class, whether it begins its line, hash of the word, its shape, its endings."""
    classes = np.empty(starts.size, dtype=np.int8)
    initial = np.zeros(starts.size, dtype=np.bool_)
    words = np.empty(starts.size, dtype=np.uint64)
    shapes = np.empty(starts.size, dtype=np.uint64)
    endings = np.empty((starts.size, 3), dtype=np.uint64)
    token = 0
    for line in range(line_ends.size):
        begun = False
        while token < line_ends[line]:
            start, end = starts[token], ends[token]
            classes[token] = classify(codes, start, end, flags)
            has_letter = False
            for i in range(start, end):
                has_letter |= bool(flags[codes[i]] & LETTER)
            initial[token] = has_letter and not begun
            begun = begun or has_letter
            words[token] = hash_lower(codes, start, end, lower)
            shapes[token] = _describe_shape(codes, start, end, flags, lower)
            for size in range(3):
                endings[token, size] = hash_lower(codes, max(start, end - 2 - size), end, lower)
            token += 1
    return classes, initial, words, shapes, endings


@kernel
def _fill_features(
    rows: Offsets,
    words: Hashes,
    priors: Classes,
    endings: Hashes,
    token: int,
    first: int,
    last: int,
    before: int,
    before_that: int,
    mask: np.uint64,
) -> None:
    """Write the rows of the features of one token of the line words[first:last]."""
    nothing = np.uint64(0)
    word = words[token]
    left = words[token - 1] if token > first else nothing
    left2 = words[token - 2] if token - 1 > first else nothing
    right = words[token + 1] if token + 1 < last else nothing
    right2 = words[token + 2] if token + 2 < last else nothing
    case = np.uint64(before + 1)
    rows[0] = _place(word, 1, mask)
    rows[1] = _place(left, 2, mask)
    rows[2] = _place(right, 3, mask)
    if priors[token] in (ALWAYS_LOWER, ALWAYS_TITLE, SPECIAL):  # pairs would only fill the table
        rows[3] = _place(nothing, 4, mask)
        rows[4] = _place(nothing, 5, mask)
    else:
        rows[3] = _place(word * np.uint64(3) + left, 4, mask)
        rows[4] = _place(word * np.uint64(5) + right, 5, mask)
    rows[5] = _place(left * np.uint64(7) + left2, 6, mask)
    rows[6] = _place(word * np.uint64(11) + case, 7, mask)
    rows[7] = _place(case * np.uint64(17) + np.uint64(before_that + 1), 8, mask)
    rows[8] = _place(endings[token, 0], 9, mask)
    rows[9] = _place(endings[token, 1], 10, mask)
    rows[10] = _place(endings[token, 2], 11, mask)
    rows[11] = _place(endings[token, 1] * np.uint64(13) + case, 12, mask)
    rows[12] = _place(right * np.uint64(19) + right2, 13, mask)
    prior_left = np.uint64(priors[token - 1] if token > first else 0)
    prior_right = np.uint64(priors[token + 1] if token + 1 < last else 0)
    prior_right2 = np.uint64(priors[token + 2] if token + 2 < last else 0)
    own = np.uint64(priors[token])
    around = own + np.uint64(16) * prior_right + np.uint64(256) * prior_right2
    rows[13] = _place(word * np.uint64(23) + prior_right, 14, mask)
    rows[14] = _place(around * np.uint64(37) + case + np.uint64(8) * prior_left, 15, mask)


@kernel
def _score(weights: Weights, rows: Offsets, scores: Weights) -> None:
    """Probabilities of the three classes."""
    for c in range(CLASSES):
        total = np.float32(0.0)
        for feature in range(FEATURES):
            total += weights[rows[feature], c]
        scores[c] = total
    largest = max(scores[0], scores[1], scores[2])
    norm = np.float32(0.0)
    for c in range(CLASSES):
        scores[c] = np.exp(scores[c] - largest)
        norm += scores[c]
    for c in range(CLASSES):
        scores[c] /= norm


@kernel
def train_block(
    weights: Weights,
    gradients: Weights,
    classes: Classes,
    initial: NDArray[np.bool_],
    words: Hashes,
    priors: Classes,
    endings: Hashes,
    line_ends: Offsets,
    rate: float,
) -> float:
    """One pass of AdaGrad over a block; line-initial words teach nothing. Returns the summed loss."""
    mask = np.uint64(weights.shape[0] - 1)
    rows = np.empty(FEATURES, dtype=np.int64)
    scores = np.empty(CLASSES, dtype=np.float32)
    loss = 0.0
    first = 0
    for line in range(line_ends.size):
        last = line_ends[line]
        for token in range(first, last):
            if classes[token] == NO_CASE or initial[token]:
                continue
            before = classes[token - 1] if token > first and not initial[token - 1] else NO_CASE
            before_that = classes[token - 2] if token - 1 > first and not initial[token - 2] else NO_CASE
            _fill_features(rows, words, priors, endings, token, first, last, before, before_that, mask)
            _score(weights, rows, scores)
            gold = classes[token]
            loss -= np.log(max(scores[gold], np.float32(1e-9)))
            for c in range(CLASSES):
                slope = scores[c] - np.float32(1.0 if c == gold else 0.0)
                if -0.01 < slope < 0.01:
                    continue
                for feature in range(FEATURES):
                    row = rows[feature]
                    gradients[row, c] += slope * slope
                    weights[row, c] -= (
                        np.float32(rate) * slope / np.sqrt(gradients[row, c] + np.float32(1e-6))
                    )
        first = last
    return loss


@kernel
def predict_block(
    weights: Weights,
    classes: Classes,
    initial: NDArray[np.bool_],
    fixed: NDArray[np.bool_],
    has_special: NDArray[np.bool_],
    words: Hashes,
    priors: Classes,
    endings: Hashes,
    line_ends: Offsets,
) -> Classes:
    """The best way to write each token, left to right; `classes` where they are fixed or say NO_CASE."""
    mask = np.uint64(weights.shape[0] - 1)
    rows = np.empty(FEATURES, dtype=np.int64)
    scores = np.empty(CLASSES, dtype=np.float32)
    chosen = np.full(classes.size, NO_CASE, dtype=np.int8)
    first = 0
    for line in range(line_ends.size):
        last = line_ends[line]
        for token in range(first, last):
            if classes[token] == NO_CASE or fixed[token]:
                chosen[token] = classes[token]
                continue
            before = chosen[token - 1] if token > first and not initial[token - 1] else NO_CASE
            before_that = chosen[token - 2] if token - 1 > first and not initial[token - 2] else NO_CASE
            _fill_features(rows, words, priors, endings, token, first, last, before, before_that, mask)
            _score(weights, rows, scores)
            if initial[token]:  # the first word is never lower case
                scores[AS_TITLE] += scores[AS_LOWER]
                scores[AS_LOWER] = 0.0
            if not has_special[token]:
                scores[AS_SPECIAL] = 0.0
            best = AS_LOWER
            for c in range(1, CLASSES):
                if scores[c] > scores[best]:
                    best = c
            chosen[token] = best
        first = last
    return chosen
