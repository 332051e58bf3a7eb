"""The categories that words and meanings are marked with; as integers they index the tables of forms."""

from __future__ import annotations

from enum import Enum, IntEnum


class Case(IntEnum):
    """The German cases, in the order of every table of forms."""

    NOMINATIVE = 0
    ACCUSATIVE = 1
    DATIVE = 2
    GENITIVE = 3


class Gender(IntEnum):
    """The German genders; the plural is a fourth column of the same tables, as it knows no gender."""

    MASCULINE = 0
    FEMININE = 1
    NEUTER = 2
    PLURAL = 3


class GermanPerson(IntEnum):
    """Which present-tense form a German subject takes."""

    FIRST = 0  # ich
    SECOND = 1  # du
    THIRD = 2  # er, sie, es
    PLURAL = 3  # wir, sie, Sie


class EnglishPerson(IntEnum):
    """Which present-tense form an English subject takes."""

    FIRST = 0  # I am, I go
    OTHER = 1  # you, we, they are; go
    THIRD = 2  # he is, goes


class Tense(Enum):
    """What English distinguishes by tense; German often leaves it to an adverb elsewhere in the clause."""

    HABIT = "habit"  # liest oft: often reads
    ONGOING = "ongoing"  # liest gerade: is reading right now
    FUTURE = "future"  # liest morgen: will read tomorrow
    SINCE = "since"  # liest seit einer Stunde: has been reading for an hour
    PAST = "past"  # hat gestern gelesen: read yesterday
    PERFECT = "perfect"  # hat schon gelesen: has already read


class Determiner(Enum):
    """What stands before a noun."""

    BARE = "bare"  # Brot, Anna, Berlin
    DEFINITE = "definite"
    INDEFINITE = "indefinite"  # ein Buch, Bücher
    THIS = "this"
    EVERY = "every"
    MANY = "many"
    OWN = "own"  # mein, sein, ihr: the phrase names the owner
    COUNTED = "counted"  # drei Bücher: the phrase holds the number
