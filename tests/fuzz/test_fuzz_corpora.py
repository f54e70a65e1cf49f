"""The bad inputs that are kept are refused, each in a line or two and in a way of its own."""

import pytest
from corpora import READERS, kept, kind_of, refusal
from outcomes import unclear

LEAST = {"games": 60, "charts": 25, "compositions": 3, "rules": 12, "cards": 5}
"""Kinds of refusals that each reader is known to have."""


@pytest.mark.parametrize("reader", READERS)
def test_what_is_kept_is_refused(reader):
    kinds = {}
    for name, content in kept(reader).items():
        message = refusal(reader, content)
        assert message is not None, f"{name} of {reader} is accepted: {content[:300]!r}"
        assert unclear(message, "", content) is None
        kinds.setdefault(kind_of(message), []).append(name)
    assert len(kinds) >= LEAST[reader]
