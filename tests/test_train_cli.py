"""Training, detecting and describing from the command line, on a toy corpus and with tiny networks."""

from __future__ import annotations

import builtins
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from redraft.cli import main  # noqa: E402

SMALL = ["--state", "16", "--embedding", "8", "--hidden", "16", "--validate-every", "10", "--budget", "2000"]
SMALL += ["--threads", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy corpus whose drafts are its own references with every fifth word wrong."""
    path = tmp_path_factory.mktemp("train")
    assert main(["toy", "--pairs", "300", "--output", str(path / "toy")]) == 0
    for name in ("train", "test"):
        lines = (path / "toy" / f"{name}.en").read_text("utf-8").splitlines()
        spoiled = [
            " ".join("wrong" if i % 5 == 4 else w for i, w in enumerate(line.split())) for line in lines
        ]
        (path / f"{name}.draft").write_text("\n".join(spoiled) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    output = folder / "model"
    assert main([*command(folder), "--output", str(output), "--steps", "60"]) == 0
    return output


def command(folder: Path, draft: bool = True) -> list[str]:
    files = ["--source", f"{folder}/toy/train.de", "--reference", f"{folder}/toy/train.en"]
    return ["train", *files, *(["--draft", f"{folder}/train.draft"] if draft else []), *SMALL]


def test_model_with_drafts_has_both_parts(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "info", str(model)]) == 0
    printed = capsys.readouterr().out
    assert "de to en" in printed
    assert "detector" in printed
    assert "memories: source, draft" in printed
    assert main(["model", "info", str(model), "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["parts"]) == {"detector", "refiner"}
    assert main(["model", "card", str(model)]) == 0
    assert capsys.readouterr().out == (model / "README.md").read_text("utf-8")


def test_detect_gives_a_tag_for_every_token(
    model: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--source", f"{folder}/toy/test.de", "--draft", f"{folder}/test.draft", "--tokens", "given"]
    assert main(["detect", "--model", str(model), *files]) == 0
    drafts = (folder / "test.draft").read_text("utf-8").splitlines()
    tags = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [len(row) for row in tags] == [len(line.split()) for line in drafts]
    assert (model / "training" / "detector.curves.svg").read_text("utf-8").startswith("<?xml")
    recorded = (model / "training" / "refiner.metrics.jsonl").read_text("utf-8").splitlines()
    assert json.loads(recorded[-1])["step"] == 60
    assert {tag for row in tags for tag in row} == {"OK", "BAD"}
    wrong = [tag for row, line in zip(tags, drafts, strict=True) for tag, w in zip(row, line.split(), strict=True) if w == "wrong"]  # fmt: skip # noqa: E501
    assert wrong.count("BAD") > 0.8 * len(wrong)
    assert (
        main(["detect", "--model", str(model), *files, "--scores", "--output", str(folder / "scores")]) == 0
    )
    scores = [list(map(float, line.split())) for line in (folder / "scores").read_text().splitlines()]
    assert [len(row) for row in scores] == [len(row) for row in tags]
    assert main(["detect", "--model", str(model), *files, "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["tokens"] == drafts[0].split()
    assert first["tags"] == tags[0]


def test_detect_reads_pairs_from_a_pipe(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Das Haus .\tThe house .\n\t\n")))
    assert main(["detect", "--model", str(model)]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert [len(line.split()) for line in lines] == [3, 0, 0]


def test_without_drafts_it_trains_f(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = folder / "single"
    assert main([*command(folder, draft=False), "--output", str(output), "--steps", "10", "--no-null"]) == 0
    assert main(["model", "info", str(output)]) == 0
    assert "memories: source\n" in capsys.readouterr().out
    assert main(["detect", "--model", str(output), "--source", "x", "--draft", "y"]) == 1
    assert "has no detector" in capsys.readouterr().err


def test_towers_and_random_embeddings(folder: Path) -> None:
    extra = ["--context", "towers", "--width", "16", "--steps", "10", "--states", "0.5", "--parts", "refiner"]
    assert main([*command(folder), *extra, "--output", str(folder / "towers")]) == 0
    random = ["--embeddings", "random", "--steps", "10", "--recipe", "paper", "--parts", "detector"]
    assert main([*command(folder), *random, "--output", str(folder / "random")]) == 0


def test_interrupted_training_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = ["--work", str(folder / "kept"), "--parts", "refiner"]
    assert main([*command(folder), "--output", str(folder / "one"), "--steps", "20", *work]) == 0
    capsys.readouterr()
    assert main([*command(folder), "--output", str(folder / "two"), "--steps", "40", *work]) == 0
    assert "going on from step 20" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "telling"),
    [
        (["--output", "m"], 2, "--source"),
        (["--output", "m", "--source", "a"], 2, "--reference"),
        (["--output", "m", "--source", "none.de", "--reference", "none.en"], 1, "no such file"),
        (["--output", "m", "--corpus", "nowhere"], 1, "nowhere"),
        (["--output", "m", "--corpus", "nowhere", "--source", "a"], 2, "not both"),
        (["--output", "m", "--source", "a", "--reference", "b", "--device", "tpu"], 2, "auto, cpu or cuda"),
        (["--output", "m", "--source", "a", "--reference", "b", "--device", "cuda"], 1, "no CUDA device"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    code: int,
    telling: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "cuda" in arguments and torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert telling in printed.err


def test_detector_needs_drafts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*command(folder, draft=False), "--parts", "detector", "--output", str(folder / "x")]
    assert main(arguments) == 1
    assert "--draft" in capsys.readouterr().err.splitlines()[-1]


def test_without_torch_the_pip_line_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    for arguments in (["train", "--output", "m"], ["detect", "--model", "m"], ["model", "info", "m"]):
        assert main(arguments) == 1
        assert capsys.readouterr().err.endswith("run: pip install 'redraft[train]'\n")
