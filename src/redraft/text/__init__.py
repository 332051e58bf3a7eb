"""Tokens with offsets, one rule file per language, normalisation, vocabularies, and text from tokens."""

from redraft.text.detokenize import detokenize
from redraft.text.languages import Language, get_language, guess_language
from redraft.text.normalize import looks_like_number, normalize, normalize_all
from redraft.text.tokens import Block, Tokens, tokenize, tokenize_block, tokenize_text, words_of
from redraft.text.vocabulary import Vocabulary

__all__ = [
    "Block",
    "Language",
    "Tokens",
    "Vocabulary",
    "detokenize",
    "get_language",
    "guess_language",
    "looks_like_number",
    "normalize",
    "normalize_all",
    "tokenize",
    "tokenize_block",
    "tokenize_text",
    "words_of",
]
