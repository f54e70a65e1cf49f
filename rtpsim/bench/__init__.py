"""Bench: how fast this machine plays, measured so that others can compare."""

from rtpsim.bench.measuring import DEFAULT_GAMES, DEFAULT_ROUNDS, measure, rounds_in_all
from rtpsim.bench.result import Bench

__all__ = ["DEFAULT_GAMES", "DEFAULT_ROUNDS", "Bench", "measure", "rounds_in_all"]
