"""Glossary: every figure of a report with its formula and where the formula is from."""

from __future__ import annotations

from rtpsim.report.model import GlossaryEntry

_COCHRAN = "Cochran, Sampling Techniques, 2.11"
_MOOD = "Mood, Graybill and Boes, Introduction to the Theory of Statistics, VI.2.3"


def _entry(
    term: str, meaning: str, formula: str = "", unit: str = "ratio", source: str = ""
) -> GlossaryEntry:
    return GlossaryEntry(term=term, meaning=meaning, formula=formula, unit=unit, source=source)


GLOSSARY = (
    _entry("round", "One deal: one dealer hand and one or more player hands.", unit=""),
    _entry(
        "initial wager",
        "What a hand stakes before the cards are dealt; the unit of money here.",
        unit="",
    ),
    _entry(
        "total wager",
        "All that a round stakes on the main game: doubles and splits included, insurance not.",
        unit="initial wagers",
    ),
    _entry(
        "net result, R",
        "What comes back in a round less what was wagered.",
        "R = returned - W",
        "initial wagers",
    ),
    _entry("EV", "Expected net result of a round.", "E[R]", "initial wagers"),
    _entry("mean wager", "Expected total wager of a round.", "E[W]", "initial wagers"),
    _entry(
        "rtp_initial",
        "Return to player on the initial wagers; K hands a round.",
        "1 + E[R] / K",
    ),
    _entry("rtp_total", "Return to player on all that was wagered.", "1 + E[R] / E[W]"),
    _entry("house edge", "What the house keeps of the initial wagers.", "1 - rtp_initial"),
    _entry("element of risk", "What the house keeps of all that was wagered.", "1 - rtp_total"),
    _entry(
        "rtp of a side bet",
        "Return on its stake; outcome i pays x_i to one.",
        "sum of p_i (x_i + 1)",
    ),
    _entry("odds 1 in N", "How rare an outcome is.", "N = 1 / p", ""),
    _entry("contribution", "What an outcome of a side bet adds to its return.", "p_i (x_i + 1)"),
    _entry("hit frequency", "Probability that a round wins more than it loses.", "P(R > 0)"),
    _entry(
        "variance",
        "Spread of a round's net result.",
        "E[R^2] - E[R]^2",
        "squared initial wagers",
    ),
    _entry("sd", "Standard deviation per initial wager.", "sqrt(variance)", "initial wagers"),
    _entry(
        "sd per unit wagered",
        "Spread of the return on the total wager; q = E[R] / E[W].",
        "sqrt(Var(R - q W)) / E[W]",
        "",
        f"{_COCHRAN} (delta method)",
    ),
    _entry(
        "volatility index",
        "Half the width of the range of one round's result at a level; the trade's z is 1.645 at "
        "90 % and 1.960 at 95 %.",
        "VI = z sd",
        "initial wagers",
    ),
    _entry(
        "tolerance",
        "Range in which a return is expected after n rounds.",
        "RTP +- VI / sqrt(n)",
    ),
    _entry(
        "standard error of rtp_initial",
        "Of the mean of n independent rounds.",
        "s / sqrt(n)",
    ),
    _entry(
        "standard error of rtp_total",
        "Of a ratio of two means, estimated from n rounds.",
        "sqrt(n / (n - 1) sum (R - q W)^2) / sum W",
        "ratio",
        f"{_COCHRAN} (delta method)",
    ),
    _entry(
        "standard error of the variance",
        "From the fourth central moment m4 and the variance s^2.",
        "sqrt((m4 - s^4 (n - 3) / (n - 1)) / n)",
        "squared initial wagers",
        _MOOD,
    ),
    _entry(
        "99 % interval, half-width",
        "A run of this length is nearer to the true value in 99 of 100 cases.",
        "2.5758 standard errors",
    ),
    _entry(
        "rounds needed",
        "After which the half-width of the 99 % interval is at most the tolerance h.",
        "(2.5758 sd / h)^2",
        "rounds",
    ),
    _entry(
        "z",
        "Difference between simulated and exact value in standard errors.",
        "(simulated - exact) / standard error",
        "",
    ),
    _entry(
        "standardised residual",
        "How far a count is from what is expected of n observations of probability p.",
        "(observed - n p) / sqrt(n p (1 - p))",
        "",
    ),
    _entry(
        "chi-squared",
        "Of counts against exact chances; cells that expect fewer than 5 are pooled.",
        "sum of (observed - expected)^2 / expected",
        "",
        "Pearson; pooling: Cochran's rule",
    ),
    _entry(
        "adjusted p-value",
        "Of m tests judged together; the k-th smallest p counts (m - k + 1)-fold, and never less "
        "than those before it.",
        "max over j <= k of (m - j + 1) p_j",
        "ratio",
        "Holm, Scand. J. Statist. 6, 1979, 65-70",
    ),
    _entry(
        "covariance",
        "How two results of a round go together.",
        "E[X Y] - E[X] E[Y]",
        "squared initial wagers",
    ),
    _entry(
        "quantile of a session",
        "The smallest net that n rounds stay at or below with the given chance, from the n-fold "
        "convolution of a round's distribution.",
        "min {x: P(R_1 + ... + R_n <= x) >= p}",
        "initial wagers",
    ),
    _entry(
        "effect of a rule",
        "Change of the exact house edge by one changed rule; 1 basis point is 0.01 %.",
        "10,000 (house edge changed - house edge)",
        "basis points",
    ),
    _entry(
        "REPRODUCED",
        "The exact value, by the declared chart on the declared base, prints as the figure. UNDER "
        "A READING: it does if an open point of the rules is read in another way.",
        unit="",
    ),
    _entry(
        "PASS",
        "No test of the family fails, and the half-width is within the tolerance. INCONCLUSIVE: "
        "too few rounds to say. FAIL: a test fails.",
        unit="",
    ),
)
"""In the order in which a reader meets them."""
