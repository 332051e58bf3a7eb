"""`redraft train`: a detector and a refiner from parallel text, with or without drafts."""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.console import progress as progress_bar
from redraft.cli.console import say
from redraft.cli.curves import plot_curves
from redraft.cli.options import (
    ForceOption,
    SourceLanguageOption,
    TargetLanguageOption,
    ThreadsOption,
    Tokens,
    TokensOption,
    resolve_threads,
)
from redraft.errors import UserError

if TYPE_CHECKING:
    from redraft.corpus.prepared import PreparedCorpus
    from redraft.model.detector import Detector
    from redraft.model.network import Network
    from redraft.training.loop import Report
    from redraft.training.settings import Recipe

PARTS = ("detector", "refiner")


class Context(StrEnum):
    """How a slot sees the rest of the sentence."""

    window = "window"
    towers = "towers"


class RecipeName(StrEnum):
    """Which training recipe."""

    modern = "modern"
    paper = "paper"


def train(
    output: Annotated[Path, typer.Option(help="Folder to write the model to.", show_default=False)],
    source: Annotated[str | None, typer.Option(help="Source sentences, one a line.")] = None,
    reference: Annotated[str | None, typer.Option(help="Their translations.")] = None,
    draft: Annotated[str | None, typer.Option(help="Drafts; without them F is trained.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="A prepared corpus instead of files.")] = None,
    validation: Annotated[
        int | None,
        typer.Option(min=1, help="Pairs held out for validation.", show_default="5 %, at most 3000"),
    ] = None,
    parts: Annotated[
        str | None, typer.Option(help="What to train.", show_default="refiner; with drafts: detector,refiner")
    ] = None,
    context: Annotated[Context, typer.Option(help="'window' is the paper's.")] = Context.window,
    null: Annotated[bool, typer.Option(help="Insertion and deletion through the null word.")] = True,
    hidden: Annotated[int | None, typer.Option(min=1, help="Size of the hidden layer.")] = None,
    state: Annotated[int, typer.Option(min=1, help="Size of encoded words (window).")] = 512,
    width: Annotated[int, typer.Option(min=8, help="Size of encoded words (towers).")] = 256,
    embedding: Annotated[int, typer.Option(min=1, help="Size of word vectors (window).")] = 256,
    recipe: Annotated[
        RecipeName, typer.Option(help="'paper' is SGD; 'modern' is AdamW.")
    ] = RecipeName.modern,
    steps: Annotated[int, typer.Option(min=1, help="Most steps of the optimiser.")] = 20_000,
    seconds: Annotated[float, typer.Option(min=0, help="Stop after so long; 0 means never.")] = 0,
    rate: Annotated[
        float | None, typer.Option(help="Peak learning rate.", show_default="the recipe's")
    ] = None,
    warm_up: Annotated[int, typer.Option(min=0, help="Steps in which the rate rises to its peak.")] = 400,
    budget: Annotated[int, typer.Option(min=1, help="Slots of a batch, padding included.")] = 8192,
    validate_every: Annotated[int, typer.Option(min=1, help="Steps between validations.")] = 500,
    patience: Annotated[int, typer.Option(min=1, help="Validations without gain before it ends.")] = 8,
    states: Annotated[float, typer.Option(help="Share of states between draft and reference.")] = 0.0,
    gap_weight: Annotated[float, typer.Option(min=0, help="Weight of gaps against words.")] = 0.3,
    embeddings: Annotated[
        str,
        typer.Option(
            help="'hellinger' makes them from the training data; 'random'; or a file of `redraft embeddings`."
        ),
    ] = "hellinger",
    bf16: Annotated[bool, typer.Option("--bf16", help="Products in bfloat16.")] = False,
    source_language: SourceLanguageOption = None,
    target_language: TargetLanguageOption = None,
    tokens: TokensOption = Tokens.auto,
    min_count: Annotated[int, typer.Option(min=1, help="Rarer words are unknown.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="Decides everything that is random.")] = 1,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    threads: ThreadsOption = 0,
    work: Annotated[
        Path | None,
        typer.Option(help="Folder for checkpoints; a run goes on from them.", show_default="OUTPUT.work"),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Train a model from parallel text.

    Without drafts this is F, which needs parallel text only; with drafts (see `redraft jackknife`) a detector and
    F_dual. An interrupted run goes on where it stopped when it is started again.
    """
    torch = import_torch()
    from redraft.bundle import save_bundle
    from redraft.training.loop import Trainer
    from redraft.training.measures import judge_drafts
    from redraft.training.sentences import load_sentences

    if output.exists() and not force:
        raise UserError(f"{output}: exists already; remove it, name another output or add --force")
    chosen = choose_device(device)
    torch.set_num_threads(resolve_threads(threads))
    folder = work or output.with_name(f"{output.name}.work")
    prepared = _prepare(corpus, folder, source, draft, reference, validation, source_language, target_language,
                        tokens, min_count, threads)  # fmt: skip
    has_drafts = "draft" in prepared.side_names
    wanted = _parts(parts, has_drafts)
    settings = _recipe(recipe, steps=steps, seconds=seconds, rate=rate, budget=budget, bf16=bf16, states=states,
                       validate_every=validate_every, patience=patience, gap_weight=gap_weight,
                       warm_up=warm_up)  # fmt: skip
    training, held_out = (load_sentences(prepared, part) for part in ("training", "network_validation"))
    if len(held_out) == 0:
        raise UserError(
            "no pairs to validate on; prepare the corpus with --network-validation, or give --validation"
        )
    trained: dict[str, Network | Detector] = {}
    attachments: dict[str, Path] = {}  # what the run recorded, kept in the model's folder
    facts: dict[str, Any] = {
        "tokens": tokens.value,
        "pairs": len(training),
        "recipe": recipe.value,
        "seed": seed,
    }
    for part in wanted:
        torch.manual_seed(seed)
        network = _make(part, prepared, context, null, hidden, state, width, embedding)
        if context is Context.window and embeddings != "random":
            load_vectors(network, prepared, embeddings, embedding, folder, seed)
        size = sum(parameter.numel() for parameter in network.parameters())
        say(f"{part}: {size / 1e6:.1f}M parameters, {len(training):,} pairs, on {describe_device(chosen)}")
        own = settings if part == "refiner" else _without_states(settings)
        trainer = Trainer(network, training, held_out, own, folder / part, seed, chosen, say)
        if trainer.resume():
            say(f"{part}: going on from step {trainer.progress.step}")
        with progress_bar(f"training the {part}", "steps", total=settings.steps) as tick:
            tick(trainer.progress.step)
            progress = trainer.run(lambda report, part=part: say(_line(part, report)), tick)  # type: ignore[misc]
        trainer.load_best()
        plot_curves(
            folder / part / "metrics.jsonl",
            folder / part / "curves.svg",
            f"{part}, {size / 1e6:.1f}M parameters",
        )
        for name in ("metrics.jsonl", "curves.svg"):
            attachments[f"{part}.{name}"] = folder / part / name
        trained[part] = network
        if part == "detector":
            facts["detector_threshold"] = round(judge_drafts(network, held_out, chosen).best()[0], 6)  # type: ignore[arg-type]
        facts[f"{part}_validation_loss"] = round(progress.best, 5)
        facts[f"{part}_steps"] = progress.best_step
    vocabularies = prepared.source_vocabulary, prepared.target_vocabulary
    save_bundle(output, trained, *vocabularies, facts, replace=force, attachments=attachments)
    if work is None:
        shutil.rmtree(folder, ignore_errors=True)
    say(f"{output}: {', '.join(trained)} written")


def import_torch() -> Any:
    """torch, or one line that says how to get it."""
    try:
        import safetensors  # noqa: F401
        import torch
    except ModuleNotFoundError as error:
        raise UserError(
            f"this needs {error.name}, which is not installed; run: pip install 'redraft[train]'"
        ) from None
    return torch


def choose_device(name: str) -> Any:
    """The device that `--device` asks for; auto takes a GPU where there is one."""
    torch = import_torch()
    if name not in ("auto", "cpu", "cuda") and not name.startswith("cuda:"):
        raise typer.BadParameter(f"--device {name}: expected auto, cpu or cuda")
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise UserError(f"--device {name}: no CUDA device is available here; use --device cpu or auto")
    return torch.device(
        "cuda" if name == "auto" and torch.cuda.is_available() else name.replace("auto", "cpu")
    )


def describe_device(device: Any) -> str:
    """The device in words."""
    torch = import_torch()
    return (
        torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else f"CPU ({torch.get_num_threads()} threads)"
    )


def _prepare(
    corpus: Path | None,
    folder: Path,
    source: str | None,
    draft: str | None,
    reference: str | None,
    validation: int | None,
    source_language: str | None,
    target_language: str | None,
    tokens: Tokens,
    min_count: int,
    threads: int,
) -> PreparedCorpus:
    """The prepared corpus that was named, or one made from the files."""
    from redraft.corpus.analysing import Analysis
    from redraft.corpus.cleaning import CleaningRules
    from redraft.corpus.parallel import SeparateFiles
    from redraft.corpus.prepared import PreparedCorpus
    from redraft.corpus.preparing import Settings, VocabularyRules, prepare
    from redraft.corpus.reading import read_lines
    from redraft.text import guess_language
    from redraft.workers import open_workers

    if corpus is not None:
        if source or draft or reference:
            raise typer.BadParameter("give either --corpus or files for each side, not both")
        return PreparedCorpus.open(corpus)
    if source is None or reference is None:
        raise typer.BadParameter("give --source and --reference, or a prepared --corpus")
    if (folder / "corpus").is_dir():
        return PreparedCorpus.open(folder / "corpus")
    paths = {"source": source, "draft": draft, "reference": reference}
    sides = SeparateFiles({side: path for side, path in paths.items() if path is not None})
    if validation is None:
        validation = max(1, min(3000, sum(1 for _ in read_lines(reference)) // 20))
    languages = (
        source_language or guess_language(source).code,
        target_language or guess_language(reference).code,
    )
    analysis = Analysis(sides.sides, *languages, tokens is Tokens.given, CleaningRules())
    rules = VocabularyRules(minimum_count=min_count)
    with open_workers(resolve_threads(threads)) as workers:
        settings = Settings(analysis, rules, {"network_validation": validation})
        return prepare(sides, folder / "corpus", settings, workers)


def load_vectors(
    network: Network | Detector, corpus: PreparedCorpus, name: str, dimensions: int, folder: Path, seed: int
) -> None:
    """Start the lookup tables from a file of embeddings, or from those of the training data."""
    from redraft.cli.embeddings import make_embeddings
    from redraft.model.embeddings import Embeddings

    kept = folder / "embeddings.safetensors"
    if name != "hellinger":
        vectors = Embeddings.load(name)
    elif kept.is_file():
        vectors = Embeddings.load(kept)
    else:
        vectors = make_embeddings(corpus, dimensions, context_words=10_000, seed=seed)
        folder.mkdir(parents=True, exist_ok=True)
        vectors.save(kept)
    own = vectors.source.vectors.shape[1]
    if own != dimensions:
        raise UserError(f"{name}: has {own} numbers a word, and --embedding is {dimensions}; make them equal")
    network.load_embeddings(
        vectors.source.select(corpus.source_vocabulary.words),
        vectors.target.select(corpus.target_vocabulary.words),
    )


def _parts(parts: str | None, has_drafts: bool) -> list[str]:
    wanted = [
        part.strip() for part in (parts or ("detector,refiner" if has_drafts else "refiner")).split(",")
    ]
    for part in wanted:
        if part not in PARTS:
            raise typer.BadParameter(f"--parts {part}: expected {' or '.join(PARTS)}")
    if "detector" in wanted and not has_drafts:
        raise UserError("the detector learns from drafts; give --draft (make them with `redraft jackknife`)")
    return wanted


def _recipe(name: RecipeName, rate: float | None, **settings: Any) -> Recipe:
    from redraft.training.settings import modern_recipe, paper_recipe

    changes = settings if rate is None else settings | {"rate": rate}
    if name is RecipeName.paper:  # it has no warm-up
        return paper_recipe(**(changes | {"warm_up": 0}))
    return modern_recipe(**changes)


def _without_states(recipe: Recipe) -> Recipe:
    from dataclasses import replace

    return replace(recipe, states=0.0)


def _make(
    part: str,
    corpus: PreparedCorpus,
    context: Context,
    null: bool,
    hidden: int | None,
    state: int,
    width: int,
    embedding: int,
) -> Network | Detector:
    from redraft.model.config import dual, single, towers
    from redraft.model.detector import Detector, DetectorConfig
    from redraft.model.network import Network

    words = len(corpus.source_vocabulary), len(corpus.target_vocabulary)
    if part == "detector":
        kind = "deep" if context is Context.towers else "paper"
        return Detector(DetectorConfig(*words, kind=kind, embedding=embedding, deep_width=width))  # type: ignore[arg-type]
    memories = ("source", "draft") if "draft" in corpus.side_names else ("source",)
    if context is Context.towers:
        return Network(towers(*words, memories=memories, null=null, width=width, feed_forward=4 * width))
    changes: dict[str, Any] = {"null": null, "state": state, "embedding": embedding}
    if hidden is not None:
        changes["hidden"] = hidden
    return Network(dual(*words, **changes) if len(memories) == 2 else single(*words, **changes))


def _line(part: str, report: Report) -> str:
    minutes = report.seconds / 60
    mark = " best" if report.is_best else ""
    return (
        f"{part} step {report.step}, epoch {report.epoch}, {minutes:.1f} min: train {report.train_loss:.3f}, "
        f"validation {report.validation_loss:.3f}, perplexity {report.perplexity:.2f}, "
        f"{report.slots_per_second:,.0f} slots/s, waited for data {report.waited:.1%}, "
        f"peak {report.peak_bytes / 2**20:,.0f} MiB{mark}"
    )
