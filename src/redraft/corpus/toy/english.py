"""English sentences: the order of clauses, commas and quotation marks."""

from __future__ import annotations

from redraft.corpus.toy.english_clauses import (
    infinitive_clause,
    inverted,
    phrase_words,
    place_words,
    statement,
)
from redraft.corpus.toy.meaning import (
    Clause,
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


def render_english(sentence: Sentence) -> str:
    """The English sentence, with capital and full stop."""
    words, mark = _sentence_words(sentence)
    return finish(words, mark)


def _sentence_words(sentence: Sentence) -> tuple[list[str], str]:
    match sentence:
        case Statement(clause):
            return _main_clause(clause), "."
        case Question(clause, _, word):
            if clause.subject is PERSONS["who"]:
                return statement(clause), "?"
            return ([word] if word else []) + inverted(clause), "?"
        case Request(clause):
            return ["please", *infinitive_clause(clause)], "."
        case Joined():
            return _joined_words(sentence), "."
        case Purpose(main, aim):
            return [*_main_clause(main), "to", *infinitive_clause(aim)], "."
        case Reported(main, content):
            return [*statement(main), "that", *statement(content)], "."
        case Quoted():
            return _quoted_words(sentence), ""


def _main_clause(clause: Clause) -> list[str]:
    """A clause that may open with its time or place, as the German one does."""
    if clause.front == "place" and clause.place is not None and not clause.verb.place:
        return [*place_words(clause.place), ",", *statement(clause, front="place")]
    if clause.front != "time" or clause.time is None or clause.time.inside:
        return statement(clause)
    opening = [clause.time.english, ","] if clause.time.comma else [clause.time.english]
    return opening + statement(clause, front="time")


def _joined_words(sentence: Joined) -> list[str]:
    connector = sentence.connector.english
    if sentence.other_first:
        return [connector, *statement(sentence.other), ",", *statement(sentence.main)]
    comma = [","] if connector in ("but", "and", "so", "and yet") else []
    return [*_main_clause(sentence.main), *comma, connector, *statement(sentence.other)]


def _quoted_words(sentence: Quoted) -> list[str]:
    words, mark = _sentence_words(sentence.content)
    verb = "asked" if isinstance(sentence.content, Question) else "said"
    speaker = phrase_words(sentence.speaker)
    if sentence.speaker_first:
        return [*speaker, f"{verb},", f"“{finish(words, mark)}”"]
    return [f"“{finish(words, ',' if mark == '.' else mark)}”", *speaker, verb, "."]
