"""Every layout gives the same chart; every fault is named with file, line and column."""

import csv
import io
import re

import pytest
from ordinary_chart import canonical, lines, prefixed, semicolons, three_blocks

from rtpsim.errors import InputError
from rtpsim.strategy import Chart, parse_chart, read_chart

ORDINARY = Chart(
    "ordinary",
    {f"{kind} {hand}": tuple(cells) for kind, hand, cells in lines()},
)
WITHOUT_SOFT_12 = Chart("ordinary", {**ORDINARY.rows, "soft 12": ORDINARY.rows["soft 13"]})
"""What layouts without a row for two aces that are not split can say of the ordinary chart."""
TEXT = canonical()


def pair_yes_no(text):
    """Write the pairs as Y/N: what is not split follows its total."""
    rows = text.splitlines()
    return "\n".join(
        re.sub(r",(\w+)", lambda m: ",Y" if m[1] == "P" else ",N", row)
        if row.startswith("pair")
        else row
        for row in rows
    )


def quoted(text):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(csv.reader(text.splitlines()))
    return out.getvalue()


def permuted(text):
    """Put the ace's column first, as some charts do."""
    rows = [row.split(",") for row in text.splitlines()]
    return "\n".join(",".join([row[0], row[-1], *row[1:-1]]) for row in rows)


LAYOUTS = {
    "canonical": TEXT,
    "byte-order mark": "\ufeff" + TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR": TEXT.replace("\n", "\r"),
    "no last line end": TEXT.rstrip("\n"),
    "blank lines": TEXT.replace("\n", "\n\n  \n"),
    "padded by a spreadsheet": TEXT.replace("\n", ",,,\n") + ",,,,\n",
    "lower case": TEXT.lower(),
    "upper case": TEXT.upper(),
    "blanks around": TEXT.replace(",", " , "),
    "quoted": quoted(TEXT),
    "tabs": TEXT.replace(",", "\t"),
    "ace first": permuted(TEXT),
    "10 for T": TEXT.replace("9,T,A", "9,10,A").replace("pair T", "pair 10"),
    "pairs as Y and N": pair_yes_no(TEXT),
    "bare D and R": TEXT.replace("Dh", "D").replace("Rh", "R"),
    "words": TEXT.replace(",H", ",Hit").replace(",S", ",Stand").replace("Standtand", "Stand"),
    "slashes": TEXT.replace("Dh", "D/H").replace("Ds", "D/S").replace("Rh", "SU/H"),
    "comma, n a s": prefixed("nas", ","),
    "blanks, h s p": prefixed("hsp", " "),
    "blanks, aligned": prefixed("hsp", "    "),
}
LAYOUTS_WITHOUT_SOFT_12 = {
    "semicolons": semicolons(),
    "three blocks": three_blocks(),
    "three blocks, commas": three_blocks().replace("\t", ","),
    "three blocks, long titles": re.sub(r"(Hard|Soft|Pair)\n", r"\1 Hands:\n", three_blocks()),
    "three blocks, title in the header": re.sub(r"(Hard|Soft|Pair)\n ", r"\1", three_blocks()),
    "three blocks, no header": re.sub(r" \t2\t3.*\n", "", three_blocks()),
}


def test_the_chart_that_comes_with_the_program_is_this_one():
    assert read_chart("ordinary").rows == ORDINARY.rows


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_chart(layout):
    assert parse_chart(LAYOUTS[layout], "somewhere.csv", "ordinary") == ORDINARY


@pytest.mark.parametrize("layout", LAYOUTS_WITHOUT_SOFT_12)
def test_layouts_without_soft_12(layout):
    text = LAYOUTS_WITHOUT_SOFT_12[layout]
    assert parse_chart(text, "somewhere.csv", "ordinary") == WITHOUT_SOFT_12


@pytest.mark.parametrize("layout", ["canonical", "CRLF", "byte-order mark", "quoted"])
def test_files_are_read_as_text_is(layout, tmp_path):
    path = tmp_path / "ordinary.csv"
    path.write_bytes(LAYOUTS[layout].encode())
    assert read_chart(path) == read_chart(str(path)) == ORDINARY


def test_a_range_of_totals_is_every_total_of_it():
    text = three_blocks()
    head, rest = text.split(" 5\t")[0], text[text.index(" 9\t") :]
    body = rest.replace(
        rest[rest.index(" 17\t") : rest.index("Soft")], " 17+\t" + "S\t" * 10 + "\n"
    )
    for low in ("5-8", "8-", "<=8", "8 or less", "4–8"):
        assert (
            parse_chart(f"{head} {low}\t" + "H\t" * 10 + "\n" + body, "x", "ordinary")
            == WITHOUT_SOFT_12
        )


def test_soft_rows_may_be_written_as_ace_and_card():
    hard, soft_and_pairs = three_blocks().split("Soft")
    soft, pairs = soft_and_pairs.split("Pair")
    for form in ("A,{}", "A{}", "A-{}", "{},A", "A/{}"):
        rows = re.sub(
            r"(?m)^ (\d\d)\t",
            lambda m, form=form: " " + form.format(int(m[1]) - 11) + "\t",
            soft,
        )
        assert parse_chart(f"{hard}Soft{rows}Pair{pairs}", "x", "ordinary") == WITHOUT_SOFT_12


def test_comments_are_kept_wherever_they_stand_and_lose_a_spreadsheets_padding():
    text = "# first, with a comma\n" + TEXT.replace("soft 12", "#\n#second,,,\nsoft 12")
    text += '"# third, ""quoted""",,,\n'
    chart = parse_chart(text, "x")
    assert chart.provenance == ("first, with a comma", "", "second", 'third, "quoted"')


def test_rows_beyond_the_usual_ones():
    text = TEXT + (
        '"T,2",H,H,H,S,S,H,H,H,H,H\n'
        "3,9,H,H,H,S,S,H,H,H,H,H\n"
        '"8,8",P,P,P,P,P,P,P,P,P,Rp\n'
        "hard 15 6+,S,S,S,S,S,H,H,H,S,H\n"
        "Insurance A,A,N,N,N,N,N,N,N,N,N,Y\n"
        '"power split 5,T",y,Y,yes,n,N,no,N,N,N,N\n'
        "power double hard 9,Y,Y,Y,Y,Y,Y,Y,Y,N,N\n"
        "replace hard 9,2-8,A2-7,2-7A,,-,A-T,9t,2345,10,23\n"
    )
    rows = parse_chart(text, "x").rows
    assert rows["T,2"] == tuple("HHHSSHHHHH")
    assert rows["9,3"] == tuple("HHHSSHHHHH")
    assert rows["8,8"][-1] == "Rp"
    assert rows["pair 8"][-1] == "P"
    assert rows["hard 15 6+"] == tuple("SSSSSHHHSH")
    assert rows["insurance A,A"] == tuple("NNNNNNNNNY")
    assert rows["power split T,5"] == tuple("YYYNNNNNNN")
    assert rows["replace hard 9"] == (
        "2-8", "A2-7", "A2-7", "-", "-", "A2-9T", "9T", "2-5", "T", "23",
    )  # fmt: skip


def test_split_if_double_after_split_takes_its_else_from_the_total():
    text = TEXT.replace("pair 4,H,H,H,P,P", "pair 4,H,H,Y/N,YN,P/H").replace(
        "pair 5,Dh", "pair 5,Y/N"
    )
    rows = parse_chart(text, "x").rows
    assert rows["pair 4"][:5] == ("H", "H", "Ph", "Ph", "Ph")
    assert rows["pair 5"][0] == "Pd"


def test_rows_that_may_be_left_out():
    short = re.sub(r"(?m)^(hard 4|hard 21|soft 12|soft 21|insurance),.*\n", "", TEXT)
    rows = parse_chart(short, "x").rows
    assert rows["hard 4"] == rows["hard 5"] == ("H",) * 10
    assert rows["soft 12"] == rows["soft 13"] == ("H", "H", "H", "Dh", "Dh") + ("H",) * 5
    assert rows["hard 21"] == rows["soft 21"] == ("S",) * 10
    assert rows["insurance"] == ("N",) * 10


def change(old, new):
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


LAST = TEXT.count("\n")
LETTERS = "expected H S Dh Ds Rh Rs"
FAULTS = [
    # text, line, column, what, expected
    (change("hard 12,H,H", "hard 12,H,Q"), 10, 3, "'Q'", LETTERS),
    (change("hard 12,H,H", "hard 12,H,"), 10, 3, "''", LETTERS),
    (change("hard 12,H,H", "hard 12,H,P"), 10, 3, "'P'", LETTERS),
    (change("hard 12,H,H", "hard 12,H,D"), 10, 3, "'D' may mean", "Dh (else hit) or Ds"),
    (change("soft 18,S,Ds", "soft 18,S,d"), 26, 3, "'D' may mean", "Dh (else hit) or Ds"),
    (change("hard 17,S", "hard 17,R"), 15, 2, "'R' may mean", "Rh or Rs"),
    (change("pair 8,P", "pair 8,SU"), 36, 2, "'SU' may mean", "Rh, Rs or Rp"),
    (change("pair 9,P", "pair 9,Y/N"), 37, 2, "'Y/N'", "expected P, Ph, Pd or N"),
    (change("hard 12,H,H", "hard 12,H,H/S"), 10, 3, "'H/S'", LETTERS),
    (change("hard 12,H,H", "hard 12,H,D/S/H"), 10, 3, "'D/S/H'", LETTERS),
    (change("insurance,N", "insurance,H"), LAST, 2, "'H'", "expected Y N"),
    (TEXT + "replace hard 9" + ",2-1" * 10, LAST + 1, 2, "'2-1'", "as 'A2-7'"),
    (change("hard 12,H,H", "hard 12,H"), 10, 11, "9 cells", "expected 10"),
    (change("hard 12,H,H", "hard 12,H,H,H"), 10, 12, "11 cells", "expected 10"),
    (change("hard 12", "hard 13"), 11, 1, "'hard 13' a second time", "(line 10 has it)"),
    (change("hard 12", "herd 12"), 10, 1, "'herd 12'", "did you mean 'hard 12'?"),
    (change("hard 12", "hard 22"), 10, 1, "'hard 22'", "expected a row label"),
    (TEXT + '"T,A"' + ",S" * 10, LAST + 1, 1, "'T,A'", "expected a row label"),
    (re.sub("hard 12.*\n", "", TEXT), LAST - 1, 1, "'hard 12' is missing", "expected every one"),
    (TEXT[: TEXT.index("pair 2")], 29, 1, "'pair 2', 'pair 3'", "missing"),
    (change("hand,2,3", "hand,2,2"), 1, 3, "'2'", "expected 'hand,2,3,4,5,6,7,8,9,T,A'"),
    (change("9,T,A", "9,T,J"), 1, 11, "'J' is no up card", "expected 'hand,2,"),
    (change("9,T,A", "9,T"), 1, 11, "no column for up card A", "expected 'hand,2,"),
    (change("hand,2,3,4,5,6,7,8,9,T,A\n", ""), 1, 1, "before any header", "expected 'hand,2,"),
    (change("hand,2,3,4,5,6,7,8,9,T,A", "a,b,c"), 1, 1, "'a' is no header", "expected 'hand,2,"),
    (change("hard 12,H", 'hard 12,"H'), 10, 1, "unexpected end of data", "quoted cell closed"),
    (change("hard 12,", "# \a\nhard 12,"), 10, 1, "unprintable", "plain text"),
    ("", 1, 1, "no rows", "expected a chart that begins 'hand,2,"),
    ("# only a comment\n\n", 1, 1, "no rows", "expected a chart that begins 'hand,2,"),
    ("x" * 5000, 1, 1, "'xxx", "expected 'hand,2,"),
    ("<html>\n<body>hello</body>", 1, 1, "'<html>'", "expected 'hand,2,"),
    (prefixed("nas", ",").replace("n12", "q12"), 9, 1, "'q12'", "expected a row label"),
    (prefixed("hsp", " ").replace("h12 H", "h12"), 9, 11, "9 cells", "expected 10"),
    (prefixed("hsp", " ").replace("h12 H", "h12 X"), 9, 2, "'X'", LETTERS),
    (semicolons().replace("Nine", "Nin"), 1, 9, "'Nin' is no up card", "expected 'hand,2,"),
    (semicolons().replace("\n88;P", "\n88;Z"), 34, 2, "'Z'", "expected H S Dh Ds P Ph"),
    (three_blocks().replace(" 12\tH", " 12\tX"), 10, 2, "'X'", LETTERS),
    (three_blocks().replace("8,8", "8,7"), 41, 1, "'8,7'", "in the block 'pair'"),
    (three_blocks() + "Pair\n8,8" + " P" * 10, 47, 1, "'pair 8' a second time", "(line 41 has it)"),
]


@pytest.mark.parametrize(("text", "line", "column", "what", "wanted"), FAULTS)
def test_faults_are_named(text, line, column, what, wanted):
    with pytest.raises(InputError) as caught:
        parse_chart(text, "my charts/a.csv")
    message = str(caught.value)
    assert message.startswith(f"my charts/a.csv, line {line}, column {column}: ")
    assert what in message
    assert wanted in message
    assert message.count("\n") < 2
    assert len(message) < 300


@pytest.mark.parametrize(
    ("data", "place", "what"),
    [
        (b"hand,2,3\nhard \xff4,H", "line 2, column 6", "not UTF-8; expected"),
        (TEXT.encode("utf-16"), "line 1, column 1", "UTF-16 text; expected UTF-8"),
        (b"ELF\n\t,\0\0", "line 2, column 3", "as in a binary file; expected"),
        (b"hand,2\nhard\x1b[31m 4,H", "line 2, column 5", "a control character"),
        (b"x" * 1_000_001, "line 1, column 1", "more than 1_000_000 bytes; expected"),
    ],
)
def test_files_that_are_no_text(data, place, what, tmp_path):
    path = tmp_path / "chart.csv"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_chart(path)
    assert str(caught.value).startswith(f"{path}, {place}: ")
    assert what in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_chart(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_chart(tmp_path)
    with pytest.raises(InputError, match="did you mean 'ordinary'"):
        read_chart("ordinry")
    with pytest.raises(InputError, match="cannot be read"):
        read_chart("a\0b")
