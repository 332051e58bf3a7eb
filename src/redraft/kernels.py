"""The one place that knows Numba: `@kernel` compiles a function over arrays and keeps the machine code on disk.

With NUMBA_DISABLE_JIT=1, or where Numba is not installed (a machine with torch and nothing else), every kernel runs
as plain Python: slower, with the same results. The tests measure coverage inside kernels that way.
Numba looks only at a kernel's own file to decide whether its kept code is stale, so kernels that call each
other live in one file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
except ModuleNotFoundError:
    numba: Any = None  # type: ignore[no-redef]

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile on first use, release the interpreter lock while running, reuse the code in the next process."""
    if numba is None:
        return function
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
