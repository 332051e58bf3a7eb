"""A toy language pair: a German-like and an English-like side, written from one small grammar of meanings.

`nouns`, `verbs` and `other_words` are the lexicon; `meaning` is the tree that a sentence is; `german` and
`english` render it; the `random_*` modules make trees at random; `corpus` makes the three parts.
"""

from redraft.corpus.toy.corpus import PartSummary, ToyCorpus, make_toy_corpus, summarise, write_toy_corpus

__all__ = ["PartSummary", "ToyCorpus", "make_toy_corpus", "summarise", "write_toy_corpus"]
