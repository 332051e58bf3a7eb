"""The one place that knows Numba: `@kernel` compiles a function over arrays and keeps the machine code on disk.

With NUMBA_DISABLE_JIT=1 every kernel runs as plain Python: that is how the tests measure coverage inside them.
Numba looks only at a kernel's own file to decide whether its kept code is stale, so kernels that call each
other live in one file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile on first use, release the interpreter lock while running, reuse the code in the next process."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
