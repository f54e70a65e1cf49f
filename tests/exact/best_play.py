"""The best over all policies, found the slow and obvious way; nothing here comes from rtpsim.

Cards are dealt one by one in the order of the table, the hole card with them where there is one.
What the player knows is the hand's own cards and the up card. Before a split the best action is
taken by backward induction. After a split the two hands share their decisions and one shoe, the
second being played after the first: there every policy is tried, each on every sequence of cards.

Covered: any shoe, S17 or H17, peek or a dealer natural that takes everything, doubles on any two
cards, double after split, late surrender, insurance, one split, split aces with one card each.
"""

from functools import lru_cache

TEN, ACE = 10, 1


def total_of(cards):
    """Return the best total of cards 1 (ace) to 10, and whether an ace counts 11 in it."""
    hard = sum(cards)
    soft = ACE in cards and hard <= 11
    return (hard + 10, True) if soft else (hard, False)


def without(shoe, card):
    """Return a shoe (counts of 1 to 10) without one card."""
    return tuple(count - (number == card) for number, count in enumerate(shoe, start=1))


def next_cards(shoe):
    """Yield each card that can come next, its probability, and the shoe it leaves."""
    cards = sum(shoe)
    for card, count in enumerate(shoe, start=1):
        if count:
            yield card, count / cards, without(shoe, card)


class Undecided(Exception):  # noqa: N818, a question rather than an error
    """A policy is asked for a decision that it does not hold yet."""


class BestPlay:
    """The best expected net of a game, and of its insurance."""

    def __init__(self, shoe, *, peek=True, h17=False, das=True, surrender=False, splits=True):
        self.shoe = tuple(shoe)
        self.peek, self.h17, self.das = peek, h17, das
        self.surrender, self.splits = surrender, splits
        self.dealer_totals = lru_cache(maxsize=None)(self.dealer_totals)
        self.policies_tried = 0

    # The dealer

    def dealer_totals(self, cards, shoe):
        """Return the probability of each final total (22 for any bust) of the dealer's cards."""
        total, soft = total_of(cards)
        if total > 17 or (total == 17 and not (soft and self.h17)):
            return {min(total, 22): 1.0}
        found = {}
        for card, chance, left in next_cards(shoe):
            for final, part in self.dealer_totals(tuple(sorted((*cards, card))), left).items():
                found[final] = found.get(final, 0.0) + chance * part
        return found

    def settled(self, total, wager, up, hole, shoe):
        """Return the net of a hand that stands, the dealer's second card known or to be drawn."""
        if hole is None:
            net = 0.0
            for card, chance, left in next_cards(shoe):
                if {up, card} == {ACE, TEN}:
                    net -= chance * wager
                else:
                    net += chance * self.settled(total, wager, up, card, left)
            return net
        net = 0.0
        for final, chance in self.dealer_totals(tuple(sorted((up, hole))), shoe).items():
            wins = final == 22 or total > final
            net += chance * wager * (1 if wins else -1 if total < final else 0)
        return net

    # Hands before a split, by backward induction. ``holes`` holds every hole card that there can
    # be with its probability and the shoe it leaves; without a hole card it is None, weighing 1.

    def stand(self, cards, wager, up, holes):
        total, _ = total_of(cards)
        if total > 21:
            return -wager * sum(weight for _, weight, _ in holes)
        return sum(
            weight * self.settled(total, wager, up, hole, left) for hole, weight, left in holes
        )

    def after_card(self, holes):
        """Yield each next card with what it makes of the holes: weights are joint, not given it."""
        for card in range(1, 11):
            following = []
            for hole, weight, left in holes:
                if left[card - 1]:
                    chance = left[card - 1] / sum(left)
                    following.append((hole, weight * chance, without(left, card)))
            if following:
                yield card, following

    def play(self, cards, up, holes, double):
        """Return the best of standing, hitting and, if allowed, doubling."""
        total, _ = total_of(cards)
        if total >= 21:
            return self.stand(cards, 1, up, holes)
        choices = [self.stand(cards, 1, up, holes), self.hit(cards, up, holes)]
        if double:
            choices.append(self.double(cards, up, holes))
        return max(choices)

    def hit(self, cards, up, holes):
        return sum(
            self.play((*cards, card), up, following, double=False)
            for card, following in self.after_card(holes)
        )

    def double(self, cards, up, holes):
        return sum(
            self.stand((*cards, card), 2, up, following)
            for card, following in self.after_card(holes)
        )

    # Hands of a split: every policy, on every sequence of cards

    def split(self, pair, up, holes):
        """Return the best net of both hands of a split over all policies."""
        best = None
        waiting = [{}]
        while waiting:
            policy = waiting.pop()
            try:
                net = self.follow(pair, up, holes, policy)
            except Undecided as question:
                cards, choices = question.args
                waiting += [policy | {cards: choice} for choice in choices]
            else:
                self.policies_tried += 1
                best = net if best is None else max(best, net)
        return best

    def follow(self, pair, up, holes, policy):
        """Return the net of both hands of a split under a policy, dealing every sequence."""
        net = 0.0
        for hole, weight, left in holes:
            for first, wager, chance, rest in self.finish((pair,), left, pair, policy):
                for second, other, part, last in self.finish((pair,), rest, pair, policy):
                    for cards, amount in ((first, wager), (second, other)):
                        net += weight * chance * part * self.paid(cards, amount, up, hole, last)
        return net

    def paid(self, cards, wager, up, hole, shoe):
        total, _ = total_of(cards)
        return -wager if total > 21 else self.settled(total, wager, up, hole, shoe)

    def finish(self, cards, shoe, pair, policy):
        """Yield every end of a split hand: cards, wager, probability, the shoe it leaves."""
        total, _ = total_of(cards)
        alone = len(cards) == 1
        if not alone and (total >= 21 or pair == ACE):
            yield cards, 1, 1.0, shoe
            return
        action = "hit" if alone else self.decision(cards, policy)
        if action == "stand":
            yield cards, 1, 1.0, shoe
            return
        for card, chance, left in next_cards(shoe):
            if action == "double":
                yield (*cards, card), 2, chance, left
            else:
                for end, wager, part, rest in self.finish((*cards, card), left, pair, policy):
                    yield end, wager, chance * part, rest

    def decision(self, cards, policy):
        known = tuple(sorted(cards))
        if known not in policy:
            may_double = self.das and len(cards) == 2
            raise Undecided(known, ("stand", "hit", "double") if may_double else ("stand", "hit"))
        return policy[known]

    # The round

    def round(self):
        """Return the best expected net of the main game, and that of the insurance."""
        net = insurance = 0.0
        for first, chance_1, shoe_1 in next_cards(self.shoe):
            for up, chance_2, shoe_2 in next_cards(shoe_1):
                for second, chance_3, left in next_cards(shoe_2):
                    chance = chance_1 * chance_2 * chance_3
                    main, insured = self.opening(first, second, up, left)
                    net += chance * main
                    insurance += chance * insured
        return net, insurance

    def opening(self, first, second, up, left):
        """Return the best net of an initial hand, and of its insurance."""
        naturals = [
            (chance, hole) for hole, chance, _ in next_cards(left) if {up, hole} == {ACE, TEN}
        ]
        natural = sum(chance for chance, _ in naturals)
        insurance = max(0.0, natural - 0.5 * (1 - natural)) if up == ACE else 0.0
        if {first, second} == {ACE, TEN}:
            return 1.5 * (1 - natural), insurance
        if not self.peek:
            # a dealer natural comes after play and takes all; a surrender then saves nothing
            holes = [(None, 1.0, left)]
            surrendered = -natural - 0.5 * (1 - natural)
            return self.best((first, second), up, holes, surrendered), insurance
        holes = [
            (hole, chance, rest)
            for hole, chance, rest in next_cards(left)
            if {up, hole} != {ACE, TEN}
        ]
        surrendered = -0.5 * (1 - natural)
        return self.best((first, second), up, holes, surrendered) - natural, insurance

    def best(self, cards, up, holes, surrendered):
        choices = [self.play(cards, up, holes, double=True)]
        if self.surrender:
            choices.append(surrendered)
        if self.splits and cards[0] == cards[1]:
            choices.append(self.split(cards[0], up, holes))
        return max(choices)
