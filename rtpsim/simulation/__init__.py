"""Simulation: rounds dealt card by card from freshly shuffled shoes, counted in integers."""

from rtpsim.simulation.run import available_cores, simulate
from rtpsim.simulation.streams import STREAM_VERSION
from rtpsim.simulation.tally import Tally

__all__ = ["STREAM_VERSION", "Tally", "available_cores", "simulate"]
