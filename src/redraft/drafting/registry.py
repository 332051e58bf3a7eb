"""The kinds of drafters that learn. To add one: a file with a trainer, and its line here."""

from __future__ import annotations

from redraft.drafting.dictionary import DictionaryTrainer
from redraft.drafting.interface import Trainer
from redraft.drafting.thot import ThotTrainer
from redraft.errors import UserError

TRAINERS: dict[str, Trainer] = {trainer.name: trainer for trainer in (DictionaryTrainer(), ThotTrainer())}


def get_trainer(name: str) -> Trainer:
    """The trainer of a kind; other names are refused with those that there are."""
    if name not in TRAINERS:
        raise UserError(f"no drafter that learns is called {name!r}; there are {', '.join(TRAINERS)}")
    return TRAINERS[name]
