"""The table of languages. A language that is not in it is treated by the generic rules.

To add one: write a rule file like `english.py` and add it to the tuple below; nothing else needs to know.
"""

from pathlib import PurePath

from redraft.text.languages.english import ENGLISH
from redraft.text.languages.generic import GENERIC
from redraft.text.languages.german import GERMAN
from redraft.text.languages.language import Language, Spacing

LANGUAGES: dict[str, Language] = {language.code: language for language in (GENERIC, GERMAN, ENGLISH)}

__all__ = [
    "ENGLISH",
    "GENERIC",
    "GERMAN",
    "LANGUAGES",
    "Language",
    "Spacing",
    "get_language",
    "guess_language",
]


def get_language(code: str) -> Language:
    """The rules for a language code (`de`, `de-AT`, `de_DE`), or the generic ones where there are none."""
    return LANGUAGES.get(code.replace("_", "-").split("-")[0].lower(), GENERIC)


def guess_language(path: str | PurePath) -> Language:
    """The language that a file's name ends with (`train.de`, `train.de.zst`), or the generic one."""
    for suffix in reversed(PurePath(path).suffixes):
        language = get_language(suffix.removeprefix("."))
        if language is not GENERIC:
            return language
    return GENERIC
