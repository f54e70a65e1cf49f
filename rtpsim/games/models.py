"""What a game is: rules, readings, bets with paytables, published figures and their source."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.games.faults import explain, unknown
from rtpsim.printed import Rounding, decimals_of, prints_as
from rtpsim.rules import Rules
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import SideBet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

MAIN = "main"
"""The wager that is no side bet, as `Published.wager` and results call it."""

OTHER = "other"
"""What `Game.chosen` says of a reading when the rules in force are none of its options."""

MAX_HANDS = 7


def _one_line(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("allowed is one line of text, not empty")
    return text


def _rules(value: Any) -> Any:
    if isinstance(value, str):
        return parse_rules(value)
    if isinstance(value, Rules):
        return value
    raise ValueError("allowed is a rule string, such as '8D S17 DOA DAS SPL1 LS'")


def _figure(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'{shown(value)}: write it as text, "99.60", for the decimals printed')
    decimals_of(value)
    return value


Line = Annotated[str, Field(max_length=500), AfterValidator(_one_line)]
Figure = Annotated[str, BeforeValidator(_figure)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Source(_Model):
    """Where the rules come from: the text as its operator published it."""

    title: Line
    """Title of the rules text as published."""

    version: str = ""
    """Its version, in its own words; empty if it gives none."""

    date: str = ""
    """Its date, in its own words; empty if it gives none."""

    def __str__(self) -> str:
        return ", ".join(part for part in (self.title, self.version, self.date) if part)


class Published(_Model):
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


class Quoted(_Model):
    """A figure that third parties quote without a method: to be explained, not to be verified."""

    wager: str = MAIN
    """``main`` or the id of a side bet."""

    figure: Literal["rtp", "house-edge"]
    """Whether it is a return to player or a house edge."""

    value: Figure
    """Percentage, exactly as quoted: ``0.23``."""

    source: Line
    """Who quotes it."""


class Option(_Model):
    """One way to read an open point: the settings that it makes."""

    rules: dict[str, Any] = {}
    """Field of `Rules` -> value."""

    side_bets: dict[str, dict[str, Any]] = {}
    """Id of a side bet -> field of `SideBet` -> value."""

    def names(self) -> set[str]:
        """Return what it sets, as key paths."""
        bets = {f"side_bets.{bet}.{key}" for bet, keys in self.side_bets.items() for key in keys}
        return {f"rules.{name}" for name in self.rules} | bets


class Reading(_Model):
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


def _refuse_twice(what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what} '{name}' is there twice; give one")


def _check_figure(place: str, figure: Published | Quoted, bets: list[str]) -> None:
    """Raise ValueError if a figure is on no wager of the game, or on a base that it lacks."""
    if figure.wager not in (MAIN, *bets):
        raise ValueError(f"{place}.wager: {unknown('wager', figure.wager, [MAIN, *bets])}")
    if isinstance(figure, Published) and (figure.base == "stake") != (figure.wager != MAIN):
        allowed = "'total' or 'initial'" if figure.wager == MAIN else "'stake'"
        raise ValueError(
            f"{place}.base = '{figure.base}' with wager = '{figure.wager}': allowed is {allowed}"
        )


def _changed_bet(bet: SideBet, changes: Mapping[str, Any]) -> SideBet:
    """Return a side bet with some fields changed."""
    if not changes:
        return bet
    try:
        return SideBet.model_validate({**bet.model_dump(), **changes})
    except ValidationError as error:
        raise InputError(f"side_bets.{bet.id}: {explain(error, {'': SideBet})}") from None


class Game(_Model):
    """A game: rules, bets, and what its operator says it returns. Immutable and hashable.

    The readings' default options are what `rules` and `side_bets` say at first; `with_settings`
    makes the game under other options or rules.
    """

    id: Line
    """Short name: the catalogue's, or the game file's."""

    title: Line
    """Name for people."""

    rules: Annotated[Rules, BeforeValidator(_rules)]
    """The rules in force; in a file, a rule string."""

    max_hands: StrictInt = Field(default=1, ge=1, le=MAX_HANDS)
    """How many hands a round may be played against one dealer."""

    insurance: StrictBool = True
    """Insurance is offered under an ace."""

    even_money: StrictBool = False
    """A natural under an ace is offered even money; it cannot be insured then."""

    side_bets: tuple[SideBet, ...] = ()
    """The side bets that go with every hand."""

    published: tuple[Published, ...] = ()
    """The figures that the operator prints."""

    quoted: tuple[Quoted, ...] = ()
    """The figures that others quote."""

    readings: tuple[Reading, ...] = ()
    """The points that the rules text leaves open."""

    chart: str = "ordinary"
    """The chart played by default: a name of the catalogue of charts, or a file's path."""

    source: Source | None = None
    """Where the rules come from."""

    notes: str = ""
    """What else there is to know, for people."""

    @classmethod
    def from_rules(cls, rules: Rules) -> Game:
        """Return a game of these rules alone: insurance, no even money, no side bets."""
        return cls(id=str(rules), title=f"Blackjack, {rules}", rules=rules, max_hands=MAX_HANDS)

    @field_validator("readings")
    @classmethod
    def _check_readings(cls, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
        _refuse_twice("reading", [reading.id for reading in readings])
        set_by: dict[str, str] = {}
        for reading in readings:
            for name in sorted(reading.names()):
                if set_by.setdefault(name, reading.id) != reading.id:
                    raise ValueError(f"'{set_by[name]}' and '{reading.id}' both set {name}")
        return readings

    @model_validator(mode="after")
    def _check_together(self) -> Game:
        if self.even_money and not self.insurance:
            raise ValueError(
                "even_money = true with insurance = false: it is an insured natural; allowed with "
                "insurance = true"
            )
        bets = [bet.id for bet in self.side_bets]
        _refuse_twice("side bet", bets)
        if reserved := {MAIN, "insurance"}.intersection(bets):
            raise ValueError(f"side_bets: the id '{min(reserved)}' has another meaning already")
        for index, published in enumerate(self.published):
            _check_figure(f"published[{index}]", published, bets)
        for index, quoted in enumerate(self.quoted):
            _check_figure(f"quoted[{index}]", quoted, bets)
        _refuse_twice("published figure of", [figure.wager for figure in self.published])
        for index, reading in enumerate(self.readings):
            self._check_reading(f"readings[{index}]", reading)
        return self

    def _check_reading(self, place: str, reading: Reading) -> None:
        """Raise ValueError unless each option can be had and the default is what the rules say."""
        for name, option in reading.options.items():
            try:
                self._changed(option.rules, option.side_bets)
            except InputError as error:
                raise ValueError(f"{place}.options.{name}: {error}") from None

    def _changed(
        self, rules: Mapping[str, Any], side_bets: Mapping[str, Mapping[str, Any]]
    ) -> tuple[Rules, tuple[SideBet, ...]]:
        """Return rules and side bets with some fields changed, or raise InputError."""
        ids = [bet.id for bet in self.side_bets]
        for bet_id in side_bets:
            if bet_id not in ids:
                raise InputError(f"side_bets: {unknown('side bet', bet_id, ids)}")
        return (
            self.rules.replace(**rules) if rules else self.rules,
            tuple(_changed_bet(bet, side_bets.get(bet.id, {})) for bet in self.side_bets),
        )

    @property
    def chosen(self) -> dict[str, str]:
        """Reading -> the option in force, or `OTHER` when the rules are none of its options."""
        return {reading.id: self._option_in_force(reading) for reading in self.readings}

    def _option_in_force(self, reading: Reading) -> str:
        for name in (reading.default, *reading.options):
            option = reading.options[name]
            try:
                changed = self._changed(option.rules, option.side_bets)
            except InputError:  # it contradicts other rules in force
                continue
            if changed == (self.rules, self.side_bets):
                return name
        return OTHER

    def with_settings(self, settings: Mapping[str, Any]) -> Game:
        """Return the game under other readings or rules.

        Parameters
        ----------
        settings
            Id of a reading -> one of its options, or field of `Rules` -> value. Where a reading
            and a field have one name, the reading's options come first.

        Raises
        ------
        InputError
            For an unknown name or option, a value not allowed, two settings of one field, or a
            contradiction between rules.
        """
        readings = {reading.id: reading for reading in self.readings}
        rules: dict[str, Any] = {}
        side_bets: dict[str, dict[str, Any]] = {}
        for name, value in settings.items():
            reading = readings.get(name)
            if reading is not None and isinstance(value, str) and value in reading.options:
                option = reading.options[value]
            elif name in Rules.model_fields:
                option = Option(rules={name: value})
            elif reading is not None:
                raise InputError(
                    f"{name} = {shown(value)}: allowed is {' or '.join(reading.options)}"
                    f"{suggestion(str(value), reading.options)}"
                )
            else:
                guess = suggestion(name, [*readings, *Rules.model_fields])
                raise InputError(
                    f"{self.id}: unknown reading or rule {shown(name)}{guess}; allowed are "
                    f"{', '.join(readings)}{' and ' * bool(readings)}the fields of the rules, as "
                    "soft17"
                )
            if both := rules.keys() & option.rules.keys():
                raise InputError(f"settings: two of them set {min(both)}; give one")
            rules.update(option.rules)
            for bet_id, changes in option.side_bets.items():
                side_bets.setdefault(bet_id, {}).update(changes)
        new_rules, new_bets = self._changed(rules, side_bets)
        return self.model_copy(update={"rules": new_rules, "side_bets": new_bets})

    def check_hands(self, hands: int) -> None:
        """Refuse a number of hands a round that the game does not allow.

        Raises
        ------
        InputError
            If `hands` is not from 1 to `max_hands`.
        """
        if not 1 <= hands <= self.max_hands:
            allowed = "1" if self.max_hands == 1 else f"1 to {self.max_hands}"
            raise InputError(f"hands = {shown(hands)}: {self.id} allows {allowed} a round")

    def side_bet(self, bet_id: str) -> SideBet:
        """Return a side bet by its id.

        Raises
        ------
        InputError
            If the game has no such bet.
        """
        for bet in self.side_bets:
            if bet.id == bet_id:
                return bet
        known = [bet.id for bet in self.side_bets]
        raise InputError(f"{self.id}: {unknown('side bet', bet_id, known)}")

    def published_for(self, wager: str) -> Published | None:
        """Return what is published for a wager (``main`` or a side bet's id), if anything."""
        return next((figure for figure in self.published if figure.wager == wager), None)

    @property
    def sha256(self) -> str:
        """Hash of what results depend on: rules, offers and side bets, however written.

        Titles, readings not in force, published figures, sources and notes do not count.
        """
        content = {
            "rules": str(self.rules),
            "insurance": self.insurance,
            "even_money": self.even_money,
            "side_bets": sorted(
                (
                    [bet.id, bet.kind, bet.cards, list(bet.pays.items())]
                    + [bet.ace_in_straights] * (bet.kind == "three-card")
                    for bet in self.side_bets
                ),
                key=lambda bet: str(bet[0]),
            ),
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.sha256)
