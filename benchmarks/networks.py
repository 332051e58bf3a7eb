"""Train the networks of sections 2 to 4 and ours on one corpus, and compare them. Resumable: a finished run is kept.

    python benchmarks/networks.py --data PREPARED --tests NAME=PREPARED ... --cache DIR [--only f,dual] [--seeds 1,2,3]
    python benchmarks/networks.py --cache DIR --write

PREPARED is a triple corpus by `redraft prepare --tokens given` with parts; the first of --tests is what perplexity
is measured on. Needs torch, NumPy and safetensors only, so that it runs on a bare GPU machine too.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from redraft.corpus.prepared import PreparedCorpus
from redraft.model.config import NetworkConfig, dual, single, towers
from redraft.model.detector import Detector, DetectorConfig
from redraft.model.embeddings import Embeddings
from redraft.model.network import Network
from redraft.training.data import Sentences
from redraft.training.loop import Trainer
from redraft.training.measures import (
    Judged,
    Statistics,
    judge_drafts,
    measure_copying,
    measure_perplexity,
)
from redraft.training.sentences import load_sentences, spell
from redraft.training.settings import modern_recipe, paper_recipe

ROOT = Path(__file__).parents[1]

# name -> (kind, changes of the configuration, changes of the recipe)
RUNS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "left-only": ("single", {"left_only": True, "null": False}, {}),
    "F": ("single", {"null": False}, {}),
    "F, MLP attention": ("single", {"null": False, "attention": "mlp"}, {}),
    "F with null": ("single", {}, {}),
    "F_dual": ("dual", {"null": False}, {}),
    "F_dual, SGD": ("dual", {"null": False}, {"recipe": "paper"}),
    "F_dual, dot attention": ("dual", {"null": False, "attention": "dot"}, {}),
    "F_dual with null": ("dual", {}, {}),
    "F_dual, k = 2": ("dual", {"null": False, "reach": 2}, {}),
    "F_dual, k = 8": ("dual", {"null": False, "reach": 8}, {}),
    "F_dual, query instead of lookup": ("dual", {"null": False, "lookup": False}, {}),
    "F_dual, random embeddings": ("dual", {"null": False}, {"embeddings": "random"}),
    "towers": ("towers", {}, {"rate": 7e-4, "warm_up": 800}),
    "towers, half states": ("towers", {}, {"rate": 7e-4, "warm_up": 800, "states": 0.5, "gap_weight": 0.6}),
    "towers, source only": ("towers", {"memories": ("source",)}, {"rate": 7e-4, "warm_up": 800}),
    "f": ("paper detector", {}, {}),
    "f, no learned scale": ("paper detector", {"scaled": False}, {}),
    "f, no dropout": ("paper detector", {"dropout": 0.0}, {}),
    "deep detector": ("deep detector", {}, {"rate": 5e-4, "warm_up": 400}),
    "deep detector from towers": (
        "deep detector",
        {},
        {"rate": 3e-4, "warm_up": 200, "from": "towers, source only"},
    ),
}


def make(kind: str, changes: dict[str, Any], words: tuple[int, int]) -> Network | Detector:
    """The network of a run."""
    if kind.endswith("detector"):
        return Detector(DetectorConfig(*words, **({"kind": kind.split()[0]} | changes)))
    return Network({"single": single, "dual": dual, "towers": towers}[kind](*words, **changes))


def run(
    name: str, seed: int, options: argparse.Namespace, sets: dict[str, Sentences], words: tuple[int, int]
) -> None:
    """Train one network and keep its figures."""
    kind, changes, recipe_changes = RUNS[name]
    changes, recipe_changes = (
        changes | json.loads(options.config),
        recipe_changes | json.loads(options.recipe),
    )
    label = f"{name}, {options.label}" if options.label else name
    target = options.cache / f"{label}-{seed}.json".replace(" ", "_").replace("/", "_")
    if target.exists():
        return
    device = torch.device(options.device)
    settings = dict(recipe_changes)
    embeddings = settings.pop("embeddings", "given")
    teacher = settings.pop("from", "")
    maker = paper_recipe if settings.pop("recipe", "modern") == "paper" else modern_recipe
    common = {
        "steps": options.steps,
        "seconds": options.seconds,
        "budget": options.budget,
        "bf16": options.bf16,
    }
    recipe = maker(**({"validate_every": options.validate_every} | common | settings))
    torch.manual_seed(seed)
    network = make(kind, changes, words)
    if options.embeddings and embeddings == "given":
        vectors, corpus = Embeddings.load(options.embeddings), PreparedCorpus.open(options.data)
        network.load_embeddings(
            vectors.source.select(corpus.source_vocabulary.words),
            vectors.target.select(corpus.target_vocabulary.words),
        )
    folder = options.cache / "runs" / target.stem
    if teacher:
        start_from(network, options.cache / "runs" / f"{teacher}-{seed}".replace(" ", "_"))
    trainer = Trainer(
        network, sets["training"], sets["network_validation"], recipe, folder, seed, device, print
    )
    trainer.resume()
    started = time.perf_counter()
    progress = trainer.run(
        lambda r: print(
            f"{label} {seed}: step {r.step} epoch {r.epoch} {r.seconds:.0f} s train {r.train_loss:.3f} valid "
            f"{r.perplexity:.3f} gap {r.gap_perplexity:.3f} {r.slots_per_second:.0f} slots/s waited {r.waited:.3f}",
            flush=True,
        )
    )
    trainer.load_best()
    tests = {key: value for key, value in sets.items() if key not in ("training",)}
    figures: dict[str, Any] = {
        "name": label,
        "seed": seed,
        "parameters": sum(p.numel() for p in network.parameters()),
    }
    figures |= {"best_step": progress.best_step, "steps": progress.step, "epochs": progress.position.epoch}
    figures |= {
        "seconds": round(progress.seconds, 1),
        "recipe": recipe.to_json(),
        "config": network.config.to_json(),
    }
    figures |= {"validation_loss": progress.best, "measured_in": round(time.perf_counter() - started, 1)}
    figures |= {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    figures["device"] = (
        torch.cuda.get_device_name() if device.type == "cuda" else f"{torch.get_num_threads()} CPU threads"
    )
    if isinstance(network, Detector):
        figures["detection"] = detection(network, options, tests, device)
    else:
        figures["perplexity"] = {
            key: asdict(measure_perplexity(network, value, device)) for key, value in tests.items()
        }
        if "draft" in sets["training"].sides:
            figures["copies"] = {key: measure_copying(network, value, device) for key, value in tests.items()}
    target.write_text(json.dumps(figures, indent=1) + "\n")


def start_from(network: Network | Detector, folder: Path) -> None:
    """Begin a deep detector with the towers of a finished run."""
    from safetensors.torch import load_file

    head = json.loads((folder / "best" / "checkpoint.json").read_text())
    refiner = Network(NetworkConfig.from_json(head["config"]))
    refiner.load_state_dict(load_file(folder / "best" / "network.safetensors"))
    assert isinstance(network, Detector)
    network.start_from(refiner)


def detection(
    network: Detector, options: argparse.Namespace, tests: dict[str, Sentences], device: torch.device
) -> dict[str, Any]:
    """Table 1: the threshold for F1 is chosen on network validation; 0.5 is reported too, and the baselines."""
    judged = {key: judge_drafts(network, value, device) for key, value in tests.items()}
    threshold, _ = judged["network_validation"].best()
    corpus = PreparedCorpus.open(options.data)
    labels = load_sentences(corpus, "training").sides["labels"]
    counted = Statistics(spell(corpus, "draft", "training"), labels)
    words = {"network_validation": spell(corpus, "draft", "network_validation")}
    for item in options.tests:
        name, _, path = item.partition("=")
        words[name] = spell(PreparedCorpus.open(path), "draft", "training")
    statistics = {key: counted.judge(words[key], value.sides["labels"]) for key, value in tests.items()}
    return {
        key: {
            "threshold": threshold,
            "f": describe(judged[key], threshold),
            "f at 0.5": describe(judged[key], 0.5),
            "f_stat": describe(statistics[key], 0.5 + 1e-9),
            "f_cor": describe(judged[key], 2.0),
            "f_wrong": describe(judged[key], -1.0),
        }
        for key in tests
    }


def describe(judged: Judged, threshold: float) -> dict[str, float]:
    """The rows of table 1 and the Matthews correlation."""
    found = judged.at(threshold)
    names = ("accuracy", "recall", "precision", "f1", "matthews")
    return {name: round(float(getattr(found, name)), 4) for name in names}


def load_sets(options: argparse.Namespace) -> tuple[dict[str, Sentences], tuple[int, int]]:
    """Training, network validation, and every test set by its name."""
    corpus = PreparedCorpus.open(options.data)
    sets = {part: load_sentences(corpus, part) for part in ("training", "network_validation")}
    for item in options.tests:
        name, _, path = item.partition("=")
        sets[name] = load_sentences(PreparedCorpus.open(path), "training")
    return sets, (len(corpus.source_vocabulary), len(corpus.target_vocabulary))


def write(cache: Path) -> None:
    """Collect the figures of all finished runs."""
    found = [json.loads(path.read_text()) for path in sorted(cache.glob("*.json"))]
    target = ROOT / "results" / "networks.json"
    target.write_text(json.dumps({"runs": found}, indent=1) + "\n")
    print(f"{len(found)} runs in results/{target.name}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tests", nargs="*", default=[])
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--embeddings", type=Path)
    parser.add_argument("--only", default=";".join(RUNS), help="names of runs, separated by ';'")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--budget", type=int, default=8192)
    parser.add_argument("--validate-every", type=int, default=200)
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--config", default="{}", help="JSON that changes the configuration of the runs")
    parser.add_argument("--recipe", default="{}", help="JSON that changes their recipe")
    parser.add_argument("--label", default="", help="added to the names of changed runs")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write:
        return write(options.cache)
    options.cache.mkdir(parents=True, exist_ok=True)
    sets, words = load_sets(options)
    for seed in map(int, options.seeds.split(",")):
        for name in options.only.split(";"):
            run(name, seed, options, sets, words)
    return None


if __name__ == "__main__":
    main()
