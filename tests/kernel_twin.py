"""The kernel once more in plain Python: random words, draws, queue and tables, bit for bit."""

from collections import Counter
from typing import NamedTuple

from table_walker import Tables, Walk

BLOCK = 1024  # deals at a time
HALF_BLOCK = 512
AHEAD = {150: 8, 52: 6, 0: 4}  # cards dealt at once by the least size of the shoe, one hand
LOW = 0xFFFFFFFF


def philox(counter, key):
    """Return the four words of Philox4x32-10: Salmon et al., SC'11, section 4.3."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        product0 = 0xD2511F53 * x0
        product1 = 0xCD9E8D57 * x2
        x0, x1, x2, x3 = (
            product1 >> 32 ^ x1 ^ k0,
            product1 & LOW,
            product0 >> 32 ^ x3 ^ k1,
            product0 & LOW,
        )
        k0 = (k0 + 0x9E3779B9) & LOW
        k1 = (k1 + 0xBB67AE85) & LOW
    return x0, x1, x2, x3


class Words:
    """A chunk's random words; `draws` takes the next blocks of 128 bits as 16-bit numbers."""

    def __init__(self, seed, game_hash, chunk=0):
        self.key = (seed & LOW, seed >> 32)
        self.counter = (chunk, int(game_hash[:8], 16), int(game_hash[8:16], 16))
        self.block = 0

    def draws(self, count):
        """Return at least so many draws: the first halves of all blocks, then the second ones."""
        blocks = -(-count // 16) * 2
        outputs = [
            philox((self.block + number, *self.counter), self.key) for number in range(blocks)
        ]
        self.block += blocks
        words = [word for output in outputs for word in output[:2]]
        words += [word for output in outputs for word in output[2:]]
        return [half for word in words for half in (word & 0xFFFF, word >> 16)]


class Finished(NamedTuple):
    """A round: numbers of the cards dealt, classes drawn, the dealer's final and the contexts."""

    dealt: list
    drawn: list
    final: int
    contexts: list


class _Round:
    def __init__(self, tables, dealt):
        classes = tables.program.classes
        self.dealt = dealt
        of_class = [min(number // 4, classes - 1) for number in dealt]
        up, hole, *hands = of_class
        pairs = list(zip(hands[::2], hands[1::2], strict=True))
        self.used = Counter(of_class)
        self.drawn = []
        self.walk = Walk(tables, pairs, min(up, 9), min(hole, 9))

    def propose(self, card, copy):
        """Take a card of the full shoe unless it is used."""
        if copy >= self.used[card]:
            self.accept(card)

    def accept(self, card):
        """Take a card."""
        self.used[card] += 1
        self.drawn.append(card)
        self.walk.take(card)

    @property
    def plays_apart(self):
        """Whether a hand just dealt goes on and has been split or insured."""
        tables, walk = self.walk.tables, self.walk
        hand_goes_on = not walk.over and not walk.contexts
        return hand_goes_on and bool(walk.joined or tables.insured[walk.context])


def play(program, shoe, rounds, *, seed, game_hash, hands=1, chunk=0):
    """Play one chunk; return its rounds in the order dealt."""
    table = _Table(Tables(program), shoe, Words(seed, game_hash, chunk))
    played, playing = [], []
    while len(played) < rounds or playing:
        if hands > 1:
            wanted = min(BLOCK - len(playing), rounds - len(played))
            started = [_Round(table.tables, dealt) for dealt in table.deals(wanted, 2 + 2 * hands)]
            played += started
            playing = table.draw(playing + started)
        elif len(played) < rounds and len(playing) <= HALF_BLOCK:
            started, going_on = table.play_ahead(rounds - len(played))
            played += started
            playing += going_on
        else:
            playing = table.draw(playing)
    return [Finished(one.dealt, one.drawn, one.walk.entry, one.walk.contexts) for one in played]


class _Table:
    """The shoe and the random words that rounds are played with."""

    def __init__(self, tables, shoe, words):
        self.tables = tables
        self.words = words
        decks = range(max(shoe.counts))
        self.numbers = [n for deck in decks for n in range(52) if shoe.counts[n] > deck]
        self.of_class = [min(number // 4, tables.program.classes - 1) for number in self.numbers]
        seen = Counter()
        self.copies = []
        for card in self.of_class:
            self.copies.append(seen[card])
            seen[card] += 1

    def deals(self, wanted, cards):
        """Return the numbers of the cards dealt at once, for the deals that are accepted."""
        places = _deals(self.words, wanted, cards, len(self.numbers))
        return [[self.numbers[place] for place in dealt] for dealt in places]

    def play_ahead(self, most):
        """Deal a block; return its first rounds, and those of them that are not over."""
        cards = next(ahead for least, ahead in AHEAD.items() if len(self.numbers) >= least)
        started = []
        for dealt in self.deals(BLOCK, cards)[:most]:
            one = _Round(self.tables, dealt[:4])
            started.append(one)
            for number in () if one.plays_apart else dealt[4:]:
                if not one.walk.over:
                    one.accept(min(number // 4, self.tables.program.classes - 1))
        return started, [one for one in started if not one.walk.over]

    def draw(self, playing):
        """Propose a card to every round; return those not over."""
        draws = self.words.draws(len(playing)) if playing else []
        for one, draw in zip(playing, draws, strict=False):
            place, low = divmod(draw * len(self.numbers), 1 << 16)
            if low >= (1 << 16) % len(self.numbers) and not one.walk.over:
                one.propose(self.of_class[place], self.copies[place])
        return [one for one in playing if not one.walk.over]


def _deals(words, wanted, cards, size):
    """Return the positions of the initial cards of the deals that are accepted."""
    if wanted == 0:
        return []
    draws = words.draws(wanted * cards)
    deals = []
    for number in range(wanted):
        products = [draws[card * wanted + number] * size for card in range(cards)]
        places = [product >> 16 for product in products]
        unbiased = all(product & 0xFFFF >= (1 << 16) % size for product in products)
        if unbiased and len(set(places)) == cards:
            deals.append(places)
    return deals
