"""How a network is trained: the paper's recipe and a modern one, every number with its reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from redraft.errors import UserError


@dataclass(frozen=True)
class Recipe:
    """Settings of the training loop."""

    optimiser: Literal["sgd", "adamw"] = "adamw"
    rate: float = 1e-3  # peak learning rate
    schedule: Literal["plateau", "cosine"] = "cosine"
    warm_up: int = 400  # steps
    steps: int = 20_000  # at most; the cosine ends here
    decay: float = 0.01  # weight decay of matrices (AdamW)
    clip: float = 1.0  # largest norm of the gradient
    average: float = 0.0  # decay of averaged weights, 0 for none: those are validated and kept
    budget: int = 8192  # slots of a batch: rows x (longest sides), padding included
    gap_weight: float = 0.3  # gaps against tokens; a prior, calibrated away later
    states: float = 0.0  # share of training sentences that are states between draft and reference
    validate_every: int = 500  # steps
    patience: int = 8  # validations without improvement before it stops
    shrink: float = 0.5  # plateau: factor for the rate where validation did not improve
    bf16: bool = False  # products in bfloat16, sums and weights in fp32
    seconds: float = 0.0  # stop after so long, 0 for never

    def __post_init__(self) -> None:
        for name in ("rate", "clip"):
            if getattr(self, name) <= 0:
                raise UserError(f"{name} {getattr(self, name)}: expected a number above 0")
        for name in ("steps", "budget", "validate_every", "patience"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} {getattr(self, name)}: expected at least 1")

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Recipe:
        """Read what `to_json` wrote."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise UserError(f"training settings: unknown setting {unknown[0]!r}; written by a newer redraft?")
        return cls(**data)


def paper_recipe(**changes: Any) -> Recipe:
    """Stochastic gradient descent, the rate halved whenever validation likelihood stops improving."""
    settings: dict[str, Any] = {
        "optimiser": "sgd",
        "schedule": "plateau",
        "rate": 0.5,
        "warm_up": 0,
        "clip": 5.0,
        "patience": 3,
    }
    return Recipe(**(settings | changes))


def modern_recipe(**changes: Any) -> Recipe:
    """AdamW with warm-up and a cosine, averaged weights."""
    return Recipe(**({"average": 0.999} | changes))
