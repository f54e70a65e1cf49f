"""Tiny shoes, and charts drawn at random: what the enumerations of the exact tests are made of."""

import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rtpsim.cards import RANKS, VALUE_CLASSES, Shoe
from rtpsim.games import Game
from rtpsim.reference import enumerate_rounds
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import Chart, check_chart
from rtpsim.strategy.notation import COLUMNS, REQUIRED, ROWS


def shoe(text):
    """Read ``A4 6x9 T12 J2``: ranks and how many cards of each; ``5x8`` where a rank is a digit."""
    counts = [0] * 52
    for word in text.split():
        rank, number = word[0], word[1:].lstrip("x")
        counts[4 * RANKS.index(rank)] += int(number)
    return Shoe(tuple(counts))


def random_chart(seed, rules):
    """Draw a chart that fits the rules: letters of every kind, rows of every kind.

    Seed 0 is no draw: double where it is allowed, else hit to hard 17 and soft 18, split, insure.
    """
    if seed == 0:
        return _eager_chart()
    rng = random.Random(seed)
    rows = {}
    for label, row in ROWS.items():
        if label in REQUIRED or rng.random() < _share(label, row, rules):
            rows[label] = tuple(_cell(rng, row, up) for up in COLUMNS)
    chart = Chart(f"random {seed}", rows)
    check_chart(chart, rules)
    return chart


def _eager_chart():
    rows = {f"hard {total}": ("Dh" if total < 12 else "H",) * 10 for total in range(4, 17)}
    rows |= {f"hard {total}": ("S",) * 10 for total in range(17, 22)}
    rows |= {f"soft {total}": ("H" if total < 18 else "Ds",) * 10 for total in range(12, 22)}
    rows |= {f"pair {card}": ("P",) * 10 for card in VALUE_CLASSES}
    return Chart("eager", rows | {"insurance": ("N",) * 9 + ("Y",)})


def _share(label, row, rules):
    """Return how often a row that a chart may leave out is drawn."""
    if row.kind in ("power double", "replace"):
        return 1 if rules.power_double != "none" else 0
    if row.kind == "power split":
        return 0.8 if rules.power_split != "none" else 0
    if row.at_least > 2:
        return 0.2 if row.at_least <= 5 else 0.02
    return 0.9 if label == "insurance" else 0.25


def _cell(rng, row, up):
    if row.kind == "replace":
        return "".join(card for card in VALUE_CLASSES if rng.random() < 0.5) or "-"
    if row.kind == "insurance":
        return rng.choice("YN") if up == "A" else "N"
    if row.kind == "pair" and rng.random() < 0.6:
        return "P"
    if row.kind in ("hard", "soft") and row.total >= 17 and rng.random() < 0.7:
        return "S"  # else most hands would be hit until they bust
    return rng.choice(row.allowed)


def game_of(rules, *, insurance=True, even_money=False):
    """Return a game of a rule string."""
    game = Game.from_rules(parse_rules(rules))
    return game.model_copy(update={"insurance": insurance, "even_money": even_money})


@cache
def enumerated(game, chart, cards):
    """Return the referee's enumeration of every round, played once however often it is asked."""
    return enumerate_rounds(game, chart, shoe(cards))


def referee_means(game, chart, cards):
    """Return net, wager and insurance net per initial wager, exactly, by the referee."""
    net = wager = insurance = 0
    for outcome, probability in enumerated(game, chart, cards).items():
        net += probability * outcome.net
        wager += probability * outcome.wager
        insurance += probability * outcome.insurance_net
    unit = game.rules.unit
    return float(net / unit), float(wager / unit), float(insurance / unit)


CLASS_OF = {card: number for number, card in enumerate(VALUE_CLASSES)}


def mean_net(openings):
    """Return the expected net of the main game over all openings."""
    return sum(opening.probability * opening.worth.net for opening in openings)


def mean_wager(openings):
    """Return the expected total wager over all openings."""
    return sum(opening.probability * opening.worth.wager for opening in openings)


def mean_insurance(openings):
    """Return the expected net of the insurance over all openings."""
    return sum(opening.probability * opening.insurance for opening in openings)


class Case(NamedTuple):
    """Rules, the cards of the shoe, the seed of the chart, and whether even money is offered."""

    rules: str
    cards: str
    seed: int
    even_money: bool

    def __str__(self):
        return f"{self.rules} | {self.cards} | {self.seed}"


class GameCase(NamedTuple):
    """A catalogue game under some readings, the cards of the shoe, and the seed of the chart."""

    game: str
    readings: dict
    cards: str
    seed: int

    def __str__(self):
        return f"{self.game} | {' '.join(self.readings.values())} | {self.cards} | {self.seed}"


def read_cases(section):
    """Read one section of the file of cases."""
    text = Path(__file__).with_name("enumeration_cases.txt").read_text(encoding="utf-8")
    lines = text.split(f"[{section}]")[1].split("[")[0].splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            what, *cells = (cell.strip() for cell in line.split("|"))
            if section == "games":
                readings = dict(word.split("=") for word in cells[0].split())
                yield GameCase(what, readings, cells[1], int(cells[2]))
            else:
                yield Case(what, cells[0], int(cells[1]), "em" in cells[2].split())
