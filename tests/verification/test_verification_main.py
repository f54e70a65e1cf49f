"""The main game against its exact value: each verdict, and each test failing on its own fault."""

from collections import Counter
from dataclasses import replace

import pytest
from synthetic import MAIN_GAME, figures_of, tally_of

from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import load_game
from rtpsim.results import SimulationResult
from rtpsim.simulation import simulate
from rtpsim.strategy import Chart, default_chart
from rtpsim.verification.judging import exit_status, verify
from rtpsim.verification.verdicts import PublishedVerdict as Published
from rtpsim.verification.verdicts import SimulatedVerdict as Simulated

BILLION = 10**9
ROUNDS = 1_000_000


@pytest.fixture(scope="module")
def game():
    return load_game("signature-surrender")


@pytest.fixture(scope="module")
def silent_game():
    """A game whose operator prints nothing and that has no side bets."""
    return load_game("classic-blackjack")


@pytest.fixture(scope="module")
def run(game):
    """A run of the game as it is."""
    return simulate(game, default_chart(game), rounds=ROUNDS, seed=7)


def judged(tally, game, **options):
    return verify(tally, game, default_chart(game), seed=1, **options)


def main_of(verification):
    return verification.wagers[0]


def failed_tests(verification):
    return {test.result.name for test in verification.runs[0].tests if test.failed}


class TestSynthetic:
    """Figures of a made-up main game, so that what is right and wrong is known beforehand."""

    def test_a_right_run_passes(self, silent_game):
        tally = tally_of(silent_game, BILLION, 3)
        verification = judged(tally, silent_game, exact=figures_of(MAIN_GAME))
        assert main_of(verification).simulated_verdict is Simulated.PASS
        assert exit_status([verification]) == 0

    @pytest.mark.parametrize(
        ("part", "name", "by"),
        [
            ("EV", "ev", 0.0003),
            ("mean wager", "mean_wager", 0.0001),
            ("variance", "variance", 0.0005),
        ],
    )
    @pytest.mark.parametrize("sign", [-1, 1])
    def test_disagreement_fails(self, silent_game, part, name, by, sign):
        right = figures_of(MAIN_GAME)
        wrong = figures_of(MAIN_GAME, **{name: right.document[name] + sign * by})
        verification = judged(tally_of(silent_game, BILLION, 3), silent_game, exact=wrong)
        main = main_of(verification)
        assert main.simulated_verdict is Simulated.FAIL
        assert f"main game: {part}" in main.simulated_reason
        assert failed_tests(verification) == {f"main game: {part}"}
        assert exit_status([verification]) == 1

    def test_the_variance_has_the_error_of_its_fourth_moment(self, silent_game):
        # z is (s^2 - sigma^2) / sqrt((m4 - sigma^4) / n), n large
        right = figures_of(MAIN_GAME)
        error = ((right.fourth - right.variance**2) / BILLION) ** 0.5
        tally = tally_of(silent_game, BILLION, 3)
        shifted = figures_of(MAIN_GAME, variance=right.variance + 3 * error)
        scores = [
            next(
                test.result.statistic
                for test in judged(tally, silent_game, exact=exact).runs[0].tests
                if test.result.name == "main game: variance"
            )
            for exact in (right, shifted)
        ]
        assert scores[0] - scores[1] == pytest.approx(3, rel=1e-3)

    def test_without_a_variance_the_rest_is_judged(self, silent_game):
        exact = figures_of(MAIN_GAME, variance=None, fourth_central_moment=None)
        verification = judged(tally_of(silent_game, BILLION, 3), silent_game, exact=exact)
        names = {test.result.name for test in verification.runs[0].tests}
        assert "main game: EV" in names
        assert "main game: variance" not in names
        assert main_of(verification).simulated_verdict is Simulated.PASS

    @pytest.mark.parametrize("rounds", [1, 2, 5, 1000, 10**7])
    def test_short_runs_do_not_pass(self, silent_game, rounds):
        for seed in range(5):
            tally = tally_of(silent_game, rounds, seed)
            main = main_of(judged(tally, silent_game, exact=figures_of(MAIN_GAME)))
            assert main.simulated_verdict is Simulated.INCONCLUSIVE

    def test_rounds_all_alike_do_not_pass(self, silent_game):
        tally = replace(tally_of(silent_game, 50, 1), outcomes={(0, 2): 50})
        main = main_of(judged(tally, silent_game, exact=figures_of(MAIN_GAME)))
        assert main.simulated_verdict is Simulated.INCONCLUSIVE

    def test_a_good_main_game_fails_as_seldom_as_the_family_says(self, silent_game):
        exact = figures_of(MAIN_GAME)
        failed = sum(
            judged(tally_of(silent_game, 10**6, seed), silent_game, exact=exact).runs[0].failed
            for seed in range(100, 140)
        )
        assert failed <= 3  # 1 % of 40 is 0.4; more than 3 has a chance of 0.0007


class TestPlayed:
    """Runs of the kernel, right and tampered with."""

    def test_a_right_run_has_every_test(self, run, game):
        verification = judged(run, game)
        assert failed_tests(verification) == set()
        names = [test.result.name for test in verification.runs[0].tests]
        assert names == [
            "up cards",
            "initial hands by up card",
            "naturals",
            "main game: EV",
            "main game: mean wager",
            "main game: variance",
            "main game: first decisions by up card",
            "main game: net results",
            "main game: player finals",
            "main game: dealer finals by up card",
            "Empire Poker: frequencies",
            "Empire Poker: return",
            "Empire Pairs: frequencies",
            "Empire Pairs: return",
        ]
        main = main_of(verification)
        # shared values of two independent programs: 99.6349 % of the total wagered
        assert main.exact == pytest.approx(0.99634900, abs=5e-9)
        assert main.others["initial"].exact == pytest.approx(0.99588261, abs=5e-9)
        assert main.published_verdict is Published.REPRODUCED

    def moved(self, run, pick, change, share):
        """Move a share of the rounds of some labels to other labels."""
        labels = Counter()
        for label, count in run.labels.items():
            some = round(count * share) if pick(label) else 0
            labels[label] += count - some
            labels[change(label)] += some
        return replace(run, labels=dict(labels))

    @pytest.mark.parametrize(
        ("test", "pick", "change"),
        [
            (
                "first decisions by up card",
                lambda one: one.route == "surrender",
                lambda one: one._replace(route="stand"),
            ),
            (
                "net results",
                lambda one: one.net == 2 and one.wager == 2,
                lambda one: one._replace(net=3),
            ),
            (
                "player finals",
                lambda one: one.player_final == "20",
                lambda one: one._replace(player_final="21"),
            ),
            (
                "dealer finals by up card",
                lambda one: one.dealer_final == "17",
                lambda one: one._replace(dealer_final="18"),
            ),
        ],
    )
    def test_each_table_sees_its_own_fault(self, run, game, test, pick, change):
        verification = judged(self.moved(run, pick, change, 0.05), game)
        assert f"main game: {test}" in failed_tests(verification)
        assert main_of(verification).simulated_verdict is Simulated.FAIL

    @pytest.mark.parametrize(
        "wagers",
        [
            lambda net, wager, n: {(net, wager + 1): n},  # every round half a wager too much
            lambda net, wager, n: {(net, wager): n - 1, (net, 2 * wager): 1},  # some one doubles
        ],
    )
    @pytest.mark.parametrize("hands", [1, 2])
    def test_a_wager_that_cannot_vary_is_checked(self, wagers, hands):
        game = load_game("8D SPL0 ND")  # nothing raises a wager
        chart = default_chart(game)
        tally = simulate(game, chart, rounds=20_000, seed=3, hands=hands)
        right = verify(tally, game, chart, seed=3)
        by_name = {test.result.name: test for test in right.runs[0].tests}
        assert by_name["main game: mean wager"].result.p_value == 1
        assert not right.runs[0].failed
        outcomes = {}
        for (net, wager), n in tally.outcomes.items():
            outcomes.update(wagers(net, wager, n))
        wrong = verify(replace(tally, outcomes=outcomes), game, chart, seed=3)
        assert "main game: mean wager" in failed_tests(wrong)

    def test_doubles_that_are_not_charged_are_noticed(self, game, run):
        outcomes = Counter()
        for (net, _), n in run.outcomes.items():
            outcomes[net, 2] += n
        wrong = judged(replace(run, outcomes=dict(outcomes)), game)
        assert "main game: mean wager" in failed_tests(wrong)

    def test_what_cannot_happen_fails_outright(self, run, game):
        impossible = self.moved(
            run,
            lambda one: one.route == "natural" and one.net == 3,
            lambda one: one._replace(net=4),
            1e-4,
        )
        verification = judged(impossible, game)
        assert failed_tests(verification) == {"main game: net results"}

    def test_play_by_another_chart_fails(self, game):
        # 17 stands; hitting it against 2 is a mistake of one cell
        chart = default_chart(game)
        rows = dict(chart.rows)
        rows["hard 17"] = ("H", *rows["hard 17"][1:])
        tally = simulate(game, Chart("wrong", rows), rounds=ROUNDS, seed=7)
        assert "main game: player finals" in failed_tests(judged(tally, game))

    def test_several_hands_a_round(self, game):
        chart = default_chart(game)
        tally = simulate(game, chart, rounds=ROUNDS // 2, seed=1, hands=3)
        verification = judged(tally, game)
        assert failed_tests(verification) == set()
        names = {test.result.name for test in verification.runs[0].tests}
        assert "main game: EV" in names
        # the rounds' variance is not three times a hand's, and the dealer plays for all hands
        assert "main game: variance" not in names
        assert "main game: dealer finals by up card" not in names
        right = exact_figures(game)
        main = right.document["main"] | {"net": 0.02}  # seven standard errors and more
        wrong = replace(right, document={**right.document, "main": main})
        assert "main game: EV" in failed_tests(judged(tally, game, exact=wrong))

    def test_hands_that_affect_each_other_are_refused(self):
        game = load_game("classic-blackjack").model_copy(update={"max_hands": 2})
        peek = game.with_settings({"insurance-peek": "on"})
        tally = tally_of(peek, 100, 1)
        with pytest.raises(InputError, match="one hand a round"):
            judged(replace(tally, hands=2), peek)

    def test_a_result_from_a_file_stands_for_its_tally(self, run, game, tmp_path):
        result = SimulationResult.from_tally(game, default_chart(game), 1, run)
        result.save(tmp_path / "run.parquet")
        loaded = SimulationResult.load(tmp_path / "run.parquet")
        assert judged(loaded, game).runs == judged(run, game).runs


class TestPublished:
    """The published figure against exact values of other charts and readings."""

    def test_resplits_have_exact_tests_too(self):
        game = load_game("power-blackjack")
        tally = simulate(game, default_chart(game), rounds=ROUNDS, seed=3)
        verification = judged(tally, game)
        assert failed_tests(verification) == set()
        assert main_of(verification).published_verdict is Published.NOT_PUBLISHED
        names = {test.result.name for test in verification.runs[0].tests}
        assert "main game: first decisions by up card" in names

    def test_a_chart_that_stands_on_16_prints_other_digits(self, game):
        # shared value: with 16 v T "surrender, else stand" the EV is -0.41088 %
        chart = default_chart(game)
        rows = dict(chart.rows)
        assert rows["hard 16"][8] == "Rh"
        rows["hard 16"] = (*rows["hard 16"][:8], "Rs", rows["hard 16"][9])
        stands = Chart("stands", rows)
        tally = simulate(game, stands, rounds=1000, seed=1)
        verification = verify(tally, game, stands, seed=1)
        main = main_of(verification)
        assert main.others["initial"].exact == pytest.approx(1 - 0.0041088, abs=5e-8)
        assert main.published_verdict is Published.NOT_REPRODUCED
        assert "prints as 99.64" in main.published_reason
        assert "chart stands instead of ordinary" in main.published_reason
        assert "surrender-vs-ace = not" in main.published_reason

    def test_a_chosen_reading_is_named(self, game):
        other = game.with_settings({"surrender-vs-ace": "not"})
        main = main_of(judged(simulate(other, default_chart(other), rounds=1000), other))
        assert main.published_verdict is Published.UNDER_A_READING
        assert "under surrender-vs-ace = not" in main.published_reason

    def test_other_rules_do_not_reproduce_it(self, game):
        # H17 costs 0.22 points: Wizard of Odds, rule variations
        other = game.with_settings({"soft17": "hit"})
        verification = judged(simulate(other, default_chart(other), rounds=1000), other)
        assert main_of(verification).published_verdict is Published.NOT_REPRODUCED
        assert exit_status([verification]) == 1
