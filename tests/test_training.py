"""Training: states between draft and reference, batches, resuming to the byte, divergence, checkpoints."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # tiny networks: threads cost more than they bring

from redraft.corpus.batches import Position  # noqa: E402
from redraft.errors import UserError  # noqa: E402
from redraft.model.config import dual, single  # noqa: E402
from redraft.model.detector import Detector, DetectorConfig  # noqa: E402
from redraft.model.network import END, NULL, Network  # noqa: E402
from redraft.training.data import Background, Feeder, Sentences, Task  # noqa: E402
from redraft.training.loop import Trainer  # noqa: E402
from redraft.training.measures import (  # noqa: E402
    Statistics,
    judge_drafts,
    measure_copying,
    measure_perplexity,
)
from redraft.training.settings import Recipe, modern_recipe, paper_recipe  # noqa: E402
from redraft.training.states import align, mix_states, reference_state  # noqa: E402

WORDS = 30
CPU = torch.device("cpu")
ids = st.lists(st.integers(6, 9), max_size=7).map(lambda words: np.array(words, dtype=np.int32))


def make_sentences(count: int = 120, seed: int = 1) -> Sentences:
    """A language that counts up from somewhere, w is translated as w + 10, and drafts get every fifth word wrong."""
    random = np.random.default_rng(seed)
    starts = random.integers(0, 12, count)
    source = [(6 + (start + np.arange(random.integers(2, 9))) % 12).astype(np.int32) for start in starts]
    reference = [(words + 10).astype(np.int32) for words in source]
    draft = [np.where(random.random(len(words)) < 0.2, 29, words).astype(np.int32) for words in reference]
    labels = [np.isin(d, r).astype(np.int32) for d, r in zip(draft, reference, strict=True)]
    sides = {"source": source, "reference": reference, "draft": draft, "labels": labels}
    return Sentences(sides, np.arange(1, count + 1))


def make_trainer(
    folder: Path, recipe: Recipe, network: Network | Detector | None = None, seed: int = 5
) -> Trainer:
    torch.manual_seed(seed)
    made = network or Network(dual(WORDS, WORDS, embedding=8, state=12, hidden=16, dropout=0.1))
    return Trainer(made, make_sentences(), make_sentences(40, 2), recipe, folder, seed, CPU)


@given(ids, ids)
def test_edit_script_is_a_shortest_one_and_mending_all_of_it_gives_the_reference(draft, reference) -> None:
    script = align(draft, reference)
    errors = sum(1 for i, j in script.tolist() if i < 0 or j < 0 or draft[i] != reference[j])
    assert errors == plain_distance(draft.tolist(), reference.tolist())
    everything = mix_states(draft, reference, script, np.ones(len(script), dtype=np.bool_))
    assert everything.words.tolist() == reference.tolist()
    assert all(np.array_equal(a, b) for a, b in zip(everything, reference_state(reference), strict=True))


@given(ids, ids, st.randoms(use_true_random=False))
def test_following_the_targets_of_a_state_leads_nearer_to_the_reference(draft, reference, random) -> None:
    script = align(draft, reference)
    mended = np.array([random.random() < 0.5 for _ in script], dtype=np.bool_)
    state = mix_states(draft, reference, script, mended)
    assert len(state.token_targets) == len(state.words)
    assert len(state.gap_targets) == len(state.words) + 1
    before = plain_distance(state.words.tolist(), reference.tolist())
    followed: list[int] = []
    for gap, word in zip(state.gap_targets.tolist(), [*state.token_targets.tolist(), None], strict=True):
        followed += [gap] if gap != NULL else []
        followed += [word] if word not in (NULL, None) else []
    after = plain_distance(followed, reference.tolist())
    assert after == 0 or after < before


def plain_distance(one: list[int], other: list[int]) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            previous, row[j] = row[j], min(previous + (a != b), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def test_a_state_by_hand() -> None:
    draft, reference = np.array([6, 7, 8], np.int32), np.array([6, 9, 8, 10], np.int32)
    script = align(draft, reference)
    assert script.tolist() == [[0, 0], [1, 1], [2, 2], [-1, 3]]
    nothing = mix_states(draft, reference, script, np.zeros(4, dtype=np.bool_))
    assert nothing.words.tolist() == [6, 7, 8]
    assert nothing.token_targets.tolist() == [6, 9, 8]
    assert nothing.gap_targets.tolist() == [NULL, NULL, NULL, 10]


def test_batches_hold_what_was_asked_for() -> None:
    sentences = make_sentences(10)
    feeder = Feeder(sentences, ("source", "draft"), budget=60, seed=1)
    seen: list[int] = []
    for following, chosen, batch in feeder.after(Position()):
        for row, sentence in enumerate(chosen.tolist()):
            words = sentences.sides["reference"][sentence].tolist()
            assert batch.target[row, : len(words)].tolist() == words
            assert batch.target[row, len(words) :].sum() == 0
            source = [*sentences.sides["source"][sentence].tolist(), END]
            assert batch.memories["source"][row, : len(source)].tolist() == source
        seen += chosen.tolist()
        if following.epoch:
            break
    assert sorted(seen) == list(range(10))


def test_batches_depend_on_seed_and_position_only() -> None:
    task = Task(states=0.7)

    def batches(position: Position) -> list[tuple[Position, list[int], list[int]]]:
        feeder = Feeder(make_sentences(), ("source",), 200, 3, task)
        found = islice(feeder.after(position), 12)
        return [(after, chosen.tolist(), batch.target.flatten().tolist()) for after, chosen, batch in found]

    whole = batches(Position())
    assert whole[5:] == batches(whole[4][0])[:7]
    background = Background(Feeder(make_sentences(), ("source",), 200, 3, task), Position(), CPU)
    threaded = [(p, c.tolist(), b.target.flatten().tolist()) for p, c, b in islice(iter(background), 12)]
    background.close()
    assert threaded == whole


def test_what_goes_wrong_in_the_background_arrives() -> None:
    sentences = make_sentences()
    feeder = Feeder(sentences, ("source",), 200, 3)
    sentences.sides["source"][0] = None  # type: ignore[index]
    background = Background(feeder, Position(), CPU)
    with pytest.raises(TypeError):
        list(islice(iter(background), 50))
    background.close()


@pytest.mark.parametrize("recipe", [modern_recipe(warm_up=5, rate=2e-2, average=0.9), paper_recipe(rate=2.0)])
def test_it_learns(tmp_path: Path, recipe: Recipe) -> None:
    from dataclasses import replace

    trainer = make_trainer(tmp_path, replace(recipe, steps=240, validate_every=80, budget=600))
    progress = trainer.run()
    trainer.load_best()
    perplexity = measure_perplexity(trainer.network, trainer.validation, CPU)
    assert perplexity.words < 5  # chance: 12
    assert progress.step == 240
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == [80, 160, 240]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["best", "last", "metrics.jsonl"]
    assert 0 <= measure_copying(trainer.network, trainer.validation, CPU) <= 1


@pytest.mark.parametrize("recipe", [modern_recipe(warm_up=5), paper_recipe()])
@pytest.mark.parametrize("stop", [20, 40])
def test_resumed_run_ends_with_the_same_bytes(tmp_path: Path, recipe: Recipe, stop: int) -> None:
    from dataclasses import replace

    whole = replace(recipe, steps=60, validate_every=20, budget=400, states=0.5, patience=99)
    one = make_trainer(tmp_path / "one", whole)
    one.run()
    first = make_trainer(tmp_path / "two", whole)

    class Killed(Exception):
        pass

    def kill(report: object) -> None:
        if first.progress.step == stop:
            raise Killed

    with pytest.raises(Killed):
        first.run(kill)
    second = make_trainer(tmp_path / "two", whole, seed=5)
    assert second.resume()
    assert second.progress.step == stop
    second.run()
    for name in ("network.safetensors", "state.safetensors"):
        assert (tmp_path / "one/last" / name).read_bytes() == (tmp_path / "two/last" / name).read_bytes(), (
            name
        )
    assert (tmp_path / "one/best/network.safetensors").read_bytes() == (
        tmp_path / "two/best/network.safetensors"
    ).read_bytes()


def test_nan_stops_with_step_and_lines_and_keeps_the_best(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, modern_recipe(steps=40, validate_every=10, budget=300, warm_up=2))
    trainer.run()
    best = (tmp_path / "best/network.safetensors").read_bytes()
    trainer.progress.step = 20
    with torch.no_grad():
        trainer.network.bias.fill_(float("nan"))
    with pytest.raises(UserError, match=r"step 21: the loss is nan on lines \d+, .*lower --rate"):
        trainer.run()
    assert (tmp_path / "best/network.safetensors").read_bytes() == best


def test_rising_loss_stops(tmp_path: Path) -> None:
    recipe = modern_recipe(
        steps=200, validate_every=5, budget=300, rate=5.0, warm_up=60, clip=1e9, patience=99
    )
    with pytest.raises(UserError, match="lower --rate"):
        make_trainer(tmp_path, recipe).run()


def test_it_stops_early_and_in_time(tmp_path: Path) -> None:
    recipe = paper_recipe(steps=500, validate_every=2, budget=400, rate=1e-9, patience=2)
    progress = make_trainer(tmp_path / "a", recipe).run()
    assert progress.step < 500
    assert progress.bad == 2
    timed = make_trainer(
        tmp_path / "b", modern_recipe(steps=10_000, validate_every=10_000, budget=400, seconds=1.0)
    )
    assert timed.run().step < 10_000
    assert (tmp_path / "b" / "best").is_dir()


def test_checkpoint_of_another_network_is_refused(tmp_path: Path) -> None:
    recipe = modern_recipe(steps=4, validate_every=2, budget=400)
    make_trainer(tmp_path, recipe).run()
    other = make_trainer(tmp_path, recipe, Network(single(WORDS, WORDS, embedding=8, state=12, hidden=16)))
    with pytest.raises(UserError, match="other settings"):
        other.resume()
    state = tmp_path / "last" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:-10])
    with pytest.raises(UserError, match="damaged"):
        make_trainer(tmp_path, recipe).resume()


@pytest.mark.parametrize("kind", ["paper", "deep"])
def test_detector_learns_what_is_wrong(tmp_path: Path, kind: str) -> None:
    torch.manual_seed(1)
    detector = Detector(DetectorConfig(WORDS, WORDS, kind=kind, embedding=8, size=8, deep_width=16, deep_encoder_layers=1, deep_tower_layers=1, deep_heads=2, dropout=0.0))  # type: ignore[arg-type]  # noqa: E501  # fmt: skip
    recipe = modern_recipe(steps=150, validate_every=50, budget=600, warm_up=5, rate=1e-2, average=0.9)
    trainer = make_trainer(tmp_path, recipe, detector)
    trainer.run()
    trainer.load_best()
    judged = judge_drafts(detector, trainer.validation, CPU)
    assert judged.mistakes.sum() == sum(int((row == 0).sum()) for row in trainer.validation.sides["labels"])
    assert judged.best()[1].f1 > 95  # word 29 is always wrong


def test_statistics_judge_by_exact_words_and_trust_new_ones() -> None:
    labels = [np.array([1, 0]), np.array([0, 1, 0])]
    statistics = Statistics([["the", "a"], ["a", "a", "cat"]], labels)
    judged = statistics.judge([["a", "the", "cat", "dog"]], [np.array([0, 1, 1, 0])])
    assert judged.probabilities.tolist() == pytest.approx([2 / 3, 0, 1, 0])
    found = judged.at(0.5)
    assert (found.found, found.false_alarms, found.missed, found.passed) == (1, 1, 1, 1)


def test_missing_sides_and_empty_data_are_named() -> None:
    sentences = make_sentences()
    with pytest.raises(UserError, match="draft2"):
        Feeder(sentences, ("source", "draft2"), 100, 1)
    without = Sentences(
        {key: value for key, value in sentences.sides.items() if key != "draft"}, sentences.lines
    )
    with pytest.raises(UserError, match="--draft"):
        Feeder(without, ("source",), 100, 1, Task(states=0.5))
    with pytest.raises(UserError, match="no sentences"):
        Feeder(sentences.take(np.zeros(0, dtype=np.int64)), ("source",), 100, 1)


@pytest.mark.parametrize(
    ("changes", "telling"), [({"rate": 0.0}, "rate"), ({"steps": 0}, "steps"), ({"budget": -1}, "budget")]
)
def test_impossible_recipes_are_refused(changes: dict[str, float], telling: str) -> None:
    with pytest.raises(UserError, match=telling):
        Recipe(**changes)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="speed"):
        Recipe.from_json({"speed": 3})
