"""The forms of verbs that follow a rule: German present tense, English -s, -ed and -ing."""

from __future__ import annotations

_VOWELS = "aeiou"
_DOUBLING = {"get", "hit", "let", "put", "quit", "run", "sit", "stop", "swim", "win"}  # sit-ting; wait-ing
_IRREGULAR_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}


def german_present(infinitive: str, third: str) -> tuple[str, str, str, str]:
    """The forms of ich, du, er, wir; `third` tells stem changes (lesen, liest), the infinitive the rest."""
    if infinitive == "sein":
        return ("bin", "bist", "ist", "sind")
    if infinitive == "wissen":
        return ("weiß", "weißt", "weiß", "wissen")
    return (_german_first(infinitive), _german_second(infinitive, third), third, infinitive)


def _german_first(infinitive: str) -> str:
    if infinitive.endswith("eln"):
        return infinitive[:-3] + "le"  # wechseln: ich wechsle
    if infinitive.endswith("en"):
        return infinitive[:-1]
    return infinitive[:-1] + "e"  # füttern: ich füttere


def _german_second(infinitive: str, third: str) -> str:
    stem = third.removesuffix("t")
    if stem.endswith(("s", "ß", "z", "x")):
        return third  # du liest, du sitzt
    if infinitive.endswith(("ten", "lten")) and not third.endswith("et"):
        return third + "st"  # halten: hält, du hältst
    return stem + "st"


def english_third(base: str) -> str:
    """The form after he, she and it."""
    if base in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[base]
    return with_s(base)


def with_s(word: str) -> str:
    """A word with the -s of verbs and plurals, as it is spelled: watches, cities."""
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def english_past(base: str) -> str:
    """The past tense and participle: regular, or those of `be` with a space between."""
    if base == "be":
        return "was been"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + base[-1] + "ed" if base in _DOUBLING else base + "ed"


def english_gerund(base: str) -> str:
    """The -ing form."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and base != "be" and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + base[-1] + "ing" if base in _DOUBLING else base + "ing"
