"""Words as the networks know them: lower-cased, composed, numbers as one symbol.

The surface is never lost: it stays in `Tokens`.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import numpy as np

from redraft.text.characters import Codes, characters, decode, encode
from redraft.text.interning import NUMBER_ID, LocalIds, intern, is_number
from redraft.text.tokens import Block
from redraft.text.vocabulary import NUMBER_WORD, UNKNOWN_WORD


def looks_like_number(word: str) -> bool:
    """Whether a token is mapped to the number symbol (see `interning` for the definition)."""
    codes = encode(word)
    return bool(is_number(codes, 0, codes.size, characters().flags))


def normalize(word: str) -> str:
    """One token as the vocabularies know it; the number symbol for numbers."""
    return normalize_all([word])[0]


def normalize_all(words: list[str]) -> list[str]:
    """Many tokens as the vocabularies know them."""
    composed = [compose(word) for word in words]
    ends = np.cumsum([len(word) for word in composed], dtype=np.int64)
    starts = ends - np.array([len(word) for word in composed], dtype=np.int64)
    block = Block(encode("".join(composed)), starts, ends, np.array([len(composed)], dtype=np.int64))
    ids, types = normalize_block(block)
    # Text that reads "<num>" is no number: like all symbols that stand in a text, it is an unknown word.
    types = [UNKNOWN_WORD if word == NUMBER_WORD else word for word in types]
    return [NUMBER_WORD if i == NUMBER_ID else types[i] for i in ids.tolist()]


def normalize_block(block: Block) -> tuple[LocalIds, list[str]]:
    """For every token of a block the number of its normalised type (NUMBER_ID for numbers), and the types."""
    table = characters()
    ids, codes, offsets = intern(block.codes, block.starts, block.ends, table.flags, table.lower)
    return ids, _split(codes, offsets.tolist())


def compose(text: str) -> str:
    """Composed Unicode (NFC): é is one character, however it was typed."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _split(codes: Codes, offsets: list[int]) -> list[str]:
    text = decode(codes)
    return [text[start:end] for start, end in pairwise(offsets)]
