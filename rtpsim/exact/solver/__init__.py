"""The solver: the best chart of a game, by exact improvement."""

from rtpsim.exact.solver.solve import solve, solve_2c, solve_td

__all__ = ["solve", "solve_2c", "solve_td"]
