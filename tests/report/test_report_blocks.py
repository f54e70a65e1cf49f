"""Blocks of a run: they add up to it, can be played again, and tell what was tampered with."""

import dataclasses
import hashlib
import json
import threading

import numpy as np
import pytest

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.report import blocks as module
from rtpsim.report.blocks import Blocks, block_ranges, replay, simulate_blocks
from rtpsim.simulation import run, simulate
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_ROUNDS", 1000)


@pytest.fixture
def _few_blocks(monkeypatch):
    monkeypatch.setattr(module, "block_ranges", lambda chunks: block_ranges(chunks, 4))


@pytest.mark.parametrize("chunks", [1, 2, 255, 256, 257, 1000, 3815, 38147])
def test_ranges_cover_every_chunk_once(chunks):
    ranges = block_ranges(chunks)
    assert [chunk for one in ranges for chunk in one] == list(range(chunks))
    assert len(ranges) <= 256
    assert len(ranges[0]) == 1  # a plot on a logarithmic axis begins early
    assert max(map(len, ranges)) <= chunks // 192 + 1


@pytest.mark.usefixtures("_few_blocks")
@pytest.mark.parametrize(
    ("name", "hands"), [("signature-surrender", 1), ("signature-surrender", 3)]
)
@pytest.mark.parametrize("workers", [1, 3])
def test_blocks_add_up_to_the_run(name, hands, workers):
    game = load_game(name)
    chart = default_chart(game)
    played = simulate_blocks(game, chart, rounds=9_500, seed=5, hands=hands, workers=workers)
    whole = simulate(game, chart, rounds=9_500, seed=5, hands=hands)
    assert [block.chunks for block in played.blocks.blocks] == [1, 2, 3, 4]
    for tally in (played.tally, played.blocks):
        assert tally.rounds == 9_500
        assert tally.outcomes == whole.outcomes
        assert tally.insurance == whole.insurance
        assert tally.side_bets == whole.side_bets
    assert played.tally.labels == whole.labels
    assert np.array_equal(played.tally.initial, whole.initial)


def test_insured_rounds_are_told_apart():
    game = load_game("blackjack-surrender")
    chart = default_chart(game)
    insuring = dataclasses.replace(chart, rows={**chart.rows, "insurance": ("N",) * 9 + ("Y",)})
    for hands in (1, 2):
        played = simulate_blocks(game, insuring, rounds=3_000, hands=hands)
        whole = simulate(game, insuring, rounds=3_000, hands=hands)
        assert played.blocks.insurance == whole.insurance
        assert len(whole.insurance) > 2


def test_the_hash_is_of_every_count_in_the_documented_order():
    played = simulate_blocks(GAME, CHART, rounds=1_000, seed=2, side_bets=["empire-pairs"])
    plan = run.make_plan(GAME, CHART, rounds=1_000, seed=2, hands=1, side_bets=["empire-pairs"])
    counts = run.run_plan(plan)
    written = b""
    for array in (counts.labels, counts.initial, counts.totals, counts.insurance, counts.bets):
        written += len(array).to_bytes(8, "little")
        written += b"".join(int(count).to_bytes(8, "little") for count in array)
    assert played.blocks.blocks[0].sha256 == hashlib.sha256(written).hexdigest()


def test_a_stopped_run_keeps_what_was_played():
    stop = threading.Event()

    def progress(rounds):
        if rounds >= 3000:
            stop.set()

    played = simulate_blocks(GAME, CHART, rounds=9_000, workers=1, progress=progress, stop=stop)
    assert played.tally.rounds == played.blocks.rounds == 3000
    assert played.tally.outcomes == simulate(GAME, CHART, rounds=3000).outcomes
    stop.set()
    with pytest.raises(InputError, match="before a round"):
        simulate_blocks(GAME, CHART, rounds=9_000, stop=stop)


@pytest.mark.usefixtures("_few_blocks")
class TestReplay:
    @pytest.fixture(params=[1, 2])
    def hands(self, request):
        return request.param

    @pytest.fixture
    def blocks(self, hands):
        return simulate_blocks(GAME, CHART, rounds=9_500, seed=7, hands=hands).blocks.blocks

    def test_every_block_comes_out_the_same(self, blocks, hands):
        for block in blocks:
            again = replay(GAME, CHART, 7, 9_500, hands, block)
            assert again.same
            assert again.block == block

    def test_one_round_moved_is_found(self, blocks, hands):
        block = blocks[1]
        (one, n), (other, m), *rest = block.outcomes.items()
        moved = dataclasses.replace(block, outcomes={one: n - 1, other: m + 1, **dict(rest)})
        found = replay(GAME, CHART, 7, 9_500, hands, moved).differences
        assert len(found) == 2
        assert f"outcomes {one}: {n - 1} rounds; played again: {n}" in found[0]

    def test_a_side_bet_a_hash_another_seed_and_another_length_are_found(self, blocks, hands):
        last = blocks[-1]
        bets = {**last.side_bets, "empire-pairs": {(): last.rounds}}
        changed = dataclasses.replace(last, side_bets=bets)
        found = replay(GAME, CHART, 7, 9_500, hands, changed).differences
        assert any("side bet empire-pairs" in line for line in found)
        changed = dataclasses.replace(last, sha256="0" * 64)
        assert "sha256" in replay(GAME, CHART, 7, 9_500, hands, changed).differences[0]
        assert not replay(GAME, CHART, 8, 9_500, hands, last).same
        assert "3500 rounds" in replay(GAME, CHART, 7, 9_600, hands, last).differences[0]

    def test_a_changed_chart_letter_is_found(self, blocks, hands):
        rows = {**CHART.rows, "hard 16": ("S",) * 10}
        other = dataclasses.replace(CHART, rows=rows)
        assert not replay(GAME, other, 7, 9_500, hands, blocks[0]).same

    def test_chunks_that_the_run_has_not(self, blocks, hands):
        for change in ({"first_chunk": 7}, {"first_chunk": -1}, {"chunks": 0}):
            with pytest.raises(InputError, match="has 0 to 9"):
                replay(GAME, CHART, 7, 9_500, hands, dataclasses.replace(blocks[-1], **change))


class TestJson:
    @pytest.fixture
    def blocks(self):
        return simulate_blocks(GAME, CHART, rounds=2_500, hands=2).blocks

    def test_round_trip(self, blocks):
        document = json.loads(json.dumps(blocks.to_dict()))
        assert Blocks.from_dict(document) == blocks

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda d: d["blocks"][1].pop("sha256"), "damaged"),
            (lambda d: d["blocks"].pop(1), "blocks.1: chunks 2 to 2; expected from chunk 1 on"),
            (lambda d: d["blocks"].clear(), "at least one"),
            (lambda d: d["blocks"][2]["outcomes"].pop(), "damaged"),
            (lambda d: d["blocks"][2]["outcomes"].__setitem__(0, -4), "damaged"),
            (lambda d: d["blocks"][2]["insurance"].__setitem__(0, 7), r"blocks.2.insurance: 7"),
            (lambda d: d["blocks"][0].update(rounds=999), "blocks.0.outcomes: 1000 rounds"),
            (lambda d: d.update(unit=2), "damaged"),
        ],
    )
    def test_damage_is_named(self, blocks, change, message):
        document = blocks.to_dict()
        change(document)
        with pytest.raises(InputError, match=message):
            Blocks.from_dict(document)


def test_convergence_is_what_each_stretch_says_by_itself():
    blocks = simulate_blocks(GAME, CHART, rounds=4_200, hands=2).blocks
    points = blocks.convergence()
    assert [point.rounds for point in points] == [1000, 2000, 3000, 4000, 4200]
    # the first 3,000 rounds by the plainest arithmetic
    shorter = simulate(GAME, CHART, rounds=3_000, hands=2)
    cells = [(x / 2, w / 2, n) for (x, w), n in shorter.outcomes.items()]
    net = sum(x * n for x, _, n in cells) / 3000
    wager = sum(w * n for _, w, n in cells) / 3000
    variance = sum((x - net) ** 2 * n for x, _, n in cells) / 2999
    q = net / wager
    spread = sum((x - q * w) ** 2 * n for x, w, n in cells) / 2999
    third = points[2].to_dict()
    assert third["rtp_initial"] == pytest.approx(1 + net / 2)
    assert third["rtp_total"] == pytest.approx(1 + q)
    z = 2.5758293035489004  # 99.5 % point of the standard normal
    assert third["half_width_initial"] == pytest.approx(z * (variance / 3000) ** 0.5 / 2)
    assert third["half_width_total"] == pytest.approx(z * (spread / 3000) ** 0.5 / wager)
    assert list(blocks.to_frame()["rounds"]) == [1000, 2000, 3000, 4000, 4200]


def test_side_bets_converge_too():
    from rtpsim.cards import Shoe
    from rtpsim.results import BetTerms

    blocks = simulate_blocks(GAME, CHART, rounds=2_000, hands=2).blocks
    terms = BetTerms.of(GAME.side_bet("empire-pairs"), Shoe.of_decks(8), 2)
    (first, _), (rounds, estimate) = blocks.bet_convergence(terms)
    assert (first, rounds) == (1000, 2000)
    won = simulate(GAME, CHART, rounds=2_000, hands=2).side_bets["empire-pairs"]
    pays = {"perfect": 30, "coloured": 10, "mixed": 5}
    returned = sum(n * sum(pays[o] + 1 for o in outcomes) for outcomes, n in won.items())
    assert estimate.value == pytest.approx(returned / 4000)
