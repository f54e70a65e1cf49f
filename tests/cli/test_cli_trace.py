"""``rtpsim trace``: the referee's rounds."""


def test_given_cards_are_told_step_by_step(call):
    status, out, err = call(
        "trace", "signature-surrender", "--cards", "8♠ 8♥ | 6♣ T♦ | 3♣ T♣ 2♥ 9♦ 7♠ K♠"
    )
    assert (status, err) == (0, "")
    # by hand: 8,3 doubled makes 21; 8,2 doubled makes 19; the dealer's 6, T, 7 is bust: +4
    assert "splits" in out
    assert out.count("doubles") == 2
    assert "bust" in out
    assert "net +4" in out
    assert out.rstrip().endswith("Not drawn: K♠")


def test_json_has_the_same_round_in_numbers(call_json):
    status, (result,) = call_json(
        "trace", "signature-surrender", "--cards", "8S 8H / A 9 | 6C TD | 3 T 2 9 7"
    )
    assert status == 0
    assert result["unit"] == "1/2"
    assert (result["net"], result["wager"]) == (10, 10)
    assert [hand["net"] for hand in result["hands"]] == [8, 2]
    assert [hand["route"] for hand in result["hands"]] == ["split", "stand"]
    assert result["dealer"] == ["6♣", "T♦", "7"]
    assert result["dealer_final"] == "bust"
    # 8,8 black and red is a mixed pair; with a 6 the three cards are nothing
    assert result["hands"][0]["side_bets"]["empire-pairs"] == "mixed"
    assert result["hands"][0]["side_bets"]["empire-poker"] == "lose"


def test_the_settings_and_the_chart_are_the_players(call_json, tmp_path):
    cards = ("--cards", "T♠ 6♦ | A♣ 7♥ | 5♣ K♠ 9♠")
    _, (result,) = call_json("trace", "signature-surrender", *cards)
    assert result["hands"][0]["route"] == "surrender"
    _, (result,) = call_json(
        "trace", "signature-surrender", *cards, "--set", "surrender-vs-ace=not"
    )
    # not allowed to surrender, 16 hits and makes 21 against ace-seven, a soft 18
    assert (result["net"], result["wager"]) == (2, 2)


def test_shuffled_rounds_are_a_function_of_the_seed(call, call_json):
    options = ("trace", "power-blackjack", "--rounds", "4", "--seed")
    _, out, _ = call(*options, "5")
    assert call(*options, "5")[1] == out
    assert call(*options, "6")[1] != out
    assert [line for line in out.splitlines() if line.startswith("Round")] == [
        "Round 1",
        "Round 2",
        "Round 3",
        "Round 4",
    ]
    _, results = call_json(*options, "5")
    assert len(results) == 4
    assert (
        call_json("trace", "power-blackjack", "--seed", "0")[1]
        != call_json("trace", "power-blackjack")[1]
    )


def test_several_hands_share_the_dealer(call_json):
    _, (result,) = call_json("trace", "blackjack-surrender", "--hands", "3", "--seed", "2")
    assert len(result["hands"]) == 3
    assert result["net"] == sum(hand["net"] for hand in result["hands"])


def test_cards_that_the_shoe_does_not_hold_are_refused(call):
    def refusal(cards, game="classic-blackjack"):  # one deck
        status, _, err = call("trace", game, "--cards", cards)
        assert status == 2
        return err.removeprefix("rtpsim: --cards: ").rstrip()

    assert refusal("T♠ 6♦ | 9♣ | T♠ 5") == "T♠ is there 2 times; a shoe of 1 deck holds 1"
    assert refusal("8 8 | 8 | 8 8♣") == "8 is there 5 times; a shoe of 1 deck holds 4"
    assert refusal("8 8♥ | 8♥ | 2 3").startswith("8♥ is there 2 times")
    two = "2D S17"
    assert refusal("A♣ A♣ | 6 | A♣ 5", two) == "A♣ is there 3 times; a shoe of 2 decks holds 2"
    assert (
        refusal("9 2 | 9 9 | 9 9 9 9 9 9", two) == "9 is there 9 times; a shoe of 2 decks holds 8"
    )
    status, *_ = call("trace", two, "--cards", "A♣ 7 | 6 T | A♣ 5 T 9")
    assert status == 0


def test_a_solved_chart_can_be_followed(call):
    cards = ("--cards", "T 6 | T | 5")
    status, out, _ = call("trace", "8D LS", "--strategy", "optimal-td", *cards)
    assert status == 0
    assert "surrenders (chart: hard 16, R" in out
    status, _, err = call("trace", "8D LS", "--strategy", "optimal-cd", *cards)
    assert status == 2
    assert err.startswith("rtpsim: strategy 'optimal-cd' is no chart; allowed are optimal-td")
