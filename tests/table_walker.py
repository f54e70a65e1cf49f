"""A Program followed card by card in plain Python: slow, obvious, the kernel's twin.

It knows the tables' meaning (`rtpsim.program.compiler.Program`) and nothing of blackjack.
"""

from rtpsim.program.settlement import FINALS


class Tables:
    """A Program as nested lists, which plain Python reads quickest."""

    def __init__(self, program):
        self.program = program
        self.first_event = program.first_event
        self.finished = len(program.finished)
        self.step = program.step[:, : program.classes].tolist()
        self.start = program.start.tolist()
        self.start_context = program.start_context.tolist()
        self.join = program.join.tolist()
        self.resume = program.resume.tolist()
        self.insured = program.insured.tolist()
        self.dealer = program.dealer.tolist()
        self.settlement = program.settlement.tolist()


class Walk:
    """One round on its way through the tables.

    `hands` are pairs of classes (the Program's), `up` and `hole` value classes. `entry` is the
    state that waits for a card, or the dealer's final once the round is over; `contexts` are
    those of the hands finished; `joined` lists the (context, event) pairs that came up.
    """

    def __init__(self, tables, hands, up, hole):
        self.tables = tables
        self.hands = hands
        self.up = up
        self.hole = hole
        contexts = [tables.start_context[first][second][up] for first, second in hands]
        checks = tables.program.checks_for_all
        plane = 1 if checks and any(tables.insured[context] for context in contexts) else 0
        entries = [tables.start[plane][first][second][up][hole] for first, second in hands]
        self.waiting = list(zip(entries, contexts, strict=True))
        self.contexts = []
        self.joined = []
        self.entry, self.context = self.waiting.pop(0)
        self._follow_events()

    @property
    def over(self):
        return self.entry < len(FINALS)

    def take(self, card):
        """Follow a card (a class of the Program's)."""
        assert not self.over, "the round is over"
        self.entry = self.tables.step[self.entry][card]
        self._follow_events()

    def _follow_events(self):
        tables = self.tables
        while self.entry >= tables.first_event:
            event = self.entry - tables.first_event
            self.joined.append((self.context, event))
            self.context = tables.join[self.context][event]
            assert self.context >= 0, "an event that its context does not know"
            self.entry = tables.resume[self.context][self.up]
            if self.context < tables.finished:
                self.contexts.append(self.context)
                if self.waiting:
                    self.entry, self.context = self.waiting.pop(0)
                else:
                    need = max(tables.resume[context][self.up] for context in self.contexts)
                    self.entry = tables.dealer[self.up][self.hole][need]

    def copy(self):
        """Return another round that stands where this one does."""
        twin = object.__new__(Walk)
        twin.__dict__.update(self.__dict__)
        twin.waiting = list(self.waiting)
        twin.contexts = list(self.contexts)
        twin.joined = list(self.joined)
        return twin
