"""The jackknife: a draft for every training sentence by a system that has not seen its fold.

    OUTPUT.work/             where the work is done; a run that was killed goes on from here
      plan.json              what was asked for: inputs by hash, settings, versions
      text/                  tokens, folds, and the source sentences of each fold
      full, fold-000 ...     systems: trained on everything, and each without that fold
      drafts/                one file a shard
    OUTPUT/                  complete or absent
      manifest.json          the plan, and the files by hash
      NAME.draft             drafts in the order of their sources, of the training set and of further ones
      NAME.fold              the fold of each training sentence
      model/                 the full system, for sentences to come

Nothing depends on the number of processes, on who does what, or on where a run was killed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from redraft.corpus.reading import read_lines
from redraft.drafting.interface import Drafter
from redraft.drafting.registry import get_trainer
from redraft.drafting.text import TokenSettings, TrainingText
from redraft.drafting.trained import (
    describe_files,
    describe_settings,
    describe_versions,
    open_drafter,
    train_drafter,
)
from redraft.drafting.workplace import (
    MANIFEST,
    Say,
    is_complete,
    open_work,
    remove_finished_work,
    remove_work,
)
from redraft.errors import UserError
from redraft.files import hash_file, write_file, write_folder, write_json
from redraft.workers import Shard, Workers

FORMAT = "redraft-jackknife"
VERSION = 1
TEXT = "text"
SHARD_LINES = 1000

Report = Callable[[int], None]


@dataclass(frozen=True)
class Jackknife:
    """What is asked for."""

    kind: str
    source: str
    reference: str
    tokens: TokenSettings
    also: Mapping[str, str] = field(default_factory=dict)  # name of a further set: its source file
    name: str = "train"  # of the training set
    folds: int = 10
    seed: int = 1

    def plan(self) -> dict[str, Any]:
        """All that decides the result. Where two plans are equal, so are the bytes."""
        trainer = get_trainer(self.kind)
        inputs = {"source": self.source, "reference": self.reference}
        return {
            "format": FORMAT,
            "version": VERSION,
            "inputs": {side: _hash_input(path) for side, path in inputs.items()},
            "also": {name: _hash_input(path) for name, path in self.also.items()},
            "settings": {
                "drafter": self.kind,
                "drafter settings": describe_settings(trainer),
                "name": self.name,
                "folds": self.folds,
                "seed": self.seed,
                "tokens": asdict(self.tokens),
                "sentences a shard": SHARD_LINES,
            },
            "versions": describe_versions(trainer),
        }


def run_jackknife(
    task: Jackknife,
    output: Path,
    workers: Workers,
    *,
    force: bool = False,
    report: Report = lambda _sentences: None,
    say: Say = lambda _message: None,
) -> bool:
    """Write OUTPUT, or go on where an earlier run was stopped; False where it was there already.

    `force` replaces what was made, or begun, from other inputs or settings.
    """
    if not 2 <= task.folds <= 255:
        raise UserError(f"{task.folds} folds were asked for; expected a number from 2 to 255")
    if task.name in task.also:
        raise UserError(f"two sets would be written to {task.name}.draft; rename the file of one of them")
    plan = task.plan()
    work = output.resolve().with_name(f"{output.resolve().name}.work")
    if is_complete(output, plan, force):
        remove_finished_work(work, plan)
        return False
    with open_work(work, plan, force, say):
        run = _Run(task, work, workers, report, say)
        try:
            run.write_text()
        except UserError:
            remove_work(work)  # the input has to change, so nothing can be gone on with
            raise
        run.train()
        run.draft()
        with write_folder(output, force, proof=MANIFEST) as folder:
            run.gather(folder)
            write_json(folder / MANIFEST, plan | {"files": describe_files(folder)})
        remove_work(work)
    return True


def _hash_input(path: str) -> str:
    if not Path(path).is_file():
        raise UserError(
            f"{path}: no such file (the jackknife reads it more than once, so a pipe will not do)"
        )
    return hash_file(path)


class _Run:
    """The steps, in order. What has been done of a step is not done again."""

    def __init__(self, task: Jackknife, work: Path, workers: Workers, report: Report, say: Say) -> None:
        self._task = task
        self._work = work
        self._workers = workers
        self._report = report
        self._say = say
        self._text = TrainingText(work / TEXT, task.tokens)

    def write_text(self) -> None:
        """Tokens and folds, and the source sentences of each fold as they stand."""
        if self._text.folder.exists():
            return
        task = self._task
        with write_folder(self._text.folder) as folder:
            text = TrainingText.write(folder, task.source, task.reference, task.tokens, task.folds, task.seed)
            folds = text.folds()
            for fold in range(task.folds):
                if not (folds == fold).any():
                    raise UserError(
                        f"{task.source}: {folds.size} pairs cannot be cut into {task.folds} folds, "
                        "because pairs that say the same stay together; use fewer folds"
                    )
            with ExitStack() as stack:
                paths = (folder / f"fold-{fold:03}.txt" for fold in range(task.folds))
                streams = [
                    stack.enter_context(open(path, "w", encoding="utf-8", newline="\n")) for path in paths
                ]
                for fold, line in zip(folds.tolist(), read_lines(task.source), strict=True):
                    streams[fold].write(line + "\n")

    def train(self) -> None:
        """The systems that are missing. The full one comes first: it has the most to do."""
        full: list[int | None] = [None]
        missing = [fold for fold in [*full, *range(self._task.folds)] if not self._model(fold).exists()]
        if missing:
            self._say(f"{self._text.folds().size:,} pairs; {len(missing)} systems to train")
        shards = [Shard(f"training {_describe(fold)}", None, (fold, self._model(fold))) for fold in missing]
        for _done in self._workers.run(partial(_train_one, self._task.kind, self._text), shards):
            pass

    def _model(self, fold: int | None) -> Path:
        return self._work / ("full" if fold is None else f"fold-{fold:03}")

    def draft(self) -> None:
        """The shards that are missing."""
        (self._work / "drafts").mkdir(exist_ok=True)
        for sentences in self._workers.run(_draft_shard, self._missing_shards()):
            self._report(sentences)
        _open_once.cache_clear()  # another run in this process may use the same folder

    def _missing_shards(self) -> Iterator[Shard[tuple[Path, list[str], Path]]]:
        for fold in range(self._task.folds):
            path = self._text.folder / f"fold-{fold:03}.txt"
            yield from self._shards_of(
                f"fold {fold + 1} of {self._task.source}", path, self._model(fold), path.stem
            )
        for name, source in self._task.also.items():
            yield from self._shards_of(source, source, self._model(None), f"also-{name}")

    def _shards_of(
        self, title: str, path: str | Path, model: Path, stem: str
    ) -> Iterator[Shard[tuple[Path, list[str], Path]]]:
        lines = read_lines(path)
        number = 0
        while chunk := list(islice(lines, SHARD_LINES)):
            target = self._shard(stem, number)
            if target.exists():
                self._report(len(chunk))
            else:
                yield Shard(title, number * SHARD_LINES + 1, (model, chunk, target))
            number += 1

    def _shard(self, stem: str, number: int) -> Path:
        return self._work / "drafts" / f"{stem}.{number:06}"

    def _drafts(self, stem: str) -> Iterator[str]:
        number = 0
        while (path := self._shard(stem, number)).exists():
            yield from read_lines(path)
            number += 1

    def gather(self, folder: Path) -> None:
        """Put the drafts into the order of their sources."""
        folds = self._text.folds().tolist()
        streams = [self._drafts(f"fold-{fold:03}") for fold in range(self._task.folds)]
        with write_file(folder / f"{self._task.name}.draft") as stream:
            stream.writelines(next(streams[fold]) + "\n" for fold in folds)
        with write_file(folder / f"{self._task.name}.fold") as stream:
            stream.writelines(f"{fold}\n" for fold in folds)
        for name in self._task.also:
            with write_file(folder / f"{name}.draft") as stream:
                stream.writelines(draft + "\n" for draft in self._drafts(f"also-{name}"))
        shutil.copytree(self._model(None), folder / "model")


def _describe(fold: int | None) -> str:
    return "the full system" if fold is None else f"the system without fold {fold + 1}"


def _train_one(kind: str, text: TrainingText, payload: tuple[int | None, Path]) -> None:
    left_out, folder = payload
    train_drafter(get_trainer(kind), text, folder, left_out)


def _draft_shard(payload: tuple[Path, list[str], Path]) -> int:
    model, sources, target = payload
    drafts = list(_open_once(model).draft(sources))
    if len(drafts) != len(sources):
        raise RuntimeError(f"{len(drafts)} drafts for {len(sources)} sentences")
    with write_file(target) as stream:
        stream.writelines(draft + "\n" for draft in drafts)
    return len(drafts)


@lru_cache(maxsize=1)
def _open_once(model: Path) -> Drafter:
    """A worker drafts one fold after the other, so it keeps the last system that it has opened."""
    return open_drafter(model)
