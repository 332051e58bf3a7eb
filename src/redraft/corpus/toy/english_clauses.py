"""Phrases and clauses in English: subject, verb, object; do-support, particles, adverbs at the end."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.corpus.toy.english_nouns import amount_words, article, noun_words, person_of, possessive_form
from redraft.corpus.toy.grammar import EnglishPerson, Tense
from redraft.corpus.toy.meaning import Amount, Clause, Name, NounPhrase, Phrase, Place, RelativeClause
from redraft.corpus.toy.nouns import PLACE_WORDS
from redraft.corpus.toy.persons import pronoun_for
from redraft.corpus.toy.words import Modal, Person, Verb

_AM = ("am", "are", "is")
_WAS = ("was", "were", "was")
_HAVE = ("have", "have", "has")
_DO = ("do", "do", "does")


@dataclass(slots=True)
class VerbGroup:
    """A verb with its auxiliaries; without one, `support` (do, did) serves before `not` and in questions."""

    auxiliary: str
    rest: str
    support: str = ""
    base: str = ""

    def with_auxiliary(self) -> tuple[str, str]:
        """The two parts between which subject and `not` stand."""
        return (self.auxiliary, self.rest) if self.auxiliary else (self.support, self.base)


def statement(clause: Clause, gap: str = "", front: str = "") -> list[str]:
    """A clause in the usual order, without what a relative pronoun (`gap`) or `front` has said."""
    group = _verb_group(clause)
    words = [] if gap == "subject" else phrase_words(clause.subject)
    inside = [clause.time.english] if clause.time is not None and clause.time.inside else []
    if clause.negated:
        auxiliary, rest = group.with_auxiliary()
        negation = ["cannot"] if auxiliary == "can" else [auxiliary, "not"]
        words += [*negation, *inside, rest]
    else:
        words += [group.auxiliary, *inside, group.rest]
    return [word for word in words + _after_verb(clause, gap, front) if word]


def inverted(clause: Clause) -> list[str]:
    """A question after its question word: auxiliary, subject, the rest."""
    auxiliary, rest = _verb_group(clause).with_auxiliary()
    inside = [clause.time.english] if clause.time is not None and clause.time.inside else []
    negation = ["not"] if clause.negated else []
    words = [
        auxiliary,
        *phrase_words(clause.subject),
        *negation,
        *inside,
        rest,
        *_after_verb(clause, "", ""),
    ]
    return [word for word in words if word]


def infinitive_clause(clause: Clause) -> list[str]:
    """What follows `to`, and requests: the verb without subject or tense."""
    return [word for word in (clause.verb.english, *_after_verb(clause, "", "")) if word]


def phrase_words(phrase: Phrase, as_object: bool = False, negated: bool = False) -> list[str]:
    """Any phrase; pronouns distinguish subject and object, `negated` puts any for no article."""
    if isinstance(phrase, Person):
        return [phrase.english_object if as_object else phrase.english]
    if isinstance(phrase, Name):
        return [phrase.english]
    if isinstance(phrase, Amount):
        return amount_words(phrase)
    words = noun_words(phrase, negated)
    return words + _relative_words(phrase.relative, phrase) if phrase.relative is not None else words


def _relative_words(relative: RelativeClause, head: NounPhrase) -> list[str]:
    pronoun = "who" if "person" in head.noun.groups else "that"
    return [pronoun, *statement(relative.clause, gap=relative.role)]


def _verb_group(clause: Clause) -> VerbGroup:
    """Auxiliary and verb for tense, modal and person."""
    verb, person = clause.verb, person_of(clause.subject)
    if clause.modal is not None:
        return _modal_group(clause.modal, verb, clause.tense, person)
    match clause.tense:
        case Tense.PERFECT:
            return VerbGroup(_HAVE[person], verb.english_participle)
        case Tense.SINCE if "stative" in verb.marks:
            return VerbGroup(_HAVE[person], verb.english_participle)
        case Tense.SINCE:
            return VerbGroup(_HAVE[person], f"been {verb.english_gerund}")
        case Tense.FUTURE:
            return VerbGroup("will", verb.english)
        case Tense.PAST:
            if verb.english == "be":
                return VerbGroup(_WAS[person], "")
            return VerbGroup("", verb.english_past, "did", verb.english)
        case Tense.ONGOING if "stative" not in verb.marks:
            return VerbGroup(_AM[person], verb.english_gerund)
    if verb.english == "be":
        return VerbGroup(_AM[person], "")
    form = verb.english_third if person is EnglishPerson.THIRD else verb.english
    return VerbGroup("", form, _DO[person], verb.english)


def _modal_group(modal: Modal, verb: Verb, tense: Tense, person: EnglishPerson) -> VerbGroup:
    past = tense is Tense.PAST
    if modal.kind == "verb":
        finite = (
            modal.english_past
            if past
            else modal.english_third
            if person is EnglishPerson.THIRD
            else modal.english
        )
        support = "did" if past else _DO[person]
        return VerbGroup("", f"{finite} {verb.english}", support, f"{modal.english} {verb.english}")
    if modal.kind == "be":
        be = (_WAS if past else _AM)[person]
        return VerbGroup(be, f"{modal.english.removeprefix('be ')} {verb.english}")
    first, _, rest = (modal.english_past if past else modal.english).partition(" ")
    return VerbGroup(first, f"{rest} {verb.english}".strip())


def _after_verb(clause: Clause, gap: str, front: str) -> list[str]:
    """Objects, then manner, company, place and time."""
    verb, target = clause.verb, clause.object
    object_words = [] if gap == "object" or target is None else phrase_words(target, True, clause.negated)
    after = verb.after
    if "{" in after and target is not None:
        after = after.replace("{object}", possessive_form(target))
        object_words = [] if "{object}" in verb.after else object_words
    if "{own}" in after:
        after = after.replace("{own}", pronoun_for(clause.subject).english_own)
    if verb.particle and isinstance(target, Person):
        words = [after, *object_words, verb.particle]
    else:
        words = [after, verb.particle, *object_words]
    if clause.receiver is not None:
        words += [verb.receiver, *phrase_words(clause.receiver, True)]
    words += _predicate_words(clause)
    if clause.manner is not None:
        words.append(clause.manner.english)
    if clause.companion is not None:
        words += ["with", *phrase_words(clause.companion, True)]
    if clause.place is not None and front != "place":
        words += place_words(clause.place)
    if clause.time is not None and not clause.time.inside and front != "time":
        words.append(clause.time.english)
    return words


def _predicate_words(clause: Clause) -> list[str]:
    if clause.profession is not None:
        return [article(clause.profession.english), clause.profession.english]
    if clause.predicate is None:
        return []
    if clause.compared is None:
        return [clause.predicate.english]
    return [clause.predicate.english_comparative, "than", *phrase_words(clause.compared, True)]


def place_words(place: Place) -> list[str]:
    """in the park; to the park."""
    words = PLACE_WORDS[place.phrase.noun.name]
    return [words.english_to if place.goal else words.english_at, *phrase_words(place.phrase, True)]
