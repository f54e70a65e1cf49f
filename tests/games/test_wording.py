"""The rules in words, against the rule texts' meaning."""

import pytest

from rtpsim.games.wording import RULE_NAMES, rules_in_words
from rtpsim.rules import Rules
from rtpsim.rulestring import parse_rules

# the rule strings of the four games, and what their texts say (in our words)
GAMES = {
    "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK": [
        "8 decks of 52 cards, shuffled before every round.",
        "The dealer stands on soft 17.",
        "Double any two cards, for one card more; also after a split.",
        "Split cards of equal value (J,K) once.",
        "Split aces receive one card each.",
        "Late surrender: half the bet comes back, unless the dealer has a natural.",
        "A natural pays 3 to 2.",
        "The dealer looks for a natural under an ace and a ten before anybody plays; "
        "one ends the round.",
    ],
    "1D S17 D9 NDAS SPL1 SPR NRSA HSA NDSA NS 3:2 ENHC MAX11": [
        "One deck of 52 cards, shuffled before every round.",
        "The dealer stands on soft 17.",
        "Double two cards of hard 9-11, for one card more; not after a split.",
        "Split equal ranks (J,J not J,K) once.",
        "Split aces may be hit and are not doubled.",
        "No surrender.",
        "A natural pays 3 to 2.",
        "The dealer takes one card only until the players are done; a natural then takes "
        "every bet of the round, doubles and splits included.",
        "A hand of 11 cards stands by itself.",
    ],
}


@pytest.mark.parametrize("text", GAMES)
def test_games_in_words(text):
    assert rules_in_words(parse_rules(text)) == GAMES[text]


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ("H17", "hits soft 17"),
        ("ND", "No doubling."),
        ("D9S", "hard 9-11, where soft 18 counts as 8"),
        ("DOAN", "Double any number of cards"),
        ("D10N", "Double any number of cards of hard 10-11"),
        ("SPL0", "No splitting of pairs."),
        ("SPL2", "twice in all, up to 3 hands"),
        ("SPL3 RSA", "Split aces may be split again and receive one card each."),
        ("SPT2 HSA DSA", "are not split again, may be hit and may be doubled"),
        ("LSXA", "not against an ace"),
        ("ES", "Early surrender: half the bet comes back whatever"),
        ("ES10", "Early surrender, not against an ace"),
        ("6:5", "A natural pays 6 to 5."),
        ("PEEKA", "under an ace only"),
        ("PEEKT", "under a ten only"),
        ("OBO", "takes the original bets only"),
        ("C7", "7 cards not over 21 win."),
        ("C8XT", "8 cards not over 21 win, but 21 of them push with a dealer 21; not after"),
        ("H21", "A hand of 21 may be hit."),
        ("P22", "A dealer 22 pushes what is alive; naturals still win."),
        ("P22N", "A dealer 22 pushes what is alive; naturals too."),
        ("PD9S", "Power double on 9, 10, 11, soft 19 or 20"),
        ("PS", "its hands may not be split again"),
        ("SPT2 PSR", "its hands may be split again"),
        ("ENHC INSP", "the dealer checks for a natural at once"),
    ],
)
def test_every_token_has_words(tokens, words):
    plain = rules_in_words(parse_rules("6D"))
    special = rules_in_words(parse_rules(f"6D {tokens}"))
    assert words in " ".join(special)
    assert words not in " ".join(plain)


def test_every_rule_has_a_name_of_its_own():
    assert list(RULE_NAMES) == list(Rules.model_fields)
    assert len(set(RULE_NAMES.values())) == len(RULE_NAMES)
