"""The referee: plays rounds literally from given cards, rule by rule, and writes a trace.

It reads rules and charts by itself and shares no code with the compiler, the exact engine or the
kernel, so that it can tell whether they are right.
"""

from rtpsim.reference.results import HandResult, RoundResult, SeatResult
from rtpsim.reference.runs import (
    Outcome,
    RefereeTally,
    enumerate_rounds,
    referee_run,
)
from rtpsim.reference.sources import (
    CardSource,
    ScriptedSource,
    ShoeSource,
    SuitlessCard,
    parse_cards,
)
from rtpsim.reference.table import Referee, play_round

__all__ = [
    "CardSource",
    "HandResult",
    "Outcome",
    "Referee",
    "RefereeTally",
    "RoundResult",
    "ScriptedSource",
    "SeatResult",
    "ShoeSource",
    "SuitlessCard",
    "enumerate_rounds",
    "parse_cards",
    "play_round",
    "referee_run",
]
