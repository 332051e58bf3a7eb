"""Chance from a seed. Only `Random.random` is used: its sequence is the same in every Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """Random choices; equal seeds give equal choices."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely as the others."""
        return items[int(self._random() * len(items))]

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._random() * (high - low + 1))

    def weighted(self, items: Sequence[tuple[float, Item]]) -> Item:
        """One of the items; the weights add up to one."""
        left = self._random()
        for weight, item in items:
            left -= weight
            if left < 0:
                return item
        return items[-1][1]
