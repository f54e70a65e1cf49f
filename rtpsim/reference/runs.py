"""Many rounds by the referee: a run from a shuffled shoe, and all rounds of a small shoe."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.reference.sources import ShoeSource
from rtpsim.reference.table import Referee
from rtpsim.sidebets import LOSE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rtpsim.games import Game
    from rtpsim.reference.results import RoundResult
    from rtpsim.strategy import Chart


class Outcome(NamedTuple):
    """What a round came to, all hands together, in 1 / `Rules.unit` initial wagers."""

    net: int
    wager: int
    insurance_net: int
    insurance_wager: int


@dataclass(frozen=True)
class RefereeTally:
    """What a run of the referee counted. Amounts are in 1 / `unit` initial wagers.

    Attributes
    ----------
    unit, hands, rounds
        The unit, the hands a round, and the number of rounds.
    outcomes
        Rounds by (net, wager) of the main game, all hands together.
    insurance
        Rounds by (net, wager) of the insurance, all hands together.
    dealer_finals
        Rounds by `RoundResult.dealer_final`.
    routes
        Rounds by (up card's value class, `SeatResult.route`) of the first hand.
    side_bets
        For each side bet, rounds by the winning outcomes of the round in alphabetical order;
        the empty tuple where all lost.
    """

    unit: int
    hands: int
    rounds: int
    outcomes: Mapping[tuple[int, int], int]
    insurance: Mapping[tuple[int, int], int]
    dealer_finals: Mapping[str, int]
    routes: Mapping[tuple[int, str], int]
    side_bets: Mapping[str, Mapping[tuple[str, ...], int]]


def referee_run(
    game: Game,
    chart: Chart,
    rounds: int,
    seed: int,
    hands: int = 1,
    side_bets: bool = True,
    shoe: Shoe | None = None,
) -> RefereeTally:
    """Deal and play so many rounds, each from a freshly shuffled shoe.

    Parameters
    ----------
    game, chart
        What is played, and how.
    rounds
        How many rounds.
    seed
        Not negative. A run is a function of its arguments; the cards come from numpy's PCG64.
    hands
        Hands a round.
    side_bets
        Whether the game's side bets are placed.
    shoe
        The composition before each round; the game's decks if not given.

    Raises
    ------
    InputError
        If rounds, seed or hands are not allowed, or the chart has no letter for a hand.
    ShoeExhaustedError
        If a round runs out of cards.
    """
    if rounds < 0 or seed < 0:
        raise InputError(f"rounds = {rounds}, seed = {seed}: allowed are whole numbers from 0 up")
    referee = Referee(game, chart, hands, side_bets)
    shoe = shoe or Shoe.of_decks(game.rules.decks)
    source = ShoeSource(shoe, np.random.Generator(np.random.PCG64(seed)))
    ends: Counter[tuple[Outcome, str, int, str]] = Counter()
    bets: dict[str, Counter[tuple[str, ...]]] = {bet.id: Counter() for bet in referee.side_bets}
    for _ in range(rounds):
        source.shuffle()
        result = referee.play(source)
        up = result.dealer[0].value_class
        ends[_outcome(result), result.dealer_final, up, result.seats[0].route] += 1
        for bet_id, counter in bets.items():
            counter[winning_outcomes(result, bet_id)] += 1
    return _tally(game.rules.unit, hands, ends, bets)


def _tally(
    unit: int,
    hands: int,
    ends: Mapping[tuple[Outcome, str, int, str], int],
    bets: Mapping[str, Mapping[tuple[str, ...], int]],
) -> RefereeTally:
    """Sort the ends of rounds by each of the things a tally counts."""
    outcomes: Counter[tuple[int, int]] = Counter()
    insurance: Counter[tuple[int, int]] = Counter()
    finals: Counter[str] = Counter()
    routes: Counter[tuple[int, str]] = Counter()
    for (outcome, final, up, route), rounds in ends.items():
        outcomes[outcome.net, outcome.wager] += rounds
        insurance[outcome.insurance_net, outcome.insurance_wager] += rounds
        finals[final] += rounds
        routes[up, route] += rounds
    return RefereeTally(
        unit=unit,
        hands=hands,
        rounds=sum(ends.values()),
        outcomes=outcomes,
        insurance=insurance,
        dealer_finals=finals,
        routes=routes,
        side_bets=bets,
    )


def _outcome(result: RoundResult) -> Outcome:
    """Add up what the hands of a round came to."""
    net = wager = insurance_net = insurance_wager = 0
    for seat in result.seats:
        net += seat.net
        wager += seat.wager
        insurance_net += seat.insurance_net
        insurance_wager += seat.insurance_wager
    return Outcome(net, wager, insurance_net, insurance_wager)


def winning_outcomes(result: RoundResult, bet_id: str) -> tuple[str, ...]:
    """Return the winning outcomes of one side bet in a round, in alphabetical order."""
    if bet_id in result.side_bets:
        outcomes = [result.side_bets[bet_id]]
    else:
        outcomes = [seat.side_bets[bet_id] for seat in result.seats]
    return tuple(sorted(outcome for outcome in outcomes if outcome != LOSE))


def enumerate_rounds(
    game: Game, chart: Chart, shoe: Shoe, hands: int = 1
) -> dict[Outcome, Fraction]:
    """Play every round that a shoe can deal, and return the exact probability of each outcome.

    Whenever a card is dealt the round goes on with each kind of card left in turn, weighted by
    its exact probability: as many cards of the kind as are left, out of all cards left. Kinds
    are ranks where a pair must be of one rank, and else value classes; side bets are not placed.
    The number of rounds grows quickly: for shoes of a few kinds of card.

    Raises
    ------
    ShoeExhaustedError
        If some round runs out of cards.
    InputError
        If the game does not allow so many hands, or the chart has no letter for a hand.
    """
    referee = Referee(game, chart, hands, side_bets=False)
    counts = shoe.by_rank if game.rules.split_by == "rank" else shoe.by_value
    source = _BranchingSource(counts)
    weights: Counter[tuple[Outcome, int]] = Counter()
    while True:
        result = referee.play(source)
        weights[_outcome(result), source.dealt] += source.weight
        if not source.next_branch():
            break
    return _probabilities(weights, shoe.size)


def _probabilities(
    weights: Mapping[tuple[Outcome, int], int], size: int
) -> dict[Outcome, Fraction]:
    """Add up the rounds: one of n cards weighs in out of size (size - 1) ... (size - n + 1)."""
    found: dict[Outcome, Fraction] = {}
    for (outcome, dealt), weight in sorted(weights.items()):
        deals = 1
        for place in range(dealt):
            deals *= size - place
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(weight, deals)
    return found


class _BranchingSource:
    """Deals every sequence of cards in turn, one sequence a round.

    It remembers, for each card of the round, which kinds are still to be tried in its place. The
    next round repeats the last one up to the last card with another kind to try.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        self._left = list(counts)
        self._cards = [Card(kind, 0) for kind in range(len(counts))]
        self._path: list[int] = []
        self._factors: list[int] = []
        self.dealt = 0

    @property
    def weight(self) -> int:
        """In how many ways the cards of the round can be picked, one after the other."""
        weight = 1
        for factor in self._factors:
            weight *= factor
        return weight

    def next_branch(self) -> bool:
        """Go to the next sequence of cards; return False when there is none."""
        self.dealt = 0
        while self._path:
            kind = self._path.pop()
            self._factors.pop()
            self._left[kind] += 1
            following = self._first_kind(kind + 1)
            if following is not None:
                self._lay(following)
                return True
        return False

    def draw(self) -> Card:
        """Return the next card: as in the round before, or the first kind left."""
        if self.dealt == len(self._path):
            kind = self._first_kind(0)
            if kind is None:
                raise ShoeExhaustedError(
                    f"the shoe ran out: a round needed more than its {self.dealt} cards"
                )
            self._lay(kind)
        self.dealt += 1
        return self._cards[self._path[self.dealt - 1]]

    def _first_kind(self, start: int) -> int | None:
        """Return the first kind from ``start`` on of which cards are left."""
        return next((k for k in range(start, len(self._left)) if self._left[k]), None)

    def _lay(self, kind: int) -> None:
        self._path.append(kind)
        self._factors.append(self._left[kind])
        self._left[kind] -= 1

    def player_card(self, seat: int, nth: int) -> Card:
        """Return the next card."""
        return self.draw()

    up_card = dealer_card = draw
