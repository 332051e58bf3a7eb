"""The jackknife: nothing leaks, and neither processes nor kills change a byte; inputs are watched."""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from redraft.drafting import (
    Jackknife,
    TokenSettings,
    TrainingText,
    open_drafter,
    run_jackknife,
    train_drafter,
)
from redraft.drafting import jackknife as module
from redraft.drafting.dictionary import DictionaryTrainer
from redraft.errors import UserError
from redraft.workers import LocalProcesses, Serial

TOKENS = TokenSettings("de", "en")
PAIRS = 60
FOLDS = 4


def make_sides(chance: random.Random) -> tuple[list[str], list[str]]:
    """Pairs of a made-up language, each with a word (marke...) that stands in no other, and what it means."""
    source, reference = [], []
    for number in range(PAIRS):
        words = [chance.randrange(12) for _ in range(6)]
        source.append(" ".join([*(f"wort{word}" for word in words), f"marke{number}x", "."]))
        reference.append(" ".join([*(f"word{word}" for word in words), f"mark{number}x", "."]))
    # Pairs that say the same: in other case, with other punctuation, and as they stand.
    source += [source[0].upper(), source[1].replace(" .", "!"), source[2]]
    reference += [reference[0].title(), reference[1].replace(" .", " ..."), reference[2]]
    return source, reference


@pytest.fixture
def task(tmp_path: Path) -> Jackknife:
    """A jackknife over the made-up language; the further set has the sources of the training set."""
    source, reference = make_sides(random.Random(1))
    paths = {}
    for name, lines in (("train.de", source), ("train.en", reference), ("test.de", source)):
        paths[name] = tmp_path / name
        paths[name].write_text("".join(f"{line}\n" for line in lines), "utf-8")
    also = {"test": str(paths["test.de"])}
    return Jackknife("dictionary", str(paths["train.de"]), str(paths["train.en"]), TOKENS, also, folds=FOLDS)


def run(task: Jackknife, output: Path, processes: int = 1, force: bool = False) -> list[str]:
    """Run a jackknife; what it said."""
    said: list[str] = []
    with Serial() if processes == 1 else LocalProcesses(processes) as workers:
        run_jackknife(task, output, workers, force=force, say=said.append)
    return said


def read_folder(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def test_a_pair_leaves_no_trace_in_the_system_that_drafts_it(task: Jackknife, tmp_path: Path) -> None:
    run(task, tmp_path / "out")
    seen = read_lines(tmp_path / "out" / "test.draft")
    unseen = read_lines(tmp_path / "out" / "train.draft")
    sources = read_lines(Path(task.source))
    assert len(unseen) == len(seen) == len(sources) == PAIRS + 3
    for number in [*range(PAIRS), 0, 1, 2]:
        line = number if number < PAIRS else PAIRS + number
        assert f"marke{number}x" in unseen[line].split(), "a word that is not known is copied"
        assert f"mark{number}x" in seen[line].split(), "the full system knows it"
    for line in range(PAIRS, PAIRS + 3):  # what the duplicates say their first pairs could have given away
        original = line - PAIRS
        assert f"mark{original}x" not in unseen[line].split()
        assert f"mark{original}x" not in unseen[original].split()
    words = [word for draft in unseen for word in draft.split() if word.startswith("wort")]
    assert not words, "what stands in other folds is translated"


def test_models_of_folds_hold_nothing_of_them(task: Jackknife, tmp_path: Path) -> None:
    """The bytes of every file of a model, not only what it drafts."""
    (tmp_path / "text").mkdir()
    text = TrainingText.write(tmp_path / "text", task.source, task.reference, TOKENS, FOLDS)
    folds = text.folds().tolist()
    assert folds[:3] == folds[PAIRS:], "pairs that say the same share a fold"
    assert set(folds) == set(range(FOLDS))
    for left_out in range(FOLDS):
        train_drafter(DictionaryTrainer(), text, tmp_path / str(left_out), left_out)
        stored = b"".join(read_folder(tmp_path / str(left_out)).values())
        for number in range(PAIRS):
            assert (b"mark%dx" % number in stored) == (folds[number] != left_out)


def test_result_is_complete_and_the_full_model_opens(task: Jackknife, tmp_path: Path) -> None:
    run(task, tmp_path / "out")
    names = {
        "train.draft",
        "train.fold",
        "test.draft",
        "manifest.json",
        "model/drafter.json",
        "model/table.tsv",
    }
    assert set(read_folder(tmp_path / "out")) == names
    assert not (tmp_path / "out.work").exists()
    drafter = open_drafter(tmp_path / "out" / "model")
    again = list(drafter.draft(read_lines(tmp_path / "test.de")))
    assert again == read_lines(tmp_path / "out" / "test.draft")


def test_processes_and_shards_do_not_matter(
    task: Jackknife, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SHARD_LINES", 5)
    run(task, tmp_path / "one")
    run(task, tmp_path / "two", processes=2)
    assert read_folder(tmp_path / "one") == read_folder(tmp_path / "two")
    monkeypatch.setattr(module, "SHARD_LINES", 1000)
    run(task, tmp_path / "large")
    for name in ("train.draft", "test.draft"):
        assert (tmp_path / "large" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


# Runs the jackknife again and again, each time in a child that is killed when it puts a file or folder in
# place (just before or after): the first time at the first one, then at the second, up to the tenth.
KILLED_EVERYWHERE = """
import os, signal, sys
from pathlib import Path
from redraft.drafting import Jackknife, TokenSettings, run_jackknife
from redraft.drafting import jackknife as module
from redraft.workers import Serial

source, reference, test, output, when = sys.argv[1:]
module.SHARD_LINES = 5
task = Jackknife("dictionary", source, reference, TokenSettings("de", "en"), {"test": test}, folds=4)
steps = 0

def killing(function):
    def call(*arguments, **options):
        global steps
        steps += 1
        if steps == last and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        function(*arguments, **options)
        if steps == last and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
    return call

kills = 0
while kills < 1000:
    last = kills % 10 + 1
    child = os.fork()
    if child == 0:
        os.rename, os.replace = killing(os.rename), killing(os.replace)
        with Serial() as workers:
            run_jackknife(task, Path(output), workers)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status == 0:
        break
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    kills += 1
print(kills)
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_every_step_it_ends_with_the_same_bytes(
    task: Jackknife, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SHARD_LINES", 5)
    run(task, tmp_path / "whole")
    command = [sys.executable, "-c", KILLED_EVERYWHERE, task.source, task.reference, task.also["test"]]
    done = subprocess.run(
        [*command, str(tmp_path / "killed"), when], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10
    assert read_folder(tmp_path / "killed") == read_folder(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["killed", "whole"]


def test_killed_with_processes_at_work(task: Jackknife, tmp_path: Path) -> None:
    """The command line with two processes, killed as soon as there is something to go on with."""
    run(task, tmp_path / "whole")
    start = [sys.executable, "-c", "import sys; from redraft.cli import main; sys.exit(main())", "jackknife"]
    options = ["--source", task.source, "--reference", task.reference, "--also", task.also["test"]]
    command = [*start, *options, "--folds", str(FOLDS), "--threads", "2", "--output", str(tmp_path / "out")]
    for moment in ("text", "fold-001", "drafts/fold-000.000000"):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not (tmp_path / "out.work" / moment).exists():
                pass
            process.send_signal(signal.SIGKILL)
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / "out" / name) for name in ("train.draft", "test.draft")]
    assert read_folder(tmp_path / "out") == read_folder(tmp_path / "whole")


def interrupt(task: Jackknife, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a run and stop it when the systems are there."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "_draft_shard", stop)
        with pytest.raises(KeyboardInterrupt):
            run(task, output)
    assert (output.with_name(f"{output.name}.work") / "full").is_dir()


def stop(_payload: object) -> int:
    raise KeyboardInterrupt


def test_finished_steps_are_not_done_again(
    task: Jackknife, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(task, tmp_path / "out", monkeypatch)
    monkeypatch.setattr(DictionaryTrainer, "train", None)  # another training would fail
    assert run(task, tmp_path / "out") == [f"going on with what was done in {tmp_path / 'out.work'}"]
    assert (tmp_path / "out" / "train.draft").is_file()
    assert not run(task, tmp_path / "out"), "what is complete is left alone"


def test_other_inputs_and_settings_are_noticed(
    task: Jackknife, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(task, tmp_path / "out", monkeypatch)
    with pytest.raises(UserError, match=r"out\.work: was begun with folds 4 \(now 5\); add --force"):
        run(replace(task, folds=5), tmp_path / "out")
    with pytest.raises(UserError, match="was begun with another set test; add --force"):
        run(replace(task, also={}), tmp_path / "out")
    with Path(task.source).open("a", encoding="utf-8") as stream:
        stream.write("wort1 neu\n")
    with Path(task.reference).open("a", encoding="utf-8") as stream:
        stream.write("word1 new\n")
    with pytest.raises(UserError, match="was begun with another reference; add --force to begin anew"):
        run(task, tmp_path / "out")
    assert "beginning anew" in run(task, tmp_path / "out", force=True)[0]
    assert len(read_lines(tmp_path / "out" / "train.draft")) == PAIRS + 4
    with pytest.raises(UserError, match=r"out: was made with seed 1 \(now 2\)"):
        run(replace(task, seed=2), tmp_path / "out")
    run(replace(task, seed=2), tmp_path / "out", force=True)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["settings"]["seed"] == 2


def test_a_complete_output_with_work_beside_it(task: Jackknife, tmp_path: Path) -> None:
    """Killed between the last two steps: the work is cleared away, but never that on something else."""
    run(task, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    work = tmp_path / "out.work"
    work.mkdir()
    (work / "plan.json").write_text(json.dumps(manifest | {"seed": 7, "settings": {}}), "utf-8")
    run(task, tmp_path / "out")
    assert work.exists()
    (work / "plan.json").write_text(json.dumps(manifest), "utf-8")
    run(task, tmp_path / "out")
    assert not work.exists()


def test_one_run_at_a_time(task: Jackknife, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(task, tmp_path / "out", monkeypatch)
    descriptor = os.open(tmp_path / "out.work", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(UserError, match=r"out\.work: another run is at work there"):
            run(task, tmp_path / "out")
    finally:
        os.close(descriptor)
    run(task, tmp_path / "out")


def test_folders_that_are_not_ours_are_left_alone(task: Jackknife, tmp_path: Path) -> None:
    for name, telling in (("out", r"has no manifest\.json"), ("other.work", r"has no plan\.json")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "letter.txt").write_text("dear", "utf-8")
        with pytest.raises(UserError, match=telling):
            run(task, tmp_path / name.removesuffix(".work"), force=True)
        assert (tmp_path / name / "letter.txt").is_file()
        shutil.rmtree(tmp_path / name)


@pytest.mark.parametrize(
    ("change", "telling"),
    [
        ({"folds": 64}, "63 pairs cannot be cut into 64 folds"),
        ({"folds": 1}, "1 folds were asked for; expected a number from 2 to 255"),
        ({"source": "absent.de"}, "absent.de: no such file"),
        ({"source": "-"}, "-: no such file (the jackknife reads it more than once"),
        ({"kind": "oracle"}, "no drafter that learns is called 'oracle'; there are dictionary, thot"),
        ({"name": "test"}, "two sets would be written to test.draft"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(
    change: dict[str, object], telling: str, task: Jackknife, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as caught:
        run(replace(task, **change), tmp_path / "out")
    assert telling in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.work").exists()


def test_sides_of_different_length(task: Jackknife, tmp_path: Path) -> None:
    with Path(task.source).open("a", encoding="utf-8") as stream:
        stream.write("one more\n")
    with pytest.raises(UserError, match=r"train\.de has 64 lines, .*train\.en has 63 lines"):
        run(task, tmp_path / "out")
    for nothing in ("", "\n\n\n\n"):
        for path in (task.source, task.reference):
            Path(path).write_text(nothing, "utf-8")
        with pytest.raises(UserError, match=r"train\.de: no line has words here and in .*train\.en"):
            run(task, tmp_path / "out")


def test_empty_lines_get_empty_drafts(task: Jackknife, tmp_path: Path) -> None:
    for path in (task.source, task.reference):
        lines = read_lines(Path(path))
        lines[5] = lines[-1] = ""
        Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    run(task, tmp_path / "out")
    drafts = read_lines(tmp_path / "out" / "train.draft")
    assert [number for number, draft in enumerate(drafts) if not draft] == [5, len(drafts) - 1]
