"""What is typed, with faults in it: refused in a line, or read as exactly what it says."""

import random
import re
from decimal import Decimal
from fractions import Fraction

import click
import pytest
from fuzzing import TIMES, check
from mutations import JUNK, word_changed, words_changed
from outcomes import Outcomes

from rtpsim.cards import RANKS
from rtpsim.cli import options, paytables, sweep
from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.reference import parse_cards
from rtpsim.rulestring import parse_rules
from rtpsim.runs.shards import Shard

WORDS = tuple(str(value) for value in JUNK)

TOKENS = [
    "8D",
    "S17",
    "DOA",
    "DAS",
    "SPL1",
    "SPV",
    "NRSA",
    "NHSA",
    "NDSA",
    "LS",
    "3:2",
    "PEEK",
    "C8",
    "MAX9",
    "H21",
    "P22",
    "PD9",
    "PS",
    "INSP",
]
ODD_TOKENS = [
    "10000000000D",
    "0D",
    "-1D",
    "2.5D",
    "nD",
    "D",
    "C4",
    "C12",
    "C8XX",
    "MAX7",
    "MAX22",
    "1:0",
    "0:0",
    "-1:2",
    "99999999999999999999:1",
    "SPL4",
    "D7",
    "D12",
    "DOANS",
    "DOAS",
    "NDN",
    "P21",
    "PD8",
    "S18",
    "H16",
    "RSA",
    "DSA",
    "PSR",
    "H17",
    "ENHC",
    "6:5",
]

NUMBERS = [
    "0",
    "1",
    "12",
    "1000000",
    "1_000_000",
    "1e6",
    "1.5e6",
    "18446744073709551615",
    "999999999999999",
]
ODD_NUMBERS = (
    "1e400 1e-400 1e999999999 -1 1.5 0x10 1,000 1e 1e+ +-1 ٣ ½ ² 1__0 nan inf sNaN 0e999999999 "
    f"1{'0' * 40} 18446744073709551616 {'9' * 5000} 1e15 1e16 1.0000001e3 1000000000000001"
).split()


def quoted(junk):
    """Return junk as a list of words, odd ones of the reader's own kind more often."""
    return (*junk * 3, *WORDS)


def usage(read):
    """Return a reader of an option that raises `InputError` as those of files do."""

    def read_or_refuse(text):
        try:
            return read(text)
        except click.BadParameter as error:
            raise InputError(error.format_message()) from None

    return read_or_refuse


@pytest.mark.parametrize("times", TIMES)
def test_rule_strings(times):
    def misread(text, rules):
        written = str(rules).split()
        for token in text.upper().split():
            if token not in written and re.sub(r"^0+(?=\d)", "", token) not in written:
                pays = re.fullmatch(r"(\d+):(\d+)", token)
                if not pays or Fraction(int(pays[1]), int(pays[2])) != rules.natural_pays:
                    return f"{token} is lost in {rules}"
        return None if text.isascii() else "a letter of another alphabet"

    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(700 * times):
        tokens = rng.sample(TOKENS, rng.randint(5, len(TOKENS)))
        tokens = words_changed(rng, ["8D", *(t for t in tokens if t != "8D")], quoted(ODD_TOKENS))
        outcomes.feed(parse_rules, " ".join(tokens), "rule")
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_cards(times):
    def misread(text, script):
        upper = text.upper().replace("10", "T")
        said = [c for c in upper if c in RANKS]
        read = [card for hand in script.initial for card in hand] + [script.up]
        read += [script.second] * (script.second is not None) + list(script.draws)
        strange = re.sub(r"[A23456789TJQK♣♦♥♠CDHS/;|\s\ufe0e\ufe0f]", "", upper)
        ranks = [RANKS[card.rank] for card in read]
        return None if said == ranks and not strange else f"{said} became {ranks}"

    good = ["T♠ 6♦ / 9 7 | 9♣ 8♥ | 5 K", "T 6 | 9 7 | 5", "8 8 / A 9 | 6 T | 3 T 2 9 7"]
    odd = [
        "|",
        "/",
        ";",
        "1",
        "11",
        "Z♠",
        "♠",
        "10",
        "10♠",
        "AA",
        "||",
        "Joker",
        "0",
        "T♠♠",
        "♠T",
        "TS5",
    ]
    rng, outcomes = random.Random(times), Outcomes()
    for number in range(800 * times):
        text = rng.choice(good)
        if number % 2:
            text = " ".join(words_changed(rng, text.split(), quoted(odd)))
        else:
            text = word_changed(rng, word_changed(rng, text))
        outcomes.feed(parse_cards, text, "card")
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("least", "most"), [(1, 10**15), (0, 2**64 - 1), (1, 21)])
def test_whole_numbers(times, least, most):
    def misread(text, number):
        if not re.fullmatch(r"\s*\+?[\d_]+(\.\d*)?(e\+?\d+)?\s*", text.lower()):
            return "no number"
        right = Decimal(text.strip().replace("_", "")) == number and least <= number <= most
        return None if right else f"became {number}"

    read = usage(options.whole_number(least, most))
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(900 * times):
        text = words_changed(rng, [rng.choice(NUMBERS)], quoted(ODD_NUMBERS))
        outcomes.feed(read, "".join(text), "expected a whole number")
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_settings(times):
    game = load_game("signature-surrender")
    good = [
        "soft17=hit",
        "decks=6",
        "natural_pays=6:5",
        "charlie=7",
        "surrender-vs-ace=not",
        "splits=tree",
        "double_soft=false",
    ]
    odd = [
        "=",
        "==",
        "=hit",
        "soft17=",
        "soft17",
        "sof17=hit",
        "soft17=hti",
        "decks=0",
        "decks=1e9",
        "charlie=4",
    ]

    def misread(text, changed):
        name, value = (part.strip().lower() for part in text.split("=", 1))
        if name == "surrender-vs-ace":
            return None if changed.rules.surrender == "late-not-ace" else str(changed.rules)
        found = getattr(changed.rules, name)
        if name == "natural_pays":
            return None if Fraction(value.replace(":", "/")) == found else str(found)
        return None if str(found).lower() == value or value.lstrip("0") == str(found) else found

    def read(text):
        name, value = usage(options.setting)(text)
        return game.with_settings({name: value})

    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(800 * times):
        text = "".join(words_changed(rng, [rng.choice(good)], quoted(odd)))
        outcomes.feed(read, text)
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_shards_payouts_percentages_and_varied_rules(times):
    readers = {
        "shard": (Shard.parse, ["3/16", "1/1", "16/16"]),
        "pay": (usage(paytables._pay), ["trips=30", "flush=5"]),
        "percentage": (usage(paytables._percentage), ["95.38", "96 %", "0"]),
        "payouts": (usage(paytables._payouts), ["1-12,15,20", "3", "5-5"]),
        "varied": (usage(sweep._varied), ["decks=1,2,4", "soft17=stand,hit"]),
    }
    odd = [
        "0/1",
        "2/1",
        "1/0",
        "-1/3",
        "1/",
        "/",
        "a/b",
        "1e3/2e3",
        "1-0",
        "0-3",
        "=5",
        "trips=",
        "1e99999999",
        "1/3",
        "5-",
        "-5",
        ",",
    ]
    rules = {
        "shard": lambda text, read: [read.number, read.of] == [int(n) for n in text.split("/")],
        "pay": lambda text, read: (
            text.partition("=")[0].strip() == read[0] and int(text.partition("=")[2]) == read[1]
        ),
        "percentage": lambda text, read: (
            Fraction(text.strip().removesuffix("%").strip()) / 100 == read
        ),
        "payouts": lambda text, read: len(read) > 0 and min(read) >= 1,
        "varied": lambda text, read: (
            "".join(text.split()) == "".join(f"{read[0]}={','.join(read[1])}".split())
        ),
    }
    rng = random.Random(times)
    for name, (read, good) in readers.items():
        outcomes = Outcomes()
        for _ in range(900 * times):
            changed = words_changed(rng, list(rng.choice(good)), quoted(odd))
            outcomes.feed(read, "".join(changed))
        # an outcome, a rule or a value that does not exist is for the game to refuse
        enough = 100 if name in ("pay", "varied") else 500
        check(
            outcomes,
            lambda text, value, name=name: None if rules[name](text, value) else f"{name}: {value}",
            enough,
        )
