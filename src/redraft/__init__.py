"""redraft improves a translation that already exists, one word at a time."""

__version__ = "0.1.0"
