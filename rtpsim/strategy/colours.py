"""The colours of a chart's letters: one palette for the certificate, the plots and the terminal."""

from __future__ import annotations

from typing import Final

from rtpsim.strategy.notation import NO_CARDS

_INK: Final = {"light": "#14181d", "dark": "#f5f5f3"}

_BACKGROUNDS: Final = {
    # each action has a hue and a lightness of its own: told apart by every kind of eye and in grey
    "H": {"light": "#f2f0ea", "dark": "#26292e"},
    "S": {"light": "#f3dc94", "dark": "#7a6420"},
    "D": {"light": "#8db9e2", "dark": "#2c62a0"},
    "P": {"light": "#a5d6bd", "dark": "#1d5a45"},
    "R": {"light": "#cd93b6", "dark": "#6d2450"},
}
_CARDS: Final = {"light": "#d9d3ec", "dark": "#4b4468"}

_ACTION: Final = {"Y": "P", "N": "H", NO_CARDS: "H"}
"""Yes looks like a split, the rarer thing to do; no and an empty set of cards like a hit."""


def letter_colour(letter: str, *, dark: bool = False) -> tuple[str, str]:
    """Return the colours in which a cell of a chart is shown.

    The colour tells the action, the letters tell it whole: ``Dh`` and ``Ds`` look alike.

    Parameters
    ----------
    letter
        A cell of a chart: ``H S Dh Ds P Ph Pd Rh Rs Rp Y N``, or the cards of a ``replace`` row.
    dark
        Whether it is for a dark page.

    Returns
    -------
    tuple of str
        Background and foreground as ``#rrggbb``. The contrast is at least 4.5 to 1 (WCAG 2.2,
        success criterion 1.4.3).
    """
    mode = "dark" if dark else "light"
    action = _ACTION.get(letter, letter[:1])
    # a set of cards is one like A2-7: no action begins with an ace, a digit or a T
    background = _BACKGROUNDS.get(action, _CARDS)
    return background[mode], _INK[mode]
