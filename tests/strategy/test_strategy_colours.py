"""The palette of chart letters can be read by every kind of eye, on light and dark pages."""

from itertools import combinations

import numpy as np
import pytest

from rtpsim.strategy import ACTIONS
from rtpsim.strategy.colours import letter_colour

# How people without one kind of cone see linear RGB: Machado, Oliveira and Fernandes, "A
# physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (2009),
# severity 1.0
EYES = {
    "trichromat": np.eye(3),
    "protanope": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranope": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanope": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array(  # IEC 61966-2-1 (sRGB), white point D65
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2: (L1 + 0.05) / (L2 + 0.05)."""
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    """CIE 1976 L*a*b*."""
    scaled = TO_XYZ @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_the_measures_themselves():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # WebAIM's example
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("letter", [*ACTIONS, "Y", "N", "A2-7", "-", "T"])
def test_letters_stand_out_from_their_cells(letter, dark):
    background, foreground = letter_colour(letter, dark=dark)
    assert contrast(background, foreground) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("eye", EYES)
def test_actions_differ_for_every_eye(eye, dark):
    seen = {
        letter[0]: lab(np.array(EYES[eye]) @ linear(letter_colour(letter, dark=dark)[0]))
        for letter in ACTIONS
    }
    assert len(seen) == 5
    for one, other in combinations(seen, 2):
        # a difference of 2.3 is just noticeable; cells lie side by side
        assert np.linalg.norm(seen[one] - seen[other]) > 10, (one, other)


def test_else_actions_share_their_actions_colour():
    assert letter_colour("Dh") == letter_colour("Ds") != letter_colour("H")
    assert letter_colour("P") == letter_colour("Pd") != letter_colour("Rp")
    assert letter_colour("A2-7") != letter_colour("-") == letter_colour("N")
