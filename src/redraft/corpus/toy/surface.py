"""From a list of words and commas to a written sentence: spacing, punctuation, the capital at the start."""

from __future__ import annotations


def finish(words: list[str], mark: str) -> str:
    """Join the words; commas stick to the word before, double ones and those before other marks go."""
    text = " ".join(words) + mark
    text = text.replace(" ,", ",").replace(" .", ".")
    text = text.replace(",,", ",").replace(",.", ".").replace(",?", "?").replace(",!", "!").replace("..", ".")
    return text[:1].upper() + text[1:]
