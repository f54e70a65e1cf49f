"""Extremes: the largest win and loss of a round, derived from the rules, and how often they come.

They are not looked for in results: every way in which a round can go is followed through the
Program's tables, and for each extreme a round is written down in which it happens, so that anybody
can have the referee play it (`rtpsim trace`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.cards import CARDS_IN_DECK, RANKS, SUITS, VALUE_CLASSES, Card, Shoe
from rtpsim.outcomes.ways import WORST, Ways
from rtpsim.program.compiler import Program, compile_program
from rtpsim.program.player import ChartPlayer
from rtpsim.sidebets import deal_ways
from rtpsim.volatility.covariances import SEEN, returns_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from rtpsim.exact.evaluate import Evaluation
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.strategy import Chart

_UPS = len(VALUE_CLASSES)
_SIGNS = {"largest win": 1, "largest loss": -1}


@dataclass(frozen=True)
class Extreme:
    """The largest win or loss of a round.

    Attributes
    ----------
    what
        ``largest win`` or ``largest loss``.
    side_bets
        Whether one unit on every side bet is counted too.
    hands
        Hands a round.
    net
        In initial wagers of one hand.
    probability
        Of exactly this net in a round; None where it is out of exact reach.
    cards
        A round in which it happens: hands, dealer's two cards and the later cards, as
        `rtpsim.reference.parse_cards` reads them. Empty where every such round would need more
        cards of a rank than the shoe holds: `net` is then a bound that is not reached.
    """

    what: str
    side_bets: bool
    hands: int
    net: float
    probability: float | None
    cards: str

    @property
    def one_in(self) -> float | None:
        """N of the odds ``1 in N``; None where the probability is not known or 0."""
        return 1.0 / self.probability if self.probability else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "one_in": self.one_in}


def extremes(game: Game, chart: Chart, exact: ExactFigures) -> list[Extreme]:
    """Return the largest win and loss of a round.

    Of the main game with one hand; with as many hands as the game allows, which all go the same
    way against one dealer; and of one hand with all side bets. Insurance is not counted.

    Parameters
    ----------
    game, chart
        What is played, and how: what the chart never does is not counted.
    exact
        Exact figures of the main game by that chart, for the probabilities.
    """
    program = compile_program(
        game.rules,
        ChartPlayer(chart, game.rules),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    shoe = Shoe.of_decks(game.rules.decks)
    found = []
    for what, sign in _SIGNS.items():
        ways = Ways(program, sign)
        nets = ways.nets
        unit = game.rules.unit
        for hands in sorted({1, game.max_hands}):
            net, cards = _largest(ways, nets, shoe, hands)
            chance = _chance_of(exact, net) if hands == 1 else None
            found.append(Extreme(what, False, hands, hands * net / unit, chance, cards))
        if game.side_bets:
            found.append(_with_bets(game, chart, exact, ways, what))
    return found


def to_frame(found: Iterable[Extreme]) -> pd.DataFrame:
    """Return extremes as a table, one a row."""
    import pandas as pd

    return pd.DataFrame([one.to_dict() for one in found])


def _chance_of(exact: ExactFigures, net: int) -> float | None:
    """Return the exact probability of a net of the main game; None where it is out of reach."""
    if exact.document.get("simulated") or not exact.document["outcomes"]:
        return None
    return float(sum(row["probability"] for row in exact.document["outcomes"] if row["net"] == net))


def _largest(ways: Ways, nets: NDArray[np.int64], shoe: Shoe, hands: int) -> tuple[int, str]:
    """Return the best net of one hand (its sign restored), and a round of so many such hands."""
    best = int(nets.max())
    for deal in np.argwhere(nets == best).tolist():
        for drawn, dealer in ways.rounds(deal, best):
            if _in_shoe(ways.program, shoe, deal, drawn, dealer, hands):
                cards = [[_name(ways.program, card) for card in some] for some in (deal, drawn)]
                own, later = cards[0][:2], cards[1] * hands
                ends = [_name(ways.program, card) for card in dealer]
                seats = " / ".join([" ".join(own)] * hands)
                return best * ways.sign, _written(seats, cards[0][2:], [*later, *ends])
    return best * ways.sign, ""


def _name(program: Program, card: int) -> str:
    return (RANKS if program.classes == len(RANKS) else VALUE_CLASSES)[card]


def _written(seats: str, dealer: Sequence[str], later: Sequence[str]) -> str:
    return " | ".join([seats, " ".join(dealer), " ".join(later)]).removesuffix(" | ")


def _in_shoe(
    program: Program,
    shoe: Shoe,
    deal: Sequence[int],
    drawn: Sequence[int],
    dealer: Sequence[int],
    hands: int,
) -> bool:
    """Whether the shoe holds the cards of a round in which every hand goes the same way."""
    there = shoe.by_rank if program.classes == len(RANKS) else shoe.by_value
    used = Counter({card: hands * n for card, n in Counter([*deal[:2], *drawn]).items()})
    used.update([*deal[2:], *dealer])
    return all(count <= there[card] for card, count in used.items())


# -- with side bets ---------------------------------------------------------------------------


def _with_bets(game: Game, chart: Chart, exact: ExactFigures, ways: Ways, what: str) -> Extreme:
    """Return the extreme of one hand and one unit on every side bet."""
    shoe, unit, sign = Shoe.of_decks(game.rules.decks), game.rules.unit, ways.sign
    bets = _best_bets(game, shoe, ways) * unit
    total = np.where(bets > WORST, ways.nets + bets, WORST)
    best = int(total.max())
    cards, chance = "", None
    for deal in np.argwhere(total == best).tolist():
        place = tuple(deal)
        for drawn, dealer in ways.rounds(deal, int(ways.nets[place])):
            if _in_shoe(ways.program, shoe, deal, drawn, dealer, 1):
                suited = _suited(game, shoe, ways, deal, int(bets[place]) // unit)
                later = [_name(ways.program, card) for card in (*drawn, *dealer)]
                cards = _written(" ".join(suited[:2]), suited[2:], later)
                break
        if cards:
            break
    seen = all(set(bet.cards) <= set(SEEN) for bet in game.side_bets)
    if cards and seen and ways.program.classes == _UPS and not exact.document.get("simulated"):
        chance = _joint_chance(game, chart, shoe, ways, np.argwhere(total == best), bets // unit)
    return Extreme(what, True, 1, best * sign / unit, chance, cards)


def _bet_nets(game: Game, hole: int | None) -> NDArray[np.int64]:
    """Return what all side bets net by numbers of the cards of `SEEN`, the hole card given."""
    total = np.zeros((CARDS_IN_DECK,) * len(SEEN), dtype=np.int64)
    for bet in game.side_bets:
        table = returns_of(bet) - 1
        if "hole" in bet.cards:
            table = np.take(table, hole or 0, axis=bet.cards.index("hole"))
        shape = [CARDS_IN_DECK if role in bet.cards else 1 for role in SEEN]
        total = total + table.reshape(shape)
    return total


def _best_bets(game: Game, shoe: Shoe, ways: Ways) -> NDArray[np.int64]:
    """Return the best net of all side bets by class of the four cards of the deal."""
    classes = ways.program.classes
    own = np.arange(classes) * 4
    value = np.arange(_UPS) * 4
    best = np.full((classes, classes, _UPS, _UPS), WORST, dtype=np.int64)
    for hole, copies in enumerate(shoe.counts):
        if copies:
            left = [count - (number == hole) for number, count in enumerate(shoe.counts)]
            nets = np.where(
                deal_ways(left, len(SEEN)) > 0, ways.sign * _bet_nets(game, hole), WORST
            )
            for axis, starts in enumerate((own, own, value)):
                nets = np.maximum.reduceat(nets, starts, axis=axis)
            kind = Card.from_number(hole).value_class
            np.maximum(best[..., kind], nets, out=best[..., kind])
    return best


def _suited(game: Game, shoe: Shoe, ways: Ways, deal: Sequence[int], net: int) -> list[str]:
    """Return the four cards of a deal, with suits, on which the side bets net so much."""
    ranks = ways.program.classes
    ends = [(ranks, deal[0]), (ranks, deal[1]), (_UPS, deal[2]), (_UPS, deal[3])]
    slices = [
        slice(4 * kind, 4 * kind + 4 if kind < many - 1 else CARDS_IN_DECK) for many, kind in ends
    ]
    for hole in range(slices[3].start, slices[3].stop):
        left = [count - (number == hole) for number, count in enumerate(shoe.counts)]
        if left[hole] < 0:
            continue
        there = (deal_ways(left, len(SEEN)) > 0)[tuple(slices[:3])]
        nets = (ways.sign * _bet_nets(game, hole))[tuple(slices[:3])]
        for place in np.argwhere(there & (nets == net)).tolist():
            numbers = [one.start + at for one, at in zip(slices, place, strict=False)]
            return [_card(number) for number in (*numbers, hole)]
    raise AssertionError("the net was found on some cards")


def _card(number: int) -> str:
    card = Card.from_number(number)
    return RANKS[card.rank] + SUITS[card.suit]


def _joint_chance(
    game: Game,
    chart: Chart,
    shoe: Shoe,
    ways: Ways,
    deals: NDArray[np.int64],
    bets: NDArray[np.int64],
) -> float | None:
    """Return the probability that main game and side bets are both at their best together.

    Given the values of the cards that the side bets look at, the two are independent.
    """
    from rtpsim.exact.distribution import distribution, in_reach
    from rtpsim.exact.evaluate import Evaluation, evaluation
    from rtpsim.exact.policies import ChartPolicy

    rules = game.rules
    found = evaluation(
        rules,
        ChartPolicy(chart, rules),
        shoe,
        insurance=game.insurance,
        even_money=game.even_money,
    )
    weights = deal_ways(shoe.counts, len(SEEN)) / float(_orders(shoe))
    nets = ways.sign * _bet_nets(game, None)
    chance = 0.0
    for first, second, up in sorted({tuple(deal[:3]) for deal in deals.tolist()}):
        holes = [deal[3] for deal in deals.tolist() if tuple(deal[:3]) == (first, second, up)]
        place = (first, second, up, holes[0])
        own = [
            opening
            for opening in found.openings
            if (opening.first, opening.second, opening.up) == (*sorted((first, second)), up)
        ]
        if not all(in_reach(found, opening) for opening in own):
            return None
        spread: Evaluation = Evaluation(own, found.cards)
        outcomes = distribution(spread).outcomes()
        wanted = int(ways.nets[place]) * ways.sign
        main = sum(p for (net, _), p in outcomes.items() if net == wanted)
        cells = tuple(
            slice(4 * kind, 4 * kind + 4 if kind < _UPS - 1 else CARDS_IN_DECK)
            for kind in place[:3]
        )
        hit = float(weights[cells][nets[cells] == bets[place]].sum())
        chance += main / sum(opening.probability for opening in own) * hit
    return chance


def _orders(shoe: Shoe) -> int:
    return shoe.size * (shoe.size - 1) * (shoe.size - 2)
