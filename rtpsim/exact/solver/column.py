"""Column: the best column of a chart against one up card, by exact improvement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS
from rtpsim.exact.deals import deals_of
from rtpsim.exact.lattice import lattice
from rtpsim.exact.model import INITIAL, World, model_of
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.exact.solver.cells import LETTERS, RESOLVED, Cells, Total, cells_of, usually_stands
from rtpsim.exact.solver.gains import (
    Letters,
    Options,
    best_other,
    best_pair,
    best_single,
    letter_worth,
    spread,
    value_places,
)
from rtpsim.exact.solver.stack import (
    ABILITIES,
    CAN_DOUBLE,
    CAN_SURRENDER,
    CHOICES,
    DECIDES,
    SURRENDER,
    Stack,
    Worths,
    layout_of,
    worths_of,
)
from rtpsim.exact.solver.starts import Starts, Toggle
from rtpsim.exact.upcard import UpCard, insurance_gain
from rtpsim.exact.worldvalues import dealer_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.rules import Rules

NOTHING = 1e-14
"""Gains up to this much are rounding, in initial wagers; a change has to bring more."""

ROUNDING = 1e-16
"""Letters that differ by no more than this in a cell are alike there."""

_HIT = LETTERS.index("H")


@dataclass
class Play:
    """How a column is played: a letter for every cell, and the toggles.

    Attributes
    ----------
    cells
        The cells.
    letter
        Letter of each cell, a number of `rtpsim.exact.solver.cells.LETTERS`; int64.
    on
        What each toggle says.
    allowed
        Letters that each cell may have, those to prefer first, -1 for none; int64.
    """

    cells: Cells
    letter: NDArray[np.int64]
    on: dict[Toggle, bool]
    allowed: NDArray[np.int64]

    @property
    def letters(self) -> Letters:
        """The letters, as kernels read them."""
        return Letters(self.cells.of_place, self.letter, RESOLVED)

    @property
    def two_card(self) -> bool:
        """Whether initial hands of two cards are cells of their own."""
        return "," in self.cells.labels[-1]  # those stand behind all others


class Column:
    """One up card: what its hands are worth, and the search for the best way to play them.

    Parameters
    ----------
    rules
        The rules.
    shoe
        The shoe before the deal.
    up
        The up card (value class).
    insurance
        Whether insurance is offered.
    """

    def __init__(self, rules: Rules, shoe: Shoe, up: int, *, insurance: bool) -> None:
        model = model_of(rules)
        counts = np.array(shoe.by_value, dtype=np.int64)
        outcomes = dealer_table(model, counts, up)
        policy = OptimalPolicy()
        self.rules, self.up = rules, up
        self.cards = [UpCard(model, counts, up, policy, outcomes)]
        if rules.insurance_peek and up == ACE_CLASS and insurance:
            self.cards.append(UpCard(model, counts, up, policy, outcomes, natural_known=True))
        barred = rules.surrender in ("late-not-ace", "early-ten") and up == ACE_CLASS
        self.surrenders = rules.surrender != "none" and not barred
        self.layout = layout_of(rules, surrender=self.surrenders)
        self.deals = deals_of(rules, shoe, up)
        self.starts = Starts(self.cards, self.layout, self.deals)
        self._flips = self.starts.flips()
        worths = [worths_of(card, self.layout) for card in self.cards]
        self.worths = Worths(*(np.concatenate(parts) for parts in zip(*worths, strict=True)))
        self.stack = _repeated(self.layout.stack, len(self.cards))
        if self.surrenders:
            self._write_surrenders()
        self.gains = np.zeros((0, len(LETTERS)))
        self.reach = np.zeros(0)
        self.sums = np.zeros((0, ABILITIES, CHOICES))

    def _write_surrenders(self) -> None:
        """Write what surrendering the initial hands nets, as those nets are counted in a world."""
        early = self.rules.surrenders_early
        where = self.layout.place[World(INITIAL, ())]
        for number, card in enumerate(self.cards):
            for deal in self.deals:
                chance = card.natural_chance(deal.first, deal.second)
                net = card.surrender(deal.first, deal.second).net
                net += chance if card.original_only else 0.0
                if number and early:
                    net -= insurance_gain(chance)  # who surrenders early is not insured
                place = where[lattice().of(deal.first, deal.second)]
                self.worths.choice[place + number * len(self.layout.hand), SURRENDER] = net

    # -- beginning ---------------------------------------------------------------------------

    def play(self, counted: Mapping[Total, tuple[int, ...]], before: Play | None = None) -> Play:
        """Return a way to play to begin with: what is best on average over hands that are hit.

        Parameters
        ----------
        counted
            The numbers of cards from which on totals have rows of their own.
        before
            A way to play by totals, to give initial hands of two cards cells of their own.
        """
        two_card = before is not None
        key = tuple(counted.items())
        tens_apart = self.rules.splits == 0 or self.rules.split_by == "value"
        once = cells_of(self.rules, key, two_card=two_card, tens_apart=tens_apart)
        cells = Cells(once.labels, np.tile(once.of_place, len(self.cards)), once.counted, once.rank)
        sums = np.zeros((len(cells.labels), ABILITIES, CHOICES))
        weights = np.zeros(len(self.stack.kind))
        where = self.layout.place[World(INITIAL, ())]
        for deal in self.deals:
            weights[where[lattice().of(deal.first, deal.second)]] += deal.probability
        hits = Letters(cells.of_place, np.full(len(cells.labels), _HIT, dtype=np.int64), RESOLVED)
        spread(self.stack, self.worths, hits, weights, sums)
        allowed = self._allowed(cells, sums)
        if before is None:
            letter = np.array([self._first_letter(sums, *pair) for pair in enumerate(allowed)])
            return Play(cells, letter, dict.fromkeys(self.starts.toggles, False), allowed)
        return Play(cells, _refined(cells, before), dict(before.on), allowed)

    def _allowed(self, cells: Cells, sums: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the letters that each cell may have: those with the better "else" first."""
        met = np.zeros(len(cells.labels), dtype=np.int64)
        for ability in (CAN_DOUBLE, CAN_SURRENDER):
            able = (self.stack.kind == DECIDES) & (self.stack.abilities & ability > 0)
            met[cells.of_place[able]] |= ability
        allowed = np.full((len(cells.labels), len(LETTERS)), -1, dtype=np.int64)
        for cell, label in enumerate(cells.labels):
            letters = ["S", "H"]
            if met[cell] & CAN_DOUBLE:
                letters += ["Ds", "Dh"]
            if met[cell] & CAN_SURRENDER:
                letters += ["Rs", "Rh"]
            stand, hit = (letter_worth(sums, cell, code, RESOLVED) for code in (0, 1))
            prefers_hit = hit > stand if sums[cell].any() else not usually_stands(label)
            if prefers_hit:
                letters.sort(key=lambda letter: (letter[0] in "DR", letter[0] == "R"))
                letters = [*letters[1::-1], *letters[3:1:-1], *letters[:3:-1]]
            allowed[cell, : len(letters)] = [LETTERS.index(letter) for letter in letters]
        return allowed

    def _first_letter(
        self, sums: NDArray[np.float64], cell: int, allowed: NDArray[np.int64]
    ) -> int:
        best = int(allowed[0])
        for letter in allowed[allowed >= 0].tolist():
            gain = letter_worth(sums, cell, letter, RESOLVED) - letter_worth(
                sums, cell, best, RESOLVED
            )
            if gain > NOTHING:
                best = letter
        return best

    # -- improving ---------------------------------------------------------------------------

    def worth(self, play: Play) -> float:
        """Return what the column nets, times the up card's probability, as last valued."""
        total = 0.0
        for number in range(len(self.deals)):
            total += self._net(number, play.on)
        return total

    def solve(self, counted: Mapping[Total, tuple[int, ...]], before: Play | None = None) -> Play:
        """Return the best way to play that is found: see `play` and `improve`.

        Where insurance tells how to play on, the search begins once with nobody insured and once
        with everybody: what is worth it for hands of one total together need not be for any alone.
        """
        plays = [self.play(counted, before)]
        if len(self.cards) > 1:
            insured = self.play(counted, before)
            for toggle in insured.on:
                insured.on[toggle] |= toggle.kind == "insurance"
            self._change_cells(insured)
            plays.append(insured)
        worths = []
        for play in plays:
            self.improve(play)
            worths.append(self.worth(play))
        best = plays[int(np.argmax(worths))]
        if best is not plays[-1]:
            self.improve(best)  # what is read of the column belongs to it
        return best

    def improve(self, play: Play) -> None:
        """Change a way to play until no cell, and no two cells, gain by a change."""
        while True:
            self._value(play)
            if self._flip(play):
                continue
            self._sum_up(play)
            if not (self._change_one(play) or self._change_two(play) or self._change_both(play)):
                return

    def _change_cells(self, play: Play) -> None:
        """Change one cell at a time while that gains, the toggles as they are."""
        while True:
            self._value(play)
            self._sum_up(play)
            if not self._change_one(play):
                return

    def _net(self, number: int, on: Mapping[Toggle, bool]) -> float:
        start = self.starts.start(number, on)
        return start.constant + float(start.weights @ self.worths.net[start.places])

    def _value(self, play: Play) -> None:
        value_places(self.stack, self.worths, play.letters)

    def _options(self, play: Play) -> Options:
        return Options(play.allowed, play.cells.rank, self.gains)

    def _flip(self, play: Play) -> bool:
        """Flip toggles, one and two at a time, while that gains."""
        flipped = False
        nets = [self._net(number, play.on) for number in range(len(self.deals))]
        for flip in self._flips:
            numbers = {number for toggle in flip for number in self.starts.toggles[toggle]}
            other = play.on | {toggle: not play.on[toggle] for toggle in flip}
            flipped_nets = {number: self._net(number, other) for number in sorted(numbers)}
            if sum(net - nets[number] for number, net in flipped_nets.items()) > NOTHING:
                play.on = other
                flipped = True
                for number, net in flipped_nets.items():
                    nets[number] = net
        return flipped

    def _sum_up(self, play: Play) -> None:
        """Find how often each place is reached, and what each cell's actions are worth."""
        self.reach = np.zeros(len(self.stack.kind))
        for number in range(len(self.deals)):
            start = self.starts.start(number, play.on)
            self.reach[start.places] += start.weights
        self.sums = np.zeros((len(play.letter), ABILITIES, CHOICES))
        self.gains = np.zeros(play.allowed.shape)
        spread(self.stack, self.worths, play.letters, self.reach, self.sums)

    def _change_one(self, play: Play) -> bool:
        cell, letter, gain = best_single(self.sums, play.letters, self._options(play))
        if gain > NOTHING:
            play.letter[cell] = letter
        return gain > NOTHING

    def _change_two(self, play: Play) -> bool:
        upper, other, lower, chosen, gain = best_pair(
            self.stack, self.worths, play.letters, self.reach, self._options(play)
        )
        if gain > NOTHING:
            play.letter[upper], play.letter[lower] = other, chosen
        return gain > NOTHING

    def _change_both(self, play: Play) -> bool:
        """Flip one toggle and change one cell, if some two gain together."""
        change = np.zeros_like(self.sums)
        for toggle, numbers in self.starts.toggles.items():
            other = play.on | {toggle: not play.on[toggle]}
            gain = sum(self._net(n, other) - self._net(n, play.on) for n in numbers)
            changed = np.zeros_like(self.reach)
            for number in numbers:
                before = self.starts.start(number, play.on)
                after = self.starts.start(number, other)
                changed[after.places] += after.weights
                changed[before.places] -= before.weights
            change[:] = 0.0
            spread(self.stack, self.worths, play.letters, changed, change)
            cell, letter, both = best_other(-1, gain, play.letters, self._options(play), change)
            if both > NOTHING:
                play.on = other
                play.letter[cell] = letter
                return True
        return False

    # -- reading -----------------------------------------------------------------------------

    def openings(self, play: Play) -> list[tuple[tuple[int, int], int, int]]:
        """Return the initial hands that go by a letter: cards, action and abilities of each."""
        found = []
        for number, deal in enumerate(self.deals):
            start = self.starts.start(number, play.on)
            place = self._opening(deal.first, deal.second)
            if place in (start.places % len(self.layout.hand)).tolist():
                abilities = int(self.stack.abilities[place])
                letter = play.letter[play.cells.of_place[place]]
                action = int(RESOLVED[letter, abilities])
                found.append(((deal.first, deal.second), action, abilities))
        return found

    def _opening(self, first: int, second: int) -> int:
        return int(self.layout.place[World(INITIAL, ())][lattice().of(first, second)])

    def stand_or_hit(self, cards: tuple[int, int]) -> tuple[float, float]:
        """Return the nets of standing and hitting two cards."""
        stand, hit = self.worths.choice[self._opening(*cards), :2].tolist()
        return stand, hit

    def ties(self, play: Play, cell: int) -> list[int]:
        """Return the letters that a cell may have without any loss, the present one first."""
        now = int(play.letter[cell])
        worth = letter_worth(self.sums, cell, now, RESOLVED)
        others = [
            int(letter)
            for letter in play.allowed[cell]
            if letter not in (-1, now)
            and letter_worth(self.sums, cell, int(letter), RESOLVED) >= worth - ROUNDING
        ]
        return [now, *others]

    def surrendered_early(self, play: Play) -> set[tuple[int, int]]:
        """Return the two cards that are surrendered before insurance is offered."""
        if self.rules.surrender not in ("early", "early-ten"):
            return set()
        return {cards for cards, action, _ in self.openings(play) if action == SURRENDER}


def _repeated(stack: Stack, times: int) -> Stack:
    """Put a stack behind itself."""
    size = len(stack.kind)
    following = [
        np.where(stack.following >= 0, stack.following + number * size, -1)
        for number in range(times)
    ]
    return Stack(
        np.concatenate(following), np.tile(stack.kind, times), np.tile(stack.abilities, times)
    )


def _refined(cells: Cells, before: Play) -> NDArray[np.int64]:
    """Give cells of two cards the letters of their totals."""
    letter = np.zeros(len(cells.labels), dtype=np.int64)
    letter[: len(before.letter)] = before.letter
    for cell in range(len(before.letter), len(cells.labels)):
        place = np.flatnonzero(cells.of_place == cell)[0]
        letter[cell] = before.letter[before.cells.of_place[place]]
    return letter
