"""Phrases and clauses in German: the verb second, last or first, and all else in its order around it."""

from __future__ import annotations

from redraft.corpus.toy.german_forms import RELATIVE, case_of_goal, contract, infinitive_with_zu
from redraft.corpus.toy.german_nouns import (
    amount_words,
    is_indefinite,
    name_form,
    noun_words,
    person_of,
    stands_before,
)
from redraft.corpus.toy.grammar import Case, Gender, GermanPerson, Tense
from redraft.corpus.toy.meaning import Amount, Clause, Name, NounPhrase, Phrase, Place, RelativeClause
from redraft.corpus.toy.nouns import PLACE_WORDS
from redraft.corpus.toy.words import Person

_HABEN = ("habe", "hast", "hat", "haben")
_SEIN = ("bin", "bist", "ist", "sind")
_WERDEN = ("werde", "wirst", "wird", "werden")


def verb_second(clause: Clause) -> list[str]:
    """A main clause: one constituent, the finite verb, the rest, and the other verb forms at the end."""
    front = _constituent(clause, clause.front)
    finite, prefix, others = _verb_forms(clause)
    return [*front, finite, *_middle(clause, (clause.front,)), *prefix, *others]


def verb_first(clause: Clause) -> list[str]:
    """A main clause whose first place is taken: by a question word, a subordinate clause, or by nothing."""
    finite, prefix, others = _verb_forms(clause)
    return [finite, *_middle(clause, ()), *prefix, *others]


def verb_final(clause: Clause, gap: str = "") -> list[str]:
    """A subordinate clause after its conjunction; `gap` is what a relative pronoun has already said."""
    finite, prefix, others = _verb_forms(clause)
    return [*_middle(clause, (gap,)), *others, "".join(prefix) + finite]


def infinitive_clause(clause: Clause) -> list[str]:
    verb = clause.verb
    return [*_middle(clause, ("subject",)), infinitive_with_zu(verb.prefix, verb.infinitive)]


def phrase_words(phrase: Phrase, case: Case, negated: bool = False) -> list[str]:
    """Any phrase in a case; `negated` turns ein and no article into kein."""
    if isinstance(phrase, Person):
        return [phrase.forms[case]]
    if isinstance(phrase, Name):
        return [name_form(phrase, case)]
    if isinstance(phrase, Amount):
        return amount_words(phrase)
    words = noun_words(phrase, case, negated)
    if phrase.possessor is not None and not stands_before(phrase.possessor):
        words += _possessor_words(phrase.possessor)
    if phrase.relative is not None:
        words += _relative_words(phrase.relative, phrase)
    return words


def _possessor_words(possessor: NounPhrase | Name) -> list[str]:
    if isinstance(possessor, Name):
        return ["von", name_form(possessor, Case.DATIVE)]
    return noun_words(possessor, Case.GENITIVE, False)


def _relative_words(relative: RelativeClause, head: NounPhrase) -> list[str]:
    """The clause between its commas; its pronoun has the head's gender and the case that the verb wants."""
    clause, role = relative.clause, relative.role
    case = Case.NOMINATIVE if role == "subject" else _object_case(clause)
    pronoun = RELATIVE[case][Gender.PLURAL if head.plural else head.noun.gender]
    preposition = [clause.verb.preposition] if role == "object" and clause.verb.preposition else []
    return [",", *preposition, pronoun, *verb_final(clause, role), ","]


def _roles(clause: Clause) -> tuple[str, str]:
    """What German makes its subject and its object: "das Buch gefällt mir" turns "I like the book" round."""
    return ("object", "subject") if "swapped" in clause.verb.marks else ("subject", "object")


def _verb_forms(clause: Clause) -> tuple[str, list[str], list[str]]:
    """The finite verb, its separable prefix if that is apart, and the forms that stand at the end."""
    verb, modal, past = clause.verb, clause.modal, clause.tense in (Tense.PAST, Tense.PERFECT)
    subject = getattr(clause, _roles(clause)[0])
    person = person_of(subject)
    if modal is not None and modal.infinitive:
        finite = _preterite(modal.preterite, person) if past else modal.present[person]
        return finite, [], [verb.prefix + verb.infinitive]
    if past and verb.preterite:
        return _preterite(verb.preterite, person), [], []
    if past:
        return (_SEIN if verb.with_sein else _HABEN)[person], [], [verb.participle]
    if clause.tense is Tense.FUTURE and clause.time is None:
        return _WERDEN[person], [], [verb.prefix + verb.infinitive]
    return verb.present[person], [verb.prefix] if verb.prefix else [], []


def _preterite(form: str, person: GermanPerson) -> str:
    if person is GermanPerson.SECOND:
        return form + "st"
    if person is GermanPerson.PLURAL:
        return form + ("n" if form.endswith("e") else "en")
    return form


def _constituent(clause: Clause, name: str) -> list[str]:
    """What opens the clause; subject and object are meant as German has them."""
    subject_role, object_role = _roles(clause)
    if name == "time" and clause.time is not None:
        return [clause.time.german]
    if name == "place" and clause.place is not None:
        return _place_words(clause.place)
    if name == "object":
        words = phrase_words(getattr(clause, object_role), _object_case(clause))
        return contract([clause.verb.preposition, *words]) if clause.verb.preposition else words
    return phrase_words(getattr(clause, subject_role), Case.NOMINATIVE)


def _object_case(clause: Clause) -> Case:
    if "swapped" in clause.verb.marks:
        return Case.DATIVE
    return Case.ACCUSATIVE if clause.verb.object_case is None else clause.verb.object_case


def _middle(clause: Clause, without: tuple[str, ...]) -> list[str]:
    """What stands between the verb forms: pronouns, time, definite objects, not, and what is new."""
    verb, negated = clause.verb, clause.negated
    subject_role, object_role = _roles(clause)
    object_phrase = None if "object" in without else getattr(clause, object_role)
    object_case = _object_case(clause)
    by_preposition = bool(verb.preposition)
    late = by_preposition or (object_phrase is not None and is_indefinite(object_phrase))
    words: list[str] = []
    if "subject" not in without:
        words += phrase_words(getattr(clause, subject_role), Case.NOMINATIVE)
    if verb.reflexive:
        words.append(_reflexive(clause.subject))
    if object_phrase is not None and not late and isinstance(object_phrase, Person):
        words += phrase_words(object_phrase, object_case)
        object_phrase = None
    if isinstance(clause.receiver, Person):
        words += phrase_words(clause.receiver, Case.DATIVE)
    if clause.time is not None and "time" not in without and not clause.time.inside:
        words.append(clause.time.german)
    if clause.modal is not None and clause.modal.adverb:
        words.append(clause.modal.adverb)
    if clause.receiver is not None and not isinstance(clause.receiver, Person):
        words += phrase_words(clause.receiver, Case.DATIVE)
    if object_phrase is not None and not late:
        words += phrase_words(object_phrase, object_case)
        object_phrase = None
    if clause.time is not None and "time" not in without and clause.time.inside:
        words.append(clause.time.german)
    if negated and (object_phrase is None or by_preposition):
        words.append("nicht")
    return words + _late_middle(clause, without, object_phrase, object_case)


def _late_middle(
    clause: Clause, without: tuple[str, ...], late: Phrase | None, object_case: Case
) -> list[str]:
    verb, place = clause.verb, clause.place
    words: list[str] = []
    if clause.companion is not None:
        words += contract(["mit", *phrase_words(clause.companion, Case.DATIVE)])
    if clause.manner is not None:
        words.append(clause.manner.german)
    place_words = _place_words(place) if place is not None and "place" not in without else []
    if place is not None and not place.goal:
        words += place_words
    if late is not None and verb.preposition:
        words += contract([verb.preposition, *phrase_words(late, object_case)])
    elif late is not None:
        words += phrase_words(late, object_case, negated=clause.negated)
    if place is not None and place.goal:
        words += place_words
    if verb.fixed:
        words.append(verb.fixed)
    return words + _predicate_words(clause)


def _predicate_words(clause: Clause) -> list[str]:
    if clause.profession is not None:
        return [clause.profession.singular[Case.NOMINATIVE]]
    if clause.predicate is None:
        return []
    if clause.compared is None:
        return [clause.predicate.german]
    return [clause.predicate.comparative, "als", *phrase_words(clause.compared, Case.NOMINATIVE)]


def _place_words(place: Place) -> list[str]:
    words = PLACE_WORDS[place.phrase.noun.name]
    preposition, case = words.german_at, Case.DATIVE
    if place.goal:
        preposition, case = words.german_to, case_of_goal(words.german_to)
    return contract([preposition, *phrase_words(place.phrase, case)])


def _reflexive(subject: Phrase) -> str:
    return subject.reflexive if isinstance(subject, Person) else "sich"
