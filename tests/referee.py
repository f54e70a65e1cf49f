"""Short-hand of the referee's tests: rules, the letters that matter, and the cards of a round."""

from fractions import Fraction

from rtpsim.games import Game
from rtpsim.reference import parse_cards, play_round
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import Chart

COLUMNS = "23456789TA"


def chart(letters=None):
    """Hit below 17 (soft 18), stand from there on, split nothing; but for the letters given.

    A letter holds against every up card; ten of them, separated by blanks, are a whole row.
    """
    rows = {f"hard {total}": "H" if total < 17 else "S" for total in range(4, 22)}
    rows |= {f"soft {total}": "H" if total < 18 else "S" for total in range(12, 22)}
    rows |= {f"pair {card}": "H" if card in "2345678A" else "S" for card in COLUMNS}
    rows["insurance"] = "N"
    cells = {}
    for row, letter in (rows | (letters or {})).items():
        words = letter.split()
        cells[row] = tuple(words) if len(words) == 10 else (letter,) * 10
        if row.startswith("insurance") and letter == "Y":
            cells[row] = ("N",) * 9 + ("Y",)
    return Chart("test", cells)


def game(rules, **changes):
    return Game(id="test", title="Test", rules=parse_rules(f"6D {rules}"), max_hands=7, **changes)


def play(rules, cards, letters=None, trace=False, **changes):
    """Play one round, in which every card given must be used."""
    source = parse_cards(cards)
    result = play_round(
        game(rules, **changes), chart(letters), source, hands=source.hands, trace=trace
    )
    assert source.unused == ()
    return result


def paid(result):
    """Net and wager of the main game, or of a seat of it, in initial wagers."""
    unit = getattr(result, "unit", 2)
    return Fraction(result.net, unit), Fraction(result.wager, unit)


def insurance(result):
    """Net and wager of the insurance in initial wagers, for results in halves."""
    return result.insurance_net / 2, result.insurance_wager / 2


def routes(result):
    """Route and total of each final hand of the first seat, in the order played."""
    return [(hand.route, hand.total) for hand in result.seats[0].hands]
