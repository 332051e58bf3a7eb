"""`thot`: phrase-based translation by sil-machine's Thot model, an optional extra.

Trained and tuned by sil-machine's own trainer: FastAlign, phrases, a 3-gram model, weights tuned on a
thousand pairs of its own training text (or on a tenth of them). Slow, but drafts with it reorder words.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.drafting.alignment import one_thread
from redraft.drafting.text import TokenSettings, TrainingText
from redraft.errors import UserError
from redraft.files import read_json, write_json

if TYPE_CHECKING:
    from machine.translation.thot import ThotSmtParameters

SETTINGS = "thot.json"
ALIGNER = "fast_align"
LONGEST = 200  # words that the decoder takes at a time; of more it makes nothing
BATCH = 200
# What training leaves beside the model: the training text, word for word. Drafting does not read it, so
# it is thrown away or, where Thot insists on the file, emptied.
_NOT_NEEDED = ("*.A3.final", "*.bestal", "*.anji", "*.wp")
_EMPTIED = ("*_swm.src", "*_swm.trg", "*_invswm.src", "*_invswm.trg", "*.srctrgc")
# What means something to Thot, where a text has it as an ordinary word.
_RESERVED = {"<s>": "‹s›", "</s>": "‹/s›", "<unk>": "‹unk›", "|||": "‹3›"}
_GIVEN_BACK = {stand_in: word for word, stand_in in _RESERVED.items()}


@dataclass(frozen=True)
class ThotTrainer:
    """Trains and tunes with sil-machine's defaults."""

    name = "thot"
    packages = ("sil-machine", "sil-thot")

    def train(self, text: TrainingText, folder: Path, left_out: int | None = None) -> None:
        """Train and tune; on one thread, so that the same text gives the same model."""
        thot = import_thot()
        from machine.corpora import ParallelTextCorpus, ParallelTextRow

        rows = [
            ParallelTextRow("text", [number], [number], _escape(source), _escape(target))
            for number, (source, target) in enumerate(text.pairs(left_out))
        ]
        if not any(len(row.source_segment) <= LONGEST and len(row.target_segment) <= LONGEST for row in rows):
            raise UserError("no sentence pair with words on both sides is left to learn from")
        corpus = ParallelTextCorpus.from_parallel_rows(rows)
        with (
            one_thread(),
            _temporary_files_in(folder),
            thot.ThotSmtModelTrainer(ALIGNER, corpus, _parameters(folder)) as trainer,
        ):
            trainer.train()
            trainer.save()
            weights = [float(weight) for weight in trainer.parameters.model_weights]
        _throw_away_text(folder)
        write_json(folder / SETTINGS, {"weights": weights})

    def open(self, folder: Path, tokens: TokenSettings) -> ThotDrafter:
        """Load the tables."""
        thot = import_thot()
        from machine.translation.thot.thot_utils import load_smt_decoder, load_smt_model

        parameters = _parameters(folder)
        parameters.model_weights = read_json(folder / SETTINGS)["weights"]
        model = load_smt_model(thot.ThotWordAlignmentModelType[ALIGNER.upper()], parameters)
        return ThotDrafter(model, load_smt_decoder(model, parameters), tokens)


class ThotDrafter:
    """Translates with a trained model, on all threads that OpenMP has. Words it does not know are copied."""

    def __init__(self, model: Any, decoder: Any, tokens: TokenSettings) -> None:
        self._model = model  # the decoder looks into it
        self._decoder = decoder
        self._tokens = tokens

    def draft(self, sources: Iterable[str]) -> Iterator[str]:
        """The best translation of every sentence; a very long one is translated in pieces."""
        sentences = self._tokens.split(sources, self._tokens.source)
        while batch := list(islice(sentences, BATCH)):
            pieces = [
                (number, words[start : start + LONGEST])
                for number, words in enumerate(batch)
                for start in range(0, len(words), LONGEST)
            ]
            found = self._decoder.translate_batch([" ".join(_escape(words)) for _number, words in pieces])
            drafts: list[list[str]] = [[] for _ in batch]
            for (number, _words), translation in zip(pieces, found, strict=True):
                drafts[number] += [_GIVEN_BACK.get(word, word) for word in translation.target]
            yield from map(" ".join, drafts)


def import_thot() -> Any:
    """sil-machine's part for Thot, or one line that says how to install it."""
    try:
        import machine.translation.thot as thot
    except (ImportError, RuntimeError):  # without sil-thot, sil-machine raises the latter
        raise UserError(
            "the thot drafter needs sil-machine, which is not installed; run: pip install 'redraft[thot]'"
        ) from None
    return thot


def _parameters(folder: Path) -> ThotSmtParameters:
    from machine.translation.thot import ThotSmtParameters

    return ThotSmtParameters(
        translation_model_filename_prefix=str(folder / "tm" / "model"),
        language_model_filename_prefix=str(folder / "lm" / "model"),
    )


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Have the trainer keep its files below `folder`: where a run that is killed is cleaned up after."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def _throw_away_text(folder: Path) -> None:
    for pattern in _NOT_NEEDED:
        for path in folder.glob(f"*/{pattern}"):
            path.unlink()
    for pattern in _EMPTIED:
        for path in folder.glob(f"*/{pattern}"):
            path.write_bytes(b"")


def _escape(words: list[str]) -> list[str]:
    """Words that mean something to Thot, replaced by others."""
    return [_RESERVED.get(word, word) for word in words]
