"""The planted faults: what each one breaks, and the tests that must notice.

Faults of rules and of paytables' rows are made by the dozen, in `test_probe_rules.py` and
`test_probe_paytables.py`.
"""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from planting import other_code, other_value

from rtpsim.exact import upcard


@dataclass(frozen=True)
class Probe:
    """A fault.

    `place` is ``module:name`` below `rtpsim`; there, `old` is replaced by `new`, or a constant by
    the value `new` where `old` is None. `checks` are names of tests, of which one has to fail.
    """

    name: str
    place: str
    old: str | None
    new: object
    checks: tuple[str, ...]
    compiled: bool = True

    @contextmanager
    def planted(self):
        with ExitStack() as stack:
            target = f"rtpsim.{self.place}"
            if self.old is None:
                stack.enter_context(other_value(target, self.new))
            else:
                stack.enter_context(other_code(target, self.old, self.new))
            yield


STATISTICS = "statistics/test_statistics.py::"
SIGNIFICANCE = "statistics/test_significance.py::"
VERIFICATION = "verification/test_verification.py::"
STREAMS = "simulation/test_simulation_streams.py::"
TWIN = "simulation/test_simulation_twin.py::"
CARDS = "simulation/test_simulation_twin.py::test_same_cards_and_results"
LABELS = "simulation/test_simulation_twin.py::test_same_label_counts"
TALLY = "simulation/test_simulation_twin.py::test_same_tally"
LIST = STATISTICS + "test_figures_are_those_of_the_list_of_rounds"
HANDS = STATISTICS + "test_several_hands_share_a_round"
SETTLED = "program/test_program_settlement.py::"


def of(name, place, old, new, *checks, compiled=True):
    return Probe(name, place, old, new, checks, compiled)


def kernel(name, place, old, new, *checks):
    """Return a fault of the kernel, which runs as plain Python for it."""
    return Probe(name, f"simulation.{place}", old, new, checks, compiled=False)


FIGURES = [
    of(
        "results in the wrong unit",
        "statistics.estimates:mean_estimate",
        "n * unit)), error",
        "n)), error",
        LIST,
    ),
    of(
        "standard error divided by hands instead of rounds",
        "statistics.estimates:main_figures",
        "ev = mean_estimate(nets, unit)\n",
        "ev = mean_estimate(nets, unit)\n    "
        "ev = Estimate(ev.value, ev.standard_error / math.sqrt(hands))\n",
        HANDS,
    ),
    of(
        "return on the initial wager of one hand, not of all",
        "statistics.estimates:main_figures",
        "ev.shifted(1 / hands, 1)",
        "ev.shifted(1, 1)",
        HANDS,
    ),
    of(
        "house edge with the wrong sign",
        "statistics.estimates:main_figures",
        "ev.shifted(-1 / hands, 0)",
        "ev.shifted(1 / hands, 0)",
        LIST,
    ),
    of(
        "element of risk on the initial wager",
        "statistics.estimates:main_figures",
        "element_of_risk=edge.shifted(-1, 0)",
        "element_of_risk=ev.shifted(-1 / hands, 0)",
        LIST,
    ),
    of(
        "mean wager in the wrong unit",
        "statistics.estimates:main_figures",
        "mean_estimate(wagers, unit)",
        "mean_estimate(wagers)",
        LIST,
    ),
    of(
        "pushes counted as hits",
        "statistics.estimates:main_figures",
        "if net > 0",
        "if net >= 0",
        LIST,
    ),
    of(
        "standard deviation that is the variance",
        "statistics.estimates:main_figures",
        "sd = math.sqrt(variance.value)",
        "sd = variance.value",
        LIST,
    ),
    of(
        "error of the standard deviation twice too large",
        "statistics.estimates:main_figures",
        "/ (2 * sd)",
        "/ sd",
        STATISTICS + "test_variance_and_its_error",
    ),
    of(
        "variance divided by n instead of n - 1",
        "statistics.estimates:sample_variance",
        "n * (n - 1)",
        "n * n",
        STATISTICS + "test_variance_and_its_error",
    ),
    of(
        "variance of its own normal law",
        "statistics.estimates:variance_estimate",
        "variance**2 * Fraction(n - 3, n - 1)",
        "0",
        STATISTICS + "test_variance_and_its_error",
    ),
    of(
        "ratio with the error of its numerator",
        "statistics.estimates:ratio_estimate",
        "int(x) * wager - net * int(w)",
        "int(x) * wager",
        STATISTICS + "test_error_of_the_ratio_is_that_of_the_residuals",
    ),
    of(
        "ratio of means of rounds",
        "statistics.estimates:ratio_estimate",
        "Estimate(net / wager, _root",
        "Estimate(net / n, _root",
        LIST,
    ),
    of(
        "covariance without its means",
        "statistics.estimates:covariance_estimate",
        "n * product - first * second",
        "n * product",
        "volatility/test_covariances.py::TestEstimate",
    ),
    of(
        "one-sided intervals",
        "statistics.estimates:normal_quantile",
        "(1 + level) / 2",
        "level",
        STATISTICS + "test_quantiles_are_those_of_the_tables",
    ),
    of(
        "volatility indices exchanged",
        "statistics.estimates:VOLATILITY_LEVELS",
        None,
        {90: 1.96, 95: 1.645},
        STATISTICS + "test_volatility_index_uses_the_trade_s_z",
    ),
    of(
        "a side bet that keeps the winner's stake",
        "statistics.estimates:returned_by_round",
        "pays[outcome] + 1",
        "pays[outcome]",
        STATISTICS + "test_side_bet_return_is_that_of_the_list_of_rounds",
    ),
    of(
        "a side bet's return per round instead of per stake",
        "statistics.estimates:return_estimate",
        "pays), stakes)",
        "pays), 1)",
        STATISTICS + "test_side_bet_return_is_that_of_the_list_of_rounds",
    ),
    of(
        "outcomes of several hands counted once",
        "statistics.estimates:outcome_counts",
        "in outcomes:\n            counts",
        "in set(outcomes):\n            counts",
        STATISTICS + "test_variance_of_a_round_of_several_hands_has_their_covariance",
    ),
    of(
        "second moment in place of a stake's variance",
        "statistics.estimates:stake_variance",
        "square - mean**2",
        "square",
        STATISTICS + "test_exact_variance_of_a_stake_from_the_definition",
    ),
    of(
        "hands of a round taken for independent",
        "statistics.estimates:round_variance",
        "exact + max(covariance, 0.0)",
        "exact",
        STATISTICS + "test_variance_of_a_round_of_several_hands_has_their_covariance",
    ),
    of(
        "rounds needed, not squared",
        "statistics.estimates:rounds_needed",
        "half_width) ** 2",
        "half_width)",
        STATISTICS + "test_rounds_needed_by_hand",
    ),
]

TESTS = [
    of(
        "no pooling of small cells",
        "statistics.significance:LEAST_EXPECTED",
        None,
        0,
        SIGNIFICANCE + "test_small_cells_are_pooled",
    ),
    of(
        "one degree of freedom too many",
        "statistics.significance:chi_squared",
        "len(groups) - 1",
        "len(groups)",
        SIGNIFICANCE + "test_mendel_s_peas",
    ),
    of(
        "one-sided z",
        "statistics.significance:z_test",
        "2 * ndtr",
        "ndtr",
        SIGNIFICANCE + "test_z_of_the_tables",
    ),
    of(
        "impossible outcomes forgiven",
        "statistics.significance:chi_squared",
        "if any(count and not p",
        "if any(False",
        SIGNIFICANCE + "test_what_cannot_happen_fails_and_what_is_too_short_is_not_tested",
    ),
    of(
        "tests judged one by one",
        "statistics.significance:holm",
        "(len(p_values) - step) *",
        "1 *",
        SIGNIFICANCE + "test_holm_as_other_programs_adjust",
    ),
    of(
        "hands that share cards taken for independent",
        "statistics.significance:_wald",
        "+ between",
        "+ 0 * between",
        SIGNIFICANCE + "test_hands_that_share_cards_are_not_taken_for_independent",
    ),
    of(
        "figures cut off where they are rounded",
        "games.printed:print_percentage",
        "Fraction(1, 2)",
        "0",
        "games/test_printed.py::test_percentages_are_rounded_half_up_or_cut",
    ),
    of(
        "a range of printed figures half a digit too low",
        "games.printed:printed_range",
        '(digit / 2 if rounding == "nearest" else 0)',
        "digit / 2",
        "games/test_printed.py::test_a_value_prints_as_a_figure_within_half_a_last_digit",
    ),
    of(
        "a short run that passes",
        "verification.judging:_simulated_verdict",
        "if rounds < needed",
        "if False",
        VERIFICATION + "test_a_short_run_is_inconclusive_never_a_pass",
    ),
    of(
        "a failed test that is forgiven",
        "verification.judging:_simulated_verdict",
        "if failed := _failures(tests)",
        "if failed := ''",
        VERIFICATION + "test_biased_counts_fail",
    ),
    of(
        "a second run with the first one's seed",
        "verification.judging:verify",
        "tally.rounds, seed + 1)\n        runs",
        "tally.rounds, seed)\n        runs",
        VERIFICATION + "test_a_fail_triggers_one_second_run_that_decides",
    ),
    of(
        "the first run decides",
        "verification.verdicts:GameVerification.wagers",
        "self.runs[-1]",
        "self.runs[0]",
        VERIFICATION + "test_a_fail_triggers_one_second_run_that_decides",
    ),
    of(
        "a figure that is not reproduced exits with 0",
        "verification.judging:exit_status",
        "wager.published_verdict is PublishedVerdict.NOT_REPRODUCED",
        "False",
        VERIFICATION + "test_exit_status_ranks_failure_over_doubt",
    ),
    of(
        "up cards not tested",
        "verification.run_tests:deal_tests",
        "for name, observed, expected in parts",
        "for name, observed, expected in parts[1:]",
        VERIFICATION + "test_each_test_of_the_deal_sees_its_own_fault",
    ),
]

PAYMENTS = [
    of(
        "the unit of halves where naturals pay 6:5",
        "rules:Rules.unit",
        "math.lcm(2, self.natural_pays.denominator)",
        "2",
        "test_rules.py::test_results_are_whole_numbers_of_the_unit",
    ),
    of(
        "a natural paid evenly",
        "program.settlement:_settle_hand",
        "int(unit * rules.natural_pays)",
        "unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a natural paid after a split",
        "program.graph:Graph.arrive",
        "if hand.best == 21 and not self.rules.hit_21:\n        return Result(Ending.STAND",
        "if hand.best == 21 and not self.rules.hit_21:\n        "
        "return Result(Ending.NATURAL if hand.cards == 2 else Ending.STAND",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
    of(
        "insurance that is always lost",
        "program.settlement:settle",
        "2 * stake if final is Final.NATURAL else -stake",
        "-stake",
        SETTLED + "test_insurance_by_hand",
    ),
    of(
        "insurance of a whole wager",
        "program.settlement:settle",
        "unit // 2 if",
        "unit if",
        SETTLED + "test_insurance_by_hand",
    ),
    of(
        "even money at three to two",
        "program.settlement:_settle_hand",
        "case Ending.EVEN_MONEY:\n            return unit",
        "case Ending.EVEN_MONEY:\n            return 3 * unit // 2",
        SETTLED + "test_by_hand",
    ),
    of(
        "surrender that gives a half more",
        "program.settlement:_settle_hand",
        "else -unit // 2",
        "else unit // 2",
        SETTLED + "test_by_hand",
    ),
    of(
        "early surrender that costs all",
        "program.settlement:_settle_hand",
        "case Ending.EARLY_SURRENDER:\n            return -unit // 2",
        "case Ending.EARLY_SURRENDER:\n            return -unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a bust that is a push",
        "program.settlement:_settle_hand",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return -stake",
        "case Ending.BUST | Ending.DEALER_NATURAL:\n            return 0",
        SETTLED + "test_by_hand",
    ),
    of(
        "pushes lost",
        "program.settlement:_compare",
        "(total > dealer) - (total < dealer)",
        "1 if total > dealer else -1",
        SETTLED + "test_by_hand",
    ),
    of(
        "a Charlie that beats a dealer natural",
        "program.settlement:_settle_hand",
        "if final is Final.NATURAL:\n                return -stake\n",
        "if final is Final.NATURAL:\n                return stake\n",
        SETTLED + "test_by_hand",
    ),
    of(
        "OBO that takes doubled bets too",
        "program.settlement:_settle_original_bet",
        "case _:\n            return -unit",
        "case _:\n            return -2 * unit",
        SETTLED + "test_by_hand",
    ),
    of(
        "a double for half the price",
        "program.graph:Graph._doubled",
        "return Result(ending, spot.hand.best, 2)",
        "return Result(ending, spot.hand.best, 1)",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
    of(
        "a dealer who stands on 16",
        "program.dealer:dealer_final",
        "hand.best < 17 or",
        "hand.best < 16 or",
        "program/test_program_tables.py",
    ),
    of(
        "cells of a chart taken from the next column",
        "program.player:ChartPlayer._cell",
        "self.chart.cell(row, up)",
        "self.chart.cell(row, (up + 1) % 10)",
        "agreement/test_agreement_edges.py::test_edges_of_the_games[classic-blackjack]",
    ),
]

DEALING = [
    kernel(
        "a bounded draw without its rejection threshold",
        "deal:draw_positions",
        "np.uint16(_RANGE % np.uint32(size))",
        "np.uint16(0)",
        CARDS + "[one hand]",
    ),
    kernel(
        "a bounded draw by remainder",
        "deal:draw_positions",
        "np.uint16(product >> _SIXTEEN)",
        "np.uint16(draws[begin + i] % size)",
        CARDS + "[one hand]",
    ),
    kernel(
        "a shuffle off by one: the last position is never dealt",
        "deal:draw_positions",
        "* np.uint32(size))",
        "* np.uint32(size - np.uint16(1)))",
        CARDS + "[one hand]",
    ),
    kernel(
        "a card of the deal dealt twice",
        "deal:accept_deals",
        "np.uint16(positions[row + i] != positions[before + i])",
        "np.uint16(1)",
        CARDS,
    ),
    kernel(
        "cards put back before the next is drawn",
        "play:step",
        "accepted = (used & mask) <= cards[card + ONE]",
        "accepted = True",
        CARDS,
    ),
    kernel(
        "cards drawn that are not counted as used",
        "play:step",
        "used += mask & (~mask + ONE) if accepted else _ZERO",
        "used += _ZERO",
        CARDS,
    ),
    kernel(
        "one deal too many kept",
        "deal:keep_first",
        "left = np.uint64(most)",
        "left = np.uint64(most + 1)",
        LABELS + "[one hand]",
    ),
    kernel(
        "cards numbered by 51",
        "deal:number_cards",
        "upper >> _DECK_SHIFT) * _DECK)",
        "upper >> _DECK_SHIFT) * np.uint16(51))",
        CARDS + "[one hand]",
    ),
    kernel(
        "up and second card exchanged",
        "deal:number_deals",
        "np.uint16(up * _TEN)\n            + hole",
        "np.uint16(hole * _TEN)\n            + up",
        LABELS + "[one hand]",
    ),
    kernel(
        "rounds counted when they finish",
        "kernel:play_one_hand",
        "dealt < rounds or playing > 0",
        "dealt < rounds",
        LABELS + "[one hand]",
    ),
    kernel(
        "rounds of several hands counted when they finish",
        "kernel:play_hands",
        "dealt < rounds or playing > 0",
        "dealt < rounds",
        LABELS + "[three hands]",
    ),
    kernel(
        "every other round of a kind not counted",
        "count:count_labels",
        "+ (play & CODE)] += 1",
        "+ (play & CODE)] |= 1",
        LABELS + "[one hand]",
    ),
    kernel(
        "the second hand's label in place of the first",
        "count:count_rounds",
        "slots[contexts] * TEN",
        "slots[contexts + ONE] * TEN",
        LABELS + "[three hands]",
    ),
    kernel(
        "insured hands of a round counted as one",
        "count:count_rounds",
        "insurance[insured + insured",
        "insurance[min(insured, ONE) * np.uint64(2)",
        TALLY + "[resplits and checks]",
    ),
    kernel(
        "a side bet that looks at the wrong card",
        "count:index_outcomes",
        "cards[row_1 + i]",
        "cards[row_0 + i]",
        "agreement/test_agreement_faults.py::TestKernel::test_right_tables_pass",
    ),
    kernel(
        "side bets counted of rejected deals too",
        "count:count_outcomes",
        "np.int64(positions[i])",
        "np.int64(1)",
        "agreement/test_agreement_faults.py::TestKernel::test_right_tables_pass",
    ),
    kernel("Philox with nine rounds", "streams:_ROUNDS", None, 9, STREAMS + "test_known_answers"),
    kernel(
        "the same stream for every chunk",
        "streams:stream_of",
        "[chunk, low, high]",
        "[0, low, high]",
        STREAMS + "test_streams_differ_by_seed_game_and_chunk",
    ),
    kernel(
        "the same stream for every game",
        "streams:stream_of",
        "[chunk, low, high]",
        "[chunk, 0, 0]",
        STREAMS + "test_streams_differ_by_seed_game_and_chunk",
    ),
    kernel(
        "seeds cut to 32 bits",
        "streams:stream_of",
        "seed >> 32]",
        "0]",
        STREAMS + "test_streams_differ_by_seed_game_and_chunk",
    ),
    kernel(
        "a block of the stream used twice",
        "kernel:draw_deals",
        "return block + blocks",
        "return block",
        CARDS,
    ),
    of(
        "insurance lost from the tally",
        "simulation.tally:_insured",
        "2 * stake * hands if won",
        "0 if won",
        TALLY + "[resplits and checks]",
    ),
    of(
        "the last chunk of a run left out",
        "simulation.run:Plan.chunks",
        "-(-",
        "(",
        "simulation/test_simulation_run.py",
    ),
    of(
        "the referee's bounded draw without rejection",
        "reference.sources:ShoeSource.draw",
        "product % _WORD < _WORD % left",
        "False",
        "reference/test_reference_cards.py::TestShoeSource::test_words_that_favour_some_cards_are_thrown_away",
    ),
    of(
        "a referee who never deals the last card",
        "reference.sources:ShoeSource.draw",
        "left = len(cards) - place",
        "left = len(cards) - place - 1",
        "reference/test_reference_cards.py",
    ),
]

BETS = [
    *(
        of(
            f"{outcome} not told by the classifier",
            "sidebets:_holds",
            text,
            f'case "no such outcome {n}":',
            "test_sidebets.py::test_three_cards",
            "test_sidebets.py::test_two_cards",
        )
        for n, (outcome, text) in enumerate(
            {
                "suited trips and perfect pairs": 'case "suited-trips" | "perfect":',
                "straight flushes": 'case "straight-flush":',
                "trips and mixed pairs": 'case "trips" | "mixed":',
                "straights": 'case "straight":',
                "flushes": 'case "flush":',
                "coloured pairs": 'case "coloured":',
            }.items()
        )
    ),
    of(
        "straights round the corner",
        "sidebets:_is_straight",
        "return middle == low + 1",
        "return (high - low) in (2, 12) or middle == low + 1",
        "test_sidebets.py::test_three_cards",
    ),
    of(
        "the ace high only",
        "sidebets:_is_straight",
        'ace == "high"',
        "True",
        "test_sidebets.py::test_the_ace_in_straights_is_a_setting",
    ),
    of(
        "an engine's table without coloured pairs",
        "sidebets:outcome_table",
        "red[0] == red[1]",
        "ranks[0] < 0",
        "test_sidebets.py::test_the_table_of_pairs_says_what_the_classifier_says",
    ),
    of(
        "cards put back between those of a side bet",
        "sidebets:deal_ways",
        "(copies[None, :] - same)",
        "(copies[None, :] - 0 * same)",
        "test_sidebets.py",
    ),
]

ENUMERATED = "exact/test_exact_enumeration.py::test_a_chart_returns_what_its_enumeration_does"

EXACT = [
    of(
        "cells expected of a shoe whose cards are put back",
        "statistics.expected:expected_deals",
        "deal[:i].count(card)",
        "0",
        "statistics/test_expected.py::test_small_shoe_is_enumerated_card_by_card",
    ),
    of(
        "a peek that tells nothing",
        "exact.upcard:UpCard._whole",
        None,
        lambda self, a, b, net, wager: upcard.Worth(net, wager),
        ENUMERATED,
    ),
    of(
        "late surrender in place of early",
        "exact.upcard:UpCard.surrender",
        None,
        lambda *_: upcard.Worth(-0.5, 1.0),
        ENUMERATED,
    ),
    of(
        "every power double lost, and one wager of it",
        "exact.upcard:UpCard._power_net",
        None,
        lambda self, end: -end.chance,
        ENUMERATED,
    ),
]

RUNS = [
    of(
        "shards that overlap",
        "runs.shards:Shard.chunks",
        "range(chunks * (self.number - 1) // self.of",
        "range(max(0, chunks * (self.number - 1) // self.of - 1)",
        "runs/test_runs_merge.py::test_shards_are_all_of_the_run_in_equal_shares",
    ),
    of(
        "a merge that forgets a shard",
        "runs.merge:_sum",
        "for tally in tallies:",
        "for tally in list(tallies)[1:]:",
        "runs/test_runs_merge.py::test_merged_shards_are_the_run_in_one_piece",
    ),
    of(
        "doubled shards merged",
        "runs.merge:_refuse_overlap",
        "if start < end",
        "if False",
        "runs/test_runs_merge.py::test_doubled_shards_are_named",
    ),
    of(
        "missing shards not missed",
        "runs.merge:_refuse_gaps",
        "if not gaps",
        "if True",
        "runs/test_runs_merge.py::test_missing_shards_are_named",
    ),
    of(
        "a checkpoint's checksum not looked at",
        "runs.parcel:unpack",
        "hashlib.sha256(body).hexdigest().encode() != checksum",
        "False",
        "runs/test_runs_parcel.py::test_every_flipped_bit_is_noticed",
    ),
    of(
        "another run's checkpoint taken up",
        "runs.run:difference",
        "if found[key] != value",
        "if False",
        "runs/test_runs_checkpoint.py::test_another_run_s_checkpoint_is_refused_and_kept",
    ),
    of(
        "a result's checksum not looked at",
        "results.files:_from_document",
        "not in (None, _checksum(document))",
        "in ()",
        "fuzz/test_fuzz_results.py::test_damaged_files[.json-1]",
    ),
    of(
        "a table's checksum not looked at",
        "results.table:_is_whole",
        "hashlib.sha256(rows + footer).digest() == digest",
        "True",
        "fuzz/test_fuzz_results.py::test_damaged_files[.parquet-1]",
    ),
    of(
        "rows of a result that are there twice",
        "results.files:_once",
        "if key in found",
        "if False",
        "fuzz/test_fuzz_results.py::test_printed_results_have_no_checksum_but_follow_from_their_counts[1]",
    ),
    of(
        "a chart out of the folder of its game",
        "games.files:_chart",
        "if not target.is_relative_to(folder.resolve())",
        "if False",
        "fuzz/test_fuzz_absurd.py::test_no_chart_outside_the_folder_of_the_game",
    ),
    of(
        "a stranger's text sent to the terminal as it is",
        "errors:visible",
        "character.isprintable()",
        "True",
        "fuzz/test_fuzz_charts.py::test_damaged_bytes[1]",
    ),
]

SPREAD = [
    of(
        "volatility of the wrong base",
        "volatility.indices:Volatility.index",
        'base == "initial"',
        "False",
        "volatility/test_volatility.py",
    ),
    of(
        "wagers taken for constant",
        "volatility.indices:_wager_part",
        "q * q * own - 2.0 * q * cross",
        "0.0",
        "volatility/test_volatility.py::test_by_hand",
        "volatility/test_volatility.py::test_the_wager_counts_where_the_return_is_far_from_one",
    ),
    of(
        "tolerances on one side only",
        "volatility.indices:Tolerance.range",
        "self.rtp + self.half_widths[level]",
        "self.rtp",
        "volatility/test_volatility.py::TestTolerances",
    ),
    of(
        "sessions one round too long",
        "volatility.sessions:session",
        "_power(law, rounds,",
        "_power(law, rounds + 1,",
        "volatility/test_sessions.py::TestSession",
    ),
    of(
        "ruin only where nothing at all is left",
        "volatility.sessions:risk_of_ruin",
        "(bankroll - 1) * unit",
        "bankroll * unit",
        "volatility/test_sessions.py::TestRuin",
    ),
    of(
        "side bets taken for independent",
        "volatility.covariances:side_bet_covariance",
        "Fraction(product, total) - exact_rtp(one, shoe) * exact_rtp(other, shoe)",
        "Fraction(0)",
        "volatility/test_covariances.py::test_side_bets_against_every_deal_of_a_small_shoe",
    ),
    of(
        "contributions not weighted by their chance",
        "outcomes.contributions:_Sum.add",
        "self.net += probability * net",
        "self.net += net",
        "outcomes/test_contributions.py::test_naturals_by_hand",
    ),
    of(
        "a doubled bust counted as a bust",
        "outcomes.contributions:source_of",
        "doubled = label.wager > unit and",
        "doubled = False and",
        "outcomes/test_contributions.py::test_a_doubled_bust_is_a_double",
    ),
    of(
        "the largest win of one hand for all hands",
        "outcomes.extremes:extremes",
        "hands * net / unit",
        "net / unit",
        "outcomes/test_extremes.py::test_by_hand",
        "outcomes/test_extremes.py::test_the_referee_agrees_on_every_round_shown",
    ),
    of(
        "every net called as likely as its neighbour",
        "outcomes.extremes:_chance_of",
        'row["net"] == net',
        'row["net"] >= net - 1',
        "outcomes/test_extremes.py::test_probabilities_against_rounds_played",
    ),
    of(
        "an EV that is not tested",
        "verification.run_tests:main_tests",
        "hands * exact.main_net, ev_error",
        "figures.ev.value, ev_error",
        "verification/test_verification_main.py::TestSynthetic",
    ),
    of(
        "a mean wager that is not tested",
        "verification.run_tests:main_tests",
        "figures.mean_wager.value - hands * exact.main_wager",
        "0.0",
        "verification/test_verification_main.py::TestSynthetic",
    ),
    of(
        "a variance that is not tested",
        "verification.run_tests:main_tests",
        "figures.variance.value - exact.variance",
        "0.0",
        "verification/test_verification_main.py::TestSynthetic",
    ),
    of(
        "frequencies that are not tested",
        "verification.run_tests:_frequency_test",
        "seen.get(cell, 0) for cell in cells",
        "round(sum(seen.values()) * exact.get(cell, 0)) for cell in cells",
        "verification/test_verification_main.py::TestPlayed::test_play_by_another_chart_fails",
    ),
    of(
        "a side bet's return that is not tested",
        "verification.run_tests:bet_tests",
        "- float(bet.rtp)",
        "- return_estimate(seen, bet.pays, bet.stakes).value",
        VERIFICATION + "test_a_return_that_is_off_has_the_z_of_its_excess",
    ),
    of(
        "a side bet's error from the sample alone",
        "verification.run_tests:bet_sd",
        "math.sqrt(variance)",
        "0 * math.sqrt(variance)",
        "verification/test_verification.py",
    ),
    of(
        "splits counted as played",
        "exact.frequencies:_decision",
        "and what not in _SPLITS.values()",
        "",
        "exact/test_figures.py",
        "verification/test_verification_main.py::TestPlayed",
    ),
    of(
        "a figure in print that always holds",
        "verification.published:printed_verdict",
        "holds = published.prints(exact)",
        "holds = True",
        "verification/test_verification.py::test_a_wrong_figure_in_print_fails",
    ),
]

GROUPS = {
    "Figures and their errors": FIGURES,
    "Tests and verdicts": TESTS,
    "Play and payment": PAYMENTS,
    "Shoe, streams and counting": DEALING,
    "Side bets": BETS,
    "Exact figures": EXACT,
    "Volatility, sessions, extremes, contributions, and what is judged": SPREAD,
    "Files and runs": RUNS,
}
ALL = [probe for group in GROUPS.values() for probe in group]
PROBES = {probe.name: probe for probe in ALL}
assert len(PROBES) == len(ALL), "two probes have one name"
