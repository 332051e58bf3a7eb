"""A model on disk: what is saved comes back, and nothing damaged, swapped or newer is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)

from redraft.bundle import Bundle, describe_model, save_bundle  # noqa: E402
from redraft.errors import UserError  # noqa: E402
from redraft.model.config import dual  # noqa: E402
from redraft.model.detector import Detector, DetectorConfig  # noqa: E402
from redraft.model.network import Network  # noqa: E402
from redraft.text import Vocabulary  # noqa: E402

SOURCE = Vocabulary.build({"haus": 3, "hund": 2}, "de")
TARGET = Vocabulary.build({"house": 3, "dog": 2, "a": 1}, "en")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    words = len(SOURCE), len(TARGET)
    parts = {
        "refiner": Network(dual(*words, embedding=4, state=6, hidden=8)),
        "detector": Detector(DetectorConfig(*words, embedding=4, size=6)),
    }
    path = tmp_path / "model"
    save_bundle(path, parts, SOURCE, TARGET, {"pairs": 7, "detector_threshold": 0.25})
    return path


def test_what_is_saved_comes_back(saved: Path, tmp_path: Path) -> None:
    bundle = Bundle.open(saved)
    assert bundle.parts == ("refiner", "detector")
    assert (bundle.source, bundle.target) == (SOURCE, TARGET)
    refiner = bundle.refiner()
    assert refiner.config.memories == ("source", "draft")
    again = tmp_path / "again"
    save_bundle(
        again, {"refiner": refiner, "detector": bundle.detector()}, SOURCE, TARGET, bundle.config["facts"]
    )
    assert (again / "model.safetensors").read_bytes() == (saved / "model.safetensors").read_bytes()
    assert (again / "config.json").read_bytes() == (saved / "config.json").read_bytes()


def test_the_card_says_what_the_model_is(saved: Path) -> None:
    card = (saved / "README.md").read_text("utf-8")
    assert card == describe_model(Bundle.open(saved).config)
    assert "de to en" in card
    assert "| pairs | 7 |" in card


def cut(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes((folder / name).read_bytes()[:-3])

    return damage


def change(**values: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | values))

    return damage


def flip_a_bit(folder: Path) -> None:
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("damage", "telling"),
    [
        (cut("model.safetensors"), r"model.safetensors: is not the file"),
        (flip_a_bit, r"model.safetensors: is not the file"),
        (cut("source.json"), r"source.json: is not the file"),
        (remove("target.json"), r"target.json: is missing"),
        (remove("model.safetensors"), r"model.safetensors: is missing"),
        (remove("config.json"), r"has no config.json"),
        (cut("config.json"), r"config.json:\d+: is not JSON"),
        (change(format="other"), r"is no model"),
        (change(version=2), r"version 2.*newer redraft"),
        (change(version="x"), r"train it again"),
        (change(parts={"poet": {}}), r"part 'poet'"),
    ],
)
def test_damage_is_refused_by_name(damage: Callable[[Path], None], telling: str, saved: Path) -> None:
    damage(saved)
    with pytest.raises(UserError, match=telling) as caught:
        Bundle.open(saved)
    assert "\n" not in str(caught.value)


def test_parts_of_another_model_do_not_fit(saved: Path) -> None:
    config = json.loads((saved / "config.json").read_text())
    config["parts"]["refiner"]["hidden"] = 9
    config["parts"]["detector"]["target_words"] = 99
    (saved / "config.json").write_text(json.dumps(config))
    bundle = Bundle.open(saved)
    with pytest.raises(UserError, match=r"does not fit config\.json"):
        bundle.refiner()
    with pytest.raises(UserError, match="not of one model"):
        bundle.detector()


def test_missing_part_and_wrong_language_are_named(tmp_path: Path) -> None:
    network = Network(dual(len(SOURCE), len(TARGET), embedding=4, state=6, hidden=8))
    save_bundle(tmp_path / "m", {"refiner": network}, SOURCE, TARGET, {})
    bundle = Bundle.open(tmp_path / "m")
    with pytest.raises(UserError, match=r"has no detector.*--parts detector"):
        bundle.detector()
    with pytest.raises(UserError, match="trained on de to en, and the source is fr"):
        bundle.check_languages("fr", "en")
    bundle.check_languages("de", None)
    with pytest.raises(UserError, match="no such folder"):
        Bundle.open(tmp_path / "nothing")
