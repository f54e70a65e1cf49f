"""``compare``, ``sweep`` and ``effects`` as people type them."""

import csv

import pytest

GAME = "signature-surrender"
SMALL = "1D SPL0"


def fits(text, width):
    return all(len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize("width", [60, 80])
class TestWidths:
    def test_compare(self, call, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = call("compare", GAME, "--set", "decks=6", "--set", "soft17=hit")
        assert (status, err) == (0, "")
        assert fits(out, width)
        assert "default: ordinary" in out
        # what hitting soft 17 does to six and eight decks: Wizard of Odds' chart for H17
        assert "soft 19  v 6 S→Ds" in out

    def test_sweep(self, call, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = call(
            "sweep", SMALL, "--vary", "decks=1,2", "--vary", "double_soft=false,true"
        )
        assert (status, err) == (0, "")
        assert fits(out, width)
        assert "it widens a limited double" in " ".join(out.split())

    def test_effects(self, call, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        status, out, err = call("effects", SMALL, "--rule", "soft17", "--rule", "double_soft")
        assert (status, err) == (0, "")
        assert fits(out, width)
        assert "dealer hits soft 17" in " ".join(out.split())
        assert "Left out: soft totals double as 10 less" in " ".join(out.split())


class TestCompare:
    def test_json_has_what_the_table_has(self, call, call_json):
        _, document = call_json("compare", SMALL, "--set", "soft17=hit", "--strategy", "optimal-td")
        [row] = document["strategies"]
        assert row["new"]["house_edge"] > row["old"]["house_edge"]
        _, out, _ = call("compare", SMALL, "--set", "soft17=hit", "--strategy", "optimal-td")
        assert f"{row['difference_bp']:+.2f}" in out
        assert f"{100 * row['new']['house_edge']:.4f} %" in out
        assert out.count("→") == len(document["changed_cells"]) > 0

    def test_two_games(self, call_json):
        _, document = call_json("compare", SMALL, "2D SPL0", "--strategy", "default")
        assert [rules.split()[0] for rules in document["rules"]] == ["1D", "2D"]
        assert document["games"] == document["rules"]

    def test_nothing_changes(self, call):
        status, out, _ = call("compare", SMALL, "--set", "hit_21=false", "--strategy", "default")
        assert status == 0
        assert "No cell of optimal-td changes." in out


class TestSweep:
    def test_csv_and_plot_and_json(self, call_json, tmp_path):
        table, plot = tmp_path / "table.csv", tmp_path / "plot.svg"
        status, document = call_json(
            *("sweep", SMALL, "--vary", "decks=1,2", "--vary", "soft17=stand,hit"),
            *("--strategy", "default", "--csv", str(table), "--plot", str(plot)),
        )
        assert status == 0
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        edges = [row["values"][0]["house_edge"] for row in document["rows"]]
        assert [float(row["house_edge"]) for row in rows] == pytest.approx(edges)
        assert [row["decks"] for row in rows] == ["1", "1", "2", "2"]
        drawn = plot.read_text(encoding="utf-8")
        assert "House edge by number of decks and dealer on soft 17" in drawn
        assert ">stand<" in drawn
        assert ">hit<" in drawn

    def test_one_rule_is_plotted_by_strategy(self, call, tmp_path):
        plot = tmp_path / "plot.svg"
        arguments = ("sweep", SMALL, "--vary", "decks=1,2", "--plot", str(plot))
        status, _, _ = call(*arguments, "--strategy", "default", "--strategy", "optimal-td")
        assert status == 0
        assert ">optimal-td<" in plot.read_text(encoding="utf-8")

    def test_pictures_and_pages_are_written(self, call, tmp_path):
        for name, magic in (("plot.png", b"\x89PNG"), ("plot.pdf", b"%PDF")):
            path = tmp_path / name
            call(
                "sweep", SMALL, "--vary", "decks=1,2", "--strategy", "default", "--plot", str(path)
            )
            assert path.read_bytes().startswith(magic)


class TestEffects:
    def test_json(self, call_json):
        status, document = call_json("effects", SMALL, "--rule", "charlie", "--strategy", "default")
        assert status == 0
        changes = [effect["change"] for effect in document["effects"]]
        assert changes == [f"{name}-card Charlie" for name in ("five", "six", "seven", "eight")]
        gains = [effect["values"][0]["difference_bp"] for effect in document["effects"]]
        assert gains == sorted(gains)
        assert gains[0] < 0

    def test_charts_that_do_not_fit_say_so_once(self, call):
        status, out, _ = call("effects", SMALL, "--rule", "power_double", "--strategy", "default")
        assert status == 0
        assert out.count("- default, power_double:") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", GAME], "nothing to compare"),
        (["compare", GAME, "--set", "soft71=hit"], "did you mean 'soft17'"),
        (["compare", GAME, "--set", "decks=1", "--strategy", "optimal"], "no such file"),
        (["sweep", GAME], "--vary"),
        (["sweep", GAME, "--vary", "decks"], "expected NAME=VALUE,VALUE"),
        (["sweep", GAME, "--vary", "decks=1,,2"], "expected NAME=VALUE,VALUE"),
        (["sweep", GAME, "--vary", "decks=1", "--vary", "decks=2"], "given twice"),
        (["sweep", GAME, "--vary", "decks=1,0"], "decks = 0"),
        (["sweep", GAME, "--vary", "decks=1,2", "--csv", "no/table.csv"], "there is no folder"),
        (["sweep", GAME, "--vary", "decks=1,2", "--plot", "plot.gif"], "ending in .png"),
        (["sweep", GAME, "--vary", "decks=1,2", "--plot", "no/plot.png"], "there is no folder"),
        (
            [
                *("sweep", GAME, "--vary", "decks=1,2", "--vary", "soft17=stand,hit"),
                *("--vary", "surrender=none,late", "--plot", "plot.png"),
            ],
            "a plot shows two",
        ),
        (["effects", GAME, "--rule", "soft_17"], "did you mean 'soft17'"),
        (["effects", "nogame"], "unknown"),
    ],
)
def test_errors(call, arguments, message):
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) <= 2
