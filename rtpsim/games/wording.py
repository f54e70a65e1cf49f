"""Rules in words: each rule of a game as one short sentence, each field's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.rules import Rules

RULE_NAMES: Final[Mapping[str, str]] = {
    "decks": "number of decks",
    "soft17": "dealer on soft 17",
    "double": "totals that may be doubled",
    "double_soft": "soft totals doubled as 10 less",
    "double_any_cards": "double any number of cards",
    "double_after_split": "double after split",
    "splits": "number of splits",
    "split_by": "pairs by value or rank",
    "resplit_aces": "resplit aces",
    "hit_split_aces": "hit split aces",
    "double_split_aces": "double split aces",
    "surrender": "surrender",
    "natural_pays": "pay of a natural",
    "hole_card": "hole card",
    "charlie": "cards of a Charlie",
    "charlie_after_split": "Charlie after a split",
    "charlie_21_pushes": "Charlie of 21 pushes",
    "max_cards": "cards at which a hand stands",
    "hit_21": "21 may be hit",
    "push_22": "dealer 22",
    "power_double": "power double",
    "power_split": "power split",
    "insurance_peek": "peek when insured",
}
"""Field of `rtpsim.rules.Rules` -> what it is called on axes and controls."""

_HOLE_CARD = {
    "peek": "The dealer looks for a natural under an ace and a ten before anybody plays; "
    "one ends the round.",
    "peek-ace": "The dealer looks for a natural under an ace only; one under a ten takes every "
    "bet of the round.",
    "peek-ten": "The dealer looks for a natural under a ten only; one under an ace takes every "
    "bet of the round.",
    "obo": "The dealer takes one card only until the players are done; a natural then takes the "
    "original bets only.",
    "enhc": "The dealer takes one card only until the players are done; a natural then takes "
    "every bet of the round, doubles and splits included.",
}
_SURRENDER = {
    "none": "No surrender.",
    "late": "Late surrender: half the bet comes back, unless the dealer has a natural.",
    "late-not-ace": "Late surrender, not against an ace: half the bet comes back, unless the "
    "dealer has a natural.",
    "early": "Early surrender: half the bet comes back whatever the dealer turns out to have.",
    "early-ten": "Early surrender, not against an ace: half the bet comes back whatever the "
    "dealer turns out to have.",
}
_POWER_DOUBLE = {
    "9-11": "9, 10 or 11",
    "9-11-soft": "9, 10, 11, soft 19 or 20",
    "10-11": "10 or 11",
}
_TIMES = {1: "once", 2: "twice", 3: "three times"}


def rules_in_words(rules: Rules) -> list[str]:
    """Return one sentence for every rule that holds, in the order of the rule string."""
    decks = "One deck" if rules.decks == 1 else f"{rules.decks} decks"
    sentences = [
        f"{decks} of 52 cards, shuffled before every round.",
        f"The dealer {'stands on' if rules.soft17 == 'stand' else 'hits'} soft 17.",
        *_doubling(rules),
        *_splitting(rules),
        _SURRENDER[rules.surrender],
        f"A natural pays {rules.natural_pays.numerator} to {rules.natural_pays.denominator}.",
        _HOLE_CARD[rules.hole_card],
        *_extras(rules),
    ]
    return [sentence for sentence in sentences if sentence]


def _doubling(rules: Rules) -> list[str]:
    """Say what may be doubled."""
    if rules.double == "none":
        return ["No doubling."]
    cards = "any number of cards" if rules.double_any_cards else "two cards"
    if rules.double == "any":
        which = "any number of cards" if rules.double_any_cards else "any two cards"
    else:
        which = f"{cards} of hard {rules.double}"
        if rules.double_soft:
            which += ", where soft 18 counts as 8, soft 19 as 9 and so on"
    after = "also" if rules.double_after_split else "not"
    return [f"Double {which}, for one card more; {after} after a split."]


def _splitting(rules: Rules) -> list[str]:
    """Say what may be split, and what becomes of aces."""
    if rules.splits == 0:
        return ["No splitting of pairs."]
    pair = (
        "cards of equal value (J,K)" if rules.split_by == "value" else "equal ranks (J,J not J,K)"
    )
    if rules.splits == "tree":
        often = "once, and each of the two hands once more"
    else:
        often = _TIMES[rules.splits]
        if rules.splits > 1:
            often += f" in all, up to {rules.splits + 1} hands"
    aces = []
    if rules.splits != 1:
        aces.append("may be split again" if rules.resplit_aces else "are not split again")
    if rules.hit_split_aces:
        aces.append("may be hit")
        aces.append("may be doubled" if rules.double_split_aces else "are not doubled")
    else:
        aces.append("receive one card each")
    return [f"Split {pair} {often}.", f"Split aces {_listed(aces)}."]


def _extras(rules: Rules) -> list[str]:
    """Say what only some games have."""
    sentences = []
    if rules.charlie is not None:
        sentence = f"{rules.charlie} cards not over 21 win"
        if rules.charlie_21_pushes:
            sentence += ", but 21 of them push with a dealer 21"
        sentences.append(f"{sentence}{'' if rules.charlie_after_split else '; not after a split'}.")
    if rules.max_cards is not None:
        sentences.append(f"A hand of {rules.max_cards} cards stands by itself.")
    if rules.hit_21:
        sentences.append("A hand of 21 may be hit.")
    if rules.push_22 != "none":
        naturals = "naturals too" if rules.push_22 == "push-naturals" else "naturals still win"
        sentences.append(f"A dealer 22 pushes what is alive; {naturals}.")
    if rules.power_double != "none":
        sentences.append(
            f"Power double on {_POWER_DOUBLE[rules.power_double]} (initial two cards): the third "
            "card may be replaced, once, by the next."
        )
    if rules.power_split != "none":
        again = "may" if rules.power_split == "resplit" else "may not"
        sentences.append(
            "Power split: an initial hard 15 or 16 without an ace may be split whatever its "
            f"ranks; its hands {again} be split again."
        )
    if rules.insurance_peek:
        sentences.append(
            "When insurance is taken the dealer checks for a natural at once, and play goes on "
            "only without one."
        )
    return sentences


def _listed(words: list[str]) -> str:
    """Join words as people do: one, two and three."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
