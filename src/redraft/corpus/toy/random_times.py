"""Time phrases: those of the lexicon, and dates, days, hours and years made from numbers."""

from __future__ import annotations

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.grammar import Tense
from redraft.corpus.toy.numerals import english_time, german_time
from redraft.corpus.toy.other_words import DAYS, ENGLISH_NUMERALS, GERMAN_NUMERALS, MONTHS, TIMES
from redraft.corpus.toy.words import TimePhrase

# German dative plural, English singular.
_SPANS = (
    ("Minuten", "minute"),
    ("Stunden", "hour"),
    ("Tagen", "day"),
    ("Wochen", "week"),
    ("Jahren", "year"),
)


def random_time(dice: Dice, tense: Tense) -> TimePhrase:
    """A time phrase that goes with the tense."""
    if tense is Tense.SINCE:
        german, english = _random_span(dice)
        return TimePhrase(f"seit {german}", f"for {english}")
    if tense in (Tense.PAST, Tense.FUTURE) and dice.chance(0.55):
        return _random_date(dice, tense)
    return dice.pick(TIMES[tense])


def _random_span(dice: Dice) -> tuple[str, str]:
    count, (german, english) = dice.number(2, 10), dice.pick(_SPANS)
    return f"{GERMAN_NUMERALS[count]} {german}", f"{ENGLISH_NUMERALS[count]} {english}s"


def _random_date(dice: Dice, tense: Tense) -> TimePhrase:
    past = tense is Tense.PAST
    kind = dice.weighted(
        ((0.3, "day"), (0.15, "month"), (0.15, "date"), (0.15, "hour"), (0.15, "span"), (0.1, "year"))
    )
    if kind == "hour":
        hour, minute = dice.number(7, 22), dice.pick((0, 10, 15, 20, 30, 45))
        return TimePhrase(f"um {german_time(hour, minute)}", f"at {english_time(hour, minute)}", comma=True)
    if kind == "span":
        german, english = _random_span(dice)
        if past:
            return TimePhrase(f"vor {german}", f"{english} ago", comma=True)
        return TimePhrase(f"in {german}", f"in {english}", comma=True)
    if kind == "year":
        year = dice.number(1950, 2019) if past else dice.number(2031, 2050)
        return TimePhrase(f"im Jahr {year}", f"in {year}", comma=True)
    if kind == "day":
        german, english = dice.pick(DAYS)
        return TimePhrase(f"am {german}", f"on {english}", comma=True)
    german, english = dice.pick(MONTHS)
    if kind == "month":
        return TimePhrase(f"im {german}", f"in {english}", comma=True)
    day = dice.number(1, 28)
    return TimePhrase(f"am {day}. {german}", f"on {english} {day}", comma=True)
