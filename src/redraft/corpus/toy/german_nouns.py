"""German noun phrases: article, adjective and noun agree in case, gender and number."""

from __future__ import annotations

from redraft.corpus.toy.german_forms import DEFINITE, DIESER_ENDINGS, EIN_ENDINGS, MIXED, STRONG, WEAK
from redraft.corpus.toy.grammar import Case, Determiner, Gender, GermanPerson
from redraft.corpus.toy.meaning import Amount, Name, NounPhrase, Phrase
from redraft.corpus.toy.numerals import german_number
from redraft.corpus.toy.other_words import GERMAN_NUMERALS
from redraft.corpus.toy.words import Person

_UNITS = {
    "euros": "Euro",
    "wage": "Euro im Monat",
    "percent": "Prozent",
    "kilos": "Kilo",
    "kilometers": "Kilometer",
}


def noun_words(phrase: NounPhrase, case: Case, negated: bool) -> list[str]:
    """Determiner, adjective and noun, without what follows the noun."""
    noun, plural = phrase.noun, phrase.plural
    column = Gender.PLURAL if plural else noun.gender
    determiner, endings = _determiner(phrase, case, column, negated)
    words = [determiner] if determiner else []
    if phrase.adjective is not None:
        words.append(phrase.adjective.stem + endings[case][column])
    words.append((noun.plural if plural else noun.singular)[case])
    return words


def _determiner(
    phrase: NounPhrase, case: Case, column: Gender, negated: bool
) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The word before the noun, and the endings that an adjective takes after it."""
    possessor = phrase.possessor
    if isinstance(possessor, Name) and stands_before(possessor):
        return possessor.german + "s", STRONG
    match phrase.determiner:
        case Determiner.DEFINITE:
            return DEFINITE[case][column], WEAK
        case Determiner.THIS:
            return "dies" + DIESER_ENDINGS[case][column], WEAK
        case Determiner.EVERY:
            return "jed" + DIESER_ENDINGS[case][column], WEAK
        case Determiner.MANY:
            return "viel" + STRONG[case][column], STRONG
        case Determiner.COUNTED:
            return german_count(phrase.count), STRONG
        case Determiner.OWN if phrase.owner is not None:
            return phrase.owner.own + EIN_ENDINGS[case][column], MIXED
    if negated:
        return "kein" + EIN_ENDINGS[case][column], MIXED
    if phrase.determiner is Determiner.INDEFINITE and column is not Gender.PLURAL:
        return "ein" + EIN_ENDINGS[case][column], MIXED
    return "", STRONG


def german_count(count: int) -> str:
    """Small numbers in words, others in digits."""
    return GERMAN_NUMERALS[count] if count < len(GERMAN_NUMERALS) else german_number(count * 100)


def amount_words(amount: Amount) -> list[str]:
    """3,5 Prozent."""
    return [german_number(amount.hundredths), _UNITS[amount.unit]]


def name_form(name: Name, case: Case) -> str:
    """Names have no endings here but Herr, which declines (Herrn Müller)."""
    return name.german if case is Case.NOMINATIVE else name.german.replace("Herr ", "Herrn ")


def stands_before(possessor: Phrase) -> bool:
    """Annas Auto, but das Auto von Thomas, von Frau Weber, meines Bruders."""
    return isinstance(possessor, Name) and " " not in possessor.german and not possessor.german.endswith("s")


def is_indefinite(phrase: Phrase) -> bool:
    """Whether it stands late in the clause and is negated by kein, if it is negated."""
    if isinstance(phrase, NounPhrase):
        bare = phrase.determiner is Determiner.BARE and not phrase.noun.proper
        return bare or phrase.determiner in (Determiner.INDEFINITE, Determiner.MANY, Determiner.COUNTED)
    return isinstance(phrase, Amount)


def person_of(phrase: Phrase) -> GermanPerson:
    """The form of the verb that a subject asks for."""
    if isinstance(phrase, Person):
        return phrase.german_person
    plural = isinstance(phrase, NounPhrase) and phrase.plural
    return GermanPerson.PLURAL if plural else GermanPerson.THIRD
