"""Clauses with `to be`: what something is like, also compared with another, and who is what by profession."""

from __future__ import annotations

from collections import Counter

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.grammar import Determiner, Gender, Tense
from redraft.corpus.toy.meaning import Clause, Name, NounPhrase, Phrase
from redraft.corpus.toy.nouns import NOUN_BY_NAME, NOUNS, nouns_in
from redraft.corpus.toy.other_words import PERSONS
from redraft.corpus.toy.persons import pronoun_for
from redraft.corpus.toy.random_phrases import attributes_of, random_name, random_noun_phrase
from redraft.corpus.toy.verbs import COPULA, TO_RAIN, TO_SNOW
from redraft.corpus.toy.words import Noun

_SPELLINGS = Counter(noun.singular[0] for noun in NOUNS)
# A noun with several meanings is not described: nothing would tell which one is meant.
_DESCRIBED = tuple(noun for noun in NOUNS if attributes_of(noun) and _SPELLINGS[noun.singular[0]] == 1)
_PROFESSIONS = {
    gender: tuple(noun for noun in nouns_in(("worker",)) if noun.gender is gender)
    for gender in (Gender.MASCULINE, Gender.FEMININE)
}


def random_description(dice: Dice) -> Clause:
    """Das Haus ist größer als die Kirche; Anna ist Sängerin."""
    if dice.chance(0.12):
        return _random_profession(dice)
    noun = dice.pick(_DESCRIBED)
    return describe(dice, _described_phrase(dice, noun), noun)


def describe(dice: Dice, subject: Phrase, noun: Noun, tense: Tense | None = None) -> Clause:
    """What the subject is like; if it is a pronoun or a name, the noun says which adjectives fit."""
    tense = tense or (Tense.PAST if dice.chance(0.4) else Tense.HABIT)
    predicate = dice.pick(attributes_of(noun))
    clause = Clause(COPULA, subject, tense, predicate=predicate, negated=dice.chance(0.2))
    if not clause.negated and predicate.comparative and dice.chance(0.22):
        clause.compared = _described_phrase(
            dice, dice.pick([other for other in _DESCRIBED if other.groups[0] == noun.groups[0]])
        )
    return clause


def describe_again(dice: Dice, phrase: Phrase, tense: Tense) -> Clause | None:
    """A clause about something mentioned before, by its pronoun: er, sie and es are `it` for things."""
    if isinstance(phrase, NounPhrase) and attributes_of(phrase.noun):
        return describe(dice, pronoun_for(phrase), phrase.noun, tense)
    if isinstance(phrase, Name):
        return describe(dice, phrase.person, NOUN_BY_NAME["man"], tense)
    return None


def random_weather(dice: Dice, tense: Tense) -> Clause:
    """Es regnet."""
    return Clause(dice.pick((TO_RAIN, TO_SNOW)), PERSONS["it-n"], tense)


def _described_phrase(dice: Dice, noun: Noun) -> NounPhrase:
    if noun.mass:
        return NounPhrase(noun, Determiner.THIS if dice.chance(0.3) else Determiner.DEFINITE)
    phrase = random_noun_phrase(
        dice, (noun.groups[0],), dice.pick((PERSONS["i"], PERSONS["he"], PERSONS["she"]))
    )
    determiner = phrase.determiner
    if determiner in (Determiner.INDEFINITE, Determiner.MANY, Determiner.COUNTED, Determiner.BARE):
        determiner = Determiner.DEFINITE
    return NounPhrase(noun, determiner, phrase.plural, owner=phrase.owner)


def _random_profession(dice: Dice) -> Clause:
    name = random_name(dice)
    gender = Gender.MASCULINE if name.person is PERSONS["he"] else Gender.FEMININE
    tense = Tense.PAST if dice.chance(0.3) else Tense.HABIT
    return Clause(COPULA, name, tense, profession=dice.pick(_PROFESSIONS[gender]), negated=dice.chance(0.15))
