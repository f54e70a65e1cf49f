"""Standing sections: found again on disk, anew where anything they follow from is another."""

from unittest.mock import patch

import pytest
from synthetic_report import quickly_made, synthetic_report

from rtpsim.exact.figures import exact_figures
from rtpsim.games import load_game
from rtpsim.report.build import standing as module
from rtpsim.report.build.standing import standing
from rtpsim.report.inputs import opened, pack_inputs
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")


@pytest.fixture
def find(tmp_path, monkeypatch):
    """Find sections with a cache of one's own; return them, and whether they were computed."""
    known = synthetic_report("signature-surrender")
    made = []

    def compute(*arguments):
        made.append(arguments)
        return module.Standing(
            **{name: getattr(known, name) for name in module.Standing.model_fields}
        )

    monkeypatch.setattr(module, "_find", compute)

    def find(game=GAME, chart=None, seed=1, keep=True):
        made.clear()
        chart = chart or default_chart(game)
        inputs = pack_inputs(game, chart)
        with quickly_made(), opened(inputs) as what:
            monkeypatch.setattr(module, "user_cache", lambda: tmp_path)
            found = standing(
                what, inputs, exact_figures(game, chart), seed, keep=keep, say=lambda text: None
            )
        return found, bool(made)

    return find


def test_sections_are_found_again(find):
    first, computed = find()
    assert computed
    again, computed = find()
    assert not computed
    assert again == first


def test_whatever_they_follow_from_counts(find):
    find()
    assert find(seed=2)[1]
    assert find(chart=default_chart(GAME).with_cell("hard 16", 8, "S"))[1]
    assert find(game=GAME.model_copy(update={"notes": "another note"}))[1]
    with patch.object(module, "source_hash", lambda: "another program"):
        assert find()[1]


def test_nothing_is_kept_unless_wanted(find, tmp_path):
    assert find(keep=False)[1]
    assert not (tmp_path / "reports").exists()
    find()
    assert find(keep=False)[1]


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\xfe"])
def test_a_damaged_file_counts_for_nothing(find, tmp_path, damage):
    find()
    (file,) = (tmp_path / "reports").iterdir()
    file.write_bytes(damage + file.read_bytes()[:100])
    assert find()[1]
    assert not find()[1]


def test_a_folder_that_cannot_be_made_is_no_fault(find, tmp_path):
    (tmp_path / "reports").write_text("")
    assert find()[1]
    assert find()[1]
