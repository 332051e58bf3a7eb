"""The rooms `model` and `training` and the bundle run where only torch, NumPy and safetensors are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

BLOCKED = ["numba", "sacrebleu", "typer", "rich", "zstandard", "rapidfuzz", "matplotlib", "thot", "machine"]

SCRIPT = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())

from pathlib import Path
import numpy as np
import torch

from redraft.bundle import Bundle, save_bundle
from redraft.model.config import dual
from redraft.model.embeddings import Embeddings
from redraft.model.network import Network
from redraft.text.vocabulary import Vocabulary
from redraft.training.data import Sentences
from redraft.training.loop import Trainer
from redraft.training.measures import measure_copying, measure_perplexity
from redraft.training.sentences import load_sentences
from redraft.training.settings import modern_recipe

torch.set_num_threads(1)
folder = Path(sys.argv[1])
words = {{f"w{{i}}": 9 for i in range(14)}}
source, target = Vocabulary.build(words, "de"), Vocabulary.build(words, "en")
rows = [np.arange(6, 12, dtype=np.int32) for _ in range(30)]
sentences = Sentences({{"source": rows, "draft": rows, "reference": rows}}, np.arange(30))
network = Network(dual(20, 20, embedding=4, state=6, hidden=8))
recipe = modern_recipe(steps=4, validate_every=2, budget=200, states=0.5)
trainer = Trainer(network, sentences, sentences, recipe, folder / "run", 1, torch.device("cpu"))
trainer.run()
trainer.load_best()
save_bundle(folder / "model", {{"refiner": network}}, source, target, {{}})
loaded = Bundle.open(folder / "model").refiner()
print(measure_perplexity(loaded, sentences, torch.device("cpu")).words > 1)
print(0 <= measure_copying(loaded, sentences, torch.device("cpu")) <= 1)
"""


def test_networks_train_and_load_with_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore:overflow", "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "True"]
