"""Whole sentences at random: statements, questions, requests, joined clauses and speech."""

from __future__ import annotations

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.grammar import Determiner, Tense
from redraft.corpus.toy.meaning import (
    Amount,
    Clause,
    Joined,
    NounPhrase,
    Phrase,
    Place,
    Purpose,
    Question,
    Quoted,
    Reported,
    Request,
    Sentence,
    Statement,
)
from redraft.corpus.toy.nouns import nouns_in
from redraft.corpus.toy.other_words import COORDINATORS, PERSONS, SUBORDINATORS
from redraft.corpus.toy.persons import pronoun_for
from redraft.corpus.toy.random_clauses import random_clause, random_verb
from redraft.corpus.toy.random_descriptions import describe_again, random_description, random_weather
from redraft.corpus.toy.random_phrases import (
    random_name,
    random_noun_phrase,
    random_population,
    random_subject,
)
from redraft.corpus.toy.verbs import (
    REPORTING_VERBS,
    VERBS_WITH_OBJECT,
    VERBS_WITH_PLACE,
    VERBS_WITH_PREPOSITION,
)
from redraft.corpus.toy.words import Verb

_KINDS = (
    (0.31, "clause"),
    (0.1, "description"),
    (0.02, "population"),
    (0.1, "question"),
    (0.03, "request"),
    (0.27, "joined"),
    (0.04, "purpose"),
    (0.07, "reported"),
    (0.06, "quoted"),
)
_CONNECTORS_BY_TENSE = {
    Tense.PAST: ("weil", "obwohl", "als", "bevor", "während", "da"),
    Tense.HABIT: ("weil", "obwohl", "wenn", "da", "wenn"),
}
_AT_THE_SAME_TIME = ("als", "während")
_GIVING_REASONS = ("weil", "obwohl", "da")
_QUESTION_WORDS = (("", ""), ("", ""), ("warum", "why"), ("wann", "when"), ("wo", "where"))
_MOVING = tuple(verb for verb in VERBS_WITH_PLACE if verb.place == "to" and not verb.reflexive)
_LIVING = next(verb for verb in VERBS_WITH_PLACE if verb.infinitive == "wohnen")
_CITIES = nouns_in(("city",))


def _can_be_asked_for(verb: Verb) -> bool:
    return "stative" not in verb.marks and "person" in verb.subjects and not verb.fixed


_ASKED = tuple(verb for verb in (*VERBS_WITH_OBJECT, *VERBS_WITH_PREPOSITION) if _can_be_asked_for(verb))
_DONE_ON_PURPOSE = tuple(verb for verb in _ASKED if verb.infinitive not in ("vergessen", "verlieren"))
_REQUESTED = tuple(verb for verb in _DONE_ON_PURPOSE if not verb.reflexive)


def random_sentence(dice: Dice) -> Sentence:
    """Any kind of sentence."""
    match dice.weighted(_KINDS):
        case "question":
            return random_question(dice)
        case "request":
            return random_request(dice)
        case "joined":
            return random_joined(dice)
        case "purpose":
            return random_purpose(dice)
        case "reported":
            return random_reported(dice)
        case "quoted":
            return random_quoted(dice)
        case "description":
            return Statement(random_description(dice))
        case "population":
            return random_population_statement(dice)
    return Statement(random_clause(dice))


def random_population_statement(dice: Dice) -> Statement:
    """In Berlin wohnen 3.500.000 Menschen."""
    place = Place(NounPhrase(dice.pick(_CITIES), Determiner.BARE), False)
    return Statement(Clause(_LIVING, random_population(dice), Tense.HABIT, place=place, front="place"))


def random_question(dice: Dice) -> Question:
    """Hat sie ihn angerufen? Wann ...? Wer ...?"""
    if dice.chance(0.18):
        clause = random_clause(dice, random_verb(dice, of_person=True), PERSONS["who"], tense=Tense.PAST)
        clause.front, clause.negated = "subject", False
        return Question(clause)
    verb = dice.pick(_ASKED)
    subject = _random_asked(dice, verb)
    tense = Tense.PAST if dice.chance(0.6) else Tense.FUTURE
    clause = random_clause(dice, verb, subject, tense=tense)
    german, english = dice.pick(_QUESTION_WORDS)
    if german == "wann":
        clause.time = None
    if german == "wo":
        clause.place = None
        german, english = ("warum", "why") if clause.tense is Tense.FUTURE else (german, english)
    clause.negated = clause.negated and german == "warum"
    return Question(clause, german, english)


def _random_asked(dice: Dice, verb: Verb) -> Phrase:
    """Whom a question is about: often who is spoken to."""
    if dice.chance(0.45):
        return PERSONS["you"] if dice.chance(0.65) else PERSONS["formal"]
    subject = random_subject(dice, verb)
    return PERSONS["she"] if subject in (PERSONS["nobody"], PERSONS["i"]) else subject


def random_request(dice: Dice) -> Request:
    """Bitte rufen Sie mich morgen an!"""
    clause = random_clause(dice, dice.pick(_REQUESTED), PERSONS["formal"], tense=Tense.HABIT, plain=True)
    clause.negated = False
    return Request(clause)


def random_joined(dice: Dice) -> Joined:
    """Two clauses; often the second one says something about who or what the first one mentions."""
    tense = Tense.PAST if dice.chance(0.6) else Tense.HABIT
    if dice.chance(0.35):
        main = random_clause(dice)
        connector = COORDINATORS[dice.pick(tuple(COORDINATORS))]
        return Joined(main, connector, _random_second(dice, main, main.tense if dice.chance(0.7) else None))
    connector = SUBORDINATORS[dice.pick(_CONNECTORS_BY_TENSE[tense])]
    condition = connector.german == "wenn"
    main = random_clause(dice, tense=Tense.FUTURE if tense is Tense.HABIT else tense)
    other = _random_second(dice, main, tense, plain=condition, again=connector.german in _GIVING_REASONS)
    if connector.german in _AT_THE_SAME_TIME and main.time is not None:
        other.time, other.front = None, "subject"
    may_be_first = connector.german in ("als", "während", "obwohl", "wenn")
    return Joined(main, connector, other, may_be_first and dice.chance(0.5))


def _random_second(
    dice: Dice, main: Clause, tense: Tense | None, plain: bool = False, again: bool = True
) -> Clause:
    kind = dice.weighted(((0.33, "same"), (0.27, "again"), (0.06, "weather"), (0.34, "other")))
    if kind == "same" and _is_somebody(main.subject):
        return random_clause(dice, subject=pronoun_for(main.subject), tense=tense, plain=plain)
    simple = tense if tense in (Tense.PAST, Tense.HABIT) else Tense.HABIT
    if kind == "again" and again and main.object is not None:
        description = describe_again(dice, main.object, simple)
        if description is not None:
            return description
    if kind == "weather":
        return random_weather(dice, Tense.ONGOING if simple is Tense.HABIT and not plain else simple)
    return random_clause(dice, tense=tense, plain=plain)


def _is_somebody(phrase: Phrase) -> bool:
    if isinstance(phrase, NounPhrase):
        return "person" in phrase.noun.groups
    return not isinstance(phrase, Amount) and phrase is not PERSONS["nobody"]


def random_purpose(dice: Dice) -> Purpose:
    """Sie ist in die Stadt gegangen, um ihn abzuholen."""
    main = random_clause(dice, dice.pick(_MOVING), tense=Tense.PAST, subject=_random_traveller(dice))
    main.negated = False
    aim = random_clause(dice, dice.pick(_DONE_ON_PURPOSE), main.subject, plain=True)
    aim.negated = False
    return Purpose(main, aim)


def _random_traveller(dice: Dice) -> Phrase:
    if dice.chance(0.4):
        return random_name(dice)
    if dice.chance(0.5):
        return dice.pick((PERSONS["i"], PERSONS["he"], PERSONS["she"], PERSONS["we"], PERSONS["they"]))
    return random_noun_phrase(dice, ("adult",), PERSONS["i"])


def random_reported(dice: Dice) -> Reported:
    """Anna hat gesagt, dass ..."""
    verb = dice.pick(REPORTING_VERBS)
    past = "past" in verb.marks
    main = Clause(verb, random_subject(dice, verb), Tense.PAST if past else Tense.HABIT)
    subject = pronoun_for(main.subject) if dice.chance(0.4) and _is_somebody(main.subject) else None
    tense = Tense.PAST if past else Tense.FUTURE if dice.chance(0.5) else None
    return Reported(main, random_clause(dice, subject=subject, tense=tense))


def random_quoted(dice: Dice) -> Quoted:
    """„Ich rufe dich morgen an“, sagte Anna."""
    kind = dice.weighted(((0.6, "statement"), (0.25, "question"), (0.15, "request")))
    content: Statement | Question | Request
    if kind == "question":
        content = random_question(dice)
    elif kind == "request":
        content = random_request(dice)
    else:
        content = Statement(random_clause(dice))
    speaker: Phrase = random_name(dice)
    if dice.chance(0.5):
        speaker = random_noun_phrase(
            dice, ("adult",), dice.pick((PERSONS["i"], PERSONS["he"], PERSONS["she"]))
        )
    return Quoted(content, speaker, dice.chance(0.35))
