"""What a sentence says, as a small tree, which German and English each write down in their own way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from redraft.corpus.toy.grammar import Determiner, Tense
from redraft.corpus.toy.words import Adjective, Adverb, Connector, Modal, Noun, Person, TimePhrase, Verb


@dataclass(slots=True)
class NounPhrase:
    """A noun and what belongs to it: drei alte Bücher; Annas Koffer; der Brief, den sie schreibt."""

    noun: Noun
    determiner: Determiner = Determiner.DEFINITE
    plural: bool = False
    adjective: Adjective | None = None
    owner: Person | None = None  # with Determiner.OWN
    count: int = 0  # with Determiner.COUNTED
    possessor: NounPhrase | Name | None = None
    relative: RelativeClause | None = None


@dataclass(slots=True)
class Name:
    """A person's name; titles are translated (Frau Weber, Mrs. Weber)."""

    german: str
    english: str
    person: Person


@dataclass(slots=True)
class Amount:
    """A number of hundredths with a unit, which each language formats in its own way."""

    hundredths: int
    unit: str  # euros, percent, kilos, kilometers, wage


Phrase: TypeAlias = NounPhrase | Name | Person | Amount


@dataclass(slots=True)
class Place:
    """Where something is (im Park) or goes (in den Park)."""

    phrase: NounPhrase
    goal: bool


@dataclass(slots=True)
class Clause:
    """One verb with its subject, objects and circumstances."""

    verb: Verb
    subject: Phrase
    tense: Tense
    object: Phrase | None = None
    receiver: Phrase | None = None
    modal: Modal | None = None
    negated: bool = False
    time: TimePhrase | None = None
    place: Place | None = None
    companion: Phrase | None = None
    manner: Adverb | None = None
    predicate: Adjective | None = None
    profession: Noun | None = None  # Sie ist Ärztin: no article in German
    compared: Phrase | None = None  # the predicate is a comparative
    front: str = "subject"  # what a German main clause opens with: subject, time, place


@dataclass(slots=True)
class RelativeClause:
    """A clause about a noun; the noun is its subject or its object and is replaced by a relative pronoun."""

    clause: Clause
    role: str  # subject, object


@dataclass(slots=True)
class Statement:
    """Sie hat ihn angerufen."""

    clause: Clause


@dataclass(slots=True)
class Question:
    """Yes or no, or with a question word (warum, why)."""

    clause: Clause
    german_word: str = ""
    english_word: str = ""


@dataclass(slots=True)
class Request:
    """Rufen Sie mich bitte morgen an! Its subject is the formal you."""

    clause: Clause


@dataclass(slots=True)
class Joined:
    """Two clauses and a connector; the second one may come first if it is subordinate."""

    main: Clause
    connector: Connector
    other: Clause
    other_first: bool = False


@dataclass(slots=True)
class Purpose:
    """um das Buch zu kaufen: the second clause has the subject of the first and says only what follows it."""

    main: Clause
    aim: Clause


@dataclass(slots=True)
class Reported:
    """Sie hat gesagt, dass er schläft: the clause of saying, and the one of what is said."""

    main: Clause
    content: Clause


@dataclass(slots=True)
class Quoted:
    """Direct speech, with the speaker before or after it."""

    content: Statement | Question | Request
    speaker: Phrase
    speaker_first: bool


Sentence: TypeAlias = Statement | Question | Request | Joined | Purpose | Reported | Quoted
