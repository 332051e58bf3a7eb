"""German endings of articles and adjectives by case and gender, and prepositions joined with articles."""

from __future__ import annotations

from redraft.corpus.toy.grammar import Case

# One row per case (nominative, accusative, dative, genitive), columns masculine, feminine, neuter, plural.
DEFINITE = (
    ("der", "die", "das", "die"),
    ("den", "die", "das", "die"),
    ("dem", "der", "dem", "den"),
    ("des", "der", "des", "der"),
)
RELATIVE = (DEFINITE[0], DEFINITE[1], ("dem", "der", "dem", "denen"), ("dessen", "deren", "dessen", "deren"))
EIN_ENDINGS = (("", "e", "", "e"), ("en", "e", "", "e"), ("em", "er", "em", "en"), ("es", "er", "es", "er"))
DIESER_ENDINGS = (
    ("er", "e", "es", "e"),
    ("en", "e", "es", "e"),
    ("em", "er", "em", "en"),
    ("es", "er", "es", "er"),
)

# Endings of adjectives: weak after der and dieser, mixed after ein, mein and kein, strong without an article.
WEAK = (("e", "e", "e", "en"), ("en", "e", "e", "en"), ("en",) * 4, ("en",) * 4)
MIXED = (("er", "e", "es", "en"), ("en", "e", "es", "en"), ("en",) * 4, ("en",) * 4)
STRONG = (("er", "e", "es", "e"), ("en", "e", "es", "e"), ("em", "er", "em", "en"), ("en", "er", "en", "er"))

CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("von", "dem"): "vom",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
}


def case_of_goal(preposition: str) -> Case:
    """The case of the place that one goes to: zum Bahnhof, nach Berlin, but in den Park."""
    return Case.DATIVE if preposition in ("zu", "nach") else Case.ACCUSATIVE


def contract(words: list[str]) -> list[str]:
    """Preposition and article as one word where German joins them."""
    joined = CONTRACTIONS.get((words[0], words[1])) if len(words) > 1 else None
    return [joined, *words[2:]] if joined else words


def infinitive_with_zu(prefix: str, infinitive: str) -> str:
    """zu kaufen, but abzuholen."""
    return f"{prefix}zu{infinitive}" if prefix else f"zu {infinitive}"
