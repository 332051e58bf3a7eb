"""`redraft draft` and `redraft jackknife` as a user meets them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from redraft.cli import main

GERMAN = [
    "Der Hund schläft.",
    "Die Katze schläft.",
    "Der Hund frisst.",
    "Die Katze frisst.",
    "Der Hund, die Katze.",
]
ENGLISH = ["The dog sleeps.", "The cat sleeps.", "The dog eats.", "The cat eats.", "The dog, the cat."]
TRAINING = ["--train-source", "a.de", "--train-reference", "a.en"]
UPPER = f"{sys.executable} -c 'import sys; [print(line.strip().upper()) for line in sys.stdin]'"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with text to learn from, a table, and drafts that are there."""
    monkeypatch.chdir(tmp_path)
    write("a.de", *GERMAN)
    write("a.en", *ENGLISH)
    write("words.tsv", "der\tthe", "hund\thound")
    return tmp_path


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put text on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_train_save_and_use_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["draft", "--drafter", "dictionary", *TRAINING, "--source", "a.de", "--save", "model"]) == 0
    first = capsys.readouterr()
    assert first.out.split("\n")[0] == "the dog sleeps ."
    assert "model: the dictionary drafter that was trained" in first.err
    feed(monkeypatch, "Der Hund frisst.\n")
    assert main(["draft", "--model", "model"]) == 0
    assert capsys.readouterr().out == "the dog eats .\n"
    again = ["draft", "--drafter", "dictionary", *TRAINING, "--source", "a.de", "--save", "model"]
    assert main(again) == 1
    assert "exists already" in capsys.readouterr().err
    assert main([*again, "--force"]) == 0
    assert capsys.readouterr().out == first.out


@pytest.mark.parametrize(
    ("options", "draft"),
    [
        (["--drafter", "dictionary", "--table", "words.tsv"], "the hound schläft ."),
        (["--drafter", "dictionary", "--table", "words.tsv", "--tokens", "given"], "the hound schläft."),
        (["--drafter", "command", "--command", UPPER], "DER HUND SCHLÄFT."),
        (["--drafter", "file", "--drafts", "a.en"], "The dog sleeps."),
    ],
)
def test_each_kind(options: list[str], draft: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", *options, "--source", "a.de"]) == 0
    printed = capsys.readouterr().out
    assert printed.split("\n")[0] == draft
    assert printed.count("\n") == len(GERMAN)
    assert main(["draft", *options, "--source", "a.de", "--output", "out"]) == 0
    assert Path("out").read_text("utf-8") == printed


@pytest.mark.parametrize(
    ("options", "telling"),
    [
        ([], "give --drafter (dictionary, thot, command, file), or --model alone"),
        (["--drafter", "dictionary"], "needs one of --model, --train-source, --table; none was given"),
        (["--drafter", "file", "--command", "cat"], "the file drafter has no --command; it takes --drafts"),
        (
            ["--drafter", "dictionary", "--table", "words.tsv", *TRAINING],
            "--train-source and --table were given",
        ),
        (["--drafter", "thot", "--train-source", "a.de"], "--train-source and --train-reference go together"),
        (["--drafter", "dictionary", "--table", "words.tsv", "--save", "m"], "--save keeps what is learned"),
        (["--drafter", "oracle"], "oracle"),
    ],
)
def test_options_that_do_not_go_together(
    options: list[str], telling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draft", *options, "--source", "a.de"]) == 2
    printed = capsys.readouterr()
    assert telling in " ".join(printed.err.split())
    assert printed.out == ""


@pytest.mark.parametrize(
    ("options", "telling"),
    [
        (["--drafter", "file", "--drafts", "words.tsv"], "words.tsv: 2 drafts for 5 source sentences"),
        (
            ["--drafter", "command", "--command", "false"],
            "died with exit code 1 in batch 1 (lines 1 to 5), twice",
        ),
        (["--drafter", "command", "--command", "true"], "true: printed 0 lines for 5 sentences in batch 1"),
        (
            ["--drafter", "command", "--command", "sleep 9", "--timeout", "0.2"],
            "sleep 9: gave no answer within 0.2 s",
        ),
        (["--model", "a.en"], "a.en: has no drafter.json, so it is no trained drafter"),
        (["--drafter", "dictionary", "--table", "absent.tsv"], "absent.tsv: no such file"),
    ],
)
def test_bad_input_is_one_line_and_no_output(
    options: list[str], telling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draft", *options, "--source", "a.de", "--output", "out"]) == 1
    printed = capsys.readouterr()
    assert telling in printed.err
    assert printed.err.startswith("redraft: ")
    assert printed.err.count("\n") == 1
    assert not Path("out").exists()


def test_jackknife(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["jackknife", "--source", "a.de", "--reference", "a.en", "--output", "out", "--folds", "2"]
    write("b.x.de", "Der Hund.")
    assert main([*command, "--also", "b.x.de", "--threads", "1"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "out/a.draft\nout/b.draft\n"
    assert "5 pairs; 3 systems to train" in printed.err
    assert Path("out/b.draft").read_text("utf-8") == "the dog .\n"
    assert main([*command, "--also", "b.x.de", "--threads", "1", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"a": "out/a.draft", "b": "out/b.draft"}
    assert "is there already" in printed.err
    assert main([*command, "--threads", "1"]) == 1
    assert "out: was made with another set b; name another output or add --force" in capsys.readouterr().err


def test_sets_of_the_same_name(capsys: pytest.CaptureFixture[str]) -> None:
    write("b.de", "Hund")
    command = ["jackknife", "--source", "a.de", "--reference", "a.en", "--output", "out"]
    assert main([*command, "--also", "b.de", "--also", "./b.de"]) == 1
    assert "would both be written to b.draft" in capsys.readouterr().err
