"""``rtpsim exact``, ``hand``, ``solve`` and ``readings``: figures, tables, narrow windows."""

import re

import pytest

from rtpsim.strategy import read_chart

GAME = "signature-surrender"
SMALL = "1D S17 D9 NDAS SPL1 NRSA NS 3:2 ENHC"


def fits(out, width):
    return max(map(len, out.splitlines())) <= width


class TestExact:
    def test_json_has_every_figure(self, call_json):
        status, document = call_json("exact", GAME)
        assert status == 0
        assert document["rules"] == "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK"
        assert (document["strategy"], document["split_model"]) == ("ordinary", "chart")
        # shared values: EV and mean wager of the ordinary chart
        assert document["ev"] == pytest.approx(-0.004117387, abs=5e-10)
        assert document["mean_wager"] == pytest.approx(1.127741160, abs=5e-10)
        assert document["house_edge"] == -document["ev"]
        assert document["rtp_initial"] == 1 + document["ev"]
        assert document["rtp_total"] == 1 + document["ev"] / document["mean_wager"]
        assert document["sd"] == pytest.approx(document["variance"] ** 0.5)
        assert sum(row["probability"] for row in document["outcomes"]) == pytest.approx(1)
        assert len(document["by_up_card"]) == 10
        for rows, wager in (("by_hand", "wager"), ("by_up_card", "mean_wager")):
            for column, mean in (("ev", -0.004117387), (wager, 1.127741160)):
                found = sum(row["probability"] * row[column] for row in document[rows])
                assert found == pytest.approx(mean, abs=5e-10)
        bets = {bet["bet"]: bet["fraction"] for bet in document["bets"]}
        assert bets == {"empire-poker": "9241/9545", "empire-pairs": "401/415"}
        assert {"hit_frequency", "seconds"} <= set(document)

    def test_rules_in_place_of_a_game(self, call_json):
        # independently computed: the best play by composition, CDP
        status, document = call_json("exact", "--rules", SMALL, "--strategy", "optimal-cd")
        assert status == 0
        assert document["ev"] == pytest.approx(-0.002163191373, abs=1e-12)
        assert document["split_model"] == "CDP"

    def test_the_split_model_is_the_callers(self, call_json):
        rules = ("--rules", "6D S17 DOA DAS SPL1 NRSA NHSA LS 3:2 PEEK")
        options = ("exact", *rules, "--strategy", "optimal-cd", "--split-model")
        # independently computed: CDP and CDZ- differ in the eighth digit
        assert call_json(*options, "CDP")[1]["ev"] == pytest.approx(-0.003842824466, abs=1e-12)
        assert call_json(*options, "CDZ-")[1]["ev"] == pytest.approx(-0.003842840985, abs=1e-12)

    @pytest.mark.parametrize("width", [60, 120])
    def test_tables_say_both_returns_and_the_model(self, call, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = call("exact", GAME)
        assert (status, err) == (0, "")
        assert fits(out, width)
        assert "rtp_total (return on all that was wagered)   99.634899637 %" in out
        assert "rtp_initial (return on the initial bet)      99.588261293 %" in out
        assert "as the chart says" in out
        assert "returns 9241/9545 = 96.815086 %" in out

    def test_settings_and_charts_are_the_callers(self, call_json):
        _, h17 = call_json("exact", GAME, "--set", "soft17=hit", "--no-cache")
        # 0.22 points: Wizard of Odds, rule variations
        assert h17["house_edge"] == pytest.approx(0.0041174 + 0.0022, abs=2e-4)
        assert not h17["cached"]
        _, other = call_json("exact", GAME, "--strategy", "classic-blackjack")
        assert other["strategy"] == "classic-blackjack"

    def test_the_second_time_is_from_disk(self, call_json):
        call_json("exact", "--rules", SMALL)
        assert call_json("exact", "--rules", SMALL)[1]["cached"]
        assert not call_json("exact", "--rules", SMALL, "--no-cache")[1]["cached"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "expected a GAME or --rules"),
            ([GAME, "--rules", SMALL], "expected a GAME or --rules"),
            ([GAME, "--strategy", "optimal"], "no such file"),
            ([GAME, "--strategy", "optimal-xy"], "did you mean 'optimal-"),
            ([GAME, "--split-model", "CDX"], "'CDP', 'CDZ-'"),
            (["--rules", "0D"], "decks = 0"),
        ],
    )
    def test_errors(self, call, arguments, message):
        status, out, err = call("exact", *arguments)
        assert (status, out) == (2, "")
        assert message in err
        assert len(err.splitlines()) <= 2


class TestHand:
    def test_json_and_table_have_the_same_values(self, call, call_json):
        rules = "6D S17 DOA DAS SPL1 NRSA NHSA PEEK"
        status, document = call_json("hand", rules, "T,6", "T")
        assert status == 0
        # published tables: stand -0.5409544390, hit -0.5346755625
        assert [one["action"] for one in document["actions"]] == ["hit", "stand", "double"]
        assert document["actions"][0]["ev"] == pytest.approx(-0.5346755625, abs=1e-10)
        assert document["conditioned"]
        _, out, _ = call("hand", rules, "T,6", "T")
        assert "-0.5346755625" in out
        assert "best" in out
        assert "has no natural" in " ".join(out.split())

    def test_narrow_and_after_a_split(self, call, monkeypatch):
        monkeypatch.setenv("COLUMNS", "60")
        status, out, _ = call("hand", "power-blackjack", "T,3", "6", "--split", "T,6")
        assert status == 0
        assert fits(out, 60)
        assert "after a split of T,6" in out

    def test_errors(self, call):
        status, out, err = call("hand", GAME, "T,6,9", "T")
        assert (status, out) == (2, "")
        assert "bust" in err


class TestSolve:
    def test_a_chart_is_written_whole_and_fits(self, call, tmp_path, call_json):
        path = tmp_path / "best.csv"
        status, out, err = call("solve", SMALL, "-o", str(path))
        assert (status, out, err) == (0, "", "")
        assert [entry.name for entry in tmp_path.iterdir()] == ["best.csv"]
        assert read_chart(path).rows["pair 8"][0] == "P"
        _, best = call_json("exact", "--rules", SMALL, "--strategy", str(path))
        _, ordinary = call_json("exact", "--rules", SMALL)
        _, any_play = call_json("exact", "--rules", SMALL, "--strategy", "optimal-cd")
        assert ordinary["ev"] < best["ev"] < any_play["ev"]

    def test_it_is_printed_where_no_file_is_named(self, call, tmp_path):
        status, out, _ = call("solve", SMALL)
        assert status == 0
        path = tmp_path / "printed.csv"
        path.write_text(out, encoding="utf-8")
        assert read_chart(path).rows["hard 20"] == ("S",) * 10

    def test_a_folder_that_is_not_there_is_said_at_once(self, call, tmp_path):
        status, _, err = call("solve", GAME, "-o", str(tmp_path / "no" / "best.csv"))
        assert status == 2
        assert "there is no folder" in err


class TestReadings:
    @pytest.mark.parametrize("width", [60, 120])
    def test_the_published_figure_is_marked_on_its_base(self, call, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = call("readings", GAME)
        assert (status, err) == (0, "")
        marked = [line for line in out.splitlines() if "published 99.63 (total)" in line]
        # the ordinary chart, and every chart where no ace may be surrendered against
        assert len(marked) == 4
        assert "(initial)" not in out
        text = " ".join(out.split())
        assert "hypothesis 2, surrender-vs-ace = not" in text
        assert "9241/9545 = 96.815086 %, prints as published 96.82" in text
        if width == 120:
            assert fits(out, width)

    def test_json(self, call_json):
        status, document = call_json("readings", GAME)
        assert status == 0
        assert len(document["main"]) == 6
        assert document["conclusions"]
        charts = {row["chart"] for row in document["main"]}
        assert charts == {"default", "optimal-td", "optimal-cd"}


def test_show_program_counts_its_tables(call, call_json):
    status, out, _ = call("show", GAME, "--program")
    assert status == 0
    numbers = dict(reversed(row.split(maxsplit=1)) for row in out.splitlines()[1:])
    _, document = call_json("show", GAME, "--program")
    sizes = document["program"]
    assert int(numbers["states"].replace(",", "")) == sizes["states"] > 100
    assert int(numbers["labels"].replace(",", "")) == sizes["labels"]
    kib = int(numbers["KiB of tables"].replace(",", ""))
    assert kib == pytest.approx(sizes["bytes"] / 1024, abs=0.5)
    assert re.fullmatch(r"1[03]", numbers["classes"])
