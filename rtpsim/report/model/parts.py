"""Parts of a report: what all its models have in common, and the smallest of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

if TYPE_CHECKING:
    from rtpsim.statistics import Estimate

Base = Literal["total", "initial", "stake"]
"""What a return is a return on: the total amount wagered, the initial bets, a side bet's stake."""

BASES: tuple[Base, ...] = ("total", "initial", "stake")


class Part(BaseModel):
    """What all parts of a report have in common: frozen, strict, no unknown fields.

    Returns, edges and probabilities are ratios (0.9963), never percentages. Money is in initial
    wagers of one hand, unless the field says otherwise. Numbers that do not exist are None.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


class Stoppable(Part):
    """What is said of a run that may have been stopped."""

    rounds_asked: int | None = None
    """Rounds that were to be played, where the run was stopped before; left out where it was
    not."""

    @model_serializer(mode="wrap")
    def _without_none(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        if self.rounds_asked is None:
            del fields["rounds_asked"]
        return fields


class Estimated(Part):
    """A figure estimated from a run."""

    value: float | None
    """The estimate; None where the run says nothing about it."""

    standard_error: float | None
    """Its standard error."""

    half_width_99: float | None
    """Half the length of its 99 % confidence interval."""

    low_99: float | None
    """Lower end of the interval."""

    high_99: float | None
    """Upper end of the interval."""

    @classmethod
    def of(cls, estimate: Estimate) -> Estimated:
        """Return an estimate as a report holds it."""
        from rtpsim.statistics import finite
        from rtpsim.verification.verdicts import LEVEL

        low, high = estimate.interval(LEVEL)
        return cls(
            value=finite(estimate.value),
            standard_error=finite(estimate.standard_error),
            half_width_99=finite(estimate.half_width(LEVEL)),
            low_99=finite(low),
            high_99=finite(high),
        )


def odds(probability: float | None) -> float | None:
    """Return N of the odds ``1 in N``; None for what never happens or is not known."""
    if probability is None or not probability > 0.0:
        return None
    number = 1.0 / probability
    return number if math.isfinite(number) else None
