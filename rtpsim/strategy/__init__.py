"""Charts: total-dependent ways to play, as tables by hand and dealer's up card."""

from rtpsim.strategy.chart import Chart, Origin, format_chart
from rtpsim.strategy.checks import check_chart, default_chart
from rtpsim.strategy.choice import STRATEGIES, AnyStrategy, chosen_strategy, strategy_name
from rtpsim.strategy.files import read_chart, strategies_dir, strategy_names, write_chart
from rtpsim.strategy.notation import ACTIONS, COLUMNS, ROWS, Row, card_classes, two_cards
from rtpsim.strategy.reading import parse_chart

__all__ = [
    "ACTIONS",
    "COLUMNS",
    "ROWS",
    "STRATEGIES",
    "AnyStrategy",
    "Chart",
    "Origin",
    "Row",
    "card_classes",
    "check_chart",
    "chosen_strategy",
    "default_chart",
    "format_chart",
    "parse_chart",
    "read_chart",
    "strategies_dir",
    "strategy_name",
    "strategy_names",
    "two_cards",
    "write_chart",
]
