"""Game files of one's own: what is read, and how faults are told."""

from importlib import resources

import pytest

from rtpsim.errors import InputError
from rtpsim.games import load_game

TEXT = resources.files("rtpsim.games").joinpath("signature-surrender.toml").read_text("utf-8")


@pytest.fixture
def game_file(tmp_path):
    def write(content, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def changed(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def refusal(path):
    with pytest.raises(InputError) as refused:
        load_game(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_a_copy_of_a_game_is_that_game(game_file):
    game = load_game(game_file(TEXT))
    assert game.id == "mine"
    original = load_game("signature-surrender")
    assert game.model_copy(update={"id": original.id}) == original
    assert game.sha256 == original.sha256


@pytest.mark.parametrize(
    "text", [TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT, TEXT.replace(" = ", "   =   ") + "\n# !"]
)
def test_line_ends_byte_order_mark_and_layout_do_not_matter(game_file, text):
    assert load_game(game_file(text)).sha256 == load_game("signature-surrender").sha256


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Sig', 'title = "Another Sig'),
        ("max_hands = 3", "max_hands = 2"),
        ('rtp = "99.63"', 'rtp = "99.99"'),
        ('version = "Game Help v1.0.0"', 'version = "2"'),
        ("pays]\nsuited-trips = 100\nstraight", "pays]\n# best\nsuited-trips = 100\nstraight"),
    ],
)
def test_the_hash_ignores_what_no_result_depends_on(game_file, old, new):
    assert load_game(game_file(changed(old, new))).sha256 == load_game("signature-surrender").sha256


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8D S17", "6D S17"),
        ("even_money = true", "even_money = false"),
        ("trips = 33", "trips = 35"),
        ("mixed = 5", "mixed = 6"),
        ('cards = ["player1", "player2"]', 'cards = ["up", "hole"]'),
    ],
)
def test_the_hash_follows_what_results_depend_on(game_file, old, new):
    assert load_game(game_file(changed(old, new))).sha256 != load_game("signature-surrender").sha256


def test_another_game_cannot_go_by_a_name_of_the_catalogue(game_file):
    original = load_game("signature-surrender")
    assert load_game(game_file(TEXT, "signature-surrender.toml")) == original
    other = changed("8D S17", "6D S17")
    told = "id 'signature-surrender': the catalogue's game of this id is another one; allowed is an"
    assert refusal(game_file(other, "signature-surrender.toml")).startswith(told)
    named = 'id = "signature-surrender"\n' + other
    assert refusal(game_file(named)).startswith(told)
    retitled = changed('title = "Sig', 'title = "Another Sig')
    assert refusal(game_file(retitled, "signature-surrender.toml")).startswith(told)


def test_a_small_file_is_enough(game_file):
    game = load_game(game_file('title = "Mine"\nrules = "6D H17 LS"\n', "my-game.toml"))
    assert game.id == "my-game"
    assert str(game.rules) == "6D H17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK"
    assert game.max_hands == 1
    assert game.insurance
    assert game.chart == "ordinary"


# What is changed in a game's file, how the message begins, and what else it says.
FAULTS = [
    # unknown and missing keys
    ("max_hands = 3", "max_hnds = 3", "max_hnds: unknown key", "did you mean 'max_hands'"),
    ("max_hands = 3", "chosen = {}", "chosen: unknown key", "allowed are id, title, rules"),
    ("version =", "verson =", "source.verson: unknown key", "did you mean 'version'"),
    ('base = "total"', 'basis = "total"', "published[0].basis: unknown key", "'base'"),
    ("flush = 5", "flsh = 5", "side_bets[0]: pays: unknown outcome 'flsh'", "'flush'"),
    ("not.rules]", "not.rulez]", "readings[0].options.not.rulez: unknown key", "'rules'"),
    ('surrender = "late-', 'surender = "late-', "readings[0].options.not: rules: unknown", "'surr"),
    (
        'empire-poker = { ace_in_straights = "low"',
        'empire-poker = { ace = "low"',
        "readings[1]",
        "",
    ),
    ("rules = ", "# rules = ", "rules is missing", ""),
    ('title = "Empire Poker"\n', "", "side_bets[0].title is missing", ""),
    # wrong types and values
    ("max_hands = 3", "max_hands = true", "max_hands = True: allowed is a whole number", ""),
    ("max_hands = 3", 'max_hands = "3"', "max_hands = '3': allowed is a whole number", ""),
    ("max_hands = 3", "max_hands = 0", "max_hands = 0: allowed is", "1"),
    ("max_hands = 3", "max_hands = 1000000000", "max_hands = 1000000000: allowed is", "7"),
    ("insurance = true", "insurance = 1", "insurance = 1: allowed is true or false", ""),
    ("flush = 5", "flush = 5.5", "side_bets[0].pays: flush = 5.5: allowed is a whole number", ""),
    ("flush = 5", "flush = true", "side_bets[0].pays: flush = True", ""),
    ("flush = 5", "flush = -1", "side_bets[0].pays: flush = -1", ""),
    ('kind = "pair"', 'kind = "pears"', "side_bets[1].kind = 'pears'", "'three-card' or 'pair'"),
    ('"player2", "up"]', '"up"]', "side_bets[0]: cards = ['player1', 'up']", "3 different"),
    ('"player2", "up"]', '"dealer"]', "side_bets[0].cards[1] = 'dealer'", "'player1'"),
    ('rtp = "99.63"', "rtp = 99.63", "published[0].rtp: 99.63: write it as text", ""),
    ('rtp = "99.63"', 'rtp = "99,63"', "published[0].rtp: figure '99,63'", "99.63"),
    ("8D S17", "8D S18", "rules: rule string: unknown token 'S18'", "'S17'"),
    ("8D S17", "1000000000D", "rules: decks = 1000000000", "1 to 1000"),
    ('rules = "8D', 'rules = 8 # "', "rules: allowed is a rule string", ""),
    ('title = "Sig', 'title = "' + "x" * 10_000, "title = 'xxx", "at most 500"),
    ("max_hands = 3", 'id = "a\\nb"', "id: allowed is one line", ""),
    # contradictions
    ("insurance = true", "insurance = false", "even_money = true with insurance = false", ""),
    ('base = "total"', 'base = "stake"', "published[0].base = 'stake'", "'total' or 'initial'"),
    ('base = "stake"', 'base = "total"', "published[1].base = 'total'", "'stake'"),
    ('wager = "empire-poker"', 'wager = "poker"', "published[1].wager: unknown wager", "main"),
    (
        'wager = "empire-poker"\nrtp = "96.82"\nbase = "stake"',
        'wager = "main"\nrtp = "96.82"\nbase = "total"',
        "published figure of 'main' is there twice",
        "",
    ),
    ('id = "empire-pairs"', 'id = "empire-poker"', "side bet 'empire-poker' is there twice", ""),
    ('id = "empire-pairs"', 'id = "main"', "side_bets: the id 'main'", ""),
    ('default = "allowed"', 'default = "alowed"', "readings[0]: default = 'alowed'", "'allowed'"),
    ('default = "allowed"', 'default = "not"', "readings[0].default = 'not'", "otherwise"),
    ("LS 3:2", "NS 3:2", "readings[0].default = 'allowed'", "otherwise"),
    ('"late-not-ace"', '"later"', "readings[0].options.not: rules: surrender = 'later'", ""),
    ("not.rules]\nsurrender = ", "not.rules]\ndouble = ", "readings[0]", "does not set"),
    ('id = "ace-in-straights"', 'id = "surrender-vs-ace"', "readings: reading 'surrender", "twice"),
    # charts may not lie elsewhere
    ('chart = "ordinary"', 'chart = "../x.csv"', "chart = '../x.csv'", "folder"),
    ('chart = "ordinary"', 'chart = "/x.csv"', "chart = '/x.csv'", "folder"),
    ('chart = "ordinary"', 'chart = "c:x.csv"', "chart = 'c:x.csv'", "beside"),
    ('chart = "ordinary"', 'chart = "..\\\\x.csv"', "chart = ", "beside"),
    ('chart = "ordinary"', 'chart = "mine.toml"', "chart = 'mine.toml'", ".csv file"),
    ('chart = "ordinary"', 'chart = "none.csv"', "chart = 'none.csv'", "no such file"),
    ('chart = "ordinary"', "chart = 5", "chart = 5: allowed is text", ""),
    # no TOML
    ("max_hands = 3", "max_hands = ", "line 5, column ", "value"),
    ("max_hands = 3", "max_hands = 3\nmax_hands = 3", "line 6, column ", "overwrite"),
    ("max_hands = 3", "max_hands = " + "9" * 5000, "not a game file", ""),
    ("max_hands = 3", "x = " + "[" * 5000, "", ""),
]


@pytest.mark.parametrize(("old", "new", "begin", "also"), FAULTS)
def test_faults_are_told_with_file_place_and_remedy(game_file, old, new, begin, also):
    message = refusal(game_file(changed(old, new)))
    assert message.startswith(begin)
    assert also in message.removeprefix(begin)
    assert len(message) < 600


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# " + b"x" * 1_000_000, "larger than 1000000 bytes"),
        (b'title = "x"\nrules = "\xff"\n', "line 2: not UTF-8"),
        (b'title = """x\n', "line 1, end of the file"),
        (b"", "title is missing"),
    ],
)
def test_what_is_no_game_file_is_refused(game_file, content, message):
    assert message in refusal(game_file(content))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no-such.toml", "no such file"),
        ("./none", "no such file"),
        ("folder.toml", "a folder"),
        ("nul\0.toml", "no such file|cannot be read"),
        ("x" * 5000 + ".toml", "no such file|cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, monkeypatch, path, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match=message) as refused:
        load_game(path)
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()


def test_a_chart_may_lie_beside_the_game_or_below(game_file, tmp_path):
    (tmp_path / "charts").mkdir()
    for chart in ("mine.csv", "charts/mine.csv"):
        (tmp_path / chart).write_text("hand,2,3,4,5,6,7,8,9,T,A\n")
        text = changed('chart = "ordinary"', f'chart = "{chart}"')
        assert load_game(game_file(text)).chart == str(tmp_path / chart)


def test_a_link_does_not_lead_out_of_the_folder(game_file, tmp_path):
    outside = tmp_path / "outside"
    folder = tmp_path / "folder"
    outside.mkdir()
    folder.mkdir()
    (outside / "x.csv").write_text("hand,2,3,4,5,6,7,8,9,T,A\n")
    (folder / "link").symlink_to(outside)
    path = game_file(changed('chart = "ordinary"', 'chart = "link/x.csv"'), "folder/mine.toml")
    assert "outside the game file's folder" in refusal(path)
