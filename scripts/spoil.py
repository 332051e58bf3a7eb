"""Make up a bad translation: the reference with words replaced, dropped and repeated, for the demo and for tests.

The same seed spoils the same words, and `--mended` puts a share of them right again: a made-up refinement.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator


def spoil(lines: list[str], share: float, mended: float, seed: int) -> Iterator[str]:
    """The lines with a share of their words changed, of which the share `mended` is right again."""
    words = sorted({word for line in lines for word in line.split()})
    choose = random.Random(seed)
    for line in lines:
        spoiled: list[str] = []
        for word in line.split():
            is_wrong, kind, other, is_mended = (choose.random() for _ in range(4))
            if is_wrong >= share or is_mended < mended:
                spoiled.append(word)
            elif kind < 0.7:
                spoiled.append(words[int(other * len(words))])
            elif kind < 0.85:
                spoiled += [word, word]
        yield " ".join(spoiled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reference")
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--mended", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with open(options.reference, encoding="utf-8", newline="\n") as stream:
        lines = stream.read().split("\n")[:-1]
    for line in spoil(lines, options.share, options.mended, options.seed):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
