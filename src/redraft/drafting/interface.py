"""What the rest of the program knows of drafters: source sentences in, drafts out, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from redraft.drafting.text import TokenSettings, TrainingText


class Drafter(Protocol):
    """Turns source sentences into drafts."""

    def draft(self, sources: Iterable[str]) -> Iterator[str]:
        """Yield one draft for each source sentence, in order; sentences are taken as they are needed."""
        ...


class Trainer(Protocol):
    """A kind of drafter that learns from parallel text. Its settings are the fields of a dataclass.

    `packages` are the distributions whose versions decide what is learned: a jackknife does not go on with
    others than it was begun with.
    """

    @property
    def name(self) -> str:
        """What the kind is called on the command line."""
        ...

    @property
    def packages(self) -> tuple[str, ...]:
        """See above."""
        ...

    def train(self, text: TrainingText, folder: Path, left_out: int | None = None) -> None:
        """Write what is learned from all pairs, or from those outside fold `left_out`, into an empty folder.

        The same text and settings write a model that drafts the same bytes.
        """
        ...

    def open(self, folder: Path, tokens: TokenSettings) -> Drafter:
        """The drafter that `train` left in a folder."""
        ...
