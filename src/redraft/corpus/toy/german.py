"""German sentences: which clause comes first, where its verb stands, commas and quotation marks."""

from __future__ import annotations

from redraft.corpus.toy.german_clauses import (
    infinitive_clause,
    phrase_words,
    verb_final,
    verb_first,
    verb_second,
)
from redraft.corpus.toy.german_nouns import person_of
from redraft.corpus.toy.grammar import Case, GermanPerson
from redraft.corpus.toy.meaning import (
    Joined,
    Purpose,
    Question,
    Quoted,
    Reported,
    Request,
    Sentence,
    Statement,
)
from redraft.corpus.toy.other_words import PERSONS
from redraft.corpus.toy.surface import finish


def render_german(sentence: Sentence) -> str:
    """The German sentence, with capital and full stop."""
    words, mark = _sentence_words(sentence)
    return finish(words, mark)


def _sentence_words(sentence: Sentence) -> tuple[list[str], str]:
    match sentence:
        case Statement(clause):
            return verb_second(clause), "."
        case Question(clause, word):
            if clause.subject is PERSONS["who"]:
                return verb_second(clause), "?"
            return ([word] if word else []) + verb_first(clause), "?"
        case Request(clause):
            return ["bitte", *verb_first(clause)], "!"
        case Joined():
            return _joined_words(sentence), "."
        case Purpose(main, aim):
            return [*verb_second(main), ",", "um", *infinitive_clause(aim)], "."
        case Reported(main, content):
            return [*verb_second(main), ",", "dass", *verb_final(content)], "."
        case Quoted():
            return _quoted_words(sentence), ""


def _joined_words(sentence: Joined) -> list[str]:
    connector = sentence.connector
    if connector.kind == "final":
        other = [connector.german, *verb_final(sentence.other)]
        if sentence.other_first:
            return [*other, ",", *verb_first(sentence.main)]
        return [*verb_second(sentence.main), ",", *other]
    main = verb_second(sentence.main)
    comma = [] if connector.german == "und" else [","]
    if connector.kind == "inverted":
        return [*main, *comma, connector.german, *verb_first(sentence.other)]
    return [*main, *comma, connector.german, *verb_second(sentence.other)]


def _quoted_words(sentence: Quoted) -> list[str]:
    words, mark = _sentence_words(sentence.content)
    verb = "fragte" if isinstance(sentence.content, Question) else "sagte"
    if person_of(sentence.speaker) is GermanPerson.PLURAL:
        verb += "n"
    speaker = phrase_words(sentence.speaker, Case.NOMINATIVE)
    if sentence.speaker_first:
        return [*speaker, f"{verb}:", f"„{finish(words, mark)}“"]
    return [f"„{finish(words, mark.strip('.'))}“,", verb, *speaker, "."]
