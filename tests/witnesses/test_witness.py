"""Witnesses: those stored count and agree; others, and tampered ones, do not."""

import dataclasses
import hashlib
import json
from fractions import Fraction

import pytest

from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import game_names, load_game
from rtpsim.reference import referee_run
from rtpsim.statistics.significance import holm
from rtpsim.strategy import Chart, default_chart
from rtpsim.witnesses import finding as module
from rtpsim.witnesses.finding import find_witness
from rtpsim.witnesses.making import enumerated, make_witness, shoe_of, write_witness
from rtpsim.witnesses.witness import canonical, read_witness

GAME = load_game("blackjack-surrender")
CHART = default_chart(GAME)


@pytest.fixture(scope="module")
def made():
    return make_witness(GAME, CHART, rounds=300, seed=4, tiny_shoes=["8x9 Tx8"])


@pytest.fixture
def stored(made, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_folder", lambda: tmp_path)
    return write_witness(made, tmp_path)


class TestStored:
    @pytest.fixture(params=game_names())
    def game(self, request):
        return load_game(request.param)

    def test_every_game_has_one_that_agrees(self, game):
        chart = default_chart(game)
        found = find_witness(game, chart)
        assert found.witness is not None, found.text
        assert found.witness.rounds >= 1_000_000
        tests = found.witness.tests(game, exact_figures(game, chart))
        assert len(tests) == 3 + 2 * len(game.side_bets)
        values = [test.p_value for test in tests]
        assert None not in values
        assert min(holm(values)) > 0.01

    def test_tiny_shoes_agree_and_are_enumerated_again(self, game):
        chart = default_chart(game)
        shoes = {shoe.cards: shoe for shoe in find_witness(game, chart).witness.tiny_shoes}
        assert len(shoes) == 4
        assert all(shoe.agrees for shoe in shoes.values())
        again = enumerated(game, chart, "8x9 Tx8")
        assert again.referee_net == shoes["8x9 Tx8"].referee_net
        assert again.referee_wager == shoes["8x9 Tx8"].referee_wager


class TestFinding:
    def test_what_was_written_is_found(self, stored, made):
        found = find_witness(GAME, CHART)
        assert found.text == "300 rounds dealt by the referee, seed 4"
        assert found.witness == dataclasses.replace(made, sha256=found.witness.sha256)
        run = referee_run(GAME, CHART, 300, seed=4)
        assert found.witness.outcomes == run.outcomes
        assert found.witness.side_bets == run.side_bets
        net = sum(x * n for (x, _), n in run.outcomes.items()) / 2 / 300
        assert found.witness.figures.ev.value == pytest.approx(net)
        assert found.witness.to_frame()["rounds"].sum() == 300

    def test_another_game_and_another_chart(self, stored):
        none = "none for this game and chart"
        assert find_witness(load_game("classic-blackjack"), CHART) == (None, none)
        other = Chart("other", {**CHART.rows, "hard 16": ("S",) * 10})
        assert find_witness(GAME, other) == (None, none)
        read = GAME.with_settings({"charlie": "off"})
        assert read.id == GAME.id
        assert find_witness(read, CHART) == (None, none)

    def test_another_referee(self, stored, monkeypatch):
        monkeypatch.setattr(module, "referee_sha256", lambda: "0" * 64)
        assert find_witness(GAME, CHART) == (None, "none by this version of the referee")

    def test_a_changed_count_is_noticed(self, stored):
        document = json.loads(stored.read_text())
        document["outcomes"][0][2] += 1
        document["outcomes"][1][2] -= 1
        stored.write_text(json.dumps(document))
        found = find_witness(GAME, CHART)
        assert found.witness is None
        assert "hash" in found.text

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda d: d["outcomes"][0].__setitem__(2, 9_999), "of 300 rounds"),
            (lambda d: d["side_bets"]["21+3"].pop(), "of 300 rounds"),
            (lambda d: d.update(ev=0.5), "do not follow"),
            (lambda d: d["tiny_shoes"][0].update(difference=0.0), "do not follow"),
            (lambda d: d.update(format="rtpsim.witness/9"), "format"),
            (lambda d: d.pop("seed"), "damaged"),
        ],
    )
    def test_even_with_a_hash_made_anew(self, made, change, message):
        document = made.to_dict()
        document["tiny_shoes"][0]["exact_net"] += 1e-6
        document["tiny_shoes"][0]["difference"] = abs(
            document["tiny_shoes"][0]["exact_net"]
            - float(Fraction(document["tiny_shoes"][0]["referee_net"]))
        )
        change(document)
        document["sha256"] = hashlib.sha256(canonical(document)).hexdigest()
        with pytest.raises(InputError, match=message):
            read_witness(json.dumps(document))

    def test_no_json(self):
        with pytest.raises(InputError, match="damaged"):
            read_witness("{")

    def test_the_referees_text_is_hashed(self):
        from pathlib import Path

        import rtpsim.reference as referee

        digest = hashlib.sha256()
        for file in sorted(Path(referee.__file__).parent.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        assert module.referee_sha256() == digest.hexdigest()


class TestTinyShoes:
    def test_shoe(self):
        shoe = shoe_of("Tx8 9x9 Kx5")
        assert shoe.by_value == (0,) * 8 + (9, 13)
        assert shoe.counts[4 * 9 : 4 * 9 + 4] == (2, 2, 2, 2)  # suits in turn
        assert shoe.counts[4 * 12 : 4 * 12 + 4] == (2, 1, 1, 1)

    def test_a_wrong_engine_is_noticed(self, monkeypatch):
        from rtpsim.exact import upcard

        right = upcard.UpCard.surrender
        monkeypatch.setattr(
            upcard.UpCard,
            "surrender",
            lambda self, *cards: right(self, *cards)._replace(net=-0.499),
        )
        assert not enumerated(GAME, CHART, "Ax4 5x5 6x4 Tx6").agrees

    @pytest.mark.parametrize("text", ["X3", "5y3", "10x4", "5x"])
    def test_shoes_that_cannot_be_read(self, text):
        with pytest.raises(InputError, match="as 5x8 6x6 Tx9"):
            shoe_of(text)


def test_a_wrong_run_fails_its_tests():
    game = load_game("classic-blackjack")
    chart = default_chart(game)
    found = find_witness(game, chart).witness
    lost = min(found.outcomes)
    won = max(found.outcomes)
    moved = {**found.outcomes}
    moved[lost] -= 4_000
    moved[won] += 4_000
    faulty = dataclasses.replace(found, outcomes=moved)
    tests = faulty.tests(game, exact_figures(game, chart))
    assert tests[0].name == "main game: EV"
    assert tests[0].p_value < 1e-4


@pytest.mark.slow
def test_the_stored_run_is_what_the_referee_plays():
    game = load_game("classic-blackjack")
    chart = default_chart(game)
    found = find_witness(game, chart).witness
    run = referee_run(game, chart, found.rounds, found.seed)
    assert found.outcomes == run.outcomes
    assert found.dealer_finals == run.dealer_finals
