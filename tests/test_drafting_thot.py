"""`thot`: what is missing is said; a tiny model learns, is saved, and forgets the fold that is left out."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from redraft.drafting import TokenSettings, TrainingText, open_drafter, train_drafter
from redraft.drafting import trained as module
from redraft.drafting.thot import LONGEST, ThotTrainer, import_thot
from redraft.drafting.trained import describe_versions
from redraft.errors import UserError

TOKENS = TokenSettings("de", "en")


def make_text(folder: Path) -> TrainingText:
    """Pairs in which adjectives follow the noun in one language and precede it in the other."""
    chance = random.Random(1)
    source, reference = [], []
    for number in range(40):
        noun, colour, verb = (chance.randrange(5) for _ in range(3))
        source.append(f"das nomen{noun} farbe{colour} verbt{verb} marke{number} .")
        reference.append(f"the color{colour} noun{noun} verbs{verb} mark{number} .")
    for name, lines in (("a.de", source), ("a.en", reference)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (folder / "text").mkdir()
    return TrainingText.write(folder / "text", str(folder / "a.de"), str(folder / "a.en"), TOKENS, folds=2)


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = make_text(tmp_path)
    monkeypatch.setitem(sys.modules, "machine.translation.thot", None)
    with pytest.raises(UserError, match=r"not installed; run: pip install 'redraft\[thot\]'"):
        train_drafter(ThotTrainer(), text, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_missing_package_is_named_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(package: str) -> str:
        raise module.importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(module.importlib.metadata, "version", find)
    with pytest.raises(UserError, match=r"needs sil-machine, .* pip install 'redraft\[thot\]'"):
        describe_versions(ThotTrainer())


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainingText, Path]:
    """A full model, the same once more, and one without fold 0."""
    pytest.importorskip("machine.translation.thot")
    folder = tmp_path_factory.mktemp("thot")
    text = make_text(folder)
    for name, left_out in (("full", None), ("again", None), ("without", 0)):
        train_drafter(ThotTrainer(), text, folder / name, left_out)
    return text, folder


def test_it_translates_and_reorders(models: tuple[TrainingText, Path]) -> None:
    drafter = open_drafter(models[1] / "full", "thot")
    sources = ["Das nomen1 farbe2 verbt3 .", "", "Xylophon"]
    assert list(drafter.draft(sources)) == ["the color2 noun1 verbs3 .", "", "xylophon"]


def test_training_again_gives_the_same_bytes(models: tuple[TrainingText, Path]) -> None:
    one, two = models[1] / "full", models[1] / "again"
    names = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    assert [name for name in names if (one / name).read_bytes() != (two / name).read_bytes()] == []


def test_a_model_holds_nothing_of_the_fold_that_is_left_out(models: tuple[TrainingText, Path]) -> None:
    text, folder = models
    for name, left_out in (("full", None), ("without", 0)):
        stored = b"".join(path.read_bytes() for path in (folder / name).rglob("*") if path.is_file())
        known = [b"mark%d\n" % number in stored or b"mark%d " % number in stored for number in range(40)]
        assert known == [fold != left_out for fold in text.folds().tolist()]


def test_long_sentences_are_translated_in_pieces(models: tuple[TrainingText, Path]) -> None:
    drafter = open_drafter(models[1] / "full")
    (draft,) = drafter.draft(["verbt1 " * (2 * LONGEST + 3)])
    assert draft.split() == ["verbs1"] * (2 * LONGEST + 3)


def test_words_that_thot_reserves(models: tuple[TrainingText, Path]) -> None:
    given = TokenSettings("de", "en", given=True)
    drafter = ThotTrainer().open(models[1] / "full", given)
    assert list(drafter.draft(["<s> verbt1 </s> ||| <unk>"])) == ["<s> verbs1 </s> ||| <unk>"]


def test_the_module_is_found() -> None:
    pytest.importorskip("machine.translation.thot")
    assert hasattr(import_thot(), "ThotSmtModelTrainer")
