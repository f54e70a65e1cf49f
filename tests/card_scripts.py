"""Rounds laid out card by card so that together they go along every edge of a Program's tables."""

from collections import deque

from against_referee import OF_CLASS, Played
from table_walker import Walk

from rtpsim.program.settlement import FINALS

UPS = range(10)
SIX = 5  # a second card of the dealer that makes no natural


class Scripts:
    """Writes rounds along edges that no round before has gone along.

    An edge of the step table is a state and a card; `untried` holds, for each state seen so far,
    the cards not yet drawn in it. An edge of the join table is a context and an event; `joined`
    holds those seen.
    """

    def __init__(self, tables, rng):
        self.tables = tables
        self.rng = rng
        self.untried = {}
        self.joined = set()
        self._reached = {}  # state -> a round that waits in it, and the cards drawn before
        self._words = {}
        # events after which the initial hand still plays on
        self._splits = {
            event
            for row in tables.join
            for event, context in enumerate(row)
            if context >= tables.finished
        }

    # -- rounds ------------------------------------------------------------------------------

    def of_deals(self, deals):
        """Write a round for each deal (first, second, up, second of the dealer)."""
        for first, second, up, hole in deals:
            yield self._finish(Walk(self.tables, ((first, second),), up, hole), [])

    def of_steps(self):
        """Write rounds until no state that has been reached has an untried card."""
        while waiting := [state for state, cards in self.untried.items() if cards]:
            for state in waiting:
                while self.untried[state]:
                    walk, drawn = self._reached[state]
                    yield self._finish(walk.copy(), list(drawn))

    def of_joins(self):
        """Write a round for each edge of the join table not yet seen that can be reached."""
        classes = range(self.tables.program.classes)
        for up in self.rng.sample(UPS, len(UPS)):
            deals = [((first, second),) for first in classes for second in classes]
            waiting = deque((Walk(self.tables, deal, up, SIX), []) for deal in deals)
            seen = set()
            while waiting:
                walk, drawn = waiting.popleft()
                if walk.over or (walk.context, walk.entry) in seen:
                    continue
                seen.add((walk.context, walk.entry))
                if walk.entry not in self.untried:
                    yield self._finish(walk.copy(), list(drawn))
                for event, word in self._words_from(walk.entry).items():
                    splits = self.tables.join[walk.context][event] >= self.tables.finished
                    new = (walk.context, event) not in self.joined
                    if splits or new:
                        following = walk.copy()
                        for card in word:
                            following.take(card)
                        if splits:
                            waiting.append((following.copy(), [*drawn, *word]))
                        if new:
                            yield self._finish(following, [*drawn, *word])

    def unreached(self):
        """Return the states that no round has been in."""
        return set(range(len(FINALS), self.tables.first_event)) - set(self.untried)

    # -- how ---------------------------------------------------------------------------------

    def _finish(self, walk, drawn):
        """Go on to the end of the round, along untried edges where there are any."""
        while not walk.over:
            if walk.entry not in self.untried:
                cards = list(range(self.tables.program.classes))
                self.rng.shuffle(cards)
                self.untried[walk.entry] = cards
                self._reached[walk.entry] = walk.copy(), tuple(drawn)
            card = self._next_card(walk.entry)
            walk.take(card)
            drawn.append(card)
        self.joined.update(walk.joined)
        hands = tuple((OF_CLASS[first], OF_CLASS[second]) for first, second in walk.hands)
        up, second = OF_CLASS[walk.up], OF_CLASS[walk.hole]
        return Played(hands, up, second, tuple(drawn), tuple(walk.contexts), walk.entry)

    def _next_card(self, state):
        if self.untried[state]:
            return self.untried[state].pop()
        # splits more often than chance has it: the states behind several of them are rare
        row, first_event = self.tables.step[state], self.tables.first_event
        splitting = [card for card, entry in enumerate(row) if entry - first_event in self._splits]
        if splitting and self.rng.random() < 0.5:
            return self.rng.choice(splitting)
        return self.rng.randrange(len(row))

    def _words_from(self, state):
        """Return the fewest cards that lead from a state to each event of its hand."""
        if state not in self._words:
            found = {}
            waiting = deque([(state, ())])
            seen = {state}
            while waiting:
                current, word = waiting.popleft()
                for card, entry in enumerate(self.tables.step[current]):
                    if entry >= self.tables.first_event:
                        found.setdefault(entry - self.tables.first_event, (*word, card))
                    elif entry not in seen:
                        seen.add(entry)
                        waiting.append((entry, (*word, card)))
            self._words[state] = found
        return self._words[state]
