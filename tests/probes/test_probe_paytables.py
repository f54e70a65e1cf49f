"""Every row of every paytable changed, and every two neighbours swapped: the figure is another.

The check is that of `games/test_catalogue.py`: the exact return of a bet prints as its operator
prints it; where nothing is printed, that it is the one worked out independently in
`test_sidebets.py`.
"""

from fractions import Fraction
from itertools import pairwise

import pytest

from rtpsim.cards import Shoe
from rtpsim.games import game_names, load_game
from rtpsim.sidebets import exact_rtp

ROWS = [
    (name, bet.id, outcome)
    for name in game_names()
    for bet in load_game(name).side_bets
    for outcome in bet.pays
]
PAIRS = [
    (name, bet.id, pair)
    for name in game_names()
    for bet in load_game(name).side_bets
    for pair in pairwise(bet.pays)
]


def is_right(name, bet_id, pays):
    """Say whether a bet with such a paytable returns what is published, to the last digit."""
    game = load_game(name)
    bet = game.side_bet(bet_id).model_copy(update={"pays": pays})
    published = game.published_for(bet_id)
    assert published is not None, f"{bet_id} of {name} has no figure in print: name another check"
    rtp = exact_rtp(bet, Shoe.of_decks(game.rules.decks))
    assert isinstance(rtp, Fraction)
    return published.prints(rtp)


@pytest.mark.parametrize(("name", "bet_id", "outcome"), ROWS)
@pytest.mark.parametrize("by", [1, -1])
def test_a_row_that_pays_one_more_or_less(name, bet_id, outcome, by):
    pays = dict(load_game(name).side_bet(bet_id).pays)
    assert is_right(name, bet_id, pays)
    assert not is_right(name, bet_id, {**pays, outcome: pays[outcome] + by})


@pytest.mark.parametrize(("name", "bet_id", "pair"), PAIRS)
def test_two_neighbouring_rows_swapped(name, bet_id, pair):
    pays = dict(load_game(name).side_bet(bet_id).pays)
    one, other = pair
    assert not is_right(name, bet_id, {**pays, one: pays[other], other: pays[one]})


def test_every_row_is_there():
    assert len(ROWS) == sum(
        len(bet.pays) for name in game_names() for bet in load_game(name).side_bets
    )
