"""Clauses at random: a verb, what it asks for, and circumstances that go with its tense."""

from __future__ import annotations

from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.german_nouns import is_indefinite
from redraft.corpus.toy.grammar import Case, Determiner, Gender, Tense
from redraft.corpus.toy.meaning import Amount, Clause, NounPhrase, Phrase, RelativeClause
from redraft.corpus.toy.nouns import NOUNS
from redraft.corpus.toy.other_words import ADVERBS, GLADLY, MODALS, PAST_MODALS, PERSONS
from redraft.corpus.toy.random_phrases import (
    random_companion,
    random_name,
    random_object,
    random_place,
    random_subject,
    speaks_of_people,
)
from redraft.corpus.toy.random_times import random_time
from redraft.corpus.toy.verbs import (
    IDIOMS,
    VERBS_MEASURED,
    VERBS_WITH_OBJECT,
    VERBS_WITH_PLACE,
    VERBS_WITH_PREPOSITION,
    VERBS_WITHOUT_OBJECT,
)
from redraft.corpus.toy.words import Modal, Person, TimePhrase, Verb

_TABLES = (
    (0.12, VERBS_WITHOUT_OBJECT),
    (0.49, VERBS_WITH_OBJECT),
    (0.15, VERBS_WITH_PREPOSITION),
    (0.12, VERBS_WITH_PLACE),
    (0.05, VERBS_MEASURED),
    (0.07, IDIOMS),
)
_PERSON_TABLES = tuple(
    (weight, tuple(verb for verb in table if speaks_of_people(verb.subjects))) for weight, table in _TABLES
)
_ADVERBS_OF = {
    mark: tuple(adverb for adverb in ADVERBS if adverb.mark == mark) for mark in ("voice", "careful")
}
_TENSES = (
    (0.38, Tense.PAST),
    (0.12, Tense.FUTURE),
    (0.13, Tense.ONGOING),
    (0.27, Tense.HABIT),
    (0.05, Tense.PERFECT),
    (0.05, Tense.SINCE),
)
_CITIES = ("city",)
_TRANSITIVE = tuple(
    verb
    for verb in (*VERBS_WITH_OBJECT, *VERBS_WITH_PREPOSITION)
    if speaks_of_people(verb.subjects) and "swapped" not in verb.marks
)
_VERBS_ABOUT = {
    noun.name: tuple(verb for verb in _TRANSITIVE if any(group in noun.groups for group in verb.objects))
    for noun in NOUNS
}


def random_verb(dice: Dice, of_person: bool = False) -> Verb:
    """A verb from one of the tables; `of_person` leaves out those that only things do."""
    return dice.pick(dice.weighted(_PERSON_TABLES if of_person else _TABLES))


def random_clause(
    dice: Dice,
    verb: Verb | None = None,
    subject: Phrase | None = None,
    target: Phrase | None = None,
    tense: Tense | None = None,
    plain: bool = False,
) -> Clause:
    """A clause; what is given stays, `plain` leaves out modals, time and relative clauses."""
    verb = verb or random_verb(dice, of_person=subject is not None)
    subject = subject or random_subject(dice, verb)
    tense = _suitable_tense(verb, tense or dice.weighted(_TENSES), plain)
    modal = None if plain else _random_modal(dice, verb, subject, tense)
    if modal is not None and tense is not Tense.PAST:
        tense = Tense.HABIT
    clause = Clause(verb, subject, tense, modal=modal)
    clause.time = None if plain else _random_clause_time(dice, clause)
    if target is not None or verb.object_case is not None:
        clause.object = target or random_object(dice, verb.objects, subject, verb.object_case is Case.DATIVE)
    _add_circumstances(dice, clause)
    if not plain:
        _add_relative(dice, clause)
        clause.front = _random_front(dice, clause)
    clause.negated = _can_be_negated(clause) and dice.chance(0.13)
    return clause


def _suitable_tense(verb: Verb, tense: Tense, plain: bool) -> Tense:
    """The tense, or the nearest one that the verb goes with: nobody kicks the bucket every day."""
    if verb in IDIOMS:
        return tense if tense is Tense.FUTURE or (tense is Tense.HABIT and plain) else Tense.PAST
    if "swapped" in verb.marks or _is_lasting(verb):
        return Tense.PAST if tense in (Tense.PAST, Tense.PERFECT) else Tense.HABIT
    if "event" in verb.marks and tense in (Tense.ONGOING, Tense.SINCE):
        return Tense.PAST
    if "stative" in verb.marks and tense in (Tense.ONGOING, Tense.PERFECT, Tense.FUTURE):
        return Tense.HABIT
    return tense


def _is_lasting(verb: Verb) -> bool:
    """Prices and wages are what they are without a time of day."""
    return verb.objects[:1] in (("percent",), ("wage",), ("kilos",))


def _random_modal(dice: Dice, verb: Verb, subject: Phrase, tense: Tense) -> Modal | None:
    if (
        not speaks_of_people(verb.subjects)
        or "stative" in verb.marks
        or verb.fixed
        or subject is PERSONS["nobody"]
    ):
        return None
    if tense is Tense.PAST:
        return dice.pick(PAST_MODALS) if dice.chance(0.13) else None
    if tense not in (Tense.HABIT, Tense.FUTURE) or not dice.chance(0.45):
        return None
    enjoyable = "event" not in verb.marks and not verb.preposition
    return GLADLY if enjoyable and dice.chance(0.25) else dice.pick(MODALS)


def _random_clause_time(dice: Dice, clause: Clause) -> TimePhrase | None:
    """Some tenses need their time phrase to be what they are; with a modal verb it is one of the future."""
    tense = clause.tense
    if clause.verb.objects[:1] == ("wage",):
        return None
    if clause.modal is not None and tense is not Tense.PAST:
        future = clause.modal is not GLADLY
        return random_time(dice, Tense.FUTURE) if future and dice.chance(0.4) else None
    if (
        tense is Tense.HABIT
        and "stative" not in clause.verb.marks
        and clause.verb.objects[:1] != ("percent",)
    ):
        return _random_habit(dice, clause)
    if tense in (Tense.PERFECT, Tense.SINCE):
        return random_time(dice, tense)
    likely = {Tense.PAST: 0.45, Tense.ONGOING: 0.6, Tense.FUTURE: 0.75}.get(tense, 0.0)
    return random_time(dice, tense) if dice.chance(likely) else None


def _random_habit(dice: Dice, clause: Clause) -> TimePhrase:
    time = random_time(dice, Tense.HABIT)
    while time.negative and clause.subject is PERSONS["nobody"]:
        time = random_time(dice, Tense.HABIT)
    return time


def _add_circumstances(dice: Dice, clause: Clause) -> None:
    """Receiver, place, company and manner, as far as the verb has room for them."""
    verb, subject = clause.verb, clause.subject
    if (
        verb.receiver
        and not isinstance(clause.object, Person)
        and dice.chance(0.8 if verb.receiver == "to" else 0.15)
    ):
        clause.receiver = random_object(dice, ("person",), subject, dative=True)
    if verb.place:
        clause.place = random_place(dice, verb.objects, verb.place == "to")
    if "alone" in verb.marks or "stative" in verb.marks or verb.fixed:
        return
    if not verb.place and dice.chance(0.2):
        clause.place = random_place(dice, ("site",) if dice.chance(0.75) else _CITIES, False)
    if speaks_of_people(verb.subjects) and clause.receiver is None and dice.chance(0.13):
        clause.companion = random_companion(dice, subject)
    adverbs = _ADVERBS_OF.get(verb.marks[-1]) if verb.marks else None
    if adverbs and dice.chance(0.35):
        clause.manner = dice.pick(adverbs)


def _add_relative(dice: Dice, clause: Clause) -> None:
    """Now and then the object or the subject is described by a clause of its own."""
    role = "object" if dice.chance(0.65) else "subject"
    phrase: Phrase | None = clause.object if role == "object" else clause.subject
    if clause.verb.fixed:
        return
    if role == "object" and (clause.receiver or clause.place or clause.companion or clause.manner):
        return  # in English these would seem to belong to the relative clause
    if isinstance(phrase, NounPhrase) and dice.chance(0.2) and _can_be_described(phrase):
        phrase.relative = random_relative(dice, phrase, clause.verb)


def _can_be_described(phrase: NounPhrase) -> bool:
    fitting = phrase.determiner in (Determiner.DEFINITE, Determiner.INDEFINITE, Determiner.COUNTED)
    return fitting and phrase.possessor is None and len(_VERBS_ABOUT[phrase.noun.name]) > 1


def random_relative(dice: Dice, head: NounPhrase, outer: Verb) -> RelativeClause:
    """der Mann, der ...; das Buch, das ...; not with the verb of the outer clause over again."""
    bare = NounPhrase(head.noun, Determiner.DEFINITE, head.plural)
    if "adult" in head.noun.groups and dice.chance(0.5):
        verb = random_verb(dice, of_person=True)
        if verb is not outer and "swapped" not in verb.marks:
            return RelativeClause(random_clause(dice, verb, bare, tense=Tense.PAST, plain=True), "subject")
    verb = dice.pick(_VERBS_ABOUT[head.noun.name])
    while verb is outer:
        verb = dice.pick(_VERBS_ABOUT[head.noun.name])
    speakers = (PERSONS["i"], PERSONS["she"], PERSONS["we"], PERSONS["they"])
    subject = random_name(dice) if dice.chance(0.2) else dice.pick(speakers)
    return RelativeClause(random_clause(dice, verb, subject, bare, Tense.PAST, plain=True), "object")


def _random_front(dice: Dice, clause: Clause) -> str:
    if clause.subject is PERSONS["nobody"]:
        return "subject"
    described = isinstance(clause.object, NounPhrase) and clause.object.relative is not None
    if clause.time is not None and not clause.time.inside and (described or dice.chance(0.4)):
        return "time"
    if clause.place is not None and not clause.verb.place and dice.chance(0.25):
        return "place"
    if "swapped" in clause.verb.marks and dice.chance(0.6):
        return "object"
    return "object" if _is_clear_object(clause) and dice.chance(0.12) else "subject"


def _is_clear_object(clause: Clause) -> bool:
    """Whether an object may come first: definite, and its article tells that it is an object (den Brief)."""
    phrase = clause.object
    if clause.verb.fixed or "swapped" in clause.verb.marks or not isinstance(phrase, NounPhrase):
        return False
    masculine = phrase.noun.gender is Gender.MASCULINE and not phrase.plural
    owned = phrase.determiner is Determiner.OWN or phrase.possessor is not None
    return masculine and not owned and not is_indefinite(phrase)


def _can_be_negated(clause: Clause) -> bool:
    phrase = clause.object
    if clause.verb.fixed or clause.subject is PERSONS["nobody"] or isinstance(phrase, Amount):
        return False
    if clause.tense in (Tense.PERFECT, Tense.SINCE) or (clause.time is not None and clause.time.inside):
        return False
    if clause.modal in (GLADLY,) or clause.front in ("place", "object"):
        return False
    if isinstance(phrase, NounPhrase) and phrase.relative is not None:
        return False
    if "swapped" in clause.verb.marks and phrase is not None and is_indefinite(phrase):
        return False
    many = (Determiner.MANY, Determiner.COUNTED)
    return not any(
        isinstance(part, NounPhrase) and part.determiner in many for part in (phrase, clause.subject)
    )
