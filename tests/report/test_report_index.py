"""The index of results: every wager of every report with its verdicts."""

import pytest
from synthetic_report import synthetic_report

from rtpsim.errors import InputError
from rtpsim.report.canonical import to_json
from rtpsim.report.index import main, write_index


@pytest.fixture
def results(tmp_path):
    report = synthetic_report("signature-surrender", rounds=2_000_000)
    folder = tmp_path / "signature-surrender"
    folder.mkdir()
    (folder / "signature-surrender.json").write_text(to_json(report), encoding="utf-8")
    return tmp_path


def test_every_wager_is_listed_with_its_verdicts(results):
    text = write_index(results).read_text(encoding="utf-8")
    # published and exact figures as the rules texts and an independent solver have them
    assert "| Blackjack | total | 99.63 | 99.6349 |" in text
    assert "| Empire Poker | stake | 96.82 | 96.8151 |" in text
    assert "| Empire Pairs | stake | 96.63 | 96.6265 |" in text
    assert text.count("REPRODUCED, INCONCLUSIVE") == 3
    assert "2,000,000 rounds, seed 1" in text
    for suffix in ("html", "xlsx", "json"):
        assert f"(signature-surrender/signature-surrender.{suffix})" in text


def test_a_folder_without_reports_is_refused(tmp_path, capsys):
    with pytest.raises(InputError, match="no report; expected"):
        write_index(tmp_path)
    assert main([str(tmp_path)]) == 2
    assert "no report" in capsys.readouterr().err
