"""A game: rules, bets, what it is said to return, and the game under other readings."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from rtpsim.display import html_table
from rtpsim.errors import ContradictionError, InputError, shown, suggestion
from rtpsim.games.faults import explain, unknown
from rtpsim.games.parts import MAIN, Line, Option, Part, Published, Quoted, Reading, Source
from rtpsim.rules import Rules, written
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import SideBet

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER = "other"
"""What `Game.chosen` says of a reading when the rules in force are none of its options."""

MAX_HANDS = 7


def _rules(value: Any) -> Any:
    if isinstance(value, str):
        return parse_rules(value)
    if isinstance(value, Rules):
        return value
    raise ValueError("allowed is a rule string, such as '8D S17 DOA DAS SPL1 LS'")


def _title(rules: Rules) -> str:
    """Return the title of a game of rules alone."""
    return f"Blackjack, {rules}"


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


class Game(Part):
    """A game: rules, bets, and what its operator says it returns. Immutable and hashable.

    The readings' default options are what `rules` and `side_bets` say at first; `with_settings`
    (or `replace`) makes the game under other options or rules.

    Examples
    --------
    >>> game = load_game("power-blackjack")
    >>> print(game.rules)
    6D S17 DOA DAS SPT2 SPV NRSA NHSA NDSA NS 3:2 ENHC C8 P22 PD9 PS
    >>> game.chosen["power-double-soft"]
    'not'
    >>> print(game.replace(push_22="none").rules)
    6D S17 DOA DAS SPT2 SPV NRSA NHSA NDSA NS 3:2 ENHC C8 PD9 PS
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
        return cls(id=str(rules), title=_title(rules), rules=rules, max_hands=MAX_HANDS)

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
            Id of a reading -> one of its options, or field of `Rules` -> value; ``-`` and ``_``
            are the same in names. Where a reading and a field have one name, the reading's
            options come first.

        Raises
        ------
        InputError
            For an unknown name or option, a value not allowed, two settings of one field, or a
            contradiction between rules.
        """
        rules: dict[str, Any] = {}
        side_bets: dict[str, dict[str, Any]] = {}
        for name, value in settings.items():
            option = self._setting(str(name), value)
            if both := rules.keys() & option.rules.keys():
                raise InputError(f"settings: two of them set {min(both)}; give one")
            rules.update(option.rules)
            for bet_id, changes in option.side_bets.items():
                side_bets.setdefault(bet_id, {}).update(changes)
        new_rules, new_bets = self._changed(rules, side_bets)
        changed: dict[str, Any] = {"rules": new_rules, "side_bets": new_bets}
        if self.id == str(self.rules):  # a game of rules alone is called as they are
            changed |= {"id": str(new_rules), "title": _title(new_rules)}
        return self.model_copy(update=changed)

    def __repr__(self) -> str:
        return f"<Game '{self.id}': {self.rules}>"

    def _repr_html_(self) -> str:
        rows = [[name, written(value)] for name, value in self.rules]
        rows += [[f"reading {name}", option] for name, option in self.chosen.items()]
        rows += [
            [
                f"side bet {bet.title}",
                f"{', '.join(f'{name} {pays}' for name, pays in bet.pays.items())} to 1",
            ]
            for bet in self.side_bets
        ]
        titles = {MAIN: "main game"} | {bet.id: bet.title for bet in self.side_bets}
        rows += [
            [f"published for {titles[one.wager]}", f"{one.rtp} % on the {one.base}"]
            for one in self.published
        ]
        return html_table(f"{self.title}: {self.rules}", ["rule", "value"], rows)

    def replace(self, **settings: Any) -> Game:
        """Return the game under other readings or rules: `with_settings`, by keyword.

        Parameters
        ----------
        settings
            Field of `Rules`, or id of a reading (with ``_`` for ``-``), and its value, as Python
            value or text: ``decks=6``, ``natural_pays="6:5"``, ``charlie=None``,
            ``surrender_vs_ace="not"``. Where both have one name, either's values are allowed.

        Raises
        ------
        InputError
            As `with_settings` does.

        Examples
        --------
        >>> game = load_game("signature-surrender")
        >>> print(game.replace(decks=6, soft17="hit", surrender_vs_ace="not").rules)
        6D H17 DOA DAS SPL1 SPV NRSA NHSA NDSA LSXA 3:2 PEEK
        >>> game.replace(soft17="hit").replace(soft17="stand").rules == game.rules
        True
        """
        return self.with_settings(settings)

    def _setting(self, name: str, value: Any) -> Option:
        """Return what one setting sets, or raise InputError."""
        readings = {reading.id: reading for reading in self.readings}
        reading, field = readings.get(name.replace("_", "-")), name.replace("-", "_")
        if reading is not None and isinstance(value, str) and value in reading.options:
            return reading.options[value]
        if field in Rules.model_fields and (reading is None or self._can_be(field, value)):
            return Option(rules={field: value})
        if reading is None:
            raise InputError(self._unknown_setting(name, readings))
        or_rule = f", or a value of the rule {field}" if field in Rules.model_fields else ""
        raise InputError(
            f"{name} = {shown(value)}: allowed is {' or '.join(reading.options)}{or_rule}"
            f"{suggestion(str(value), reading.options)}"
        )

    def _can_be(self, name: str, value: Any) -> bool:
        """Say whether a field of the rules has a value, be it that other rules forbid it."""
        try:
            self.rules.replace(**{name: value})
        except ContradictionError:
            return True  # other settings may go with it
        except InputError:
            return False
        return True

    def _unknown_setting(self, name: str, readings: Mapping[str, Reading]) -> str:
        guess = suggestion(name, [*readings, *Rules.model_fields])
        listed = f"{', '.join(readings)} and " if readings else ""
        return (
            f"{self.id}: unknown reading or rule {shown(name)}; allowed are {listed}the fields of "
            f"the rules, as soft17{guess}"
        )

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
