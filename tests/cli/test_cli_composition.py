"""Strategies by composition on the command line: solved, kept, simulated, verified."""

import pytest

import rtpsim

GAME = "1D SPL0 NS"  # no splits: few decisions
ROUNDS = ("--rounds", "300_000", "--seed", "4")


def counts(call_json, *more):
    status, result = call_json("simulate", *more)
    assert status == 0
    return result["strategy"], result["outcomes"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return tmp_path_factory.mktemp("play")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_kept_strategy_plays_the_same(call, call_json, files, suffix):
    path = str(files / f"play.{suffix}")
    assert call("solve", GAME, "--kind", "optimal-cd", "-o", path)[::2] == (0, "")
    name, kept = counts(call_json, GAME, *ROUNDS, "--strategy", path)
    solved, directly = counts(call_json, GAME, *ROUNDS, "--strategy", "optimal-cd")
    assert (name, solved) == ("play", "optimal-cd (CDP)")
    assert kept == directly
    assert counts(call_json, GAME, *ROUNDS)[1] != directly


def test_it_can_be_printed(call):
    status, out, _ = call("solve", GAME, "--kind", "optimal-cd")
    assert status == 0
    assert out.splitlines()[0] == "decision,cards,split_card,splits,up,third,action"
    # twenty stands, five cannot bust
    assert 'play,"T,T",,,6,,stand' in out.splitlines()
    assert 'play,"2,3",,,T,,hit' in out.splitlines()


def test_the_best_charts_are_simulated_too(call_json):
    names = [
        counts(call_json, GAME, "--rounds", "1000", "--strategy", kind)[0]
        for kind in ("optimal-td", "optimal-2c")
    ]
    assert names == ["optimal-td", "optimal-2c"]


def test_verified_against_the_exact_value_of_the_same_play(call_json):
    status, (judged,) = call_json(
        "verify", "classic-blackjack", "--strategy", "optimal-cd", "--rounds", "1e6", "--no-cache"
    )
    assert status in (1, 3)  # another play than the figure's, and few rounds
    assert judged["strategy"] == "optimal-cd (CDP)"
    main = judged["runs"][0]["wagers"][0]
    known = rtpsim.exact("classic-blackjack", "optimal-cd")
    assert main["exact"] in (known.rtp_initial, known.rtp_total)


def test_the_library_takes_it_too():
    by_name = rtpsim.simulate(GAME, "optimal-cd", rounds=1000)
    from rtpsim.exact.compositions import composition_strategy
    from rtpsim.games import load_game

    given = rtpsim.simulate(GAME, composition_strategy(load_game(GAME)), rounds=1000)
    assert by_name.outcomes == given.outcomes
    assert by_name.provenance.strategy_sha256 == given.provenance.strategy_sha256


def test_what_cannot_be_is_refused(call, tmp_path):
    status, _, err = call("simulate", GAME, "--split-model", "CDZ-")
    assert (status, "optimal-cd alone" in err) == (2, True)
    status, _, err = call("simulate", "6D SPL3", "--strategy", "optimal-cd")
    assert (status, "CDZ-" in err) == (2, True)
    path = tmp_path / "play.csv"
    path.write_text("decision,cards,split_card,splits,up,third,action\n")
    status, _, err = call("simulate", GAME, "--strategy", str(path))
    assert (status, "no action" in err) == (2, True)
    status, _, err = call("verify", "classic-blackjack", "--strategy", str(path))
    assert (status, "verify optimal-cd or a chart" in err) == (2, True)
    report = ("--report", str(tmp_path / "report"))
    status, _, err = call("verify", "classic-blackjack", "--strategy", "optimal-cd", *report)
    assert (status, "--report" in err) == (2, True)
