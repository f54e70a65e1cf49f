"""Program: a game under a strategy as integer tables, and the compiler that writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS
from rtpsim.program import contexts as ctx
from rtpsim.program.dealer import dealer_final, is_natural, peeks
from rtpsim.program.events import Ending, Event, Result, Split
from rtpsim.program.graph import Action, Decision, Draw, Graph, Node, Purpose, Shown, Spot
from rtpsim.program.hands import Hand, hand_of
from rtpsim.program.joins import Joins, settlement_table
from rtpsim.program.labels import Label
from rtpsim.program.settlement import FINALS, NEEDS, Final, Need

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.program.player import Player
    from rtpsim.rules import Rules

ROW = 16
"""Length of a row of the step table; classes beyond `Program.classes` are never used."""

UPS = range(10)


@dataclass(frozen=True)
class Program:
    """A game under a strategy, as tables that an engine follows without knowing any rule.

    A hand in play is in a *state*. A card leads from a state to an *entry*: a code below 9 is a
    final of the dealer (the round is over), a code below `first_event` another state, the others
    are events of the player's hand. An event moves the *context* (what became of the initial hand
    so far), and the context says where play resumes: a state again, or how far the dealer plays.

    Attributes
    ----------
    rules
        The rules it was compiled from.
    classes
        Card classes: 10 by value, or 13 by rank.
    step
        Entry by state and class, shape (states, 16), uint32. The rows of the finals lead to
        themselves.
    first_event
        Number of states; entry minus this is an event's number.
    start
        Entry by (checked, first card, second card, up card, dealer's second card), uint32,
        shape (2, classes, classes, 10, 10). In the plane ``checked`` a dealer natural has been
        found or ruled out because another hand of the round took insurance.
    start_context
        Context to begin with, by the same without ``checked`` and the dealer's second card,
        int32, shape (classes, classes, 10).
    join
        Context by (context, event), int32; -1 where impossible.
    resume
        By (context, up card), uint32: for a finished context its need (position in `NEEDS`), for
        another the state in which the next hand waits.
    insured
        Whether insurance was taken, by context, uint8.
    dealer
        Entry by (up card, second card, need), uint32: the dealer's state or final.
    settlement
        Net, wager, insurance net, insurance wager by (finished context, final), int32, shape
        (finished, 9, 4), in units of 1 / `Rules.unit`.
    finished
        The finished contexts; they are numbered first.
    checks_for_all
        Whether insurance taken by one hand has the dealer check for a natural.
    """

    rules: Rules
    classes: int
    step: NDArray[np.uint32]
    first_event: int
    start: NDArray[np.uint32]
    start_context: NDArray[np.int32]
    join: NDArray[np.int32]
    resume: NDArray[np.uint32]
    insured: NDArray[np.uint8]
    dealer: NDArray[np.uint32]
    settlement: NDArray[np.int32]
    finished: tuple[ctx.Context, ...]
    checks_for_all: bool

    @property
    def labels(self) -> int:
        """Number of labels: (up card, finished context, final), in this order."""
        return len(UPS) * len(self.finished) * len(FINALS)

    def label(self, number: int) -> Label:
        """Return the label with this number."""
        rest, final = divmod(number, len(FINALS))
        up, context = divmod(rest, len(self.finished))
        net, wager = self.settlement[context, final, :2].tolist()
        what = self.finished[context]
        return Label(
            up,
            what.route,
            ctx.describe_final(what.results),
            str(FINALS[final]),
            what.insured,
            net,
            wager,
        )

    @cached_property
    def nbytes(self) -> int:
        """Size of the tables in bytes."""
        tables = [table for table in vars(self).values() if isinstance(table, np.ndarray)]
        return sum(table.nbytes for table in tables)


def compile_program(
    rules: Rules, player: Player, *, insurance: bool = True, even_money: bool = False
) -> Program:
    """Compile a game under a strategy.

    Parameters
    ----------
    rules
        The game's rules.
    player
        The strategy.
    insurance
        Whether insurance is offered under an ace.
    even_money
        Whether a natural under an ace is offered even money instead.

    Raises
    ------
    InputError
        If the strategy lacks a decision.
    """
    return _Compiler(rules, player, insurance=insurance, even_money=even_money).program()


@dataclass(frozen=True)
class _Opening:
    """What an initial hand does before the peek matters, and what follows it."""

    entry: Draw | Event
    insured: bool
    immune: bool  # settled before a dealer natural can touch it
    natural: bool


@dataclass
class _Compiler:
    rules: Rules
    player: Player
    insurance: bool
    even_money: bool
    graph: Graph = field(init=False)
    states: ctx.Numbering[tuple[int, Draw] | Hand] = field(default_factory=ctx.Numbering)
    events: ctx.Numbering[Event] = field(default_factory=ctx.Numbering)
    # (state row, class, event) to be written when the number of states is known
    targets: list[list[int | tuple[str, int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.graph = Graph(self.rules)

    def program(self) -> Program:
        """Compile in four passes: dealer, openings, hands, contexts."""
        dealer = self._dealer_table()
        openings = {
            (first, second, up): self._open(first, second, up)
            for first in range(self.graph.classes)
            for second in range(self.graph.classes)
            for up in UPS
        }
        for (_, _, up), opening in openings.items():
            self._entry(opening.entry, up)
        self._entry(Result(Ending.DEALER_NATURAL, 0, 1), 0)
        self._second_cards()
        self._explore()
        insured = any(opening.insured for opening in openings.values())
        return self._assemble(dealer, openings, Joins(self.rules, self.events.items, insured))

    # -- the player's hand -------------------------------------------------------------------

    def _open(self, first: int, second: int, up: int) -> _Opening:
        """Play an initial hand up to its first card or its end, before the peek matters."""
        node = self.graph.deal(first, second)
        natural = isinstance(node, Result)
        action = None
        if isinstance(node, Decision):
            action = self.player.action(node.spot, up, self.graph.legal(node.spot, up))
            early = self.graph.surrender_ending is Ending.EARLY_SURRENDER
            if action is Action.SURRENDER and early:
                surrendered = self.graph.after(node.spot, action)
                return _Opening(self._settled(surrendered, up), False, True, False)
        offered = self.insurance or (natural and self.even_money)
        insured = up == ACE_CLASS and offered and self.player.insures(first, second)
        if natural and insured and self.even_money:
            return _Opening(Result(Ending.EVEN_MONEY, 21, 1), False, True, True)
        if isinstance(node, Decision) and action is not None:
            node = self.graph.after(node.spot, action, (first, second))
        return _Opening(self._settled(node, up), insured, False, natural)

    def _settled(self, node: Node, up: int) -> Draw | Event:
        """Follow decisions until the hand waits for a card or something happens to it."""
        while True:
            if isinstance(node, Decision):
                legal = self.graph.legal(node.spot, up)
                node = self.graph.after(node.spot, self.player.action(node.spot, up, legal))
            elif isinstance(node, Shown):
                replaced = self.player.replaces(node.spot.hand, up, node.card)
                node = self.graph.replace(node) if replaced else self.graph.keep(node)
            else:
                return node

    def _entry(self, node: Draw | Event, up: int) -> int | tuple[str, int]:
        """Return the entry of a node: a state's number, or an event to be numbered later."""
        if isinstance(node, Draw):
            return len(FINALS) + self.states.number((up, self.player.canonical(node)))
        return ("event", self.events.number(node))

    def _second_cards(self) -> None:
        """Give a state to every way in which a split hand can wait for its second card."""
        first_splits = [event for event in self.events.items if not isinstance(event, Result)]
        done = Result(Ending.BUST, 22, 1)
        seen = {ctx.fresh(insured=False)}
        waiting = list(seen)
        while waiting:
            context = waiting.pop()
            if context.finished:
                continue
            following: list[Event] = [done] if context.splits else list(first_splits)
            if context.current is not None:
                origin = ctx.origin_of(self.rules, context)
                for up in UPS:
                    self._resume_state(context, up)
                if origin.may_split:
                    following.append(Split(origin.card))
            for event in following:
                new = ctx.advance(self.rules, context, event)
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)

    def _resume_state(self, context: ctx.Context, up: int) -> int:
        """Return the state in which a context's hand waits for its second card."""
        origin = ctx.origin_of(self.rules, context)
        entry = self._entry(Draw(Purpose.SECOND, Spot(hand_of(origin.card), origin)), up)
        assert isinstance(entry, int), "a waiting hand is a state"
        return entry

    def _explore(self) -> None:
        """Follow every card from every state found so far and from those found on the way."""
        while len(self.targets) < len(self.states.items):
            state = self.states.items[len(self.targets)]
            row: list[int | tuple[str, int]] = []
            for card in range(self.graph.classes):
                if isinstance(state, Hand):
                    row.append(self._dealer_entry(state.with_card(card)))
                else:
                    up, waiting = state
                    row.append(self._entry(self._settled(self.graph.draw(waiting, card), up), up))
            self.targets.append(row)

    # -- the dealer's hand -------------------------------------------------------------------

    def _dealer_entry(self, hand: Hand) -> int:
        final = dealer_final(self.rules, hand)
        if final is not None:
            return FINALS.index(final)
        return len(FINALS) + self.states.number(Hand(hand.total, hand.soft, 2, ()))

    def _dealer_table(self) -> NDArray[np.uint32]:
        table = np.zeros((len(UPS), len(UPS), len(NEEDS)), dtype=np.uint32)
        for up in UPS:
            for second in UPS:
                natural = is_natural(up, second)
                known = Final.NATURAL if natural else Final.NONE
                table[up, second, NEEDS.index(Need.NOTHING)] = FINALS.index(Final.NONE)
                table[up, second, NEEDS.index(Need.NATURAL)] = FINALS.index(known)
                table[up, second, NEEDS.index(Need.FINAL)] = (
                    FINALS.index(known) if natural else self._dealer_entry(hand_of(up, second))
                )
        return table

    # -- tables ------------------------------------------------------------------------------

    def _assemble(
        self,
        dealer: NDArray[np.uint32],
        openings: dict[tuple[int, int, int], _Opening],
        joins: Joins,
    ) -> Program:
        settlement, needs = settlement_table(self.rules, joins.finished)
        start, start_context = self._start_tables(openings, joins)
        return Program(
            rules=self.rules,
            classes=self.graph.classes,
            step=self._step_table(),
            first_event=self.first_event,
            start=start,
            start_context=start_context,
            join=joins.join,
            resume=self._resume_table(joins, needs),
            insured=np.array([context.insured for context in joins.contexts], dtype=np.uint8),
            dealer=dealer,
            settlement=settlement,
            finished=joins.finished,
            checks_for_all=self.rules.insurance_peek,
        )

    @property
    def first_event(self) -> int:
        """Number of states and finals: the code of the first event."""
        return len(FINALS) + len(self.states.items)

    def _code(self, entry: int | tuple[str, int]) -> int:
        return entry if isinstance(entry, int) else self.first_event + entry[1]

    def _step_table(self) -> NDArray[np.uint32]:
        table = np.zeros((self.first_event, ROW), dtype=np.uint32)
        table[: len(FINALS)] = np.arange(len(FINALS))[:, np.newaxis]
        for number, row in enumerate(self.targets):
            table[len(FINALS) + number, : len(row)] = [self._code(entry) for entry in row]
        return table

    def _resume_table(self, joins: Joins, needs: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return where play resumes: what has been played so far makes no difference to it."""
        rows: dict[tuple[ctx.SplitHand, int, bool], list[int]] = {}
        resume = np.zeros((len(joins.contexts), len(UPS)), dtype=np.uint32)
        resume[: len(needs)] = needs[:, np.newaxis]
        for number, context in enumerate(joins.contexts):
            if context.current is not None:
                hand = context.current, context.splits, context.power
                if hand not in rows:
                    rows[hand] = [self._resume_state(context, up) for up in UPS]
                resume[number] = rows[hand]
        return resume

    def _start_tables(
        self,
        openings: dict[tuple[int, int, int], _Opening],
        joins: Joins,
    ) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
        classes = self.graph.classes
        start = np.zeros((2, classes, classes, len(UPS), len(UPS)), dtype=np.uint32)
        context = np.zeros((classes, classes, len(UPS)), dtype=np.int32)
        fresh = {
            context.insured: number
            for number, context in enumerate(joins.contexts)
            if context == ctx.fresh(insured=context.insured)
        }
        ended = self._code(self._entry(Result(Ending.DEALER_NATURAL, 0, 1), 0))
        for (first, second, up), opening in openings.items():
            start[:, first, second, up, :] = self._code(self._entry(opening.entry, up))
            context[first, second, up] = fresh[opening.insured]
            if opening.immune or opening.natural:
                continue
            own_check = opening.insured and self.rules.insurance_peek
            for hole in UPS:
                if is_natural(up, hole):
                    if peeks(self.rules, up) or own_check:
                        start[0, first, second, up, hole] = ended
                    if peeks(self.rules, up) or self.rules.insurance_peek:
                        start[1, first, second, up, hole] = ended
        return start, context
