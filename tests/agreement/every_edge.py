"""Rounds along every edge of a game's tables, played by the tables and by the referee."""

from itertools import islice, product

from against_referee import Comparison
from card_scripts import Scripts
from table_walker import Tables

from rtpsim.program.compiler import compile_program
from rtpsim.program.player import ChartPlayer


def compiled(game, chart):
    player = ChartPlayer(chart, game.rules)
    return compile_program(game.rules, player, insurance=game.insurance, even_money=game.even_money)


def visit(game, chart, rng, *, deals=None, joins=None, program=None):
    """Play rounds along every edge, before tables and referee; return where the two differ.

    `deals` and `joins` limit how many of the edges of the deal and of the joins are visited; the
    steps are always all visited.
    """
    program = program or compiled(game, chart)
    comparison = Comparison(game, chart, program)
    scripts = Scripts(Tables(program), rng)
    every_deal = list(product(range(program.classes), range(program.classes), range(10), range(10)))
    dealt = every_deal if deals is None else rng.sample(every_deal, deals)
    found = []
    for rounds in (
        scripts.of_deals(dealt),
        scripts.of_steps(),
        islice(scripts.of_joins(), joins),
        scripts.of_steps(),
    ):
        found += filter(None, (comparison.difference(played)[0] for played in rounds))
    assert not any(scripts.untried.values())
    return found
