"""Errors that a user can mend. The command line prints them as one line and never shows a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something about the input or the options is wrong: what was given, what was expected, where, what to do."""


def located(path: object, line: int | None, problem: str) -> UserError:
    """A UserError that begins with the place, `file:line: problem`, in the form that editors jump to."""
    place = str(path) if line is None else f"{path}:{line}"
    return UserError(f"{place}: {problem}")


def find_interruption(error: BaseException) -> BaseException | None:
    """What interrupted us, where it did so inside compiled code: that reports it behind one or more SystemErrors."""
    found: BaseException | None = error
    while isinstance(found, SystemError):
        found = found.__cause__ or found.__context__
    return None if found is error or isinstance(found, Exception) else found
