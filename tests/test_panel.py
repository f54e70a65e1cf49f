"""The rule panel: driven by its controls' values, without a browser."""

import sys
import time

import pytest

import rtpsim
from rtpsim.errors import InputError
from rtpsim.panel import CONTROLS, LISTED, RulePanel, solve_game

WAITED = 0.3
"""Seconds that a change may take, solved and drawn."""


@pytest.fixture
def panel():
    return RulePanel("6D")


def parts(widget):
    """Yield a widget and all that it holds."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def control(panel, title):
    """Return a control by its name, as somebody finds it on the screen."""
    return next(w for w in parts(panel.widget()) if getattr(w, "description", "") == title)


def press(panel, **options):
    """Press options of controls, named by the rule's field."""
    for name, text in options.items():
        control(panel, CONTROLS[name][0]).value = text


def shown(panel):
    """Return what the panel's text areas show."""
    return "\n".join(w.value for w in parts(panel.widget()) if type(w).__name__ == "HTML")


def test_it_begins_with_the_game(panel):
    assert panel.now.house_edge == pytest.approx(-rtpsim.exact("6D", "optimal-td").ev, abs=1e-12)
    assert panel.now.chart.rows == rtpsim.solve("6D").rows
    assert panel.changed == ()
    assert "No cell of the chart changes" in shown(panel)
    assert "outline" not in shown(panel)
    assert control(panel, "Decks").value == "6"
    assert control(panel, "Dealer, soft 17").value == "stands"


def test_a_control_moves_edge_chart_and_cells(panel):
    press(panel, soft17="hits")
    game = rtpsim.load_game("6D H17")
    assert panel.now.game.rules == game.rules
    assert panel.now.house_edge == pytest.approx(-rtpsim.exact(game, "optimal-td").ev, abs=1e-12)
    assert panel.change_bp == pytest.approx(20.0, abs=2.0)  # Wizard of Odds: H17 costs 0.20 to 0.22
    # doubles that every H17 chart adds (Wizard of Odds, 4 to 8 decks, dealer hits soft 17)
    cells = {(cell.row, cell.up): (cell.old, cell.new) for cell in panel.changed}
    assert cells == {
        ("hard 11", "A"): ("H", "Dh"),
        ("soft 18", "2"): ("S", "Ds"),
        ("soft 19", "6"): ("S", "Ds"),
    }
    page = shown(panel)
    assert f"House edge {100 * panel.now.house_edge:.4f} %" in page
    assert "3 cells change" in page
    assert "soft 18 v 2: S → Ds" in page
    assert page.count("outline:2px") == 3
    assert str(game.rules) in page


def test_every_option_is_a_rule(panel):
    for name, (_, options) in CONTROLS.items():
        for text, value in options.items():
            press(panel, **{name: text})
            assert panel.problem == ""
            assert panel.now.game.rules == panel.base.game.replace(**{name: value}).rules
        panel.reset()


def test_controls_add_up_and_go_back(panel):
    start = shown(panel)
    press(panel, decks="1", double_after_split="no", surrender="late", natural_pays="6:5")
    assert str(panel.now.game.rules) == "1D S17 DOA NDAS SPL1 SPV NRSA NHSA NDSA LS 6:5 PEEK"
    assert shown(panel) != start
    control(panel, "Back to the start").click()
    assert panel.now == panel.base
    assert control(panel, "Decks").value == "6"
    assert shown(panel) == start


def test_rules_can_be_set_by_name(panel):
    panel.widget()
    panel.set(decks=3, charlie=6)
    assert control(panel, "Decks").value == "3"  # none of the options it began with
    assert control(panel, "Charlie, cards").value == "6"
    press(panel, charlie="none")
    assert panel.now.game.rules == rtpsim.load_game("3D").rules
    with pytest.raises(InputError, match="unknown reading or rule"):
        panel.set(dekcs=1)


def test_long_lists_of_cells_are_cut(panel):
    panel.set(charlie=5)
    assert len(panel.changed) > LISTED
    assert f"and {len(panel.changed) - LISTED} more" in shown(panel)
    assert panel.html().count("outline:2px") == len(panel.changed)


def test_what_contradicts_itself_is_said():
    panel = RulePanel("6D C5X")  # the suffix has no meaning without a Charlie
    before = panel.widget() and panel.now
    press(panel, charlie="none")
    assert panel.problem
    assert panel.now == before
    assert "Not possible" in shown(panel)
    press(panel, charlie="6")
    assert panel.problem == ""
    assert "Not possible" not in shown(panel)
    assert panel.now.game.rules == rtpsim.load_game("6D C6X").rules


def test_where_no_widget_lives_the_page_stands_in(panel):
    bundle = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"] == panel.html()
    assert bundle["text/plain"] == repr(panel)
    edge = -rtpsim.exact("6D", "optimal-td", moments=False).ev
    assert f"house edge {100 * edge:.4f} %" in repr(panel)


def test_without_ipywidgets_it_still_solves(panel, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    panel.set(soft17="hit")
    assert len(panel.changed) == 3
    with pytest.raises(InputError, match=r"rtpsim\[notebook\]"):
        panel.widget()


def test_a_change_takes_no_longer_than_one_waits(panel):
    panel.widget()
    panel.set(decks=2)  # what is done once, as compiling, is done
    solve_game.cache_clear()
    took = []
    for name, text in (("decks", "8"), ("decks", "1"), ("surrender", "late"), ("decks", "4")):
        began = time.process_time()
        press(panel, **{name: text})
        took.append(time.process_time() - began)
    assert min(took) > 0.01, "nothing was solved"
    assert sorted(took)[1] < WAITED  # of the processor's time; others may be at work beside it
