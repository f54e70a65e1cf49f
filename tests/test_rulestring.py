"""The rule string, in both directions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtpsim.errors import InputError
from rtpsim.rules import Rules
from rtpsim.rulestring import format_rules, parse_rules

# Token, what else it needs, and the fields it means: the notation's table, written out by hand.
TOKENS = [
    ("1D", "", {"decks": 1}),
    ("1000D", "", {"decks": 1000}),
    ("S17", "8D", {"soft17": "stand"}),
    ("H17", "8D", {"soft17": "hit"}),
    ("DOA", "8D", {"double": "any", "double_soft": False, "double_any_cards": False}),
    ("DOAN", "8D", {"double": "any", "double_soft": False, "double_any_cards": True}),
    ("D8", "8D", {"double": "8-11", "double_soft": False, "double_any_cards": False}),
    ("D9", "8D", {"double": "9-11", "double_soft": False, "double_any_cards": False}),
    ("D10", "8D", {"double": "10-11", "double_soft": False, "double_any_cards": False}),
    ("D11", "8D", {"double": "11", "double_soft": False, "double_any_cards": False}),
    ("D8S", "8D", {"double": "8-11", "double_soft": True, "double_any_cards": False}),
    ("D9S", "8D", {"double": "9-11", "double_soft": True, "double_any_cards": False}),
    ("D10N", "8D", {"double": "10-11", "double_soft": False, "double_any_cards": True}),
    ("D11SN", "8D", {"double": "11", "double_soft": True, "double_any_cards": True}),
    ("ND", "8D", {"double": "none"}),
    ("DAS", "8D", {"double_after_split": True}),
    ("NDAS", "8D", {"double_after_split": False}),
    ("SPL0", "8D", {"splits": 0}),
    ("SPL1", "8D", {"splits": 1}),
    ("SPL2", "8D", {"splits": 2}),
    ("SPL3", "8D", {"splits": 3}),
    ("SPT2", "8D", {"splits": "tree"}),
    ("SPV", "8D", {"split_by": "value"}),
    ("SPR", "8D", {"split_by": "rank"}),
    ("NRSA", "8D SPL3", {"resplit_aces": False}),
    ("RSA", "8D SPL3", {"resplit_aces": True}),
    ("NHSA", "8D", {"hit_split_aces": False}),
    ("HSA", "8D", {"hit_split_aces": True}),
    ("NDSA", "8D HSA", {"double_split_aces": False}),
    ("DSA", "8D HSA", {"double_split_aces": True}),
    ("NS", "8D", {"surrender": "none"}),
    ("LS", "8D", {"surrender": "late"}),
    ("LSXA", "8D", {"surrender": "late-not-ace"}),
    ("ES", "8D", {"surrender": "early"}),
    ("ES10", "8D", {"surrender": "early-ten"}),
    ("3:2", "8D", {"natural_pays": Fraction(3, 2)}),
    ("6:5", "8D", {"natural_pays": Fraction(6, 5)}),
    ("1:1", "8D", {"natural_pays": Fraction(1)}),
    ("PEEK", "8D", {"hole_card": "peek"}),
    ("PEEKA", "8D", {"hole_card": "peek-ace"}),
    ("PEEKT", "8D", {"hole_card": "peek-ten"}),
    ("OBO", "8D", {"hole_card": "obo"}),
    ("ENHC", "8D", {"hole_card": "enhc"}),
    ("C5", "8D", {"charlie": 5, "charlie_after_split": True, "charlie_21_pushes": False}),
    ("C11", "8D", {"charlie": 11, "charlie_after_split": True, "charlie_21_pushes": False}),
    ("C7X", "8D", {"charlie": 7, "charlie_after_split": False, "charlie_21_pushes": False}),
    ("C8T", "8D", {"charlie": 8, "charlie_after_split": True, "charlie_21_pushes": True}),
    ("C6XT", "8D", {"charlie": 6, "charlie_after_split": False, "charlie_21_pushes": True}),
    ("MAX8", "8D", {"max_cards": 8}),
    ("MAX21", "8D", {"max_cards": 21}),
    ("H21", "8D", {"hit_21": True}),
    ("P22", "8D", {"push_22": "push"}),
    ("P22N", "8D", {"push_22": "push-naturals"}),
    ("PD9", "8D", {"power_double": "9-11"}),
    ("PD9S", "8D", {"power_double": "9-11-soft"}),
    ("PD10", "8D", {"power_double": "10-11"}),
    ("PS", "8D", {"power_split": "once"}),
    ("PSR", "8D SPL2", {"power_split": "resplit"}),
    ("INSP", "8D ENHC", {"insurance_peek": True}),
]


@pytest.mark.parametrize(("token", "needs", "fields"), TOKENS, ids=[token[0] for token in TOKENS])
def test_every_token_sets_its_fields_and_is_written_again(token, needs, fields):
    rules = parse_rules(f"{token} {needs}")
    assert {name: getattr(rules, name) for name in fields} == fields
    assert token in format_rules(rules).split()
    assert parse_rules(format_rules(rules)) == rules


def test_every_field_of_the_rules_has_a_token():
    assert {name for _, _, fields in TOKENS for name in fields} == set(Rules.model_fields)


def test_tokens_left_out_are_assumed_and_written():
    written = "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA NS 3:2 PEEK"
    assert format_rules(parse_rules("8D")) == written
    assert parse_rules(written) == Rules(decks=8)


def test_order_case_and_spaces_do_not_matter():
    assert parse_rules("  c7tx peek\tls\n 6d ") == parse_rules("6D LS PEEK C7XT")


@pytest.mark.parametrize(
    "text",
    [
        "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK",
        "6D S17 DOA DAS SPT2 SPV NRSA NHSA NDSA NS 3:2 ENHC C8 P22 PD9 PS",
        "6D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK C7",
        "1D S17 D9 NDAS SPL1 SPR NRSA HSA NDSA NS 3:2 ENHC MAX11",
    ],
)
def test_the_rule_strings_of_the_four_games_come_back_as_they_are(text):
    assert format_rules(parse_rules(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "decks is missing"),
        ("S17 LS", "decks is missing"),
        ("0D", "decks = 0: allowed is a whole number from 1 to 1000"),
        ("1000000000D", "decks = .*from 1 to 1000"),
        ("9" * 5000 + "D", "decks = .*from 1 to 1000"),
        ("8D PEAK", "unknown token 'PEAK'; did you mean 'PEEK'"),
        ("8D 6D", "'8D' and '6D' both set decks"),
        ("8D S17 H17", "'S17' and 'H17' both set soft17"),
        ("8D DOA D9", "'DOA' and 'D9' both set double"),
        ("8D LS LS", "'LS' and 'LS' both set surrender"),
        ("8D 3:0", "'3:0' pays per nothing"),
        ("8D -1:2", "natural_pays = -1/2.*less than nothing"),
        ("8D C4", "charlie = 4: allowed is a whole number from 5 to 11"),
        ("8D C12", "charlie = 12"),
        ("8D MAX7", "max_cards = 7"),
        ("8D INSP", "insurance_peek = True with hole_card = 'peek'"),
        ("8D RSA SPL1", "resplit_aces = True with splits = 1"),
        ("8D DSA", "double_split_aces = True with hit_split_aces = False"),
        ("8D DOAS", "double_soft = True with double = 'any'"),
        ("8D NDN", "double_any_cards = True with double = 'none'"),
        ("8D C7XX", "unknown token"),
        ("8D" * 10_000, "unknown token"),
        ("8D\0", "unknown token"),
    ],
)
def test_what_is_no_rule_string_is_refused_in_one_line(text, message):
    with pytest.raises(InputError, match=message) as refusal:
        parse_rules(text)
    assert len(str(refusal.value)) < 250
    assert "\n" not in str(refusal.value)


@st.composite
def rules(draw):
    """Any rules that do not contradict themselves."""
    flag = st.booleans()
    splits = draw(st.sampled_from([0, 1, 2, 3, "tree"]))
    again = splits not in (0, 1)
    double = draw(st.sampled_from(["any", "8-11", "9-11", "10-11", "11", "none"]))
    das, hsa = draw(flag), draw(flag)
    charlie = draw(st.none() | st.integers(5, 11))
    max_cards = draw(st.none() | st.integers(max(8, (charlie or 0) + 1), 21))
    hole_card = draw(st.sampled_from(["peek", "peek-ace", "peek-ten", "obo", "enhc"]))
    power_splits = ["none", "once"] + ["resplit"] * again
    return Rules(
        decks=draw(st.integers(1, 1000)),
        soft17=draw(st.sampled_from(["stand", "hit"])),
        double=double,
        double_soft=double not in ("any", "none") and draw(flag),
        double_any_cards=double != "none" and draw(flag),
        double_after_split=das,
        splits=splits,
        split_by=draw(st.sampled_from(["value", "rank"])),
        resplit_aces=again and draw(flag),
        hit_split_aces=hsa,
        double_split_aces=das and hsa and draw(flag),
        surrender=draw(st.sampled_from(["none", "late", "late-not-ace", "early", "early-ten"])),
        natural_pays=Fraction(draw(st.integers(0, 1000)), draw(st.integers(1, 100))),
        hole_card=hole_card,
        charlie=charlie,
        charlie_after_split=charlie is None or draw(flag),
        charlie_21_pushes=charlie is not None and draw(flag),
        max_cards=max_cards,
        hit_21=draw(flag),
        push_22=draw(st.sampled_from(["none", "push", "push-naturals"])),
        power_double=draw(st.sampled_from(["none", "9-11", "9-11-soft", "10-11"])),
        power_split=draw(st.sampled_from(power_splits)),
        insurance_peek=hole_card not in ("peek", "peek-ace") and draw(flag),
    )


@given(rules(), st.randoms(use_true_random=False))
def test_any_rules_survive_writing_shuffling_and_reading(original, random):
    tokens = format_rules(original).split()
    random.shuffle(tokens)
    assert parse_rules(" ".join(tokens)) == original


@given(rules(), rules())
def test_different_rules_are_written_differently(one, other):
    assert (str(one) == str(other)) == (one == other)
