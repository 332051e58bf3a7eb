"""The toy language pair: both sides are correct, agree with each other, and come out the same every time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.cli import main
from redraft.corpus.toy import ToyCorpus, make_toy_corpus, summarise, write_toy_corpus
from redraft.corpus.toy.dice import Dice
from redraft.corpus.toy.english import render_english
from redraft.corpus.toy.german import render_german
from redraft.corpus.toy.german_clauses import phrase_words, verb_final, verb_first
from redraft.corpus.toy.grammar import Case, Determiner, Tense
from redraft.corpus.toy.meaning import (
    Amount,
    Clause,
    Joined,
    Name,
    NounPhrase,
    Place,
    Purpose,
    Question,
    Quoted,
    RelativeClause,
    Reported,
    Request,
    Sentence,
    Statement,
)
from redraft.corpus.toy.nouns import NOUN_BY_NAME, NOUNS
from redraft.corpus.toy.numerals import english_number, english_time, german_number, german_time
from redraft.corpus.toy.other_words import ADJECTIVES, COORDINATORS, MODALS, PERSONS, SUBORDINATORS, TIMES
from redraft.corpus.toy.random_clauses import random_clause
from redraft.corpus.toy.tables import rows
from redraft.corpus.toy.verbs import (
    COPULA,
    IDIOMS,
    REPORTING_VERBS,
    VERBS_MEASURED,
    VERBS_WITH_OBJECT,
    VERBS_WITH_PLACE,
    VERBS_WITH_PREPOSITION,
    VERBS_WITHOUT_OBJECT,
)
from redraft.corpus.toy.words import Adjective, Modal, TimePhrase, Verb

VERBS = (
    *VERBS_WITHOUT_OBJECT,
    *VERBS_WITH_OBJECT,
    *VERBS_WITH_PREPOSITION,
    *VERBS_WITH_PLACE,
    *VERBS_MEASURED,
    *IDIOMS,
    *REPORTING_VERBS,
)
ANNA = Name("Anna", "Anna", PERSONS["she"])
MUELLER = Name("Herr Müller", "Mr. Müller", PERSONS["he"])
ME, SHE, HE, THEY, WE, YOU = (PERSONS[name] for name in ("i", "she", "he", "they", "we", "you"))


@pytest.fixture(scope="module")
def corpus() -> ToyCorpus:
    return make_toy_corpus(6000, 300, 300, seed=5)


def verb(german: str, english: str) -> Verb:
    """The verb by its prefix and infinitive, and by the English verb with what follows it."""
    return next(
        entry
        for entry in VERBS
        if entry.prefix + entry.infinitive == german
        and " ".join((entry.english, entry.particle, entry.after)).split() == english.split()
    )


def adjective(english: str) -> Adjective:
    return next(entry for entry in ADJECTIVES if entry.english == english)


def modal(german: str) -> Modal:
    return next(entry for entry in MODALS if entry.infinitive == german)


def time(german: str, tense: Tense) -> TimePhrase:
    return next(entry for entry in TIMES[tense] if entry.german == german)


def the(name: str, **more: object) -> NounPhrase:
    return NounPhrase(NOUN_BY_NAME[name], **more)  # type: ignore[arg-type]


def examples() -> Iterator[tuple[Sentence, str, str]]:
    past, habit, future = Tense.PAST, Tense.HABIT, Tense.FUTURE
    tomorrow, yesterday = time("morgen", future), time("gestern", past)
    call, visit = verb("anrufen", "call"), verb("besuchen", "visit")
    an_old_book = the("book", determiner=Determiner.INDEFINITE, adjective=adjective("old"))
    my_brother = the("brother", determiner=Determiner.OWN, owner=ME)
    yield (
        Statement(Clause(call, ANNA, future, object=the("doctor"), time=tomorrow, front="time")),
        "Morgen ruft Anna den Arzt an.",
        "Tomorrow Anna will call the doctor.",
    )
    yield (
        Statement(Clause(call, SHE, past, object=HE, negated=True)),
        "Sie hat ihn nicht angerufen.",
        "She did not call him.",
    )
    yield (
        Statement(Clause(verb("lesen", "read"), HE, habit, object=an_old_book, negated=True)),
        "Er liest kein altes Buch.",
        "He does not read an old book.",
    )
    yield (
        Statement(Clause(verb("lesen", "read"), THEY, Tense.ONGOING, object=an_old_book)),
        "Sie lesen ein altes Buch.",
        "They are reading an old book.",
    )
    yield (
        Statement(Clause(call, the("boy"), past, modal=modal("müssen"), object=the("boy"), negated=True)),
        "Der Junge musste den Jungen nicht anrufen.",
        "The boy did not have to call the boy.",
    )
    yield (
        Statement(Clause(verb("anziehen", "put on"), SHE, past, object=PERSONS["it-m"])),
        "Sie hat ihn angezogen.",
        "She put it on.",
    )
    yield (
        Statement(Clause(verb("gefallen", "like"), ME, habit, object=the("castle"), front="object")),
        "Mir gefällt das Schloss.",
        "I like the castle.",
    )
    yield (
        Statement(Clause(verb("steigen", "rise by"), the("rent"), past, object=Amount(350, "percent"))),
        "Die Miete ist um 3,5 Prozent gestiegen.",
        "The rent rose by 3.5%.",
    )
    yield (
        Statement(Clause(verb("nehmen", "pull {object} leg"), HE, past, object=the("teacher"))),
        "Er hat den Lehrer auf den Arm genommen.",
        "He pulled the teacher's leg.",
    )
    yield (
        Statement(Clause(COPULA, the("house"), habit, predicate=adjective("big"), compared=the("church"))),
        "Das Haus ist größer als die Kirche.",
        "The house is bigger than the church.",
    )
    yield (
        Statement(Clause(COPULA, ANNA, past, profession=NOUN_BY_NAME["singer"])),
        "Anna war Sängerin.",
        "Anna was a singer.",
    )
    the_bench = Place(the("bench"), goal=False)
    yield (
        Joined(
            Clause(visit, my_brother, past, object=MUELLER, time=yesterday),
            SUBORDINATORS["weil"],
            Clause(verb("sitzen", "sit"), SHE, past, place=the_bench),
        ),
        "Mein Bruder hat gestern Herrn Müller besucht, weil sie auf der Bank gesessen hat.",
        "My brother visited Mr. Müller yesterday because she sat on the bench.",
    )
    yield (
        Joined(
            Clause(verb("gehen", "go"), WE, future, place=Place(the("park"), goal=True), time=tomorrow),
            SUBORDINATORS["wenn"],
            Clause(verb("ankommen", "arrive"), YOU, habit),
            other_first=True,
        ),
        "Wenn du ankommst, gehen wir morgen in den Park.",
        "If you arrive, we will go to the park tomorrow.",
    )
    yield (
        Joined(
            Clause(verb("tanzen", "dance"), HE, past),
            COORDINATORS["deshalb"],
            Clause(COPULA, HE, past, predicate=adjective("tired")),
        ),
        "Er hat getanzt, deshalb war er müde.",
        "He danced, so he was tired.",
    )
    yield (
        Purpose(
            Clause(verb("fahren", "go"), SHE, past, place=Place(the("train station"), goal=True)),
            Clause(verb("abholen", "pick up"), SHE, past, object=HE),
        ),
        "Sie ist zum Bahnhof gefahren, um ihn abzuholen.",
        "She went to the train station to pick him up.",
    )
    book = the(
        "book",
        relative=RelativeClause(Clause(verb("kaufen", "buy"), SHE, past, object=the("book")), "object"),
    )
    yield (
        Statement(Clause(verb("vergessen", "forget"), the("student"), past, object=book)),
        "Der Student hat das Buch, das sie gekauft hat, vergessen.",
        "The student forgot the book that she bought.",
    )
    reader = the("man", relative=RelativeClause(Clause(call, the("man"), past, object=WE), "subject"))
    yield (
        Reported(
            Clause(verb("hoffen", "hope"), THEY, habit),
            Clause(verb("helfen", "help"), reader, future, object=ME),
        ),
        "Sie hoffen, dass der Mann, der uns angerufen hat, mir helfen wird.",
        "They hope that the man who called us will help me.",
    )
    yield (
        Question(Clause(call, YOU, past, object=the("child", plural=True)), "wann", "when"),
        "Wann hast du die Kinder angerufen?",
        "When did you call the children?",
    )
    yield (
        Request(Clause(verb("zumachen", "close"), PERSONS["formal"], habit, object=the("front door"))),
        "Bitte machen Sie die Haustür zu!",
        "Please close the front door.",
    )
    yield (
        Quoted(Statement(Clause(call, ME, future, object=THEY, time=tomorrow)), ANNA, speaker_first=False),
        "„Ich rufe sie morgen an“, sagte Anna.",
        "“I will call them tomorrow,” Anna said.",
    )
    yield (
        Quoted(Question(Clause(verb("lachen", "laugh"), SHE, past)), MUELLER, speaker_first=True),
        "Herr Müller fragte: „Hat sie gelacht?“",
        "Mr. Müller asked, “Did she laugh?”",
    )


@pytest.mark.parametrize("sentence, german, english", list(examples()), ids=lambda value: str(value)[:40])
def test_meaning_is_written_in_both_languages(sentence: Sentence, german: str, english: str) -> None:
    assert render_german(sentence) == german
    assert render_english(sentence) == english


@pytest.mark.parametrize(
    "name, determiner, forms",
    [
        ("table", Determiner.DEFINITE, ("der neue Tisch", "den neuen Tisch", "dem neuen Tisch")),
        ("table", Determiner.INDEFINITE, ("ein neuer Tisch", "einen neuen Tisch", "einem neuen Tisch")),
        ("lamp", Determiner.THIS, ("diese neue Lampe", "diese neue Lampe", "dieser neuen Lampe")),
        ("car", Determiner.INDEFINITE, ("ein neues Auto", "ein neues Auto", "einem neuen Auto")),
        ("boy", Determiner.DEFINITE, ("der neue Junge", "den neuen Jungen", "dem neuen Jungen")),
    ],
)
def test_article_adjective_and_noun_agree(name: str, determiner: Determiner, forms: tuple[str, ...]) -> None:
    phrase = the(name, determiner=determiner, adjective=adjective("new"))
    cases = (Case.NOMINATIVE, Case.ACCUSATIVE, Case.DATIVE)
    assert tuple(" ".join(phrase_words(phrase, case)) for case in cases) == forms


def test_possessors_stand_where_each_language_puts_them() -> None:
    of_anna, of_brother = the("car", possessor=ANNA), the("car", possessor=the("brother"))
    assert phrase_words(of_anna, Case.NOMINATIVE) == ["Annas", "Auto"]
    assert phrase_words(of_brother, Case.NOMINATIVE) == ["das", "Auto", "des", "Bruders"]
    sentence = Statement(Clause(COPULA, of_brother, Tense.HABIT, predicate=adjective("old")))
    assert render_english(sentence) == "The brother's car is old."


@pytest.mark.parametrize(
    "hundredths, german, english",
    [
        (123450, "1.234,5", "1,234.5"),
        (300, "3", "3"),
        (305, "3,05", "3.05"),
        (100000000, "1.000.000", "1,000,000"),
    ],
)
def test_numbers_are_written_as_each_language_does(hundredths: int, german: str, english: str) -> None:
    assert german_number(hundredths) == german
    assert english_number(hundredths) == english


@pytest.mark.parametrize(
    "hour, minute, german, english",
    [
        (14, 30, "14.30 Uhr", "2:30 p.m."),
        (12, 0, "12 Uhr", "12 p.m."),
        (9, 5, "9.05 Uhr", "9:05 a.m."),
        (0, 15, "0.15 Uhr", "12:15 a.m."),
    ],
)
def test_times_of_day(hour: int, minute: int, german: str, english: str) -> None:
    assert german_time(hour, minute) == german
    assert english_time(hour, minute) == english


def test_verb_is_last_in_subordinate_clauses_and_prefix_last_in_main_ones() -> None:
    dice = Dice(3)
    separated = 0
    for _ in range(2000):
        clause = random_clause(dice)
        finite, *rest = verb_first(clause)
        prefix = clause.verb.prefix
        if prefix and finite in clause.verb.present:
            separated += 1
            assert rest[-1] == prefix
            assert verb_final(clause) == [*rest[:-1], prefix + finite]
        else:
            assert verb_final(clause) == [*rest, finite]
    assert separated > 50


def test_same_seed_gives_same_corpus_and_another_seed_another() -> None:
    first = make_toy_corpus(200, 20, 20, seed=1)
    assert make_toy_corpus(200, 20, 20, seed=1) == first
    assert make_toy_corpus(200, 20, 20, seed=2) != first


def test_bytes_do_not_depend_on_the_order_of_hashes() -> None:
    program = "from redraft.corpus.toy import *; print(make_toy_corpus(200, 5, 5, 1))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_more_training_pairs_leave_val_and_test_as_they_were() -> None:
    small, large = make_toy_corpus(50, 20, 20, seed=4), make_toy_corpus(500, 20, 20, seed=4)
    assert (small.val, small.test) == (large.val, large.test)
    assert large.train[:50] == small.train


def test_no_pair_stands_in_two_parts(corpus: ToyCorpus) -> None:
    train, val, test = (
        {(german.lower(), english.lower()) for german, english in part} for part in corpus.parts().values()
    )
    assert len(val) == len(test) == 300
    assert not train & val
    assert not train & test
    assert not val & test


def test_size_of_the_language(corpus: ToyCorpus) -> None:
    train = summarise(corpus)[0]
    assert train.distinct_pairs > 0.97 * train.pairs
    assert 9 < train.german_tokens / train.pairs < 13
    assert 9 < train.english_tokens / train.pairs < 13
    for side in (0, 1):
        words = {word for pair in corpus.train for word in re.findall(r"[^\W\d]+", pair[side].lower())}
        assert 700 < len(words) < 1300
    lemmas = {noun.singular[0] for noun in NOUNS} | {entry.prefix + entry.infinitive for entry in VERBS}
    assert 200 < len(lemmas) < 300


@pytest.mark.parametrize(
    "german, meanings",
    [
        (r"Bank", ("bank", "bench")),
        (r"Schloss", ("castle", "lock")),
        (r"Strauß", ("bouquet", "ostrich")),
        (r"(ein|den|dieser) Leiter|die Leiter", ("manager", "ladder")),
        (r"Karte", ("map", "ticket", "postcard")),
        (r"Sie|sie", ("she", "they")),
        (r"aufgenommen", ("recorded", "took in", "took out")),
        (r"umgezogen", ("moved", "got changed")),
        (r"aufgegeben", ("gave up", "mailed")),
        (r"entlassen", ("fired", "discharged")),
    ],
)
def test_ambiguous_words_come_in_each_meaning(
    corpus: ToyCorpus, german: str, meanings: tuple[str, ...]
) -> None:
    seen = [english.lower() for side, english in corpus.train if re.search(rf"\b({german})\b", side)]
    for meaning in meanings:
        assert any(all(word in english.split() for word in meaning.split()) for english in map(_bare, seen))


def _bare(text: str) -> str:
    return re.sub(r"[^\w\s]", " ", text)


def test_punctuation_and_articles_are_correct(corpus: ToyCorpus) -> None:
    for german, english in corpus.train:
        assert re.fullmatch(r"\S+( \S+)+", german)
        assert re.fullmatch(r"\S+( \S+)+", english)
        assert not re.search(r"[{}_~]|,[,.]|\.\.| [,.?!]", german + english)
        assert german[-1] in ".?!“"
        assert english[-1] in ".?”"
        assert german.lstrip("„")[0].isupper() or german.lstrip("„")[0].isdigit()
        assert not re.search(r"[^,„] (dass|weil|obwohl) ", german)
        assert not re.search(r"\b(a [aeiou]|an [^aeiou])", english, re.IGNORECASE)


def test_files_hold_one_sentence_per_line(tmp_path: Path, corpus: ToyCorpus) -> None:
    write_toy_corpus(corpus, tmp_path)
    names = ["test.de", "test.en", "train.de", "train.en", "val.de", "val.en"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert (tmp_path / "val.de").read_text("utf-8").splitlines() == [german for german, _ in corpus.val]
    assert (tmp_path / "train.en").read_bytes().count(b"\n") == 6000


def test_table_with_a_missing_cell_is_reported() -> None:
    assert list(rows("# comment\n\na  b c  -\n", 3)) == [["a", "b c", ""]]
    with pytest.raises(ValueError, match="2 columns, expected 3"):
        list(rows("a  b\n", 3))


def test_command_writes_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "toy"
    assert main(["toy", "--pairs", "50", "--seed", "3", "--output", str(output)]) == 0
    lines = {path.name: path.read_text("utf-8").count("\n") for path in output.iterdir()}
    assert lines == {"train.de": 50, "train.en": 50, "val.de": 5, "val.en": 5, "test.de": 5, "test.en": 5}
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("train      50 pairs")


def test_command_takes_sizes_of_val_and_test(tmp_path: Path) -> None:
    output = tmp_path / "toy"
    assert main(["toy", "--pairs", "3", "--val", "7", "--output", str(output)]) == 0
    assert (output / "val.de").read_text("utf-8").count("\n") == 7
    assert (output / "test.de").read_text("utf-8").count("\n") == 1


def test_command_replaces_an_output_only_when_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "toy"
    command = ["toy", "--pairs", "20", "--output", str(output)]
    assert main(command) == 0
    before = (output / "train.de").read_bytes()
    assert main([*command, "--seed", "2"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (output / "train.de").read_bytes() == before
    assert main([*command, "--seed", "2", "--force"]) == 0
    assert (output / "train.de").read_bytes() != before


@pytest.mark.parametrize("option", ["--pairs", "--val", "--test"])
@pytest.mark.parametrize("value", ["0", "-5", "many"])
def test_command_refuses_sizes_that_make_no_corpus(tmp_path: Path, option: str, value: str) -> None:
    assert main(["toy", option, value, "--output", str(tmp_path / "toy")]) == 2
    assert not list(tmp_path.iterdir())
