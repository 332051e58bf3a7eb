"""Drafts to learn from: kinds of drafters, trained drafters on disk, and the jackknife."""

from redraft.drafting.command import CommandDrafter
from redraft.drafting.dictionary import DictionaryDrafter
from redraft.drafting.file import FileDrafter
from redraft.drafting.interface import Drafter, Trainer
from redraft.drafting.jackknife import Jackknife, run_jackknife
from redraft.drafting.registry import TRAINERS, get_trainer
from redraft.drafting.text import TokenSettings, TrainingText
from redraft.drafting.trained import open_drafter, train_drafter

__all__ = [
    "TRAINERS",
    "CommandDrafter",
    "DictionaryDrafter",
    "Drafter",
    "FileDrafter",
    "Jackknife",
    "TokenSettings",
    "Trainer",
    "TrainingText",
    "get_trainer",
    "open_drafter",
    "run_jackknife",
    "train_drafter",
]
