"""Round flow: the course of a round in words, as the rules have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.rules import Rules

_PEEK = {
    "peek": "an ace or a card worth ten",
    "peek-ace": "an ace",
    "peek-ten": "a card worth ten",
}


def round_flow(game: Game) -> list[str]:
    """Return the steps of a round, in order."""
    rules = game.rules
    hole = rules.hole_card in _PEEK
    steps = [
        f"All {52 * rules.decks} cards are shuffled.",
        "Every hand receives two cards; the dealer receives an open card"
        + (" and one face down." if hole else " only."),
    ]
    if game.side_bets:
        steps.append(
            "Side bets are decided by the cards dealt, whatever becomes of the hand; a bet that "
            "looks at the dealer's second card is decided when it is seen."
        )
    if rules.surrenders_early:
        steps.append(
            "A hand may be surrendered before anything else happens: half its bet comes back."
        )
    if game.insurance:
        steps.append(
            "Against an ace, insurance of half the bet is offered; it pays 2 to 1 if the dealer "
            "has a natural."
        )
    if game.even_money:
        steps.append("A natural against an ace may take even money instead, which ends the hand.")
    steps += _before_play(rules)
    steps += [
        _play(rules),
        "The dealer draws to 17 and " + _soft17(rules) + ", if any hand still depends on it.",
        _settlement(rules),
    ]
    return steps


def _before_play(rules: Rules) -> list[str]:
    """Say what comes before the hands are played."""
    steps = []
    if rules.hole_card in _PEEK:
        steps.append(
            f"Showing {_PEEK[rules.hole_card]}, the dealer looks at the card face down; a natural "
            "ends the round, and only a player's natural does not lose."
        )
    if rules.insurance_peek:
        steps.append(
            "Where insurance was taken, the dealer takes the second card at once; a natural ends "
            "the round."
        )
    return steps


def _play(rules: Rules) -> str:
    """Say what each hand may do."""
    ways = ["stands", "draws"]
    if rules.double != "none":
        ways.append("doubles")
    if rules.splits != 0 or rules.power_split != "none":
        ways.append("splits")
    if rules.surrender in ("late", "late-not-ace"):
        ways.append("surrenders")
    listed = f"{', '.join(ways[:-1])} or {ways[-1]}"
    stands = "" if rules.hit_21 else "; 21 stands by itself"
    return (
        f"Each hand in turn, a natural apart, {listed}, as the chart says{stands}; over 21 it "
        "has lost."
    )


def _soft17(rules: Rules) -> str:
    return "stands on a soft 17" if rules.soft17 == "stand" else "hits a soft 17"


def _settlement(rules: Rules) -> str:
    """Say how the hands are settled."""
    said = (
        f"Hands are compared: a natural pays {rules.natural_pays.numerator} to "
        f"{rules.natural_pays.denominator}, another win one to one, an equal total pushes"
    )
    if rules.charlie is not None:
        said += f", {rules.charlie} cards not over 21 win"
    if rules.push_22 != "none":
        said += ", a dealer 22 pushes what is alive"
    return f"{said}."
