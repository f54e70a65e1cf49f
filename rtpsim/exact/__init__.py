"""The exact engine: what a game returns, by enumeration of every hand."""

from rtpsim.exact.result import ExactResult, Moments, exact

__all__ = ["ExactResult", "Moments", "exact"]
