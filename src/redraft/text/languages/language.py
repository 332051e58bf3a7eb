"""What a language's rule file says. To add one: a file like `english.py`, and a word in `__init__.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Apostrophe = Literal["alone", "joins_next", "joins_previous"]


def words(text: str) -> frozenset[str]:
    """A set of words, written as one string with blanks between them."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Spacing:
    """Where no blank stands when tokens become text again; quotes and brackets are read from these too."""

    # Tokens with no blank before them, and with none after them.
    joins_left: frozenset[str] = words(", . ; : ! ? … .. ... ) ] } % ‰ ° ™ ® ² ³")
    joins_right: frozenset[str] = words("( [ { ¿ ¡ # @ $ £")
    # Tokens with no blank on either side.
    joins_both: frozenset[str] = words("/ _ \\ ~ ^")
    # What follows an apostrophe without a blank where the tokeniser has cut both off (Don ’ t, Pauli ' sche).
    apostrophe_endings: frozenset[str] = words("s")
    # Quotes that open and close, and marks that look the same on both ends and are counted.
    quotes: tuple[tuple[str, str], ...] = (("“", "”"), ("‘", "’"), ("«", "»"))
    symmetric: frozenset[str] = words("\" '")


@dataclass(frozen=True)
class Language:
    """How one language is written: rules as data, read by the tokeniser, the detokeniser and the cleaning."""

    code: str
    name: str
    # Where "'" stands between letters: a token of its own (German), with what follows (it 's), or with what
    # goes before (l' eau).
    apostrophe: Apostrophe = "alone"
    # Words that keep their period; those that keep it only before a number; are small whole numbers with a
    # period ordinals (am 3. Mai)?
    abbreviations: frozenset[str] = frozenset()
    abbreviations_before_number: frozenset[str] = frozenset()
    ordinal_period: bool = False
    # Does a compound whose last part is a noun begin with a capital, whatever its first part (Fast-Food-Laden)?
    compounds_capital: bool = False
    # How numbers are written: 1.234,5 or 1,234.5.
    decimal_mark: str = "."
    thousands_mark: str = ","
    # The commonest words, by which a line in the wrong language is noticed.
    function_words: frozenset[str] = frozenset()
    spacing: Spacing = field(default_factory=Spacing)
