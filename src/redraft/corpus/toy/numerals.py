"""Numbers, dates and times of day as each language writes them: 1.234,5 and 1,234.5; 3. Mai and May 3."""

from __future__ import annotations


def german_number(hundredths: int) -> str:
    """1.234,5 from 123450: a point between thousands, a comma before decimals, no trailing zeros."""
    return english_number(hundredths).translate(str.maketrans(",.", ".,"))


def english_number(hundredths: int) -> str:
    """1,234.5 from 123450."""
    whole, rest = divmod(hundredths, 100)
    decimals = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{whole:,}{decimals}"


def german_time(hour: int, minute: int) -> str:
    """14.30 Uhr."""
    return f"{hour}.{minute:02d} Uhr" if minute else f"{hour} Uhr"


def english_time(hour: int, minute: int) -> str:
    """2:30 p.m."""
    half = "a.m." if hour < 12 else "p.m."
    shown = (hour - 1) % 12 + 1
    return f"{shown}:{minute:02d} {half}" if minute else f"{shown} {half}"
