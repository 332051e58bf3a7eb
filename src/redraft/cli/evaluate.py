"""`redraft evaluate`: a draft and its refined versions side by side, with significance."""

from __future__ import annotations


def evaluate() -> None:
    """Measure translations against references."""
