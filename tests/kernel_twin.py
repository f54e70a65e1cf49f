"""The kernel once more in plain Python: random words, draws, queue and tables, bit for bit."""

from collections import Counter
from typing import NamedTuple

from table_walker import Tables, Walk

BLOCK = 1024  # rounds in play at a time
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
        blocks = -(-count // 8)
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
        """Take a card of the full shoe unless it is used; return whether the hand had an event."""
        if self.walk.over or copy < self.used[card]:
            return False
        events = len(self.walk.joined)
        self.used[card] += 1
        self.drawn.append(card)
        self.walk.take(card)
        return len(self.walk.joined) > events


def play(program, shoe, rounds, *, seed, game_hash, hands=1, chunk=0):
    """Play one chunk; return its rounds in the order dealt."""
    tables = Tables(program)
    words = Words(seed, game_hash, chunk)
    numbers = [number for number in range(52) for _ in range(shoe.counts[number])]
    of_class = [min(number // 4, program.classes - 1) for number in numbers]
    copies = [place - of_class.index(card) for place, card in enumerate(of_class)]
    played, playing = [], []
    while len(played) < rounds or playing:
        wanted = min(BLOCK - len(playing), rounds - len(played))
        for dealt in _deals(words, wanted, 2 + 2 * hands, len(numbers)):
            started = _Round(tables, [numbers[place] for place in dealt])
            played.append(started)
            playing.append(started)
        kept, after_event = [], []
        draws = words.draws(len(playing)) if playing else []
        for started, draw in zip(playing, draws, strict=False):
            place, low = divmod(draw * len(numbers), 1 << 16)
            event = low >= (1 << 16) % len(numbers) and started.propose(
                of_class[place], copies[place]
            )
            if not started.walk.over:
                (after_event if event else kept).append(started)
        playing = kept + after_event
    return [Finished(one.dealt, one.drawn, one.walk.entry, one.walk.contexts) for one in played]


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
