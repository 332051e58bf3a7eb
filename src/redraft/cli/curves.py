"""The curves of a training run as a picture: loss while learning and on the validation set."""

from __future__ import annotations

import json
from pathlib import Path


def plot_curves(metrics: Path, picture: Path, title: str) -> None:
    """Draw what `metrics.jsonl` of a run holds as an SVG, the best step marked."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "redraft"  # the same curves give the same bytes
    from matplotlib import pyplot

    rows = [json.loads(line) for line in metrics.read_text("utf-8").splitlines()]
    steps = [row["step"] for row in rows]
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(steps, [row["train_loss"] for row in rows], marker=".", label="training (with dropout)")
    axes.plot(steps, [row["validation_loss"] for row in rows], marker=".", label="validation")
    best = min(rows, key=lambda row: row["validation_loss"])
    note = f"best: {best['validation_loss']:.3f} at step {best['step']}"
    axes.axvline(best["step"], color="grey", linestyle=":", label=note)
    axes.set_xlabel("step")
    axes.set_ylabel("loss per word (nats)")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(picture, metadata={"Date": None})
    pyplot.close(figure)
