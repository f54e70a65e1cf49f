"""Rules: every rule of a blackjack game as one named, documented, validated field."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from rtpsim.cards import MAX_DECKS
from rtpsim.errors import ContradictionError, InputError, shown, suggestion


def _absent(value: Any) -> Any:
    return None if isinstance(value, str) and value.lower() == "none" else value


def _number(value: Any) -> Any:
    """Refuse a boolean, which Python and pydantic would take for 0 or 1."""
    if isinstance(value, bool):
        raise ValueError("a number is meant")
    return value


def _whole(value: Any) -> Any:
    text = value.strip() if isinstance(value, str) else ""
    # int() would refuse thousands of digits with a message about Python's limits
    return int(text) if text.isdecimal() and len(text) < 20 else _number(value)


def _odds(value: Any) -> Any:
    if isinstance(value, float):
        value = repr(value)  # the 1.2 that was written, not the binary fraction next to it
    if isinstance(value, int | Fraction):
        exact = Fraction(_number(value))
        if max(abs(exact.numerator), exact.denominator) > 10**9:
            raise ValueError("odds are meant")
        return exact
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"(-?\d{1,9})\s*[:/]\s*(\d{1,9})|(-?\d{1,9}(?:\.\d{1,9})?)", value.strip())
    if match is None or (match[2] is not None and int(match[2]) == 0):
        raise ValueError("odds are meant")
    return Fraction(match[3]) if match[3] else Fraction(int(match[1]), int(match[2]))


def _cards(value: Any) -> Any:
    return _whole(_absent(value))


Odds = Annotated[Fraction, BeforeValidator(_odds)]
OptionalCards = Annotated[int | None, BeforeValidator(_cards)]


class Rules(BaseModel):
    """A blackjack game's rules. Immutable, hashable; contradictions are refused.

    Every field says what it means, whom it favours, and which token of the rule string
    (`rtpsim.rulestring`) writes it. The defaults are the tokens that a rule string may leave out.

    Raises
    ------
    InputError
        Naming the field, the value given and what is allowed; a `ContradictionError` where fields
        cannot hold together.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decks: Annotated[int, BeforeValidator(_whole)] = Field(ge=1, le=MAX_DECKS)
    """Number of 52-card decks, shuffled before every round (``8D``). Fewer favour the player."""

    soft17: Literal["stand", "hit"] = "stand"
    """What the dealer does with a soft 17 (``S17``, ``H17``). Hitting favours the house."""

    double: Literal["any", "8-11", "9-11", "10-11", "11", "none"] = "any"
    """Hard totals that may be doubled (``DOA``, ``D8`` ... ``D11``, ``ND``). More favour the
    player. A doubled hand receives exactly one more card; the wager becomes twice the initial."""

    double_soft: bool = False
    """A soft total t counts as t - 10 too where doubles are limited (suffix ``S``): with ``D9S``
    soft 19 and 20 may be doubled. Favours the player."""

    double_any_cards: bool = False
    """Doubling on any number of cards, not only on two (suffix ``N``). Favours the player."""

    double_after_split: bool = True
    """Hands made by a split may be doubled (``DAS``, ``NDAS``). Favours the player."""

    splits: Annotated[Literal[0, 1, 2, 3, "tree"], BeforeValidator(_whole)] = 1
    """How often one initial hand may be split in all (``SPL0`` ... ``SPL3``), or ``"tree"``
    (``SPT2``): once, and each of the two hands once more. More favour the player."""

    split_by: Literal["value", "rank"] = "value"
    """What makes a pair: equal values, as J,K (``SPV``), or equal ranks (``SPR``). By value
    favours the player, who has the choice; hardly ever is it right to use it."""

    resplit_aces: bool = False
    """A pair of aces made by splitting aces may be split again while splits remain
    (``RSA``, ``NRSA``). Favours the player."""

    hit_split_aces: bool = False
    """Split aces play on like other hands (``HSA``); otherwise each receives one card and stands
    (``NHSA``). Favours the player."""

    double_split_aces: bool = False
    """Hands made by splitting aces may be doubled where the other doubling rules allow it
    (``DSA``, ``NDSA``). Favours the player."""

    surrender: Literal["none", "late", "late-not-ace", "early", "early-ten"] = "none"
    """Giving up half the wager instead of playing the initial two cards.

    ``late`` (``LS``): after the peek; where there was no peek a dealer natural takes the whole
    bet. ``late-not-ace`` (``LSXA``): the same, not against an ace. ``early`` (``ES``): before
    insurance and peek; half comes back whatever the dealer turns out to have. ``early-ten``
    (``ES10``): early, against every up card but the ace. ``none`` (``NS``). Favours the player,
    early surrender most."""

    natural_pays: Odds = Fraction(3, 2)
    """Profit of a natural per unit wagered (``3:2``, ``6:5``, ``1:1``). More favours the
    player."""

    hole_card: Literal["peek", "peek-ace", "peek-ten", "obo", "enhc"] = "peek"
    """When a dealer natural is found and what it takes.

    ``peek`` (``PEEK``): the dealer looks under an ace and a ten before anybody plays; a natural
    ends the round. ``peek-ace``, ``peek-ten`` (``PEEKA``, ``PEEKT``): only under the one; under
    the other, all bets are lost to a natural. ``obo`` (``OBO``): no hole card; a natural takes
    the original bets only: each initial hand nets -1 whatever became of it, a natural pushes.
    ``enhc`` (``ENHC``): no hole card; a natural takes all bets. ``enhc`` favours the house."""

    charlie: OptionalCards = Field(default=None, ge=5, le=11)
    """So many cards not over 21 win at once against everything but a dealer natural
    (``C5`` ... ``C11``). Favours the player."""

    charlie_after_split: bool = True
    """The Charlie counts for hands made by a split too (suffix ``X`` where it does
    not). Favours the player."""

    charlie_21_pushes: bool = False
    """A Charlie of exactly 21 pushes with a dealer 21 instead of beating it (suffix ``T``).
    Favours the house."""

    max_cards: OptionalCards = Field(default=None, ge=8, le=21)
    """A hand of so many cards stands by itself (``MAX8`` ...). Favours the house, hardly ever
    noticeably."""

    hit_21: bool = False
    """A hand of 21 may be hit (``H21``); otherwise it stands by itself. A natural always
    stands. Favours the player, where a Charlie is near."""

    push_22: Literal["none", "push", "push-naturals"] = "none"
    """A dealer total of 22 pushes every player hand still alive that is neither a natural nor a
    Charlie (``P22``), or naturals too (``P22N``). Favours the house, by some 7 %."""

    power_double: Literal["none", "9-11", "9-11-soft", "10-11"] = "none"
    """Doubling the initial two cards on these totals shows the third card, which the player keeps
    or has replaced, once, by the next; it replaces the ordinary double there (``PD9``, ``PD9S``
    with soft 19 and 20, ``PD10``). Favours the player."""

    power_split: Literal["none", "once", "resplit"] = "none"
    """Initial two cards that make a hard 15 or 16 without an ace may be split whatever their
    ranks; the two hands may not be split again (``PS``), or may be, if they pair (``PSR``).
    It counts as one of the `splits`. Favours the player."""

    insurance_peek: bool = False
    """Where the dealer has no hole card: one is taken and checked at once when insurance is
    taken, a natural ends the round, and otherwise the insured hand plays on knowing there is none
    (``INSP``). Favours the player."""

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InputError(_explain(error)) from None
        for message in _contradictions(self):
            raise ContradictionError(message)

    def replace(self, **changes: Any) -> Rules:
        """Return these rules with some fields changed.

        Raises
        ------
        InputError
            For an unknown field, a value not allowed or a contradiction.
        """
        return Rules(**{**self.model_dump(), **changes})

    @property
    def unit(self) -> int:
        """Results are whole numbers of 1 / `unit` initial wagers: 2 for 3:2, 10 for 6:5."""
        return math.lcm(2, self.natural_pays.denominator)

    @property
    def surrenders_early(self) -> bool:
        """Whether a surrender comes before insurance and peek."""
        return self.surrender in ("early", "early-ten")

    @property
    def max_splits(self) -> int:
        """How many splits one initial hand can see at the most."""
        by_pairs = 3 if self.splits == "tree" else self.splits
        if self.power_split == "once":
            return max(by_pairs, 1)
        return by_pairs

    def __str__(self) -> str:
        from rtpsim.rulestring import format_rules  # the notation imports the rules

        return format_rules(self)


def written(value: Any) -> str:
    """Write a field's value as text that the field takes: ``3:2``, ``true``, ``none``, ``hit``."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    return str(value)


def _explain(error: ValidationError) -> str:
    """Say the first fault of a validation error in one line."""
    # an unknown name comes first: it is often the misspelling of the one that is missing
    fault = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    name = str(fault["loc"][0]) if fault["loc"] else "rules"
    if fault["type"] == "extra_forbidden":
        return f"rules: unknown field '{name}'{suggestion(name, Rules.model_fields)}"
    if fault["type"] == "missing":
        return f"rules: {name} is missing ({_allowed(name)})"
    return f"rules: {name} = {shown(fault['input'])}: allowed is {_allowed(name)}"


def _allowed(name: str) -> str:
    """Say what a field may hold."""
    ranges = {
        "decks": "a whole number from 1 to 1000",
        "charlie": "a whole number from 5 to 11, or 'none'",
        "max_cards": "a whole number from 8 to 21, or 'none'",
        "natural_pays": "odds such as '3:2'",
        "splits": "0, 1, 2, 3 or 'tree'",
    }
    if name in ranges:
        return ranges[name]
    annotation = Rules.model_fields[name].annotation
    words = getattr(annotation, "__args__", None)
    return " or ".join(repr(word) for word in words) if words else "true or false"


Check = tuple[bool, str]
"""Whether something is wrong, and what."""


def _contradictions(rules: Rules) -> list[str]:
    """Return a line for every pair of rules that cannot hold together."""
    checks = (*_of_splitting(rules), *_of_doubling(rules), *_of_charlies(rules), *_of_pay(rules))
    return [f"rules: {message}" for wrong, message in checks if wrong]


def _of_splitting(rules: Rules) -> tuple[Check, ...]:
    return (
        (
            rules.resplit_aces and rules.splits in (0, 1),
            f"resplit_aces = True with splits = {rules.splits}: no hand may be split again; "
            "allowed with splits 2, 3 or 'tree'",
        ),
        (
            rules.double_split_aces and not rules.hit_split_aces,
            "double_split_aces = True with hit_split_aces = False: split aces stand after one "
            "card; allowed with hit_split_aces = True",
        ),
        (
            rules.double_split_aces and not rules.double_after_split,
            "double_split_aces = True with double_after_split = False: no split hand may be "
            "doubled; allowed with double_after_split = True",
        ),
        (
            rules.power_split == "resplit" and rules.splits in (0, 1),
            f"power_split = 'resplit' with splits = {rules.splits}: no hand may be split again; "
            "allowed with splits 2, 3 or 'tree'",
        ),
    )


def _of_doubling(rules: Rules) -> tuple[Check, ...]:
    limited = rules.double not in ("any", "none")
    return (
        (
            rules.double_soft and not limited,
            f"double_soft = True with double = {rules.double!r}: it widens a limited double; "
            "allowed with '8-11', '9-11', '10-11' and '11'",
        ),
        (
            rules.double_any_cards and rules.double == "none",
            "double_any_cards = True with double = 'none': nothing may be doubled",
        ),
    )


def _of_charlies(rules: Rules) -> tuple[Check, ...]:
    return (
        (
            rules.charlie is None and (rules.charlie_21_pushes or not rules.charlie_after_split),
            "charlie_21_pushes or charlie_after_split = False without a charlie: allowed with "
            "charlie = 5 to 11",
        ),
        (
            rules.charlie is not None
            and rules.max_cards is not None
            and rules.max_cards <= rules.charlie,
            f"max_cards = {rules.max_cards} with charlie = {rules.charlie}: the hand would stand "
            "before it can be a Charlie; allowed is max_cards above charlie",
        ),
    )


def _of_pay(rules: Rules) -> tuple[Check, ...]:
    """Return what speaks against insurance and the pay of a natural."""
    ace_peek = rules.hole_card in ("peek", "peek-ace")
    return (
        (
            rules.insurance_peek and ace_peek,
            f"insurance_peek = True with hole_card = {rules.hole_card!r}: the dealer peeks under "
            "the ace anyway; allowed with 'peek-ten', 'obo' and 'enhc'",
        ),
        (
            rules.natural_pays < 0,
            f"natural_pays = {rules.natural_pays}: a natural cannot pay less than nothing; "
            "allowed are odds from 0:1 up",
        ),
        (
            rules.natural_pays > 1000 or rules.natural_pays.denominator > 100,
            f"natural_pays = {rules.natural_pays}: allowed are odds up to 1000:1 with a second "
            "number up to 100",
        ),
    )
