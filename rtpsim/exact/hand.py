"""Hand calculator: what every legal action of one hand is worth, and what each mistake costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS, RANKS, TEN_CLASS, VALUE_CLASSES, Shoe
from rtpsim.display import html_table
from rtpsim.errors import InputError, shown
from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.evaluate import Evaluation, Opening, evaluation
from rtpsim.exact.lattice import BUST, lattice
from rtpsim.exact.model import DECISION, DOUBLE, FORCED_CHARLIE, HIT, INITIAL, STAND, World
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.exact.upcard import insurance_gain
from rtpsim.games import load_game
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from rtpsim.exact.upcard import UpCard
    from rtpsim.games import AnyGame, Game
    from rtpsim.rules import Rules

_CODES = {Action.STAND: STAND, Action.HIT: HIT, Action.DOUBLE: DOUBLE}
EVEN_MONEY, PLAY_ON, BY_ITSELF, CHARLIE = "even money", "play on", "stands by itself", "Charlie"


@dataclass(frozen=True)
class ActionValue:
    """What an action is worth.

    Attributes
    ----------
    action
        Its name: those of `rtpsim.program.graph.Action`, ``even money`` and ``play on`` for a
        natural, ``stands by itself`` and ``Charlie`` where nothing is to be decided.
    ev
        Expected net in initial wagers (of a split hand: in its own).
    cost
        How much less that is than the best action's.
    """

    action: str
    ev: float
    cost: float


@dataclass(frozen=True, repr=False)
class HandValues:
    """The actions of one hand against an up card, best first.

    Attributes
    ----------
    game, rules
        The game's id and its rule string.
    cards, up, split
        The hand, the up card, and the cards that were split (empty: none).
    actions
        The legal actions.
    conditioned
        Whether values are those given that the dealer has looked and has no natural.
    natural_chance
        Probability of a dealer natural given the cards that are seen, before the dealer looks.
    insurance
        Expected net of the insurance in initial wagers, where it is offered; else None.
    note
        What the values assume.
    """

    game: str
    rules: str
    cards: tuple[str, ...]
    up: str
    split: tuple[str, ...]
    actions: tuple[ActionValue, ...]
    conditioned: bool
    natural_chance: float
    insurance: float | None
    note: str

    def __repr__(self) -> str:
        values = ", ".join(f"{one.action} {one.ev:+.6f}" for one in self.actions)
        return f"<HandValues: {','.join(self.cards)} against {self.up}: {values}>"

    def _repr_html_(self) -> str:
        rows = [[one.action, f"{one.ev:+.10f}", f"{one.cost:.10f}"] for one in self.actions]
        wager = "wagers of the hand" if self.split else "initial wagers"
        title = f"{','.join(self.cards)} against {self.up}, {self.rules}: {self.note}; in {wager}"
        return html_table(title, ["action", "expected net", "cost of the mistake"], rows)

    @property
    def best(self) -> ActionValue:
        """The best action."""
        return self.actions[0]

    def to_frame(self) -> pd.DataFrame:
        """Return the actions as a table, best first.

        Returns
        -------
        DataFrame
            ``action``, ``ev`` (expected net) and ``cost`` (how much less that is than the best
            action's), in initial wagers (of a split hand: in its own).
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "action": [one.action for one in self.actions],
                "ev": [one.ev for one in self.actions],
                "cost": [one.cost for one in self.actions],
            }
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything as JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "cards": list(self.cards),
            "up": self.up,
            "split": list(self.split),
            "conditioned": self.conditioned,
            "natural_chance": self.natural_chance,
            "insurance": self.insurance,
            "actions": [vars(one) for one in self.actions],
            "note": self.note,
        }


@dataclass(frozen=True)
class _Values:
    """Actions with their values, and the chance of a dealer natural that they take in or not."""

    nets: dict[str, float]
    natural_chance: float
    conditioned: bool
    before_play: bool


def hand(
    game: AnyGame,
    cards: str | Sequence[str],
    up: str,
    *,
    split: str | Sequence[str] = (),
    split_model: str = "CDP",
) -> HandValues:
    """Return what every legal action of a hand is worth, when play goes on by `optimal-cd`.

    Parameters
    ----------
    game
        A game, a name of the catalogue, a game file or a rule string.
    cards
        The hand: ``"T,6"``, or a sequence of ranks.
    up
        The up card: ``"T"``.
    split
        The card, or the two cards of a power split, that the hand was split from: its first card
        is one of them. The other hand of the split counts as one card, whatever it draws.
    split_model
        ``CDP`` or ``CDZ-``: how hands of a split are played.

    Raises
    ------
    InputError
        If there is no such game, or the cards are none, bust, more than the shoe holds, or not the
        hand of such a split.

    Examples
    --------
    >>> found = hand("6D", "T,6", "T")
    >>> print(found.best.action, f"{found.best.ev:.10f}")
    hit -0.5346755625
    >>> list(found.to_frame()["action"])
    ['hit', 'stand', 'double']
    """
    game = load_game(game)
    held, shows, origin = ranks_of(cards), ranks_of(up), ranks_of(split)
    if len(shows) != 1:
        raise InputError(f"up card {shown(up)}: expected one rank out of {RANKS}")
    if len(held) < 2:
        raise InputError(f"hand {shown(cards)}: expected two cards or more, as T,6")
    if len(origin) == 1:
        origin = origin * 2
    _check_cards(game, held, shows[0], origin)
    found = _evaluated(game.rules, split_model)
    classes, first_up = tuple(map(_class, held)), _class(shows[0])
    if len(held) == 2 and not origin:
        values = _initial(game, found, held, first_up)
    else:
        values = _later(found.cards[first_up][0], classes, tuple(map(_class, origin)))
    return _result(game, (held, shows[0], origin), values, split_model)


@lru_cache(maxsize=1)
def _evaluated(rules: Rules, split_model: str) -> Evaluation:
    """Return the value of everything by the best play: one hand is asked for after another."""
    return evaluation(
        rules, OptimalPolicy(split_model), Shoe.of_decks(rules.decks), insurance=False
    )


def ranks_of(text: str | Sequence[str]) -> tuple[str, ...]:
    """Return the ranks that a text (``"T,6"``, ``"10 6"``) or a sequence names.

    Raises
    ------
    InputError
        If one of them is no rank.
    """
    words = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    ranks = [word.strip().upper().replace("10", "T") for word in words]
    for word, rank in zip(words, ranks, strict=True):
        if len(rank) != 1 or rank not in RANKS:
            raise InputError(f"card {shown(word)}: expected a rank out of {RANKS}, as in T,6")
    return tuple(ranks)


def _class(rank: str) -> int:
    return min(RANKS.index(rank), TEN_CLASS)


def _check_cards(game: Game, held: tuple[str, ...], up: str, origin: tuple[str, ...]) -> None:
    """Refuse hands that cannot be dealt, are bust, or come from no such split."""
    name = ",".join(held)
    seen = [*held, up]
    if origin:
        first, second = origin[:2]
        if len(origin) > 2 or held[0] not in origin:
            raise InputError(
                f"hand {name} of a split of {','.join(origin)}: expected the card split, or the "
                "two of a power split, and a hand that begins with it"
            )
        seen.append(second if held[0] == first else first)
    for rank in RANKS:
        if seen.count(rank) > 4 * game.rules.decks:
            raise InputError(f"hand {name} against {up}: the shoe does not hold so many {rank}")
    if lattice().of(*map(_class, held)) == BUST:
        raise InputError(f"hand {name} is bust: nothing is left to decide")


def _initial(game: Game, found: Evaluation, held: tuple[str, ...], up: int) -> _Values:
    """Return the values of the initial two cards."""
    rules = game.rules
    first, second = sorted(map(_class, held))
    alike = held[0] == held[1] or rules.split_by == "value"
    openings = [
        opening
        for opening in found.openings
        if (opening.first, opening.second, opening.up) == (first, second, up)
    ]
    pairs = [opening for opening in openings if opening.pair == (first == second and alike)]
    opening = (pairs or openings)[0]
    if opening.action is None:
        return _natural(game, opening)
    early = rules.surrenders_early and Action.SURRENDER in opening.worths
    card = found.cards[up][0]
    conditioned = card.ends_early and not early
    nets = {
        str(action): _given(worth.net, opening.natural_chance) if conditioned else worth.net
        for action, worth in opening.worths.items()
    }
    return _Values(nets, opening.natural_chance, conditioned, before_play=True)


def _given(net: float, chance: float) -> float:
    """Return a net given that the dealer has no natural, which would have cost 1."""
    return (net + chance) / (1.0 - chance)


def _natural(game: Game, opening: Opening) -> _Values:
    """Return what a natural is worth, and even money where it is offered."""
    nets = {PLAY_ON: opening.worth.net}
    if game.even_money and opening.up == ACE_CLASS:
        nets[EVEN_MONEY] = 1.0
    return _Values(nets, opening.natural_chance, conditioned=False, before_play=True)


def _later(card: UpCard, held: tuple[int, ...], origin: tuple[int, ...]) -> _Values:
    """Return the values of a hand of three cards and more, or of a split."""
    world = World(INITIAL, ())
    if origin:
        other = origin[1] if held[0] == origin[0] else origin[0]
        world = World(held[0], (other,))
        if world not in card.model.places:
            split = ",".join(VALUE_CLASSES[one] for one in origin)
            raise InputError(f"split {split}: the rules do not allow it")
    number = lattice().of(*held)
    values, kind = card.value(world), card.model.nodes[world.origin].kind[number]
    chance = float(card.outcomes[NATURAL, card.removal_of(world)[number]])
    if kind == DECISION:
        nets = {
            str(action): float(values.actions[number, code])
            for action, code in _CODES.items()
            if np.isfinite(values.actions[number, code])
        }
    else:
        nets = {CHARLIE if kind == FORCED_CHARLIE else BY_ITSELF: float(values.net[number])}
    for action, net in nets.items():
        if card.ends_early:
            nets[action] = net / (1.0 - chance)
        elif card.original_only:
            # the original bet is lost once, however many hands it was split into
            nets[action] = net - (chance if not origin else 0.0)
    return _Values(nets, chance, card.ends_early, before_play=False)


def _result(
    game: Game,
    seen: tuple[tuple[str, ...], str, tuple[str, ...]],
    values: _Values,
    split_model: str,
) -> HandValues:
    """Put the actions in order, and say what their values assume."""
    held, up, origin = seen
    ranked = sorted(values.nets.items(), key=lambda item: -item[1])
    best = ranked[0][1]
    insured = game.insurance and up == "A" and values.before_play
    return HandValues(
        game=game.id,
        rules=str(game.rules),
        cards=held,
        up=up,
        split=origin,
        actions=tuple(ActionValue(action, ev, best - ev) for action, ev in ranked),
        conditioned=values.conditioned,
        natural_chance=values.natural_chance,
        insurance=insurance_gain(values.natural_chance) if insured else None,
        note=_note(game, _class(up), origin, values, split_model),
    )


def _note(game: Game, up: int, origin: tuple[str, ...], values: _Values, split_model: str) -> str:
    """Say what the values assume."""
    said = [f"play goes on by optimal-cd, split hands by {split_model}"]
    if values.conditioned:
        said.append("given that the dealer has looked and has no natural")
    elif values.natural_chance > 0.0:
        obo = game.rules.hole_card == "obo"
        said.append("a dealer natural is still possible and counted in")
        if obo and origin:
            said[-1] = "what a dealer natural costs, the original bet once, is not counted in"
    if origin:
        said.append("of this hand alone, per its own wager; splitting it again is not valued")
    if game.rules.insurance_peek and up == ACE_CLASS:
        said.append("without insurance")
    return "; ".join(said)
