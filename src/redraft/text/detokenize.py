"""Tokens to text: where blanks stand. The rules are the language's `Spacing`; this file applies them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from redraft.text.languages import Language
from redraft.text.languages.language import Spacing

Role = Literal["open", "close", "inside"]  # what a quotation mark or an apostrophe does

_APOSTROPHES = ("'", "’")
_ELIDED = frozenset(
    ("c", "d", "j", "l", "m", "n", "qu", "s", "t")
)  # as in l'eau; names bring them everywhere
_AFTER_ELISION = frozenset("aàâeéèêhiîoôuy")
_ENDS_PHRASE = frozenset((".", ",", ";", ":", "!", "?", "…", "..."))


def detokenize(words: Sequence[str], language: Language) -> str:
    """The text of these tokens, spaced as the language is written."""
    blanks = find_blanks(words, language)
    return "".join(" " + word if blank else word for blank, word in zip(blanks, words, strict=True))


def find_blanks(words: Sequence[str], language: Language) -> list[bool]:
    """For every token, whether a blank stands before it."""
    roles = _find_roles(words, language.spacing)
    return [index > 0 and _has_blank(words, index, roles, language) for index in range(len(words))]


def _find_roles(words: Sequence[str], spacing: Spacing) -> dict[int, Role]:
    """Which quotation marks open and which close: by their shape, or by turns where both look the same."""
    openers = dict(spacing.quotes)
    closers = set(openers.values())
    roles: dict[int, Role] = {}
    waiting: list[str] = []  # the closing marks of the quotes that are open, each once
    remaining = Counter(words)
    for index, word in enumerate(words):
        remaining[word] -= 1
        if word not in openers and word not in closers and word not in spacing.symmetric and word != "’":
            continue
        if word in waiting and not (word == "’" and _is_inside_word(words, index, spacing)):
            roles[index] = "close"
            del waiting[waiting.index(word) :]
        elif word in _APOSTROPHES and _is_inside_word(words, index, spacing):
            roles[index] = "inside"
        elif word in openers or (word in spacing.symmetric and _may_open(words, index, remaining[word])):
            roles[index] = "open"
            closer = openers.get(word, word)
            if closer not in waiting:
                waiting.append(closer)
        else:
            roles[index] = "close"
    return roles


def _is_inside_word(words: Sequence[str], index: int, spacing: Spacing) -> bool:
    """An apostrophe that was cut off in the middle of a word: Pauli ' sche, l ' eau."""
    if index == 0 or index + 1 == len(words):
        return False
    before, after = words[index - 1], words[index + 1]
    is_elided = before.lower() in _ELIDED and after[0].lower() in _AFTER_ELISION
    return is_elided or (before[-1].isalnum() and after in spacing.apostrophe_endings)


def _may_open(words: Sequence[str], index: int, remaining: int) -> bool:
    """A mark that looks the same on both ends opens a quote, unless only a closing one makes sense here."""
    if index + 1 == len(words):
        return False
    follows_s = words[index] == "'" and index > 0 and words[index - 1].endswith(("s", "S", "z", "x"))
    if remaining:  # the dogs ' bowls are ' empty ': what is left makes pairs without it
        return not (follows_s and remaining % 2 == 0)
    ends_phrase = index > 0 and words[index - 1] in _ENDS_PHRASE
    return not (
        words[index + 1] in _ENDS_PHRASE or follows_s or (ends_phrase and words[index + 1][0].islower())
    )


def _has_blank(words: Sequence[str], index: int, roles: dict[int, Role], language: Language) -> bool:
    before, word = words[index - 1], words[index]
    spacing = language.spacing
    if roles.get(index) in ("close", "inside") or roles.get(index - 1) in ("open", "inside"):
        return False
    if before in spacing.joins_right or before in spacing.joins_both or word in spacing.joins_both:
        return False
    if index in roles:
        return True
    if word in spacing.joins_left:
        return False
    if word[0] == "'" and len(word) > 1 and before[-1].isalnum():  # it 's, l 'eau
        return False
    if before == "°" and word in ("C", "F"):
        return False
    # 12 : 30 and 2 : 1
    return not (before == ":" and index > 1 and word[0].isdigit() and words[index - 2][-1].isdigit())
