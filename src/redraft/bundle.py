"""A model on disk: a folder with its configuration, weights, vocabularies and model card.

    config.json         what the parts are, languages, hashes of the other files
    model.safetensors   weights, names beginning with the part (refiner., detector.)
    source.json, target.json   vocabularies
    README.md           model card

Nothing is pickled. Whatever is damaged, cut short, swapped with another bundle's file or newer is refused by name.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from redraft import __version__
from redraft.errors import UserError
from redraft.files import hash_file, read_json, write_folder, write_json
from redraft.model.config import NetworkConfig
from redraft.model.detector import Detector, DetectorConfig
from redraft.model.network import Network
from redraft.text.vocabulary import Vocabulary

FORMAT = "redraft-bundle"
VERSION = 1
WEIGHTS = "model.safetensors"
PARTS = ("refiner", "detector")

Module = TypeVar("Module", bound=torch.nn.Module)


@dataclass(frozen=True)
class Bundle:
    """An opened model. Parts are made when they are asked for."""

    path: Path
    config: dict[str, Any]
    source: Vocabulary
    target: Vocabulary
    weights: dict[str, Tensor]

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Bundle:
        """Open a folder that `save` wrote, and check all of it."""
        folder = Path(path)
        if not folder.is_dir():
            raise UserError(
                f"{folder}: no such folder; a model is a folder that `redraft train --output` wrote"
            )
        if not (folder / "config.json").is_file():
            raise UserError(f"{folder}: has no config.json, so it is no model; make one with `redraft train`")
        config = read_json(folder / "config.json")
        _check_config(folder / "config.json", config)
        for name, expected in config["files"].items():
            if not (folder / name).is_file():
                raise UserError(f"{folder / name}: is missing; copy the whole folder again")
            if hash_file(folder / name) != expected:
                problem = "is not the file that this model was saved with (damaged, cut short or swapped)"
                raise UserError(f"{folder / name}: {problem}; copy the whole folder again")
        try:
            weights = load_file(folder / WEIGHTS)
        except (OSError, SafetensorError) as error:
            raise UserError(f"{folder / WEIGHTS}: cannot be read ({error})") from error
        source, target = (Vocabulary.load(folder / f"{side}.json") for side in ("source", "target"))
        return cls(folder, config, source, target, weights)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that this model has."""
        return tuple(self.config["parts"])

    def refiner(self, device: torch.device | str = "cpu") -> Network:
        """The network that proposes words."""
        network = Network(NetworkConfig.from_json(self._part("refiner")))
        return self._fill(network, "refiner", device)

    def detector(self, device: torch.device | str = "cpu") -> Detector:
        """The network that finds errors."""
        detector = Detector(DetectorConfig.from_json(self._part("detector")))
        return self._fill(detector, "detector", device)

    def check_languages(self, source: str | None, target: str | None) -> None:
        """Refuse text that is said to be in other languages than the model was trained on."""
        pair = self.config["source_language"], self.config["target_language"]
        for given, own, side in ((source, pair[0], "source"), (target, pair[1], "target")):
            if given and own != "generic" and given != own:
                raise UserError(
                    f"{self.path}: was trained on {pair[0]} to {pair[1]}, and the {side} is {given}"
                )

    def _part(self, name: str) -> dict[str, Any]:
        if name not in self.config["parts"]:
            have = ", ".join(self.parts)
            raise UserError(
                f"{self.path}: has no {name} (it has {have}); train one with `redraft train --parts {name}`"
            )
        part: dict[str, Any] = self.config["parts"][name]
        sizes = {"source_words": len(self.source), "target_words": len(self.target)}
        for key, size in sizes.items():
            if part.get(key) != size:
                raise UserError(
                    f"{self.path}: the {name} knows {part.get(key)} {key.split('_')[0]} words, and the vocabulary "
                    f"has {size}; the files are not of one model"
                )
        return part

    def _fill(self, module: Module, name: str, device: torch.device | str) -> Module:
        prefix = f"{name}."
        own = {
            key.removeprefix(prefix): value for key, value in self.weights.items() if key.startswith(prefix)
        }
        try:
            module.load_state_dict({key: value.float() for key, value in own.items()})
        except RuntimeError as error:
            first = str(error).splitlines()[-1].strip()
            raise UserError(f"{self.path / WEIGHTS}: does not fit config.json ({first})") from error
        return module.to(device).eval()


def save_bundle(
    path: str | os.PathLike[str],
    parts: Mapping[str, Network | Detector],
    source: Vocabulary,
    target: Vocabulary,
    facts: Mapping[str, Any],
    replace: bool = False,
    attachments: Mapping[str, Path] | None = None,
) -> None:
    """Write a model; `facts` (given tokens, data, figures) go into config.json and the model card.

    `attachments` are files by the names they get in the folder `training`, such as the curves of the run.
    """
    with write_folder(path, replace, proof="config.json") as folder:
        weights = {
            f"{name}.{key}": value.detach().cpu().contiguous()
            for name, part in parts.items()
            for key, value in part.state_dict().items()
        }
        save_file(weights, folder / WEIGHTS)
        for name, file in (attachments or {}).items():
            (folder / "training").mkdir(exist_ok=True)
            shutil.copyfile(file, folder / "training" / name)
        source.save(folder / "source.json")
        target.save(folder / "target.json")
        config = {
            "format": FORMAT,
            "version": VERSION,
            "redraft": __version__,
            "source_language": source.language,
            "target_language": target.language,
            "parts": {name: part.config.to_json() for name, part in parts.items()},
            "facts": dict(facts),
            "files": {name: hash_file(folder / name) for name in (WEIGHTS, "source.json", "target.json")},
        }
        write_json(folder / "config.json", config)
        (folder / "README.md").write_text(describe_model(config), encoding="utf-8")


def describe_model(config: Mapping[str, Any]) -> str:
    """The model card: what the model is, what it was trained on, its figures."""
    rows = [f"| {key.replace('_', ' ')} | {value} |" for key, value in config["facts"].items()]
    parts = [
        f"- `{name}`: " + ", ".join(f"{key} {value}" for key, value in part.items())
        for name, part in config["parts"].items()
    ]
    head = f"# A redraft model, {config['source_language']} to {config['target_language']}\n"
    return "\n".join(
        [
            head,
            "Improves existing translations word by word.\n",
            *parts,
            "",
            "| fact | value |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def _check_config(path: Path, config: Any) -> None:
    kind = config.get("format") if isinstance(config, dict) else None
    if kind != FORMAT:
        raise UserError(f'{path}: is no model (expected "format": "{FORMAT}", found {kind!r})')
    if config.get("version") != VERSION:
        found = config.get("version")
        advice = (
            "it needs a newer redraft" if isinstance(found, int) and found > VERSION else "train it again"
        )
        raise UserError(f"{path}: model version {found!r}, this redraft reads version {VERSION}; {advice}")
    for key in ("parts", "files", "source_language", "target_language"):
        if key not in config:
            raise UserError(f"{path}: has no {key!r}; it was changed or damaged")
    unknown = sorted(set(config["parts"]) - set(PARTS))
    if unknown:
        raise UserError(
            f"{path}: has a part {unknown[0]!r} that this redraft does not know; it needs a newer one"
        )
