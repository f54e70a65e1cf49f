"""The rule string: rules as one line of the trade's tokens, in both directions."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.rules import Rules

_FIXED: dict[str, dict[str, Any]] = {
    "S17": {"soft17": "stand"},
    "H17": {"soft17": "hit"},
    "DAS": {"double_after_split": True},
    "NDAS": {"double_after_split": False},
    "SPL0": {"splits": 0},
    "SPL1": {"splits": 1},
    "SPL2": {"splits": 2},
    "SPL3": {"splits": 3},
    "SPT2": {"splits": "tree"},
    "SPV": {"split_by": "value"},
    "SPR": {"split_by": "rank"},
    "RSA": {"resplit_aces": True},
    "NRSA": {"resplit_aces": False},
    "HSA": {"hit_split_aces": True},
    "NHSA": {"hit_split_aces": False},
    "DSA": {"double_split_aces": True},
    "NDSA": {"double_split_aces": False},
    "NS": {"surrender": "none"},
    "LS": {"surrender": "late"},
    "LSXA": {"surrender": "late-not-ace"},
    "ES": {"surrender": "early"},
    "ES10": {"surrender": "early-ten"},
    "PEEK": {"hole_card": "peek"},
    "PEEKA": {"hole_card": "peek-ace"},
    "PEEKT": {"hole_card": "peek-ten"},
    "OBO": {"hole_card": "obo"},
    "ENHC": {"hole_card": "enhc"},
    "H21": {"hit_21": True},
    "P22": {"push_22": "push"},
    "P22N": {"push_22": "push-naturals"},
    "PD9": {"power_double": "9-11"},
    "PD9S": {"power_double": "9-11-soft"},
    "PD10": {"power_double": "10-11"},
    "PS": {"power_split": "once"},
    "PSR": {"power_split": "resplit"},
    "INSP": {"insurance_peek": True},
}
_DOUBLES = {"DOA": "any", "D8": "8-11", "D9": "9-11", "D10": "10-11", "D11": "11", "ND": "none"}
_EXAMPLES = ("8D", "DOA", "D8", "D9", "D10", "D11", "ND", "3:2", "C7", "MAX8", *_FIXED)


def _parse_token(token: str) -> dict[str, Any] | None:
    """Return the fields that one token sets, or None if it is no token."""
    if token in _FIXED:
        return _FIXED[token]
    if match := re.fullmatch(r"(\d+)D", token):
        return {"decks": int(match[1]) if len(match[1]) < 10 else match[1]}
    if match := re.fullmatch(r"(DOA|D8|D9|D10|D11|ND)(S?N?)", token):
        return {
            "double": _DOUBLES[match[1]],
            "double_soft": "S" in match[2],
            "double_any_cards": "N" in match[2],
        }
    if match := re.fullmatch(r"(-?\d{1,6}):(\d{1,6})", token):
        if int(match[2]) == 0:
            raise InputError(f"rule string: '{token}' pays per nothing wagered; write odds as 3:2")
        return {"natural_pays": Fraction(int(match[1]), int(match[2]))}
    if match := re.fullmatch(r"C(\d{1,4})(X?T?|TX)", token):
        return {
            "charlie": int(match[1]),
            "charlie_after_split": "X" not in match[2],
            "charlie_21_pushes": "T" in match[2],
        }
    if match := re.fullmatch(r"MAX(\d{1,4})", token):
        return {"max_cards": int(match[1])}
    return None


def parse_rules(text: str) -> Rules:
    """Read a rule string, tokens in any order and case.

    Raises
    ------
    InputError
        For an unknown token, two tokens for one rule, no number of decks, or a contradiction.
    """
    fields: dict[str, Any] = {}
    written_by: dict[str, str] = {}
    for token in text.upper().split():
        parsed = _parse_token(token)
        if parsed is None:
            raise InputError(
                f"rule string: unknown token {shown(token)}{suggestion(token, _EXAMPLES)}"
            )
        for name in parsed:
            if name in written_by:
                raise InputError(
                    f"rule string: '{written_by[name]}' and '{token}' both set {name}; give one"
                )
            written_by[name] = token
        fields.update(parsed)
    if "decks" not in fields:
        raise InputError("rule string: the number of decks is missing (as '8D', 1 to 1000)")
    return Rules(**fields)


def _token(name: str, value: Any) -> str:
    """Return the fixed token that sets a field to a value, or an empty string."""
    return next((token for token, sets in _FIXED.items() if sets == {name: value}), "")


def format_rules(rules: Rules) -> str:
    """Write the rules as a rule string: every token of the upper part, then those that apply."""
    double = next(token for token, value in _DOUBLES.items() if value == rules.double)
    double += "S" * rules.double_soft + "N" * rules.double_any_cards
    pays = f"{rules.natural_pays.numerator}:{rules.natural_pays.denominator}"
    upper = [f"{rules.decks}D", _token("soft17", rules.soft17), double]
    for name in (
        "double_after_split",
        "splits",
        "split_by",
        "resplit_aces",
        "hit_split_aces",
        "double_split_aces",
        "surrender",
    ):
        upper.append(_token(name, getattr(rules, name)))
    upper += [pays, _token("hole_card", rules.hole_card)]
    lower = []
    if rules.charlie is not None:
        suffix = "X" * (not rules.charlie_after_split) + "T" * rules.charlie_21_pushes
        lower.append(f"C{rules.charlie}{suffix}")
    if rules.max_cards is not None:
        lower.append(f"MAX{rules.max_cards}")
    for name in ("hit_21", "push_22", "power_double", "power_split", "insurance_peek"):
        lower.append(_token(name, getattr(rules, name)))
    return " ".join(token for token in upper + lower if token)
