"""The kinds of word in the lexicon: each entry is one meaning with its forms in both languages.

A word with two meanings (Bank: bench, bank) is two entries that share their German forms.
"""

from __future__ import annotations

from dataclasses import dataclass

from redraft.corpus.toy.grammar import Case, EnglishPerson, Gender, GermanPerson


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun: its German forms by case, its English forms, and the groups that verbs choose from."""

    name: str  # the English singular, unique in the lexicon
    gender: Gender
    singular: tuple[str, str, str, str]  # German, by case
    plural: tuple[str, str, str, str]
    english: str
    english_plural: str
    groups: tuple[str, ...]  # the first one decides which adjectives go with it
    mass: bool  # Brot, Geld: neither article nor plural
    proper: bool  # Berlin, Italien: no article at all


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective; the stem is what endings are added to (teuer, teur-e)."""

    german: str
    stem: str
    comparative: str
    english: str
    english_comparative: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """A personal pronoun; `sie` is four entries (she, it, they, you)."""

    forms: tuple[str, str, str]  # German: nominative, accusative, dative
    own: str  # German possessive stem
    reflexive: str
    german_person: GermanPerson
    english: str
    english_object: str
    english_own: str
    english_person: EnglishPerson


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with what it asks for: German prefix, case and preposition, English particle and preposition."""

    infinitive: str  # German, without separable prefix
    prefix: str
    present: tuple[str, str, str, str]  # by GermanPerson
    participle: str
    with_sein: bool
    preterite: str  # used instead of the perfect where German does (war, hatte), else empty
    reflexive: bool
    fixed: str  # German words that belong to the verb and stand at the clause end: ins Gras
    english: str
    english_third: str
    english_past: str
    english_participle: str
    english_gerund: str
    particle: str  # English, moves behind a pronoun: put on the coat, put it on
    after: str  # English, between verb and object: wait *for*, kick *the bucket*
    subjects: tuple[str, ...]  # groups of nouns
    objects: tuple[str, ...]
    object_case: Case | None
    preposition: str  # German, of the object
    place: str  # at: needs a place to be, to: a place to go
    receiver: str  # English preposition of the German dative in "schenken": to, for
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal verb; for some English has full verbs (want to), and for one German has an adverb (gern)."""

    infinitive: str
    present: tuple[str, str, str, str]
    preterite: str
    adverb: str
    english: str
    english_third: str
    english_past: str
    kind: str  # auxiliary: can; be: be allowed to; verb: want to


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """When or how often; `inside` ones stand between subject and verb in English (often, already)."""

    german: str
    english: str
    inside: bool = False
    comma: bool = False  # English sets one when the phrase opens the sentence
    negative: bool = False  # nie: the clause takes no further negation


@dataclass(frozen=True, slots=True)
class Adverb:
    """An adverb of manner."""

    german: str
    english: str
    mark: str  # of the verbs that it goes with


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """The prepositions that a place goes with, for being there and for going there."""

    german_at: str
    english_at: str
    german_to: str
    english_to: str


@dataclass(frozen=True, slots=True)
class Connector:
    """A conjunction and where German puts the verb after it."""

    german: str
    english: str
    kind: str  # final: verb last; inverted: verb first; plain: as in a main clause
