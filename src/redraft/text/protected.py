"""Stretches of text that are one token and that nobody may edit: tags, placeholders, URLs, e-mail addresses.

A cheap scan for trigger characters (in `scanner`) comes first; these patterns see only lines that have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ATTRIBUTE = r"""\s+[\w:.-]+(?:\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s<>"']+))?"""
_PATTERNS = {
    # <b>, </b>, <br/>, <a href="x y">, and the numbered tags of translation tools: <1>, </1>, <2/>
    "tag": rf"</?[A-Za-z][\w:.-]*(?:{_ATTRIBUTE})*\s*/?>|</?\d{{1,4}}/?>|<!--[^\n]{{0,2000}}?-->",
    "url": r"""(?<!\w)(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|www\.)(?=[/\[{$%~]|[^\W_])[^\s<>"„“”«»]+""",
    "email": r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+",
    "entity": r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6});",
    # {name}, {0:.2f}, ${HOME}, {{ name }}
    "brace": r"\{\{[^{}\n]{1,100}\}\}|\$?\{[\w.:,!\#$+-]{0,100}\}",
    # %s, %-5.2f, %(name)s, %1$s, %@, and Qt's %1 and %n; several in a row are one token
    "percent": (
        r"(?<![\w%])(?:%(?:\(\w{1,60}\)|\d{1,2}\$)?[-+0\#]*(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?"
        r"(?:hh|ll|[hlLzjt])?[diouxXeEfFgGcrsaApn@](?!\w)|%L?\d{1,2}(?![\w%]|[.,]\d))+"
    ),
}
_PROTECTED = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()))
_CLOSING = {")": "(", "]": "[", "}": "{"}
_ENDS_SENTENCE = frozenset(".,;:!?…*_'’‘‚›‹")


def find_protected(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The protected stretches of text[start:end] in order, as offsets into the text."""
    for match in _PROTECTED.finditer(text, start, len(text) if end is None else end):
        stop = match.end()
        if match.lastgroup == "url":
            stop = _trim_url(text, match.start(), stop)
        yield match.start(), stop


def _trim_url(text: str, start: int, stop: int) -> int:
    """Punctuation that ends the sentence is no part of a URL; a bracket is, if it was opened inside."""
    unmatched = {
        closing: text.count(closing, start, stop) - text.count(opening, start, stop)
        for closing, opening in _CLOSING.items()
    }
    while unmatched.get(text[stop - 1], 0) > 0 or text[stop - 1] in _ENDS_SENTENCE:
        if text[stop - 1] in unmatched:
            unmatched[text[stop - 1]] -= 1
        stop -= 1
    return stop
