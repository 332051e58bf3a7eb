"""Where sides that should be parallel begin to disagree in length: that is where a line was lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_ALLOWED = (
    0.7  # units of spread by which the lines of a row differ in the mean: parallel 0.5 or less, unrelated 1.1
)
_ALARM = 5.0
_LARGEST = 3.0  # one odd row is no alarm


class Drift:
    """A cumulative sum (CUSUM) over the rows of a corpus, that grows where their lines do not fit together.

    Lengths are logarithms, seen from their mean and in units of their spread so far: so scripts with few
    characters and corpora of even sentences need no limits of their own.
    """

    def __init__(self, sides: int) -> None:
        self._rows = 0
        self._totals = np.zeros(sides)
        self._squares = np.zeros(sides)
        self._sum = 0.0  # after the last row seen; 0 where all is well
        self._begin = 0  # the row, from 0, after which it was 0 for the last time
        self._alarmed = False  # whether it has been too large since then

    def see(self, sides: Sequence[Sequence[str]]) -> None:
        """Take note of the next rows, given as one list of lines for each side."""
        rows = len(sides[0])
        if not rows:
            return
        lengths = np.log(np.array([list(map(len, side)) for side in sides]) + 3.0)  # (sides, rows)
        self._totals += lengths.sum(axis=1)
        self._squares += np.square(lengths).sum(axis=1)
        means = self._totals / (self._rows + rows)
        variance = float(np.mean(self._squares / (self._rows + rows) - np.square(means)))
        spread = max(variance, 0.0) ** 0.5 + 0.01  # rounding makes less than 0 of lines of one length
        differences = np.minimum(np.ptp(lengths - means[:, None], axis=0) / spread, _LARGEST)
        path = self._sum + np.cumsum(differences - _ALLOWED)
        sums = path - np.minimum(np.minimum.accumulate(path), 0.0)
        zeros = np.flatnonzero(sums == 0.0)
        if zeros.size:
            self._begin = self._rows + int(zeros[-1]) + 1
            self._alarmed = False
            sums = sums[zeros[-1] :]
        self._alarmed = self._alarmed or bool(np.any(sums > _ALARM))
        self._sum = float(sums[-1])
        self._rows += rows

    @property
    def start(self) -> int | None:
        """The first line, from 1, of the disagreement that lasted until the end, if there is one."""
        return self._begin + 1 if self._alarmed else None
