"""The parts of a game: source, published and quoted figures, readings with their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from rtpsim.errors import shown, suggestion
from rtpsim.games.faults import unknown
from rtpsim.games.printed import Rounding, decimals_of, prints_as
from rtpsim.rules import Rules
from rtpsim.sidebets import SideBet

if TYPE_CHECKING:
    from fractions import Fraction

MAIN = "main"
"""The wager that is no side bet, as `Published.wager` and results call it."""


def _one_line(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("allowed is one line of text, not empty")
    return text


def _figure(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'{shown(value)}: write it as text, "99.60", for the decimals printed')
    decimals_of(value)
    return value


Line = Annotated[str, Field(max_length=500), AfterValidator(_one_line)]
Figure = Annotated[str, BeforeValidator(_figure)]


class Part(BaseModel):
    """What all models of game files have in common: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Source(Part):
    """Where the rules come from: the text as its operator published it."""

    title: Line
    """Title of the rules text as published."""

    version: str = ""
    """Its version, in its own words; empty if it gives none."""

    date: str = ""
    """Its date, in its own words; empty if it gives none."""

    def __str__(self) -> str:
        return ", ".join(part for part in (self.title, self.version, self.date) if part)


class Published(Part):
    """A return to player that the operator prints."""

    wager: str
    """``main`` or the id of a side bet."""

    rtp: Figure
    """Percentage, exactly as printed: ``99.63``."""

    base: Literal["total", "initial", "stake"]
    """What it is a return on: ``total`` amount wagered or ``initial`` wager for the main game,
    the ``stake`` for a side bet."""

    rounding: Rounding = "nearest"
    """How the figure was rounded."""

    source: Line
    """Where it is printed."""

    def prints(self, value: Fraction | float) -> bool:
        """Say whether a return (a ratio, 0.9963) prints as this figure."""
        return prints_as(value, self.rtp, self.rounding)


class Quoted(Part):
    """A figure that third parties quote without a method: to be explained, not to be verified."""

    wager: str = MAIN
    """``main`` or the id of a side bet."""

    figure: Literal["rtp", "house-edge"]
    """Whether it is a return to player or a house edge."""

    value: Figure
    """Percentage, exactly as quoted: ``0.23``."""

    source: Line
    """Who quotes it."""


class Option(Part):
    """One way to read an open point: the settings that it makes."""

    rules: dict[str, Any] = {}
    """Field of `Rules` -> value."""

    side_bets: dict[str, dict[str, Any]] = {}
    """Id of a side bet -> field of `SideBet` -> value."""

    @model_validator(mode="after")
    def _check_names(self) -> Option:
        for name in self.rules:
            if name not in Rules.model_fields:
                raise ValueError(f"rules: {unknown('rule', name, Rules.model_fields)}")
        for bet, keys in self.side_bets.items():
            for name in keys:
                if name not in SideBet.model_fields:
                    message = unknown("key", name, SideBet.model_fields)
                    raise ValueError(f"side_bets.{bet}: {message}")
        return self

    def names(self) -> set[str]:
        """Return what it sets, as key paths."""
        bets = {f"side_bets.{bet}.{key}" for bet, keys in self.side_bets.items() for key in keys}
        return {f"rules.{name}" for name in self.rules} | bets


class Reading(Part):
    """A point that the rules text leaves open, with the ways to read it."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    """Short name, as on the command line: ``surrender-vs-ace``."""

    title: Line
    """The point, for people."""

    reason: Line
    """Why the default is the default, with the place in the text."""

    default: str
    """The option in force unless another is chosen."""

    options: dict[str, Option] = Field(min_length=2)
    """Name -> settings; all options make the same settings, with different values."""

    @model_validator(mode="after")
    def _check_options(self) -> Reading:
        if self.default not in self.options:
            raise ValueError(
                f"default = {shown(self.default)}: allowed is {' or '.join(self.options)}"
                f"{suggestion(self.default, self.options)}"
            )
        everything = set().union(*(option.names() for option in self.options.values()))
        if not everything:
            raise ValueError("options: none of them sets anything")
        for name, option in self.options.items():
            if missing := everything - option.names():
                raise ValueError(
                    f"options.{name}: does not set {min(missing)}, which another option sets"
                )
        return self

    def names(self) -> set[str]:
        """Return what its options set, as key paths."""
        return self.options[self.default].names()
