"""Exact figures on disk: found again, found anew where anything differs, never believed damaged."""

import json
import os
import subprocess
import sys

import pytest

from rtpsim.exact import figures
from rtpsim.exact.figures import exact_figures
from rtpsim.exact.frequencies import NAMES
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import default_chart, read_chart


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(figures, "cache_folder", lambda: tmp_path / "kept" / "exact")
    return tmp_path / "kept" / "exact"


@pytest.fixture
def game():
    return Game.from_rules(parse_rules("1D S17 D9 NDAS SPL0 ENHC"))


def test_figures_are_found_again(folder, game):
    first = exact_figures(game)
    again = exact_figures(game)
    assert (first.cached, again.cached) == (False, True)
    assert again.document == first.document
    assert again.frequencies == first.frequencies
    assert len(list(folder.iterdir())) == 1
    assert not list(folder.glob("*.part"))


def test_whatever_changes_them_is_found_anew(folder, game, monkeypatch):
    exact_figures(game, moments=False)
    assert exact_figures(game, moments=False).cached
    others = (
        {"game": game.with_settings({"soft17": "hit"})},
        {"strategy": read_chart("classic-blackjack")},
        {"strategy": "optimal-cd"},
        {"strategy": "optimal-cd", "split_model": "CDZ-"},
    )
    for other in others:
        assert not exact_figures(**{"game": game, "moments": False, **other}).cached
    assert len(list(folder.iterdir())) == 5
    monkeypatch.setattr(figures, "code_version", lambda: "another")
    assert not exact_figures(game, moments=False).cached


def test_every_module_that_figures_come_from_counts(monkeypatch):
    left_out = []
    monkeypatch.setattr(figures, "source_hash", lambda without: left_out.extend(without))
    figures.code_version()
    imports = "import sys, rtpsim.exact.result, rtpsim.exact.figures, rtpsim.simulation"
    code = f"{imports}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split() if name.startswith("rtpsim.")}
    assert {"exact", "program", "simulation", "strategy", "rules"} <= loaded
    assert left_out
    assert not loaded & set(left_out)


def test_a_name_is_no_influence(folder, game):
    exact_figures(game, moments=False)
    named = game.model_copy(update={"id": "mine", "title": "Mine"})
    found = exact_figures(named, moments=False)
    assert found.cached
    assert found.document["game"] == "mine"


def test_nothing_is_kept_unless_wanted(folder, game):
    assert not exact_figures(game, moments=False, keep=False).cached
    assert not folder.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-10],
        lambda text: text.replace('"ev": -', '"ev": ', 1),
        lambda text: text.partition("\n")[2],
        lambda text: "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_a_damaged_file_counts_for_nothing(folder, game, damage):
    right = exact_figures(game, moments=False)
    (file,) = folder.iterdir()
    file.write_text(damage(file.read_text(encoding="utf-8")), encoding="utf-8")
    found = exact_figures(game, moments=False)
    assert not found.cached
    assert found.main_net == right.main_net
    assert exact_figures(game, moments=False).cached


def test_a_folder_that_cannot_be_made_is_no_fault(folder, game):
    folder.parent.write_text("a file in the way")
    assert not exact_figures(game, moments=False).cached


def test_old_files_are_forgotten(folder, game):
    exact_figures(game, moments=False)
    (old,) = folder.iterdir()
    os.utime(old, (0, 0))
    exact_figures(game.with_settings({"soft17": "hit"}), moments=False)
    (new,) = folder.iterdir()
    assert new != old


def test_the_documents_are_json_to_the_last_digit(folder, game):
    found = exact_figures(game)
    assert json.loads(json.dumps(found.document)) == found.document
    assert found.main_net == found.document["ev"]
    assert found.rtp("initial") == found.document["rtp_initial"]
    assert found.rtp("total") == found.document["rtp_total"]


@pytest.mark.parametrize("name", ["signature-surrender", "classic-blackjack"])
def test_frequencies_are_whole(folder, name):
    game = load_game(name)
    found = exact_figures(game, default_chart(game))
    assert set(found.frequencies) == set(NAMES)
    for table in found.frequencies.values():
        assert sum(table.values()) == pytest.approx(1, abs=1e-12)
        assert min(table.values()) > 0


def test_naturals_by_hand(folder, game):
    # one deck: an ace and a ten, 2 * 4 * 16 / (52 * 51); 3:2 unless the dealer has one too
    decisions = exact_figures(game).frequencies["first decisions by up card"]
    natural = sum(p for cell, p in decisions.items() if cell.endswith(" natural"))
    assert natural == pytest.approx(2 * 4 * 16 / (52 * 51), abs=1e-12)


def test_a_return_includes_insurance_only_where_it_peeks():
    """The run's main game is judged without it, the published figure with it."""
    classic = load_game("classic-blackjack")
    chart = default_chart(classic).with_cell("insurance", 0, "Y")
    peek = exact_figures(classic.with_settings({"insurance-peek": "on"}), chart, keep=False)
    net, wager = peek.insurance
    assert wager > 0.03
    assert peek.rtp("initial") == 1 + peek.main_net + net
    assert peek.rtp("total") == 1 + (peek.main_net + net) / (peek.main_wager + wager)
    plain = exact_figures(classic, chart, keep=False)
    assert plain.insurance[1] == wager
    assert plain.rtp("initial") == 1 + plain.main_net


def test_what_is_out_of_reach_is_simulated_and_marked():
    found = exact_figures(load_game("power-blackjack")).document
    simulated = found["simulated"]
    assert set(simulated["figures"]) == {
        "third_central_moment",
        "fourth_central_moment",
        "hit_frequency",
        "outcomes",
    }
    cells = found["outcomes"]
    assert sum(cell["probability"] for cell in cells) == pytest.approx(1, abs=1e-12)
    mean = sum(cell["net"] / 2 * cell["probability"] for cell in cells)
    square = sum((cell["net"] / 2) ** 2 * cell["probability"] for cell in cells)
    error = (found["variance"] / simulated["rounds"]) ** 0.5
    assert abs(mean - found["ev"]) < 3.5 * error
    # the variance is exact: the histogram agrees with it within its own error
    spread = (found["fourth_central_moment"] - found["variance"] ** 2) / simulated["rounds"]
    assert abs(square - mean**2 - found["variance"]) < 3.5 * spread**0.5
    classic = exact_figures(load_game("classic-blackjack"))
    assert classic.document["simulated"] is None
    assert classic.fourth == classic.document["fourth_central_moment"]
    assert exact_figures(load_game("power-blackjack")).fourth is None


def test_the_best_play_with_insurance_that_peeks_can_be_kept(folder):
    read = load_game("power-blackjack").with_settings({"insurance_peek": True})
    first = exact_figures(read, "optimal-cd", moments=False)
    assert exact_figures(read, "optimal-cd", moments=False).cached
    json.dumps(first.document)
