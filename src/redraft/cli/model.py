"""`redraft model`: what a model is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.options import JsonOption
from redraft.cli.train import import_torch

model = typer.Typer(help="What a model is.", no_args_is_help=True, rich_markup_mode=None)


@model.command()
def info(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="A folder that `redraft train` wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Print the parts, languages, sizes and figures of a model; a damaged one is refused."""
    import_torch()
    from redraft.bundle import Bundle

    bundle = Bundle.open(path)
    if as_json:
        print(json.dumps(bundle.config, ensure_ascii=False, indent=1))
        return
    config = bundle.config
    print(f"{config['source_language']} to {config['target_language']}, made by redraft {config['redraft']}")
    print(f"vocabularies: {len(bundle.source):,} source and {len(bundle.target):,} target words")
    for name in bundle.parts:
        weights = [value.numel() for key, value in bundle.weights.items() if key.startswith(f"{name}.")]
        print(f"{name}: {sum(weights):,} parameters")
        for key, value in config["parts"][name].items():
            print(f"  {key.replace('_', ' ')}: {', '.join(value) if isinstance(value, list) else value}")
    for key, value in config["facts"].items():
        print(f"{key.replace('_', ' ')}: {value}")


@model.command()
def card(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="A folder that `redraft train` wrote.")],
) -> None:
    """Print the model card, a Markdown page."""
    import_torch()
    from redraft.bundle import Bundle, describe_model

    print(describe_model(Bundle.open(path).config), end="")
