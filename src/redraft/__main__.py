"""`python -m redraft`, and what the `redraft` command starts: quiet even when interrupted while it still loads."""

from __future__ import annotations

import sys


def run() -> int:
    """Load the command line and run it."""
    try:
        from redraft.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
