"""Moments: what the distribution of a round's net result comes to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.exact.distribution import Distribution
    from rtpsim.program.labels import Label


@dataclass(frozen=True)
class Moments:
    """The distribution of a round's net result, main game without insurance.

    Attributes
    ----------
    outcomes
        Probability of each (net, wager), in units of 1 / `Rules.unit`.
    labels
        Probability of each label.
    third, fourth
        Central moments of the net.
    hit_frequency
        Probability of a net above 0.
    """

    outcomes: Mapping[tuple[int, int], float]
    labels: Mapping[Label, float]
    third: float
    fourth: float
    hit_frequency: float


def moments_of(spread: Distribution) -> Moments:
    """Derive the moments from the distribution."""
    unit = spread.rules.unit
    nets: defaultdict[float, float] = defaultdict(float)
    for (net, _), chance in spread.outcomes().items():
        nets[net / unit] += chance
    mean = sum(net * chance for net, chance in nets.items())

    def central(power: int) -> float:
        return float(sum((net - mean) ** power * chance for net, chance in nets.items()))

    return Moments(
        outcomes=spread.outcomes(),
        labels=spread.labels,
        third=central(3),
        fourth=central(4),
        hit_frequency=float(sum(chance for net, chance in nets.items() if net > 0.0)),
    )
