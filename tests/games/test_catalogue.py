"""The four games of the catalogue: what their rules texts say, in the project's notation."""

import hashlib

import pytest

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.games import Game, game_names, load_game
from rtpsim.games.paytables import alternative_paytables
from rtpsim.rules import Rules
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import exact_rtp

SIGNATURE = "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK"
POWER = "6D S17 DOA DAS SPT2 SPV NRSA NHSA NDSA NS 3:2 ENHC C8 P22 PD9 PS"
SURRENDER = "6D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK C7"
CLASSIC = "1D S17 D9 NDAS SPL1 SPR NRSA HSA NDSA NS 3:2 ENHC MAX11"

# Game, rules, most hands, even money, default chart: read from the rules texts by hand.
GAMES = [
    ("signature-surrender", SIGNATURE, 3, True, "ordinary"),
    ("power-blackjack", POWER, 1, False, "power-blackjack"),
    ("blackjack-surrender", SURRENDER, 5, False, "ordinary"),
    ("classic-blackjack", CLASSIC, 1, False, "classic-blackjack"),
]

# Game, reading, default option, and the tokens that every other option puts in place of others.
READINGS = [
    ("signature-surrender", "surrender-vs-ace", "allowed", {"not": ("LS", "LSXA")}),
    ("power-blackjack", "dealer-22-v-natural", "wins", {"pushes": ("P22", "P22N")}),
    ("power-blackjack", "power-double-soft", "not", {"allowed": ("PD9", "PD9S")}),
    ("power-blackjack", "resplit-aces", "not", {"once": ("NRSA", "RSA")}),
    ("power-blackjack", "power-split-resplit", "not", {"allowed": ("PS", "PSR")}),
    ("power-blackjack", "eight-card-21", "wins", {"pushes": ("C8", "C8T")}),
    ("blackjack-surrender", "surrender-vs-ace", "allowed", {"not": ("LS", "LSXA")}),
    ("blackjack-surrender", "charlie", "on", {"off": ("C7", "")}),
    ("blackjack-surrender", "hit-21", "stand", {"hit": ("C7", "C7 H21")}),
    ("classic-blackjack", "split-aces", "hit", {"one-card": ("HSA", "NHSA")}),
    ("classic-blackjack", "double-soft", "not", {"allowed": ("D9", "D9S")}),
    ("classic-blackjack", "double-any-cards", "not", {"allowed": ("D9", "D9N")}),
    ("classic-blackjack", "insurance-peek", "off", {"on": ("MAX11", "MAX11 INSP")}),
]

PUBLISHED = {
    "signature-surrender": {"main": "99.63", "empire-poker": "96.82", "empire-pairs": "96.63"},
    "power-blackjack": {},
    "blackjack-surrender": {
        "main": "99.66",
        "21+3": "95.38",
        "players-pair": "93.89",
        "dealers-pair": "93.89",
    },
    "classic-blackjack": {},
}


def test_the_catalogue_holds_the_four_games():
    assert game_names() == sorted(name for name, *_ in GAMES)


@pytest.mark.parametrize(("name", "rules", "hands", "even_money", "chart"), GAMES)
def test_rules_and_offers(name, rules, hands, even_money, chart):
    game = load_game(name)
    assert game.id == name
    assert str(game.rules) == rules
    assert game.max_hands == hands
    assert game.insurance
    assert game.even_money == even_money
    assert game.chart == chart
    assert game.source is not None
    assert game.title in str(game.source)


@pytest.mark.parametrize(("name", "reading_id", "default", "others"), READINGS)
def test_readings_change_the_rules_they_name_and_nothing_else(name, reading_id, default, others):
    game = load_game(name)
    reading = next(reading for reading in game.readings if reading.id == reading_id)
    assert reading.default == default == game.chosen[reading_id]
    assert set(reading.options) == {default, *others}
    assert game.with_settings({reading_id: default}) == game
    for option, (token, instead) in others.items():
        other = game.with_settings({reading_id: option})
        tokens = [instead if each == token else each for each in str(game.rules).split()]
        assert str(other.rules) == " ".join(" ".join(tokens).split())
        assert other.chosen == {**game.chosen, reading_id: option}
        assert other.sha256 != game.sha256
        assert other.with_settings({reading_id: default}) == game


def test_no_reading_is_left_out_of_this_test():
    listed = {(name, reading) for name, reading, *_ in READINGS}
    listed |= {
        (name, "ace-in-straights") for name in ("signature-surrender", "blackjack-surrender")
    }
    found = {(name, reading.id) for name in game_names() for reading in load_game(name).readings}
    assert found == listed


def test_every_reading_gives_a_reason_in_its_own_words():
    for name in game_names():
        for reading in load_game(name).readings:
            assert 30 < len(reading.reason) < 250
            quoted = reading.reason.split('"')[1::2]
            assert all(len(words.split()) <= 7 for words in quoted), "quote a few words at most"


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_figures_are_as_printed(name):
    game = load_game(name)
    assert {figure.wager: figure.rtp for figure in game.published} == PUBLISHED[name]
    for figure in game.published:
        assert figure.base == ("total" if figure.wager == "main" else "stake")
        assert figure.rounding == "nearest"


def test_figures_without_a_source_are_quoted_and_not_published():
    quoted = {
        name: [(figure.figure, figure.value) for figure in load_game(name).quoted]
        for name in game_names()
    }
    assert quoted == {
        "signature-surrender": [],
        "blackjack-surrender": [],
        "power-blackjack": [("house-edge", "0.23")],
        "classic-blackjack": [("rtp", "99.91"), ("house-edge", "0.13")],
    }


@pytest.mark.parametrize("name", ["signature-surrender", "blackjack-surrender"])
def test_side_bets_return_what_is_published(name):
    game = load_game(name)
    assert game.side_bets
    for bet in game.side_bets:
        rtp = exact_rtp(bet, Shoe.of_decks(game.rules.decks))
        assert game.published_for(bet.id).prints(rtp)


@pytest.mark.parametrize("option", ["high", "low"])
@pytest.mark.parametrize(
    ("name", "bet_id"), [("signature-surrender", "empire-poker"), ("blackjack-surrender", "21+3")]
)
def test_only_an_ace_high_and_low_gives_the_published_figure(name, bet_id, option):
    game = load_game(name).with_settings({"ace-in-straights": option})
    assert game.chosen["ace-in-straights"] == option
    bet = game.side_bet(bet_id)
    assert bet.ace_in_straights == option
    rtp = exact_rtp(bet, Shoe.of_decks(game.rules.decks))
    assert not game.published_for(bet_id).prints(rtp)


def test_paytables_that_the_text_lacks_are_marked_and_have_alternatives():
    assert not any(bet.inferred for bet in load_game("signature-surrender").side_bets)
    game = load_game("blackjack-surrender")
    for bet in game.side_bets:
        assert bet.inferred
        figure = game.published_for(bet.id)
        tables = alternative_paytables(bet, Shoe.of_decks(6), figure.rtp, rounding=figure.rounding)
        assert tables[0] == bet.pays
        assert len(tables) > 1


def test_dealers_pair_looks_at_the_dealers_cards_and_has_one_result_a_round():
    bet = load_game("blackjack-surrender").side_bet("dealers-pair")
    assert bet.cards == ("up", "hole")
    assert bet.per_round


def test_an_unknown_game_is_refused_with_a_suggestion():
    with pytest.raises(InputError, match="did you mean 'signature-surrender'"):
        load_game("signature-surender")


def test_games_load_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_game("classic-blackjack").rules == parse_rules(CLASSIC)


def test_the_hash_is_of_rules_offers_and_bets():
    """The canonical text is written out here: the random streams hang on it."""
    text = '{"even_money":false,"insurance":true,"rules":"' + CLASSIC + '","side_bets":[]}'
    assert load_game("classic-blackjack").sha256 == hashlib.sha256(text.encode()).hexdigest()
    text = (
        '{"even_money":true,"insurance":true,"rules":"' + SIGNATURE + '","side_bets":['
        '["empire-pairs","pair",["player1","player2"],'
        '[["perfect",30],["coloured",10],["mixed",5]]],'
        '["empire-poker","three-card",["player1","player2","up"],[["suited-trips",100],'
        '["straight-flush",35],["trips",33],["straight",10],["flush",5]],"high-low"]]}'
    )
    assert load_game("signature-surrender").sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_a_game_of_rules_alone():
    game = Game.from_rules(parse_rules("6D H17 6:5"))
    assert game.id == "6D H17 DOA DAS SPL1 SPV NRSA NHSA NDSA NS 6:5 PEEK"
    assert game.insurance
    assert not game.even_money
    assert game.side_bets == game.published == game.readings == ()
    assert game.with_settings({"soft17": "stand"}).rules == Rules(decks=6, natural_pays="6:5")


def test_games_are_values():
    game = load_game("signature-surrender")
    again = game.with_settings({"soft17": "hit"}).with_settings({"soft17": "stand"})
    assert again == game
    assert hash(again) == hash(game)
    with pytest.raises(ValueError, match="frozen"):
        game.max_hands = 4


@pytest.mark.parametrize(("name", "most"), [(name, hands) for name, _, hands, *_ in GAMES])
def test_more_hands_than_the_game_allows_are_refused(name, most):
    game = load_game(name)
    game.check_hands(most)
    for hands in (0, -1, most + 1, 10**9):
        with pytest.raises(InputError, match=f"hands = {hands}: {name} allows 1"):
            game.check_hands(hands)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chralie": "off"}, "did you mean 'charlie'"),
        ({"surrender-vs-ace": "no"}, "allowed is allowed or not; did you mean 'not'"),
        ({"charlie": "of"}, "allowed is on or off, or a value of the rule charlie"),
        ({"surrender-vs-ace": "not", "surrender": "none"}, "two of them set surrender"),
        ({"soft17": "maybe"}, "soft17 = 'maybe': allowed is 'stand' or 'hit'"),
        ({"resplit_aces": "true"}, "resplit_aces = True with splits = 1"),
        ({"decks": True}, "decks = True"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        load_game("blackjack-surrender").with_settings(settings)


def test_rules_and_readings_can_be_set_together():
    game = load_game("blackjack-surrender")
    settings = {"charlie": "8", "splits": "2", "resplit_aces": "true", "surrender-vs-ace": "not"}
    other = game.with_settings(settings)
    assert str(other.rules) == "6D S17 DOA DAS SPL2 SPV RSA NHSA NDSA LSXA 3:2 PEEK C8"
    assert other.chosen["charlie"] == "other"
    assert other.chosen["surrender-vs-ace"] == "not"
    assert game.with_settings({"charlie": "none"}).chosen["charlie"] == "off"


@pytest.mark.parametrize(
    ("settings", "token"),
    [
        ({"resplit_aces": "once"}, "RSA"),
        ({"resplit_aces": True}, "RSA"),
        ({"resplit-aces": "yes"}, "RSA"),
        ({"resplit-aces": "not", "splits": 1}, "NRSA"),
        ({"dealer_22_v_natural": "pushes"}, "P22N"),
        ({"double-after-split": "no"}, "NDAS"),
    ],
)
def test_dashes_and_underscores_are_the_same_in_names(settings, token):
    game = load_game("power-blackjack").with_settings(settings)
    assert token in str(game.rules).split()
    keywords = {name.replace("-", "_"): value for name, value in settings.items()}
    assert load_game("power-blackjack").replace(**keywords) == game


def test_a_reading_and_a_rule_of_one_name_are_set_together_with_what_they_need():
    once = "6D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA NS 3:2 PEEK"
    read = [
        {
            "id": "resplit-aces",
            "title": "t",
            "reason": "r",
            "default": "not",
            "options": {
                "not": {"rules": {"resplit_aces": False, "splits": 1}},
                "once": {"rules": {"resplit_aces": True, "splits": 2}},
            },
        }
    ]
    game = Game.model_validate({"id": "g", "title": "G", "rules": once, "readings": read})
    with pytest.raises(InputError, match="resplit_aces = True with splits = 1"):
        game.replace(resplit_aces=True)
    assert game.replace(resplit_aces="once") == game.replace(resplit_aces=True, splits=2)


def test_a_reading_whose_options_contradict_the_rules_in_force_can_still_be_shown():
    game = load_game("power-blackjack").with_settings({"charlie": "none", "splits": "1"})
    assert game.chosen["resplit-aces"] == "not"


@pytest.mark.parametrize("name", ["side-bet", "empire-poke"])
def test_an_unknown_side_bet_is_refused(name):
    with pytest.raises(InputError, match="unknown side bet"):
        load_game("signature-surrender").side_bet(name)
