"""Which pronoun stands for a phrase: it decides sein or ihr, and he, she or it."""

from __future__ import annotations

from redraft.corpus.toy.grammar import Gender
from redraft.corpus.toy.meaning import Name, NounPhrase, Phrase
from redraft.corpus.toy.other_words import PERSONS
from redraft.corpus.toy.words import Person

_FOR_PEOPLE = {
    Gender.MASCULINE: PERSONS["he"],
    Gender.FEMININE: PERSONS["she"],
    Gender.NEUTER: PERSONS["girl"],
}
_FOR_THINGS = {
    Gender.MASCULINE: PERSONS["it-m"],
    Gender.FEMININE: PERSONS["it-f"],
    Gender.NEUTER: PERSONS["it-n"],
}


def pronoun_for(phrase: Phrase) -> Person:
    """German follows the grammatical gender, English asks whether it is a person."""
    if isinstance(phrase, Person):
        return phrase
    if isinstance(phrase, Name):
        return phrase.person
    if not isinstance(phrase, NounPhrase):
        return PERSONS["it-n"]
    if phrase.plural:
        return PERSONS["they"]
    if "person" not in phrase.noun.groups:
        return _FOR_THINGS[phrase.noun.gender]
    return PERSONS["it-n"] if phrase.noun.name == "child" else _FOR_PEOPLE[phrase.noun.gender]
