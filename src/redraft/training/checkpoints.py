"""Checkpoints: weights, optimiser, schedule, position and random state, complete or absent. No pickles."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from redraft.errors import UserError
from redraft.files import read_json, write_folder, write_json

if TYPE_CHECKING:
    from redraft.training.loop import Trainer

FORMAT = "redraft-checkpoint"
VERSION = 1


def save_checkpoint(trainer: Trainer, path: Path, weights_only: bool = False) -> None:
    """Write a folder that replaces the one before it; the best has the weights alone."""
    with write_folder(path, replace=True) as folder:
        save_file(_contiguous(trainer.network.state_dict()), folder / "network.safetensors")
        head = {"format": FORMAT, "version": VERSION, "config": trainer.network.config.to_json()}
        head |= {"recipe": trainer.recipe.to_json(), "progress": trainer.progress.to_json()}
        if not weights_only:
            if trainer.average is not None:
                save_file(_contiguous(trainer.average), folder / "average.safetensors")
            tensors, scalars = _flatten_optimiser(trainer.optimiser)
            tensors["random.cpu"] = torch.get_rng_state()
            if trainer.device.type == "cuda":
                tensors["random.cuda"] = torch.cuda.get_rng_state(trainer.device)
            save_file(tensors, folder / "state.safetensors")
            head["optimiser"] = scalars
        write_json(folder / "checkpoint.json", head)


def load_checkpoint(trainer: Trainer, path: Path) -> bool:
    """Restore a trainer; False where there is no checkpoint."""
    if not (path / "checkpoint.json").is_file():
        return False
    head = read_json(path / "checkpoint.json")
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        raise UserError(
            f"{path}: is no checkpoint of this redraft (version {VERSION}); start anew in another folder"
        )
    from redraft.training.loop import Progress

    if head["config"] != json.loads(json.dumps(trainer.network.config.to_json())):
        raise UserError(f"{path}: was made by a network with other settings; start anew in another folder")
    try:
        trainer.network.load_state_dict(load_file(path / "network.safetensors", device=str(trainer.device)))
        if trainer.average is not None:
            average = load_file(path / "average.safetensors", device=str(trainer.device))
            trainer.average = {name: average[name] for name in trainer.average}  # in the network's order
        tensors = load_file(path / "state.safetensors")
    except (OSError, SafetensorError, RuntimeError) as error:
        raise UserError(f"{path}: is damaged ({error}); remove it to start anew") from error
    torch.set_rng_state(tensors.pop("random.cpu"))
    if "random.cuda" in tensors:
        cuda = tensors.pop("random.cuda")
        if trainer.device.type == "cuda":
            torch.cuda.set_rng_state(cuda, trainer.device)
    _restore_optimiser(trainer.optimiser, tensors, head["optimiser"])
    trainer.progress = Progress.from_json(head["progress"])
    return True


def remove_checkpoint(path: Path) -> None:
    """Forget a checkpoint."""
    if os.path.isdir(path):
        shutil.rmtree(path)


def _contiguous(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _flatten_optimiser(optimiser: torch.optim.Optimizer) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Tensors of the optimiser's state by "parameter.name", and what is no tensor."""
    tensors: dict[str, torch.Tensor] = {}
    scalars: dict[str, Any] = {}
    for number, state in optimiser.state_dict()["state"].items():
        for name, value in state.items():
            if isinstance(value, torch.Tensor):
                tensors[f"{number}.{name}"] = value.detach().cpu().contiguous()
            elif value is not None:
                scalars[f"{number}.{name}"] = value
    return tensors, scalars


def _restore_optimiser(
    optimiser: torch.optim.Optimizer, tensors: dict[str, torch.Tensor], scalars: dict[str, Any]
) -> None:
    state: dict[int, dict[str, Any]] = {}
    for key, value in {**tensors, **scalars}.items():
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    whole = optimiser.state_dict()
    optimiser.load_state_dict({"state": state, "param_groups": whole["param_groups"]})
