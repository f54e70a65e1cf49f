"""How many bad inputs are made, and what must be true of what becomes of them."""

import pytest

ENOUGH = 500
"""Bad inputs that every reader has to refuse, at the least."""

TIMES = [1, pytest.param(20, marks=pytest.mark.slow)]
"""How many times as many inputs are made: for every change, and by hand or before a release."""


def check(outcomes, right, enough=ENOUGH):
    """Fail unless enough inputs were refused, clearly, and what was accepted is right.

    `right` takes an accepted input and what it was read as, and returns what is wrong, or None.
    """
    _none("unfit answers", outcomes.faults)
    wrong = [(given, fault) for given, value in outcomes.accepted if (fault := right(given, value))]
    _none("wrong acceptances", wrong)
    if outcomes.refused < enough:
        pytest.fail(f"{outcomes.refused} inputs were refused, {enough} were to be")


def _none(what, found):
    """Fail with the first few of what was found, the reasons first."""
    if found:
        shown = "\n".join(f"{fault}\n    {given!r:.500}" for given, fault in found[:5])
        pytest.fail(f"{len(found)} {what}:\n{shown}", pytrace=False)
