"""English noun phrases: a or an, possessives, plurals."""

from __future__ import annotations

from redraft.corpus.toy.grammar import Determiner, EnglishPerson
from redraft.corpus.toy.meaning import Amount, Name, NounPhrase, Phrase
from redraft.corpus.toy.numerals import english_number
from redraft.corpus.toy.other_words import ENGLISH_NUMERALS
from redraft.corpus.toy.words import Person

_UNITS = {
    "euros": " euros",
    "wage": " euros a month",
    "percent": "%",
    "kilos": " kilos",
    "kilometers": " kilometers",
}


def noun_words(phrase: NounPhrase, negated: bool) -> list[str]:
    """Determiner, adjective and noun, without what follows the noun."""
    rest = [phrase.adjective.english] if phrase.adjective is not None else []
    rest.append(phrase.noun.english_plural if phrase.plural else phrase.noun.english)
    if phrase.possessor is not None:
        return [*_possessor_words(phrase.possessor), *rest]
    determiner = _determiner(phrase, rest[0], negated)
    return [determiner, *rest] if determiner else rest


def _determiner(phrase: NounPhrase, following: str, negated: bool) -> str:
    match phrase.determiner:
        case Determiner.DEFINITE:
            return "the"
        case Determiner.THIS:
            return "these" if phrase.plural else "this"
        case Determiner.EVERY:
            return "every"
        case Determiner.MANY:
            return "many"
        case Determiner.COUNTED:
            return english_count(phrase.count)
        case Determiner.OWN if phrase.owner is not None:
            return phrase.owner.english_own
        case Determiner.INDEFINITE if not phrase.plural:
            return article(following)
    return "any" if negated else ""


def _possessor_words(possessor: NounPhrase | Name) -> list[str]:
    words = noun_words(possessor, False) if isinstance(possessor, NounPhrase) else [possessor.english]
    return [*words[:-1], words[-1] + ("'" if words[-1].endswith("s") and _is_plural(possessor) else "'s")]


def _is_plural(phrase: Phrase) -> bool:
    return isinstance(phrase, NounPhrase) and phrase.plural


def article(following: str) -> str:
    """`a` or `an`, by the next word."""
    return "an" if following[0] in "aeiou" else "a"


def english_count(count: int) -> str:
    """Small numbers in words, others in digits."""
    return ENGLISH_NUMERALS[count] if count < len(ENGLISH_NUMERALS) else english_number(count * 100)


def amount_words(amount: Amount) -> list[str]:
    """3.5%."""
    return [english_number(amount.hundredths) + _UNITS[amount.unit]]


def person_of(phrase: Phrase) -> EnglishPerson:
    """The form of the verb that a subject asks for."""
    if isinstance(phrase, Person):
        return phrase.english_person
    return EnglishPerson.OTHER if _is_plural(phrase) else EnglishPerson.THIRD


def possessive_form(phrase: Phrase) -> str:
    """The possessive of somebody: my, Anna's, the teacher's."""
    if isinstance(phrase, Person):
        return phrase.english_own
    if isinstance(phrase, (NounPhrase, Name)):
        return " ".join(_possessor_words(phrase))
    return "its"
