"""Casing: learned from a few lines, the same in every run, kept in a file that is whole or refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.cli import main
from redraft.errors import UserError
from redraft.text.truecase import Truecase

TEXT = """
Yesterday we saw Anna in Berlin and the dog ran home.
In Berlin the NASA met Anna and a dog.
Then the McDonald family bought a house with the NASA.
A man from Berlin saw that May is the month when Anna may come.
He said that in May the house may be sold to McDonald.
The month of May came and the dog may sleep.
We met Anna in May and she may stay in Berlin.
The NASA says that the man from Berlin ran to the house of Anna.
""".strip().split("\n")
LINES = TEXT * 4


@cache
def learned() -> Truecase:
    return Truecase.learn(lambda: LINES, "en")


def cased(line: str, model: Truecase | None = None) -> str:
    return " ".join((model or learned()).apply(line.split()))


@pytest.mark.kernel
@pytest.mark.parametrize("line", TEXT)
def test_learns_its_text(line: str) -> None:
    line = line.replace(".", " .")
    assert cased(line.lower()) == line
    assert cased(line.upper()) == line  # it looks at the word, not at how it was typed


@pytest.mark.kernel
@pytest.mark.parametrize(
    "line, expected",
    [
        ("he may see anna in may", "He may see Anna in May"),  # by the words beside it
        ("the nasa and mcdonald", "The NASA and McDonald"),
        ("anna", "Anna"),
        ("the", "The"),  # the first word of a sentence
        ("( the dog", "( The dog"),
        ("“ the dog", "“ The dog"),
        ("5 . ! —", "5 . ! —"),
        ("", ""),
    ],
)
def test_predicts(line: str, expected: str) -> None:
    assert cased(line) == expected


@pytest.mark.kernel
def test_fixed_words_stay() -> None:
    words = "THE aNNA in berlin AND dog".split()  # noqa: SIM905
    fixed = [True, True, False, False, True, False]
    assert learned().apply(words, fixed) == ["THE", "aNNA", "in", "Berlin", "AND", "dog"]
    assert learned().apply(words, [True] * 6) == words


def test_many_sentences_are_the_sentences_one_by_one() -> None:
    sentences = [line.lower().split() for line in [*TEXT, "", "may", "anna in may"]]
    fixed = [[index % 3 == 0 for index in range(len(words))] for words in sentences]
    model = learned()
    assert model.apply_all(sentences) == [model.apply(words) for words in sentences]
    together = model.apply_all(sentences, fixed)
    assert together == [model.apply(words, held) for words, held in zip(sentences, fixed, strict=True)]
    assert model.apply_all([]) == []


words = st.text(st.characters(), min_size=1, max_size=6).filter(lambda word: word.split() == [word])
known = st.sampled_from(
    ["anna", "May", "NASA", "mcdonald", "the", "ß", "ŉ", "İ", "ǆ", "a-b", "-", "x.y.", "'tis"]
)


@settings(max_examples=30)
@given(st.lists(known | words, max_size=8), st.data())
def test_only_case_changes(words: list[str], data: st.DataObject) -> None:
    fixed = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    result = learned().apply(words, fixed)
    assert len(result) == len(words)
    for word, now, held in zip(words, result, fixed, strict=True):
        assert now == word if held else now.lower() == word.lower()


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    Truecase.learn(lambda: LINES, "en").save(tmp_path / "one")
    Truecase.learn(lambda: iter(LINES), "en").save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_save_and_load(tmp_path: Path) -> None:
    path = tmp_path / "en.case"
    learned().save(path)
    model = Truecase.load(path)
    assert model.language == "en"
    assert model.special == learned().special == {"nasa": "NASA", "mcdonald": "McDonald"}
    lines = [line.lower() for line in TEXT]
    assert [cased(line, model) for line in lines] == [cased(line) for line in lines]
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


@pytest.mark.kernel
@pytest.mark.parametrize("lines", [[], [""], ["", "5 . !"], ["Once only"]], ids=repr)
def test_learning_from_nothing(lines: list[str], tmp_path: Path) -> None:
    model = Truecase.learn(lambda: lines, "en")
    assert model.known.size == 0
    assert cased("5 .", model) == "5 ."
    assert cased("anna and", model).startswith("Anna ")
    model.save(tmp_path / "model")
    assert Truecase.load(tmp_path / "model").known.size == 0


@pytest.mark.kernel
def test_names_of_languages_and_lines_of_any_kind() -> None:
    lines = ["Die Straße, die ÄRGER macht.", "NUR GROSSE BUCHSTABEN HIER!", "\0 \ud800 a\u0301"] * 4
    model = Truecase.learn(lambda: lines, "de")
    assert cased("die straße , die ärger macht .", model) == "Die Straße , die ÄRGER macht ."


def _archive(arrays: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def _arrays() -> dict[str, Any]:
    model = learned()
    head = {"format": "redraft-truecase", "version": 1, "language": "en", "scale": model.scale}
    return {
        "head": _head(head | {"special": ["NASA"]}),
        "weights": model.weights,
        "known": model.known,
        "priors": model.priors,
    }


def _head(value: object) -> np.ndarray[Any, Any]:
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def _changed(**changes: Any) -> bytes:
    head = json.loads(_arrays()["head"].tobytes())
    return _archive(_arrays() | {"head": _head(head | changes)})


def _replaced(**arrays: Any) -> bytes:
    return _archive(_arrays() | arrays)


def _without(name: str) -> bytes:
    return _archive({key: array for key, array in _arrays().items() if key != name})


def _bad_zip(damage: Callable[[bytearray], object]) -> bytes:
    content = bytearray(_archive(_arrays()))
    damage(content)
    return bytes(content)


def _huge() -> bytes:
    """An archive whose table says that it has a million million rows."""
    stream = io.BytesIO(_archive(_arrays()))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|i1", "fortran_order": False, "shape": (10**12, 3)}
    )
    with zipfile.ZipFile(stream) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    contents["weights.npy"] = header.getvalue()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, content in contents.items():
            new.writestr(name, content)
    return out.getvalue()


REFUSED: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"Anna in Berlin\n" * 20,
    "JSON": lambda: b'{"format": "redraft-truecase"}',
    "cut short": lambda: _archive(_arrays())[:-100],
    "cut in the middle": lambda: _archive(_arrays())[:2000],
    "zeros in the middle": lambda: _bad_zip(
        lambda content: content.__setitem__(slice(900, 1500), bytes(600))
    ),
    "another zip": lambda: _archive({"a": np.zeros(3)}),
    "one array": lambda: b"\x93NUMPY" + bytes(100),
    "a pickle": lambda: b"\x80\x04K\x01.",
    "pickled objects": lambda: _replaced(known=np.array([{"a": 1}], dtype=object)),
    "pickled head": lambda: _replaced(head=np.array([{"a": 1}], dtype=object)),
    "no head": lambda: _without("head"),
    "no weights": lambda: _without("weights"),
    "no priors": lambda: _without("priors"),
    "a million million rows": _huge,
    "fewer rows": lambda: _replaced(weights=np.zeros((1 << 10, 3), dtype=np.int8)),
    "other weights": lambda: _replaced(weights=_arrays()["weights"].astype(np.float32)),
    "fewer priors": lambda: _replaced(priors=_arrays()["priors"][1:]),
    "other priors": lambda: _replaced(priors=_arrays()["priors"].astype(np.float64)),
    "known words as text": lambda: _replaced(known=np.array(["a"] * _arrays()["known"].size)),
    "known words in another order": lambda: _replaced(known=_arrays()["known"][::-1]),
    "known words as a table": lambda: _replaced(
        known=np.zeros((2, 2), np.uint64), priors=np.zeros((2, 2), np.int8)
    ),
    "head no JSON": lambda: _replaced(head=np.frombuffer(b"{", dtype=np.uint8)),
    "head no UTF-8": lambda: _replaced(head=np.frombuffer(b'"\xff"', dtype=np.uint8)),
    "head a list": lambda: _replaced(head=_head([1])),
    "head nested deeply": lambda: _replaced(head=np.frombuffer(b"[" * 100_000, dtype=np.uint8)),
    "older version": lambda: _changed(version=0),
    "newer version": lambda: _changed(version=2),
    "other format": lambda: _changed(format="redraft-vocabulary"),
    "language a number": lambda: _changed(language=5),
    "scale a word": lambda: _changed(scale="big"),
    "scale NaN": lambda: _changed(scale=float("nan")),
    "no scale": lambda: _changed(scale=None),
    "special forms a number": lambda: _changed(special=5),
    "special forms no words": lambda: _changed(special=[5]),
    "special forms one word": lambda: _changed(special="NASA"),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED.keys())
def test_damaged_files_are_refused(make: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "en.case"
    path.write_bytes(make())
    with pytest.raises(UserError) as caught:
        Truecase.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_versions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "en.case"
    path.write_bytes(_archive(_arrays()))
    assert Truecase.load(path).language == "en"
    path.write_bytes(_changed(version=7))
    with pytest.raises(UserError, match=r"redraft-truecase version 7, this redraft reads .* version 1"):
        Truecase.load(path)
    with pytest.raises(UserError, match="cannot be read"):
        Truecase.load(tmp_path / "nothing")
    with pytest.raises(UserError, match="cannot be read"):
        Truecase.load(tmp_path)


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("text.en").write_text("\n".join(LINES) + "\n", "utf-8")
    return tmp_path


def test_from_the_command_line(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["truecase", "text.en", "--output", "en.case"]) == 0
    assert "language en" in capsys.readouterr().err
    Path("draft.en").write_text("anna ( in may ) , the nasa !\n\nthe {dogName} <A B='C'>\n", "utf-8")
    assert main(["detokenize", "draft.en", "--truecase", "en.case"]) == 0
    assert capsys.readouterr().out == "Anna (in May), the NASA!\n\nThe {dogName} <A B='C'>\n"
    assert main(["detokenize", "draft.en"]) == 0
    assert capsys.readouterr().out == "anna (in may), the nasa!\n\nthe {dogName} <A B='C'>\n"


def test_the_model_knows_the_language(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["truecase", "text.en", "--language", "de", "--output", "de.case"]) == 0
    Path("draft").write_text("„ anna “\n", "utf-8")
    capsys.readouterr()
    assert main(["detokenize", "draft", "--truecase", "de.case"]) == 0
    assert capsys.readouterr().out == "„Anna“\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["truecase", "-", "--output", "m"], "read twice"),
        (["truecase", "nothing.en", "--output", "m"], "nothing.en: no such file"),
        (["truecase", "empty.en", "--output", "m"], "no word occurs often enough"),
        (["truecase", "text.en", "--output", "no/m"], "no/m: cannot be written"),
        (["detokenize", "text.en", "--truecase", "text.en"], "text.en: is no truecase model"),
        (
            ["detokenize", "text.en", "--truecase", "en.case", "--language", "de"],
            "was learned from en, and the text is de",
        ),
        (["tokenize", "nothing.en"], "nothing.en: no such file"),
    ],
)
def test_mistakes_are_one_line(
    in_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    Path("empty.en").touch()
    if "en.case" in arguments:
        learned().save("en.case")
    assert main(arguments) == 1
    streams = capsys.readouterr()
    assert streams.out == ""
    assert message in streams.err
    assert streams.err.count("\n") == 1
    assert not Path("m").exists()


def test_tokenize_from_the_command_line(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.de").write_text("Am 3. Mai z. B.\u2028(5 %)\r\n\r\nÄh!", "utf-8")
    assert main(["tokenize", "a.de"]) == 0
    assert capsys.readouterr().out == "Am 3. Mai z. B. ( 5 % )\n\nÄh !\n"
    assert main(["tokenize", "a.de", "--normalized", "--language", "en"]) == 0
    assert capsys.readouterr().out == "am <num> . mai z . b. ( <num> % )\n\näh !\n"


def test_german_compounds_of_nouns_begin_with_a_capital() -> None:
    lines = ["Wir essen fast immer Food und Restaurants .", "Er ist sehr positiv ."] * 4
    model = Truecase.learn(lambda: lines, "de")
    assert model._special_form("fast-food-restaurants") == "Fast-Food-Restaurants"
    english = Truecase.learn(lambda: lines, "en")
    assert english._special_form("fast-food-restaurants") == "fast-Food-Restaurants"


def test_given_tokens_are_learned_from_as_they_are() -> None:
    lines = ["das X.Y.Z. ist gut"] * 4
    assert "x.y.z." in Truecase.learn(lambda: lines, "de", given=True).special
