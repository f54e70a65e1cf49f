"""The exact engine: what a game returns, by enumeration of every hand."""

from rtpsim._callable import make_callable
from rtpsim.exact.moments import Moments
from rtpsim.exact.result import ExactResult, exact

__all__ = ["ExactResult", "Moments", "exact"]

# the package has the name of its main function: `rtpsim.exact(game)` is that function's call
make_callable(__name__, "exact")
