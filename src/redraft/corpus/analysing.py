"""What workers do with a shard of parallel text: tokens, types, cleaning; all of it pure functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redraft.corpus.cleaning import KEPT, REASONS, CleaningRules, Counts, SideFacts, judge, telling_words
from redraft.corpus.splits import Groups, pair_groups
from redraft.text import Block, Language, get_language, tokenize_text
from redraft.text.characters import characters
from redraft.text.interning import NUMBER_ID, LocalIds, hash_lines
from redraft.text.normalize import compose, normalize_block

SOURCE, REFERENCE = "source", "reference"


@dataclass(frozen=True)
class Analysis:
    """How text becomes ids: the part of the settings that workers need."""

    sides: tuple[str, ...]  # source and reference, and drafts or further sources by their names
    source_language: str
    target_language: str
    given_tokens: bool
    cleaning: CleaningRules | None

    def language(self, side: str) -> Language:
        """Sources (source, source2 ...) are in the source language, all else is in the target language."""
        return get_language(self.source_language if side.startswith(SOURCE) else self.target_language)


@dataclass(frozen=True)
class SideIds:
    """The kept lines of one side: numbers of types (NUMBER_ID for numbers), tokens a line, and the types."""

    ids: LocalIds
    lengths: Counts
    types: list[str]


@dataclass(frozen=True)
class Analysed:
    """What comes back from a shard."""

    lines: int  # lines read
    kept: NDArray[np.int64]  # which of them are kept, from 0
    removed: Counts  # pairs removed for each of REASONS; duplicates come later
    sides: dict[str, SideIds]
    exact: Groups  # for each kept pair: a hash of its tokens as they stand
    groups: Groups  # for each kept pair: a hash of its content, without case and punctuation


def analyse(analysis: Analysis, texts: tuple[str, ...]) -> Analysed:
    """Tokenise, normalise and clean one shard; texts holds the lines of each side, joined by newlines."""
    blocks = {
        side: tokenize_text(compose(text), analysis.language(side), analysis.given_tokens)
        for side, text in zip(analysis.sides, texts, strict=True)
    }
    ids = {side: normalize_block(block) for side, block in blocks.items()}
    facts = {side: _describe(analysis, side, block, *ids[side]) for side, block in blocks.items()}
    source, reference = facts[SOURCE], facts[REFERENCE]
    reasons = np.zeros(source.lengths.size, dtype=np.uint8)
    if analysis.cleaning is not None:
        others = [side for name, side in facts.items() if name not in (SOURCE, REFERENCE)]
        reasons = judge(analysis.cleaning, source, reference, others)
    keep = reasons == KEPT
    return Analysed(
        lines=reasons.size,
        kept=np.flatnonzero(keep),
        removed=np.bincount(reasons, minlength=len(REASONS) + 1)[1:],
        sides={side: _select(*ids[side], facts[side].lengths, keep) for side in blocks},
        exact=pair_groups(source.exact, reference.exact)[keep],
        groups=pair_groups(source.loose, reference.loose)[keep],
    )


def _select(ids: LocalIds, types: list[str], lengths: Counts, keep: NDArray[np.bool_]) -> SideIds:
    return SideIds(ids[np.repeat(keep, lengths)], lengths[keep], types)


def _describe(analysis: Analysis, side: str, block: Block, ids: LocalIds, types: list[str]) -> SideFacts:
    """The facts about one side that cleaning rules and groups are made from."""
    lengths = np.diff(block.line_ends, prepend=0)
    source = analysis.language(SOURCE)
    target = analysis.language(REFERENCE)
    languages = (source, target) if side.startswith(SOURCE) else (target, source)
    own, foreign = telling_words(*languages)
    table = characters()
    exact, loose = hash_lines(
        block.codes, block.starts, block.ends, block.line_ends, table.flags, table.lower
    )
    return SideFacts(
        lengths=lengths,
        exact=exact,
        loose=loose,
        own_words=_count_members(ids, types, own, block.line_ends),
        foreign_words=_count_members(ids, types, foreign, block.line_ends),
    )


def _count_members(ids: LocalIds, types: list[str], words: frozenset[str], line_ends: Counts) -> Counts:
    """How many tokens of each line are among some words."""
    if not words:
        return np.zeros(line_ends.size, dtype=np.int64)
    member = np.array([*(word in words for word in types), False])  # the last one serves NUMBER_ID, -1
    assert NUMBER_ID == -1
    totals = np.concatenate(([0], np.cumsum(member[ids])))
    return np.diff(totals[line_ends], prepend=0)
