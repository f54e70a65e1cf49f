"""All planted faults by what they break.

Faults of rules, of paytables' rows and of each figure of a result are made by the dozen, in
`rule_probes.py`, `test_probe_paytables.py` and `figure_probes.py`.
"""

from dealing_probes import DEALING
from play_probes import BETS, EXACT, PAYMENTS
from property_probes import PROPERTIES
from result_probes import RESULTS
from run_file_probes import RUNS
from spread_probes import SPREAD
from statistics_probes import FIGURES, TESTS

GROUPS = {
    "Figures and their errors": FIGURES,
    "Tests and verdicts": TESTS,
    "What results make of their figures": RESULTS,
    "Play and payment": PAYMENTS,
    "Shoe, streams and counting": DEALING,
    "Side bets": BETS,
    "Exact figures": EXACT,
    "Volatility, sessions, extremes, contributions, and what is judged": SPREAD,
    "Files and runs": RUNS,
    "What holds of any rules, charts and shoes": PROPERTIES,
}
ALL = [probe for group in GROUPS.values() for probe in group]
PROBES = {probe.name: probe for probe in ALL}
assert len(PROBES) == len(ALL), "two probes have one name"
