"""Results: what a run counted, of what, where it came from, and its files."""

from rtpsim.results.result import FORMAT_VERSION, SimulationResult, rounds_asked
from rtpsim.results.terms import BetTerms, TallyLike

__all__ = ["FORMAT_VERSION", "BetTerms", "SimulationResult", "TallyLike", "rounds_asked"]
