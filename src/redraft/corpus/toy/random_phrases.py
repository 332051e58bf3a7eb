"""Noun phrases, names, pronouns and amounts, at random but such that they make sense where they stand."""

from __future__ import annotations

from functools import cache

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.grammar import Determiner
from redraft.corpus.toy.meaning import Amount, Name, NounPhrase, Phrase, Place
from redraft.corpus.toy.nouns import NOUN_BY_NAME, NOUNS, nouns_in
from redraft.corpus.toy.other_words import ADJECTIVES, NAMES, PERSONS
from redraft.corpus.toy.persons import pronoun_for
from redraft.corpus.toy.words import Adjective, Noun, Person, Verb

nouns_of = cache(nouns_in)
_SUBJECTS = tuple(PERSONS[name] for name in ("i", "he", "she", "we", "they", "he", "she", "they"))
_OBJECTS = tuple(PERSONS[name] for name in ("i", "he", "she", "we"))
_RECEIVERS = (*_OBJECTS, PERSONS["they"])  # ihnen can only be them, where the accusative sie may be her
_THINGS = tuple(PERSONS[name] for name in ("it-m", "it-f", "it-n"))
_SPEAKERS = {PERSONS["i"].english_own, PERSONS["we"].english_own}
_LISTENERS = {PERSONS["you"].english_own}
_OWNERS = tuple(PERSONS[name] for name in ("i", "he", "she", "we"))
_KIN = nouns_in(("kin",))
_ATTRIBUTES = {
    noun.name: tuple(adjective for adjective in ADJECTIVES if noun.groups[0] in adjective.groups)
    for noun in NOUNS
}
_SINGULARS = ((0.52, Determiner.DEFINITE), (0.36, Determiner.INDEFINITE), (0.12, Determiner.THIS))
_PLURALS = (
    (0.4, Determiner.DEFINITE),
    (0.2, Determiner.INDEFINITE),
    (0.15, Determiner.THIS),
    (0.1, Determiner.MANY),
    (0.15, Determiner.COUNTED),
)
# Lowest and highest whole number of an amount, its step, and whether it may have a decimal.
_AMOUNTS = {
    "euros": (20, 9800, 20, False),
    "wage": (1500, 6000, 50, False),
    "percent": (2, 30, 1, True),
    "kilos": (2, 80, 1, True),
    "kilometers": (2, 40, 1, True),
}


def attributes_of(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that make sense with the noun."""
    return _ATTRIBUTES[noun.name]


def speaks_of_people(groups: tuple[str, ...]) -> bool:
    """Whether pronouns and names can stand for nouns of these groups."""
    return any("person" in noun.groups for noun in nouns_of(groups))


def random_subject(dice: Dice, verb: Verb) -> Phrase:
    """Somebody or something that the verb can be said of."""
    if speaks_of_people(verb.subjects):
        kind = dice.weighted(((0.34, "pronoun"), (0.2, "name"), (0.02, "nobody"), (0.44, "noun")))
        if kind == "pronoun":
            return dice.pick(_SUBJECTS)
        if kind == "name":
            return random_name(dice)
        if kind == "nobody":
            return PERSONS["nobody"]
    phrase = random_noun_phrase(dice, verb.subjects, dice.pick(_OWNERS))
    if phrase.noun.mass:
        phrase.determiner = Determiner.DEFINITE
    return phrase


def random_object(dice: Dice, groups: tuple[str, ...], subject: Phrase, dative: bool = False) -> Phrase:
    """Somebody or something else than the subject; what is the subject's own is said to be so."""
    if groups[0] in _AMOUNTS:
        return random_amount(dice, groups[0])
    if speaks_of_people(groups):
        if dice.chance(0.25):
            return random_other_person(dice, subject, dative)
        if dice.chance(0.15):
            return random_name(dice)
    elif dice.chance(0.05) and groups[0] not in ("loan", "debt"):
        return dice.pick(_THINGS)
    return random_noun_phrase(dice, groups, _owner_beside(dice, subject))


def _owner_beside(dice: Dice, subject: Phrase) -> Person:
    """Things own nothing: beside them it is somebody else."""
    owner = pronoun_for(subject)
    return dice.pick(_OWNERS) if owner in _THINGS else owner


def random_other_person(dice: Dice, subject: Phrase, dative: bool) -> Person:
    """A pronoun that cannot mean the subject itself."""
    person = dice.pick(_RECEIVERS if dative else _OBJECTS)
    if isinstance(subject, Person) and subject.english_own in _SPEAKERS and person.english_own in _SPEAKERS:
        return PERSONS["she"]
    return person


def random_name(dice: Dice) -> Name:
    """Anna, Mr. Müller."""
    return Name(*dice.pick(NAMES))


def random_noun_phrase(dice: Dice, groups: tuple[str, ...], owner: Person) -> NounPhrase:
    """A noun of the groups with determiner, and sometimes an adjective, an owner or a number."""
    noun = dice.pick(nouns_of(groups))
    if noun.proper:
        return NounPhrase(noun, Determiner.BARE)
    attributes = attributes_of(noun)
    adjective = dice.pick(attributes) if attributes and dice.chance(0.26) else None
    if noun.mass:
        determiner = Determiner.DEFINITE if dice.chance(0.35) else Determiner.BARE
        return NounPhrase(noun, determiner, adjective=adjective)
    plural = dice.chance(0.17) and "place" not in noun.groups and "parent" not in noun.groups
    if ("kin" in noun.groups and dice.chance(0.85)) or ("thing" in noun.groups and dice.chance(0.2)):
        return NounPhrase(noun, Determiner.OWN, plural, adjective, owner=owner)
    if "thing" in noun.groups and dice.chance(0.1):
        return NounPhrase(noun, plural=plural, adjective=adjective, possessor=_random_possessor(dice))
    determiner = dice.weighted(_PLURALS if plural else _SINGULARS)
    count = dice.number(2, 12) if determiner is Determiner.COUNTED else 0
    return NounPhrase(noun, determiner, plural, adjective, count=count)


def _random_possessor(dice: Dice) -> NounPhrase | Name:
    if dice.chance(0.4):
        return random_name(dice)
    return NounPhrase(dice.pick(_KIN), Determiner.OWN, owner=dice.pick(_OWNERS))


def random_companion(dice: Dice, subject: Phrase) -> Phrase:
    """Somebody who comes along."""
    kind = dice.weighted(((0.55, "kin"), (0.25, "name"), (0.2, "pronoun")))
    if kind == "kin":
        return NounPhrase(dice.pick(_KIN), Determiner.OWN, owner=_owner_beside(dice, subject))
    return random_name(dice) if kind == "name" else random_other_person(dice, subject, True)


def random_place(dice: Dice, groups: tuple[str, ...], goal: bool) -> Place:
    """A place to be at or to go to."""
    noun = dice.pick(nouns_of(groups))
    if noun.proper:
        return Place(NounPhrase(noun, Determiner.BARE), goal)
    attributes = attributes_of(noun)
    adjective = dice.pick(attributes) if attributes and dice.chance(0.15) else None
    determiner = Determiner.INDEFINITE if dice.chance(0.15) else Determiner.DEFINITE
    return Place(NounPhrase(noun, determiner, adjective=adjective), goal)


def random_amount(dice: Dice, unit: str) -> Amount:
    """So many euros, per cent, kilos."""
    low, high, step, decimal = _AMOUNTS[unit]
    whole = low + step * dice.number(0, (high - low) // step)
    return Amount(whole * 100 + (10 * dice.number(0, 9) if decimal else 0), unit)


def random_population(dice: Dice) -> NounPhrase:
    """1.234.500 Menschen."""
    count = 500 * dice.number(1000, 9000)
    return NounPhrase(NOUN_BY_NAME["person"], Determiner.COUNTED, plural=True, count=count)
