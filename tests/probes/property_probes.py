"""Faults that what holds of any rules, charts and shoes has to show."""

from probe import of

CONSERVED = "test_properties.py::test_nothing_is_won_or_lost_but_by_the_rules"
LEGAL = "test_properties.py::test_every_terminal_is_a_legal_result"
FAVOURED = "test_properties.py::test_what_adds_an_option_or_raises_a_payment_costs_nothing"

PROPERTIES = [
    of(
        "a referee who pays pushes",
        "reference.settlement:_hand_net",
        'return 0, "pushes"',
        'return stake, "pushes"',
        CONSERVED,
    ),
    of(
        "a referee who gives all back for a surrender",
        "reference.settlement:_hand_net",
        'return -unit // 2, "is surrendered"',
        'return 0, "is surrendered"',
        CONSERVED,
    ),
    of(
        "a referee who splits once more than the rules allow",
        "reference.player:Player.may_split",
        "seat.splits < rules.splits",
        "seat.splits <= rules.splits",
        CONSERVED,
    ),
    of(
        "a terminal that loses more than was wagered",
        "program.settlement:_settle_hand",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return -stake",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return -2 * stake",
        LEGAL,
    ),
    of(
        "a compiler that splits once more than the rules allow",
        "program.contexts:may_split_again",
        "context.splits < rules.splits",
        "context.splits <= rules.splits",
        LEGAL,
    ),
    of(
        "the worst play taken for the best",
        "exact.policies:OptimalPolicy.opening",
        "max(nets",
        "min(nets",
        FAVOURED,
    ),
]
