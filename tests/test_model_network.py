"""The networks: shapes of the paper, hidden centres to the bit, the softmax in chunks, every list of memories."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # tiny networks: threads cost more than they bring

from redraft.errors import UserError  # noqa: E402
from redraft.model.attention import additive_scores  # noqa: E402
from redraft.model.config import NetworkConfig, dual, single, towers  # noqa: E402
from redraft.model.dropout import dropout  # noqa: E402
from redraft.model.network import NULL, Batch, Network, slot_masks  # noqa: E402
from redraft.model.softmax import best_words, chunked_loss  # noqa: E402

SMALL = {"embedding": 12, "state": 16, "hidden": 20, "dropout": 0.0}
SMALL_TOWERS = {
    "width": 16,
    "feed_forward": 32,
    "encoder_layers": 1,
    "tower_layers": 2,
    "heads": 2,
    "dropout": 0.0,
}
SOURCE_WORDS, TARGET_WORDS = 30, 40


def small(kind: str, **changes: object) -> Network:
    torch.manual_seed(3)
    maker = {"single": single, "dual": dual, "towers": towers}[kind]
    sizes = SMALL_TOWERS if kind == "towers" else SMALL
    network = Network(maker(SOURCE_WORDS, TARGET_WORDS, **(sizes | changes)))
    with torch.no_grad():  # zero biases would hide mistakes
        network.bias.normal_()
    return network.eval()


def batch_of(
    targets: list[list[int]], memories: dict[str, list[list[int]]], width: int | None = None
) -> Batch:
    def pad(rows: list[list[int]], size: int) -> torch.Tensor:
        return torch.tensor([row + [0] * (size - len(row)) for row in rows])

    size = width or max(map(len, targets))
    encoded = {name: pad(rows, max(map(len, rows))) for name, rows in memories.items()}
    return Batch(encoded, pad(targets, size), torch.tensor([len(row) for row in targets]))


MEMORIES = {
    "source": [[7, 8, 9, 10, 3]],
    "draft": [[11, 12, 13, 3]],
    "draft2": [[14, 13, 3]],
    "source2": [[9, 9, 7, 6, 6, 3]],
}
KINDS = [
    ("single", {}),
    ("dual", {}),
    ("towers", {}),
    ("single", {"attention": "mlp"}),
    ("dual", {"attention": "dot"}),
    ("dual", {"memories": ("source", "draft", "draft2")}),
    ("single", {"memories": ("source", "source2")}),
    ("towers", {"memories": ("source",)}),
    ("towers", {"memories": ("source", "draft", "draft2")}),
    ("towers", {"memories": ("source", "source2")}),
    ("dual", {"lookup": False}),
    ("dual", {"reach": 2}),
    ("single", {"left_only": True}),
    ("dual", {"memory_encoder": "convolution", "memory_linear": False}),
]


def own_memories(network: Network) -> dict[str, list[list[int]]]:
    return {name: MEMORIES[name] for name in network.memories}


@pytest.mark.parametrize(("kind", "changes"), KINDS)
def test_shapes_and_probabilities(kind: str, changes: dict[str, object]) -> None:
    network = small(kind, **changes)
    batch = batch_of([[6, 7, 8, 9, 10]], own_memories(network))
    tokens, gaps = network(batch)
    assert tokens.shape[:2] == (1, 5)
    assert gaps.shape[:2] == (1, 6)
    probabilities = torch.softmax(tokens @ network.output_table.t() + network.bias, dim=-1)
    assert torch.allclose(probabilities.sum(-1), torch.ones(1, 5))


@pytest.mark.parametrize(("kind", "changes"), KINDS)
def test_a_word_does_not_see_itself(kind: str, changes: dict[str, object]) -> None:
    """With the memories held fixed, changing token i leaves slot i as it was, bit for bit, and moves others."""
    network = small(kind, **changes)
    words = [6, 7, 8, 9, 10, 11]
    before, gaps = network(batch_of([words], own_memories(network)))
    for place in range(len(words)):
        changed = [*words[:place], 25, *words[place + 1 :]]
        after, after_gaps = network(batch_of([changed], own_memories(network)))
        assert torch.equal(before[0, place], after[0, place])
        assert not torch.equal(gaps[0, place + 1], after_gaps[0, place + 1])


@pytest.mark.parametrize(("kind", "changes"), KINDS)
def test_no_gradient_reaches_the_hidden_word(kind: str, changes: dict[str, object]) -> None:
    network = small(kind, **changes)
    words = [6, 7, 8, 9, 10]  # every word once, and none of them in a memory's table of targets
    batch = batch_of([words], {name: [[3]] for name in network.memories})
    table = network.context.table
    for place, word in enumerate(words):
        network.zero_grad(set_to_none=True)
        tokens, _ = network(batch)
        # The softmax may be tied to the same table: look at the vector before it.
        tokens[0, place].square().sum().backward()
        gradient = table.weight.grad
        assert gradient is not None
        assert torch.count_nonzero(gradient[word]) == 0
        assert torch.count_nonzero(gradient) > 0


@pytest.mark.parametrize(("kind", "changes"), KINDS)
def test_the_gap_that_a_deletion_leaves_is_the_slot_of_the_word(
    kind: str, changes: dict[str, object]
) -> None:
    """The network cannot know whether it is asked about a token or about a gap."""
    network = small(kind, **changes)
    words = [6, 7, 8, 9, 10, 11]
    memories = own_memories(network)
    tokens, _ = network(batch_of([words], memories))
    for place in range(len(words)):
        shorter = words[:place] + words[place + 1 :]
        _, gaps = network(batch_of([shorter], memories, width=len(words)))
        # Equal but for the order in which a processor adds up the last rows of a product.
        assert torch.allclose(tokens[0, place], gaps[0, place], rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", ["single", "dual", "towers"])
def test_a_sentence_does_not_see_its_neighbours_in_the_batch(kind: str) -> None:
    network = small(kind)
    memories = own_memories(network)
    alone, _ = network(batch_of([[6, 7, 8]], memories))
    longer = {name: [rows[0], [*rows[0], 5, 5, 5, 3]] for name, rows in memories.items()}
    together, _ = network(batch_of([[6, 7, 8], [9, 10, 11, 12, 13, 14]], longer))
    assert torch.allclose(alone[0], together[0, :3], atol=1e-6)


def test_left_only_sees_nothing_to_the_right() -> None:
    for kind in ("single", "towers"):
        network = small(kind, left_only=True)
        one, _ = network(batch_of([[6, 7, 8, 9]], own_memories(network)))
        other, _ = network(batch_of([[6, 7, 20, 21]], own_memories(network)))
        assert torch.equal(one[0, :2], other[0, :2])
        assert not torch.equal(one[0, 3], other[0, 3])


def test_the_window_ends_after_k_words() -> None:
    network = small("single", reach=2)
    one, _ = network(batch_of([[6, 7, 8, 9, 10, 11]], own_memories(network)))
    far, _ = network(batch_of([[6, 7, 8, 20, 10, 11]], own_memories(network)))
    assert torch.equal(one[0, 0], far[0, 0])
    assert not torch.equal(one[0, 1], far[0, 1])


def test_the_sizes_that_the_paper_gives() -> None:
    f, f_dual = Network(single(1000, 900)), Network(dual(1000, 900))
    for network, hidden in ((f, 512), (f_dual, 1024)):
        config = network.config
        assert (config.embedding, config.state, config.reach, config.memory_width) == (256, 512, 4, 9)
        shapes = {name: tuple(value.shape) for name, value in network.named_parameters()}
        assert shapes["context.table.weight"] == (900, 256)
        assert shapes["encoders.source.table.weight"] == (1000, 256)
        assert shapes["encoders.source.convolution.weight"] == (512, 9 * 256)
        assert (
            shapes["context.queries.0.left.weight"]
            == shapes["context.queries.0.right.weight"]
            == (512, 4 * 256)
        )
        assert shapes["context.lookup.left.weight"] == (hidden, 4 * 256)
        assert shapes["context.summary.weight"] == (hidden, 512 * len(config.memories))
        assert shapes["output"] == (900, hidden)
    assert f_dual.state_dict()["encoders.draft.linear.weight"].shape == (512, 512)
    assert f.config.attention == "dot"
    assert f_dual.config.attention == "mlp"
    assert not any(name.startswith("encoders.source.linear") for name, _ in f.named_parameters())
    # The target's lookup table is all that the two attention functions share.
    assert f_dual.encoders["draft"].table.weight is not f_dual.context.table.weight


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_chunks_give_the_plain_loss_and_gradients(
    dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.model.softmax.CPU_LOGITS", 1)  # the smallest chunks: 64 rows
    random = torch.Generator().manual_seed(1)
    hidden = torch.randn(300, 24, generator=random, dtype=dtype, requires_grad=True)
    weight = torch.randn(500, 24, generator=random, dtype=dtype, requires_grad=True)
    bias = torch.randn(500, generator=random, dtype=dtype, requires_grad=True)
    targets = torch.randint(0, 500, (300,), generator=random)
    weights = torch.rand(300, generator=random)
    total, log_probabilities = chunked_loss(hidden, weight, bias, targets, weights)
    (total * 0.5).backward()
    gradients = [value.grad for value in (hidden, weight, bias)]
    for value in (hidden, weight, bias):
        value.grad = None
    plain = torch.log_softmax(hidden @ weight.t() + bias, dim=1).gather(1, targets[:, None]).squeeze(1)
    (-(plain * weights).sum() * 0.5).backward()
    assert torch.allclose(total, -(plain.float() * weights).sum(), rtol=1e-5)
    assert torch.allclose(log_probabilities, plain.float(), atol=1e-5)
    for value, gradient in zip((hidden, weight, bias), gradients, strict=True):
        assert value.grad is not None
        assert torch.allclose(value.grad.float(), gradient.float(), atol=1e-5)


def test_additive_scores_and_gradients_are_the_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.model.attention.CPU_ELEMENTS", 2 * 3 * 5 * 8)  # two sentences a piece
    random = torch.Generator().manual_seed(4)
    queries = torch.randn(5, 3, 8, generator=random, requires_grad=True)
    keys = torch.randn(5, 5, 8, generator=random, requires_grad=True)
    vector = torch.randn(8, generator=random, requires_grad=True)
    weights = torch.randn(5, 3, 5, generator=random)
    ours = additive_scores(queries, keys, vector)
    (ours * weights).sum().backward()
    gradients = [value.grad for value in (queries, keys, vector)]
    for value in (queries, keys, vector):
        value.grad = None
    plain = torch.tanh(queries[:, :, None] + keys[:, None]) @ vector
    (plain * weights).sum().backward()
    assert torch.allclose(ours, plain, atol=1e-6)
    for value, gradient in zip((queries, keys, vector), gradients, strict=True):
        assert value.grad is not None
        assert gradient is not None
        assert torch.allclose(value.grad, gradient, atol=1e-5)


def test_best_words_are_those_of_the_plain_softmax() -> None:
    random = torch.Generator().manual_seed(2)
    hidden = torch.randn(200, 8, generator=random)
    weight = torch.randn(50, 8, generator=random)
    bias = torch.randn(50, generator=random)
    current = torch.randint(0, 50, (200,), generator=random)
    words, best, standing = best_words(hidden, weight, bias, current, torch.tensor([0, 1, 2, 3]))
    plain = torch.log_softmax(hidden @ weight.t() + bias, dim=1)
    assert torch.allclose(standing, plain.gather(1, current[:, None]).squeeze(1), atol=1e-5)
    allowed = plain.clone()
    allowed[:, :4] = float("-inf")
    assert torch.equal(words, allowed.argmax(dim=1))
    assert torch.allclose(best, allowed.amax(dim=1), atol=1e-5)


def test_proposals_never_contain_what_no_sentence_has() -> None:
    network = small("dual")
    with torch.no_grad():
        network.bias[:4] = 50.0
        network.bias[NULL] = 40.0
    batch = batch_of([[6, 7, 8]], own_memories(network))
    tokens, gaps = network.propose(batch)
    assert set(tokens.words.flatten().tolist()) == {NULL}
    kept, _ = network.propose(batch, deletions=False)
    assert all(word > NULL for word in kept.words.flatten().tolist())
    assert torch.allclose(gaps.best, gaps.current)  # nothing is what stands in a gap


def test_loss_counts_tokens_and_gaps() -> None:
    network = small("dual")
    plain = batch_of([[6, 7, 8], [9, 10]], {name: rows * 2 for name, rows in own_memories(network).items()})
    gaps = torch.full((2, 4), NULL)
    batch = dataclasses.replace(plain, token_targets=plain.target, gap_targets=gaps)
    loss = network.loss(batch, gap_weight=0.25)
    assert (int(loss.tokens), int(loss.gaps)) == (5, 7)
    assert float(loss.weight) == pytest.approx(5 + 7 * 0.25)
    expected = -(float(loss.token_log_probability) + 0.25 * float(loss.gap_log_probability))
    assert float(loss.total.detach()) == pytest.approx(expected, rel=1e-5)
    mask, gap_mask = slot_masks(batch)
    assert mask.tolist() == [[True, True, True], [True, True, False]]
    assert gap_mask.sum(dim=1).tolist() == [4, 3]


def test_without_null_there_are_no_gap_slots() -> None:
    network = small("single", null=False)
    batch = batch_of([[6, 7, 8]], own_memories(network))
    assert network(batch)[1].shape[1] == 0
    loss = network.loss(dataclasses.replace(batch, token_targets=batch.target), gap_weight=0.3)
    assert int(loss.gaps) == 0


def test_embeddings_are_loaded_everywhere() -> None:
    network = small("dual")
    source, target = torch.randn(SOURCE_WORDS, 12), torch.randn(TARGET_WORDS, 12)
    network.load_embeddings(source, target)
    assert torch.equal(network.encoders["source"].table.weight[1:], source[1:])
    assert torch.equal(network.encoders["draft"].table.weight[1:], target[1:])
    assert torch.equal(network.context.table.weight, target)
    assert torch.count_nonzero(network.encoders["source"].table.weight[0]) == 0


@pytest.mark.parametrize(
    ("changes", "telling"),
    [
        ({"memories": ()}, "memories"),
        ({"memories": ("source", "source")}, "different names"),
        ({"memories": ("target",)}, "begins with source or draft"),
        ({"context": "towers", "width": 10, "heads": 4}, "multiple of 4 heads"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, object], telling: str) -> None:
    with pytest.raises(UserError, match=telling):
        NetworkConfig(10, 10, **changes)  # type: ignore[arg-type]


def test_settings_survive_json_and_unknown_ones_are_named() -> None:
    config = dual(10, 20, reach=3)
    assert NetworkConfig.from_json(config.to_json()) == config
    with pytest.raises(UserError, match="reech"):
        NetworkConfig.from_json(config.to_json() | {"reech": 3})
    with pytest.raises(UserError, match="target_words"):
        NetworkConfig.from_json({"source_words": 3})


def test_same_seed_same_network() -> None:
    one, other = small("towers"), small("towers")
    assert all(
        np.array_equal(a.numpy(), b.numpy())
        for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    )


def test_dropout_keeps_the_expectation_and_follows_the_seed() -> None:
    values = torch.ones(200, 500)
    torch.manual_seed(1)
    one = dropout(values, 0.3, training=True)
    torch.manual_seed(1)
    again = dropout(values, 0.3, training=True)
    other = dropout(values, 0.3, training=True)
    assert torch.equal(one, again)
    assert not torch.equal(one, other)
    assert float((one == 0).float().mean()) == pytest.approx(0.3, abs=0.01)
    assert float(one.mean()) == pytest.approx(1.0, abs=0.01)
    assert torch.equal(dropout(values, 0.3, training=False), values)
    assert torch.equal(dropout(values, 0.0, training=True), values)
