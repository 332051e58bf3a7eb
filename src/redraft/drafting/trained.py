"""A trained drafter on disk: a folder with what its kind has learned, and a manifest that vouches for it.

drafter.json     kind, settings, how text becomes tokens, versions, sizes and hashes of the files
...              the files of the kind
"""

from __future__ import annotations

import importlib.metadata
from dataclasses import asdict
from pathlib import Path
from typing import Any

from redraft import __version__
from redraft.drafting.interface import Drafter, Trainer
from redraft.drafting.registry import TRAINERS
from redraft.drafting.text import TokenSettings, TrainingText
from redraft.errors import UserError
from redraft.files import hash_file, read_json, write_folder, write_json

FORMAT = "redraft-drafter"
VERSION = 1
MANIFEST = "drafter.json"


def train_drafter(
    trainer: Trainer, text: TrainingText, folder: Path, left_out: int | None = None, replace: bool = False
) -> None:
    """Train on all pairs, or on those outside a fold; the folder is complete or absent."""
    with write_folder(folder, replace, proof=MANIFEST) as partial:
        trainer.train(text, partial, left_out)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "kind": trainer.name,
            "settings": describe_settings(trainer),
            "tokens": asdict(text.tokens),
            "versions": describe_versions(trainer),
            "files": describe_files(partial),
        }
        write_json(partial / MANIFEST, manifest)


def open_drafter(folder: Path, kind: str | None = None) -> Drafter:
    """Open what `train_drafter` wrote; other kinds than asked for, damaged and newer folders are refused."""
    manifest = _read_manifest(folder)
    trainer = TRAINERS.get(manifest["kind"])
    if trainer is None:
        known = ", ".join(TRAINERS)
        raise UserError(f"{folder}: is a drafter of kind {manifest['kind']!r}; this redraft knows {known}")
    if kind is not None and kind != trainer.name:
        raise UserError(f"{folder}: is a drafter of kind {trainer.name!r}, not {kind!r}; leave --drafter out")
    for name, facts in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise UserError(f"{path}: is missing; train the drafter again")
        if path.stat().st_size != facts["bytes"] or hash_file(path) != facts["sha256"]:
            raise UserError(f"{path}: is not what was trained (damaged or changed); train the drafter again")
    return trainer.open(folder, TokenSettings(**manifest["tokens"]))


def describe_files(folder: Path) -> dict[str, dict[str, object]]:
    """Size and hash of every file below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): {"bytes": path.stat().st_size, "sha256": hash_file(path)}
        for path in files
    }


def describe_settings(trainer: Trainer) -> dict[str, object]:
    """What a kind can be told, by name."""
    return asdict(trainer)  # type: ignore[call-overload,no-any-return]


def describe_versions(trainer: Trainer) -> dict[str, str]:
    """The versions of everything that decides what is learned."""
    versions = {"redraft": __version__}
    for package in trainer.packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            needs = f"the {trainer.name} drafter needs {package}, which is not installed"
            raise UserError(f"{needs}; run: pip install 'redraft[{trainer.name}]'") from None
    return versions


def _read_manifest(folder: Path) -> dict[str, Any]:
    if not (folder / MANIFEST).is_file():
        raise UserError(
            f"{folder}: has no {MANIFEST}, so it is no trained drafter; `redraft draft --save` writes one"
        )
    manifest: Any = read_json(folder / MANIFEST)
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if found != FORMAT:
        raise UserError(f'{folder / MANIFEST}: expected "format": "{FORMAT}", found {found!r}')
    if manifest.get("version") != VERSION:
        raise UserError(
            f"{folder / MANIFEST}: version {manifest.get('version')!r}, this redraft reads {VERSION}; "
            "train the drafter again"
        )
    for key, kind in (("kind", str), ("tokens", dict), ("files", dict)):
        if not isinstance(manifest.get(key), kind):
            raise UserError(
                f"{folder / MANIFEST}: has no {key!r}; it was changed or damaged, train the drafter again"
            )
    return dict(manifest)
