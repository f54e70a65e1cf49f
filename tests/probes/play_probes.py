"""Faults in play, payment, side bets and exact values."""

from probe import of

from rtpsim.exact import upcard

SETTLED = "program/test_program_settlement.py::"
ENUMERATED = "exact/test_exact_enumeration.py::test_a_chart_returns_what_its_enumeration_does"

PAYMENTS = [
    of(
        "the unit of halves where naturals pay 6:5",
        "rules:Rules.unit",
        "math.lcm(2, self.natural_pays.denominator)",
        "2",
        "test_rules.py::test_results_are_whole_numbers_of_the_unit",
    ),
    of(
        "a natural paid evenly",
        "program.settlement:_settle_hand",
        "int(unit * rules.natural_pays)",
        "unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a natural paid after a split",
        "program.graph:Graph.arrive",
        "if hand.best == 21 and not self.rules.hit_21:\n        return Result(Ending.STAND",
        "if hand.best == 21 and not self.rules.hit_21:\n        "
        "return Result(Ending.NATURAL if hand.cards == 2 else Ending.STAND",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
    of(
        "insurance that is always lost",
        "program.settlement:settle",
        "2 * stake if final is Final.NATURAL else -stake",
        "-stake",
        SETTLED + "test_insurance_by_hand",
    ),
    of(
        "insurance of a whole wager",
        "program.settlement:settle",
        "unit // 2 if",
        "unit if",
        SETTLED + "test_insurance_by_hand",
    ),
    of(
        "even money at three to two",
        "program.settlement:_settle_hand",
        "case Ending.EVEN_MONEY:\n            return unit",
        "case Ending.EVEN_MONEY:\n            return 3 * unit // 2",
        SETTLED + "test_by_hand",
    ),
    of(
        "surrender that gives a half more",
        "program.settlement:_settle_hand",
        "else -unit // 2",
        "else unit // 2",
        SETTLED + "test_by_hand",
    ),
    of(
        "early surrender that costs all",
        "program.settlement:_settle_hand",
        "case Ending.EARLY_SURRENDER:\n            return -unit // 2",
        "case Ending.EARLY_SURRENDER:\n            return -unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a bust that is a push",
        "program.settlement:_settle_hand",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return -stake",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return 0",
        SETTLED + "test_by_hand",
    ),
    of(
        "pushes lost",
        "program.settlement:_compare",
        "(total > dealer) - (total < dealer)",
        "1 if total > dealer else -1",
        SETTLED + "test_by_hand",
    ),
    of(
        "a Charlie that beats a dealer natural",
        "program.settlement:_settle_hand",
        "if final is Final.NATURAL:\n                return -stake\n",
        "if final is Final.NATURAL:\n                return stake\n",
        SETTLED + "test_by_hand",
    ),
    of(
        "OBO that takes doubled bets too",
        "program.settlement:_settle_original_bet",
        "case _:\n            return -unit",
        "case _:\n            return -2 * unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a double for half the price",
        "program.graph:Graph._doubled",
        "return Result(ending, spot.hand.best, 2)",
        "return Result(ending, spot.hand.best, 1)",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
    of(
        "a dealer who stands on 16",
        "program.dealer:dealer_final",
        "hand.best < 17 or",
        "hand.best < 16 or",
        "program/test_program_tables.py",
    ),
    of(
        "cells of a chart taken from the next column",
        "program.player:ChartPlayer._cell",
        "self.chart.cell(row, up)",
        "self.chart.cell(row, (up + 1) % 10)",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
]

BETS = [
    *(
        of(
            f"{outcome} not told by the classifier",
            "sidebets:_holds",
            text,
            f'case "no such outcome {n}":',
            "test_sidebets.py::test_three_cards",
            "test_sidebets.py::test_two_cards",
        )
        for n, (outcome, text) in enumerate(
            {
                "suited trips and perfect pairs": 'case "suited-trips" | "perfect":',
                "straight flushes": 'case "straight-flush":',
                "trips and mixed pairs": 'case "trips" | "mixed":',
                "straights": 'case "straight":',
                "flushes": 'case "flush":',
                "coloured pairs": 'case "coloured":',
            }.items()
        )
    ),
    of(
        "straights round the corner",
        "sidebets:_is_straight",
        "return middle == low + 1",
        "return (high - low) in (2, 12) or middle == low + 1",
        "test_sidebets.py::test_three_cards",
    ),
    of(
        "the ace high only",
        "sidebets:_is_straight",
        'ace == "high"',
        "True",
        "test_sidebets.py::test_the_ace_in_straights_is_a_setting",
    ),
    of(
        "an engine's table without coloured pairs",
        "sidebets:outcome_table",
        "red[0] == red[1]",
        "ranks[0] < 0",
        "test_sidebets.py::test_the_table_of_pairs_says_what_the_classifier_says",
    ),
    of(
        "cards put back between those of a side bet",
        "sidebets:deal_ways",
        "(copies[None, :] - same)",
        "(copies[None, :] - 0 * same)",
        "test_sidebets.py",
    ),
]

EXACT = [
    of(
        "cells expected of a shoe whose cards are put back",
        "statistics.expected:expected_deals",
        "deal[:i].count(card)",
        "0",
        "statistics/test_expected.py::test_small_shoe_is_enumerated_card_by_card",
    ),
    of(
        "a peek that tells nothing",
        "exact.upcard:UpCard._whole",
        None,
        lambda self, a, b, net, wager: upcard.Worth(net, wager),
        ENUMERATED,
    ),
    of(
        "late surrender in place of early",
        "exact.upcard:UpCard.surrender",
        None,
        lambda *_: upcard.Worth(-0.5, 1.0),
        ENUMERATED,
    ),
    of(
        "every power double lost, and one wager of it",
        "exact.upcard:UpCard._power_net",
        None,
        lambda self, end: -end.chance,
        ENUMERATED,
    ),
]
