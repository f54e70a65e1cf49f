"""Every plot looks as it did when somebody last looked at it, and says what it must.

The pictures in ``baseline/`` were looked at and found right. To make them anew after a change that
is meant, run this file with RTPSIM_NEW_BASELINES=1, and look at them.
"""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.testing.compare import compare_images
from PIL import Image

import rtpsim
from rtpsim import plots
from rtpsim.outcomes.contributions import exact_contributions
from rtpsim.plots import style

BASELINE = Path(__file__).parent / "baseline"
TOLERANCE = 1.0
"""Root of the mean square difference of pixels (0-255): a moved line costs more."""

mpl.use("agg")

ROUNDS = np.geomspace(1e6, 1e9, 25)
WIGGLE = 0.9963 + 0.4 * np.sin(np.arange(25.0)) / np.sqrt(ROUNDS)
HALF = 2.576 * 1.13 / np.sqrt(ROUNDS)
RESIDUALS = {
    "net results": {"-2 of 2": -0.4, "+2 of 2": 1.1, "+3 of 2": -2.0},
    "dealer finals": {f"T {total}": 3.2 * np.cos(total) for total in range(17, 27)},
}
LINES = (
    plots.VerdictLine("Blackjack", 0.996349, 0.996295, 0.000082, (0.99625, 0.99635)),
    plots.VerdictLine("Empire Poker", 0.968151, 0.968044, 0.000327, (0.96815, 0.96825)),
    plots.VerdictLine("Not published", 0.97, None, None),
)
QUANTILES = {
    100: {0.01: -27.0, 0.05: -19.0, 0.25: -8.0, 0.5: -0.5, 0.75: 7.0, 0.95: 18.0, 0.99: 26.0},
    1000: {0.01: -87.0, 0.05: -63.0, 0.25: -28.0, 0.5: -4.0, 0.75: 20.0, 0.95: 55.0, 0.99: 79.0},
}
SWEEP = pd.DataFrame(
    {
        "decks": [1, 1, 2, 2, 6, 6],
        "soft17": ["stand", "hit"] * 3,
        "house_edge": [-0.0001, 0.0018, 0.0019, 0.0039, 0.004, 0.0062],
    }
)
EFFECTS = {"6:5 naturals": 0.0136, "dealer hits soft 17": 0.0021, "late surrender": -0.0008}

DRAWN = {
    "convergence": lambda ax=None: plots.plot_convergence(ROUNDS, WIGGLE, HALF, 0.9963, ax=ax),
    "residuals": lambda ax=None: plots.plot_residuals(RESIDUALS, ax=ax),
    "verdicts": lambda ax=None: plots.plot_verdicts(LINES, ax=ax),
    "sessions": lambda ax=None: plots.plot_sessions(QUANTILES, ax=ax),
    "session-distribution": lambda ax=None: plots.plot_session_distribution(
        np.arange(-40.0, 41.0), np.exp(-(np.arange(-40.0, 41.0) ** 2) / 250) / 28, rounds=100, ax=ax
    ),
    "sweep": lambda ax=None: plots.plot_sweep(SWEEP, ax=ax),
    "effects": lambda ax=None: plots.plot_effects(
        list(EFFECTS), list(EFFECTS.values()), base="8D S17", ax=ax
    ),
}


@pytest.fixture(autouse=True)
def _closed():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


def picture(ax, path):
    with style.house_style():
        ax.figure.savefig(path, dpi=60)
    return path


def difference(actual):
    """Say how a picture differs from its baseline, which the same matplotlib has drawn."""
    expected = BASELINE / actual.name
    if os.environ.get("RTPSIM_NEW_BASELINES"):
        expected.write_bytes(actual.read_bytes())
    with Image.open(expected) as image:
        drawn_by = image.info["Software"]
    if f"version{mpl.__version__}," not in drawn_by:
        pytest.skip(f"the pictures are those of {drawn_by.partition(',')[0]}")
    return compare_images(str(expected), str(actual), tol=TOLERANCE)


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_as_they_were(name, tmp_path):
    assert difference(picture(DRAWN[name](), tmp_path / f"{name}.png")) is None


def test_a_changed_picture_is_noticed(tmp_path):
    lines = [plots.VerdictLine("Blackjack", 0.996349, 0.99640, 0.000082, (0.99625, 0.99635))]
    actual = picture(plots.plot_verdicts([*lines, *LINES[1:]]), tmp_path / "verdicts.png")
    assert difference(actual) is not None


@pytest.mark.parametrize("name", DRAWN)
def test_axes_are_taken_titled_and_returned(name):
    _, ax = style.new_figure()
    assert DRAWN[name](ax) is ax
    assert ax.get_title(loc="left")
    assert ax.get_xlabel()
    units = ("(%)", "points)", "wagers)", "rounds", "Rounds", "(no unit)", "decks")
    assert any(unit in ax.get_xlabel() for unit in units)


@pytest.mark.parametrize("name", DRAWN)
def test_svg_is_the_same_each_time_and_names_no_date(name):
    texts = []
    for _ in range(2):
        figure, ax = style.new_figure()
        DRAWN[name](ax)
        texts.append(style.svg_text(figure, name))
    assert texts[0] == texts[1]
    assert "dc:date" not in texts[0]
    assert "<text" in texts[0]


@pytest.mark.parametrize("name", DRAWN)
def test_every_colour_has_a_dark_counterpart(name):
    import re

    figure, ax = style.new_figure()
    DRAWN[name](ax)
    colours = set(re.findall("#[0-9a-f]{6}", style.svg_text(figure, name)))
    assert colours <= set(style.DARK)


def test_values_stand_where_they_should():
    ax = DRAWN["effects"]()
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([136.0, 21.0, -8.0])
    ax = DRAWN["sweep"]()
    assert ax.lines[0].get_ydata() == pytest.approx([-0.01, 0.19, 0.40])
    assert {text.get_text() for text in ax.texts} == {"stand", "hit"}
    assert len({line.get_marker() for line in ax.lines[:2]}) == 2
    ax = DRAWN["convergence"]()
    assert ax.lines[0].get_ydata()[-1] == pytest.approx(100 * WIGGLE[-1])
    low, high = ax.get_ylim()
    assert low < 99.63 < high


def test_a_sweep_says_what_is_drawn():
    ax = plots.plot_sweep(SWEEP)
    assert ax.get_title(loc="left") == "House edge by number of decks and dealer on soft 17"
    assert ax.get_ylabel() == "House edge on the initial wager (%)"
    assert ax.get_xlabel() == "Number of decks"
    returns = SWEEP.assign(rtp_total=1 - SWEEP["house_edge"])
    ax = plots.plot_sweep(returns, value="rtp_total", label="Return on the total wager (%)")
    assert ax.get_title(loc="left").startswith("Return by ")
    assert ax.get_ylabel() == "Return on the total wager (%)"
    assert plots.plot_sweep(SWEEP, title="My table").get_title(loc="left") == "My table"
    rules = {"resplit_aces": [False, True], "house_edge": [0.004, 0.003]}
    ax = plots.plot_sweep(pd.DataFrame(rules))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no", "yes"]


def test_marks_beyond_the_dashes_are_the_far_ones():
    ax = DRAWN["residuals"]()
    far = [x for line in ax.lines if line.get_marker() == "v" for x in line.get_xdata()]
    expected = [value for value in RESIDUALS["dealer finals"].values() if abs(value) > 2.576]
    assert expected
    assert sorted(far) == pytest.approx(sorted(expected))


def test_ticks_write_true_minus_signs_and_plain_zero():
    assert style.number_ticks("{:+.2f}")(-0.5) == "−0.50"
    assert style.number_ticks("{:+g}")(0.0) == "0"
    assert style.power_ticks()(1e6) == "10⁶"
    assert style.power_ticks()(1000) == "1,000"


def test_asking_for_the_package_loads_no_matplotlib():
    code = "import sys, rtpsim.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
    with pytest.raises(AttributeError, match="no attribute 'plot_nothing'"):
        plots.plot_nothing  # noqa: B018


def test_lines_of_verdicts_say_what_was_judged():
    game = rtpsim.load_game("signature-surrender")
    judged = rtpsim.verify(game, rounds=50_000)
    main, *bets = plots.verdict_lines(judged, game)
    assert main.title == "Blackjack"
    assert main.printed == "99.63"
    assert main.published == pytest.approx((0.99625, 0.99635))  # prints as 99.63, to nearest
    wager = judged.wagers[0]
    assert (main.exact, main.simulated) == (wager.exact, wager.simulated.value)
    assert main.half_width == pytest.approx(2.5758 * wager.simulated.standard_error, rel=1e-3)
    assert [line.printed for line in bets] == ["96.82", "96.63"]
    quiet = rtpsim.load_game("6D")
    (line,) = plots.verdict_lines(rtpsim.verify(quiet, rounds=50_000), quiet)
    assert line.published is None


def test_contributions_are_ordered_and_summed():
    parts = exact_contributions(rtpsim.load_game("6D"), rtpsim.read_chart("ordinary"))
    ax = plots.plot_contributions(parts)
    assert ax.figure.axes == [ax]
    widths = [bar.get_width() for bar in ax.patches]
    assert widths[:-1] == sorted(widths[:-1], reverse=True)
    assert sum(widths[:-1]) == pytest.approx(widths[-1])
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[-1] == "all together"
    assert "natural (4.7 % of rounds)" in names  # 2 x 24 x 96 / (312 x 311) = 0.04749
    assert f"{1000 * parts.ev:+.1f}".replace("-", "−") in [text.get_text() for text in ax.texts]
    mpl.pyplot.close(ax.figure)
