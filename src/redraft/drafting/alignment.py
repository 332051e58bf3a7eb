"""Which words translate each other: sil-thot's FastAlign in both directions, made symmetric.

FastAlign adds up counts over its threads in the order in which they finish, so with more than one thread the
last bits of its figures change from run to run. It is kept on one; a second one saved nothing on two cores.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from redraft.errors import UserError

Pair = tuple[list[str], list[str]]
Link = tuple[int, int]  # place in the source sentence, place in its translation

ITERATIONS = 4  # as sil-machine trains FastAlign


def align(pairs: Iterable[Pair], iterations: int = ITERATIONS) -> Iterator[tuple[Pair, list[Link]]]:
    """Every pair with the links between its words (grow-diag-final-and), in order.

    Pairs with an empty side or with more words than FastAlign takes are left out.
    """
    with one_thread():
        import thot.alignment as fast_align

        forward, backward = fast_align.FastAlignModel(), fast_align.FastAlignModel()
        longest = forward.max_sentence_length
        kept = []
        for source, target in pairs:
            if 0 < len(source) <= longest and 0 < len(target) <= longest:
                kept.append((source, target))
                forward.add_sentence_pair(source, target)
                backward.add_sentence_pair(target, source)
        if not kept:
            raise UserError("no sentence pair with words on both sides is left to learn from")
        for model in (forward, backward):
            model.variational_bayes = True
            model.emit_training_alignments = True
            model.start_training()
            for _ in range(iterations):
                model.train()
            model.end_training()
    for number, pair in enumerate(kept):
        links = forward.get_training_alignment(number)[1]
        inverse = backward.get_training_alignment(number)[1]
        inverse.transpose()
        links.grow_diag_final_and(inverse)
        rows, columns = links.to_numpy().nonzero()
        yield pair, list(zip(rows.tolist(), columns.tolist(), strict=True))


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep sil-thot on one thread inside the block."""
    import thot

    # Its OpenMP library is one of its own; where it can be reached through sil-thot, it can be asked.
    library = ctypes.CDLL(thot.__file__)
    try:
        count: Callable[[], int] = library.omp_get_max_threads
        limit: Callable[[int], object] = library.omp_set_num_threads
    except AttributeError:  # built without OpenMP, or linked another way
        yield
        return
    before = count()
    limit(1)
    try:
        yield
    finally:
        limit(before)
