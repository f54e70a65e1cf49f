"""The public names: complete, explained, and open to games and strategies in every form."""

import doctest
import importlib
import inspect
import pickle
import subprocess
import sys
from fractions import Fraction
from types import ModuleType

import pytest

import rtpsim
from rtpsim.errors import InputError
from rtpsim.games import Game
from rtpsim.rulestring import parse_rules

SMALL = "1D SPL0"
NAMESPACE = {name: getattr(rtpsim, name) for name in rtpsim.__all__} | {"rtpsim": rtpsim}


def function_of(name):
    """Return the function, class, or what a callable module calls."""
    found = getattr(rtpsim, name)
    return inspect.unwrap(found) if isinstance(found, ModuleType) else found


@pytest.mark.parametrize("name", rtpsim.__all__)
def test_every_name_has_an_example_that_is_true(name):
    documented = function_of(name)
    examples = doctest.DocTestFinder(recurse=True).find(
        documented, name, module=False, globs=dict(NAMESPACE)
    )
    assert sum(len(one.examples) for one in examples) > 0
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    said = []
    for one in examples:
        runner.run(one, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_the_packages_own_example_is_true():
    assert doctest.testmod(rtpsim).failed == 0
    assert doctest.testmod(rtpsim).attempted > 2


@pytest.mark.parametrize("name", [name for name in rtpsim.__all__ if not name[0].isupper()])
def test_functions_document_parameters_returns_and_errors(name):
    function = function_of(name)
    text = inspect.getdoc(function)
    for parameter in inspect.signature(function).parameters:
        assert parameter in text, parameter
    if inspect.signature(function).parameters:
        assert "Parameters\n" in text
        assert "Raises\n" in text
        assert "InputError" in text
    assert "return" in text.lower()


def test_names_are_whole_in_a_fresh_process():
    # modules that bear a public name must not hide it, in whatever order things are imported
    code = (
        "import rtpsim, sys\n"
        "assert not {'pandas', 'numba', 'matplotlib', 'pydantic'} & set(sys.modules)\n"
        "import rtpsim.verification.readings, rtpsim.exact.result\n"
        "from rtpsim import exact, readings\n"
        "from rtpsim import *\n"
        "assert all(callable(getattr(rtpsim, name)) for name in rtpsim.__all__)\n"
        "assert set(rtpsim.__all__) <= set(dir(rtpsim))\n"
        f"print(exact({SMALL!r}, moments=False).ev == rtpsim.exact({SMALL!r}, moments=False).ev)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_unknown_names_are_refused_as_python_does():
    with pytest.raises(AttributeError, match="no attribute 'exakt'"):
        _ = rtpsim.exakt
    assert not hasattr(rtpsim, "to_frame")


def test_a_module_that_is_called_keeps_its_names():
    assert importlib.import_module("rtpsim.exact").ExactResult is not None
    assert inspect.signature(rtpsim.exact) == inspect.signature(rtpsim.exact.exact)
    with pytest.raises(TypeError):
        rtpsim.exact()


class TestReplace:
    GAME = rtpsim.load_game("power-blackjack")

    @pytest.mark.parametrize(
        ("change", "back"),
        [
            ({"soft17": "hit"}, {"soft17": "stand"}),
            ({"charlie": None}, {"charlie": 8}),
            ({"charlie": "none"}, {"charlie": "8"}),
            ({"natural_pays": "6:5"}, {"natural_pays": Fraction(3, 2)}),
            ({"double_after_split": "false"}, {"double_after_split": True}),
            ({"decks": "2", "push_22": "none"}, {"decks": 6, "push_22": "push"}),
            ({"power_double_soft": "allowed"}, {"power_double_soft": "not"}),
        ],
    )
    def test_there_and_back(self, change, back):
        game = self.GAME
        changed = game.replace(**change)
        assert changed.rules != game.rules
        assert changed.replace(**back).rules == game.rules
        assert changed.replace(**back).sha256 == game.sha256

    def test_there_and_back_gives_the_same_bits(self):
        game = rtpsim.load_game("1D")
        before = rtpsim.exact(game, "optimal-td", moments=False).ev
        away = rtpsim.exact(game.replace(soft17="hit", decks=2), "optimal-td", moments=False).ev
        back = game.replace(soft17="hit", decks=2).replace(soft17="stand", decks=1)
        assert rtpsim.exact(back, "optimal-td", moments=False).ev == before != away

    def test_the_game_itself_stays(self):
        before = self.GAME.sha256
        self.GAME.replace(decks=1)
        assert self.GAME.sha256 == before

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"deck": 1}, "did you mean 'decks'"),
            ({"decks": 0}, "1 to 1000"),
            ({"power_double_soft": "perhaps"}, "allowed is"),
            ({"resplit_aces": True, "splits": 1}, "no hand may be split again"),
        ],
    )
    def test_errors(self, settings, message):
        with pytest.raises(InputError, match=message):
            self.GAME.replace(**settings)


class TestGamesAndStrategies:
    def test_a_game_in_every_form_is_the_same(self, tmp_path):
        path = tmp_path / "mine.toml"
        path.write_text(f'title = "Mine"\nrules = "{SMALL}"\n', encoding="utf-8")
        rules = parse_rules(SMALL)
        forms = [SMALL, rules, Game.from_rules(rules), path, str(path)]
        assert {rtpsim.exact(form, moments=False).ev for form in forms} == {
            rtpsim.exact(Game.from_rules(rules), rtpsim.read_chart("ordinary"), moments=False).ev
        }

    def test_a_strategy_in_every_form_is_the_same(self, tmp_path):
        chart = rtpsim.read_chart("ordinary")
        path = tmp_path / "other.csv"
        from rtpsim.strategy import write_chart

        write_chart(chart, path)
        forms = ["default", "ordinary", chart, path, str(path)]
        found = {rtpsim.exact(SMALL, form, moments=False).ev for form in forms}
        assert len(found) == 1
        tallies = [rtpsim.simulate(SMALL, form, rounds=1000).outcomes for form in forms]
        assert all(tally == tallies[0] for tally in tallies)

    def test_the_best_play_by_every_card_has_no_published_figure(self):
        with pytest.raises(InputError, match="optimal-cd"):
            rtpsim.verify(SMALL, "optimal-cd", rounds=10)

    def test_a_solved_chart_is_simulated(self):
        run = rtpsim.simulate(SMALL, "optimal-td", rounds=1000)
        assert run.strategy == "optimal-td"

    @pytest.mark.parametrize("function", [rtpsim.exact, rtpsim.simulate, rtpsim.verify])
    def test_misspelt_names_are_told(self, function):
        with pytest.raises(InputError, match="did you mean 'power-blackjack'"):
            function("power-blackjak")
        with pytest.raises(InputError, match="did you mean 'optimal-td'"):
            function(SMALL, "optimal-dt")
        with pytest.raises(InputError, match="no such file"):
            function(SMALL, "ordinry")


def test_a_run_is_a_function_of_what_is_asked():
    one, two = (rtpsim.simulate(SMALL, rounds=70_000, seed=3, workers=n) for n in (1, 2))
    assert one.outcomes == two.outcomes
    assert one.labels == two.labels
    assert one.provenance.rounds_asked == 70_000
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_verification_has_a_second_run_only_where_one_fails():
    judged = rtpsim.verify(SMALL, rounds=20_000)
    assert [run.rounds for run in judged.runs] == [20_000]
    assert judged.wagers[0].exact == pytest.approx(
        1 + rtpsim.exact(SMALL, moments=False).ev / rtpsim.exact(SMALL, moments=False).mean_wager
    )
