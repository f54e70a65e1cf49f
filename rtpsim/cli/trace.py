"""``rtpsim trace``: rounds played by the referee, told step by step."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, count, print_json, wrap
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.cards import Card
    from rtpsim.games import Game
    from rtpsim.reference import RoundResult, SeatResult
    from rtpsim.strategy import Chart

MOST_TRACED = 10_000


@click.command(
    "trace",
    epilog="""\b
Cards: the hands (one from the next by /) | up card and, if wanted, the
dealer's second card | later cards in the order drawn. Suits matter to side
bets only; CDHS stand for ♣♦♥♠.

\b
Examples:
  rtpsim trace blackjack-surrender --cards "T♠ 6♦ | 9♣ 7♥ | 5♣ 4♠"
  rtpsim trace signature-surrender --cards "8 8 / A 9 | 6 T | 3 T 2 9 7"
  rtpsim trace power-blackjack --seed 5 --rounds 3""",
)
@options.game_argument()
@click.option("--cards", metavar="CARDS", help="The cards of one round.")
@options.rounds_option(None, "Rounds to deal from shuffled shoes. [default: 1]", MOST_TRACED)
@options.seed_option(None, "Which shuffles. [default: 1]")
@options.hands_option(None)
@options.strategy_option()
@options.settings_option()
@options.json_option()
def trace_command(
    game_name: str,
    cards: str | None,
    rounds: int | None,
    seed: int | None,
    hands: int | None,
    strategy: str | None,
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Play rounds by the referee and tell what happens.

    The referee plays rule by rule, from given cards or from a shuffled shoe.
    """
    given = {"--rounds": rounds, "--seed": seed, "--hands": hands}
    superfluous = [option for option, value in given.items() if value is not None]
    if cards is not None and superfluous:
        raise click.UsageError(
            f"{superfluous[0]} cannot be combined with --cards: the cards say it all",
            click.get_current_context(),
        )
    game = options.open_game(game_name, settings)
    chart = options.open_chart(game, strategy)
    if cards is not None:
        played, unused = _given_round(game, chart, cards)
    else:
        numbers = (1 if value is None else value for value in given.values())
        played, unused = _shuffled_rounds(game, chart, *numbers), []
    if as_json:
        print_json([_facts(result) for result in played])
        return
    width = console().width
    for number, result in enumerate(played, start=1):
        if len(played) > 1:
            click.echo(f"Round {number}")
        for line in result.trace:
            click.echo(wrap(line, width, "    ", "  "))
    if unused:
        click.echo(wrap(f"Not drawn: {' '.join(unused)}", width, "    ", "  "))


def _given_round(game: Game, chart: Chart, text: str) -> tuple[list[RoundResult], list[str]]:
    """Play the round of the cards that were given; return it and the cards left over."""
    from rtpsim.reference import parse_cards, play_round

    cards = parse_cards(text)
    _check_shoe([*chain(*cards.initial), cards.up, cards.second, *cards.draws], game.rules.decks)
    result = play_round(game, chart, cards, hands=cards.hands, trace=True)
    return [result], [str(card) for card in cards.unused]


def _check_shoe(cards: Sequence[Card | None], decks: int) -> None:
    """Refuse more cards of one kind than the shoe holds; those without a suit count by rank."""
    from rtpsim.cards import RANKS, SUITS
    from rtpsim.reference import SuitlessCard

    given = [card for card in cards if card is not None]
    kinds = Counter(str(card) for card in given if not isinstance(card, SuitlessCard))
    kinds.update(RANKS[card.rank] for card in given)
    for kind, times in kinds.items():
        held = decks if len(kind) > 1 else decks * len(SUITS)
        if times > held:
            raise InputError(
                f"--cards: {kind} is there {times} times; a shoe of {count(decks)} "
                f"deck{'s' * (decks > 1)} holds {held}"
            )


def _shuffled_rounds(
    game: Game, chart: Chart, rounds: int, seed: int, hands: int
) -> list[RoundResult]:
    """Play rounds, each from a freshly shuffled shoe."""
    import numpy as np

    from rtpsim.cards import Shoe
    from rtpsim.reference import Referee, ShoeSource

    referee = Referee(game, chart, hands)
    generator = np.random.Generator(np.random.PCG64(seed))
    source = ShoeSource(Shoe.of_decks(game.rules.decks), generator)
    results = []
    for _ in range(rounds):
        source.shuffle()
        results.append(referee.play(source, trace=True))
    return results


def _facts(result: RoundResult) -> dict[str, Any]:
    """Return a round for machines; amounts are whole numbers of the unit."""
    return {
        "unit": f"1/{result.unit}",
        "net": result.net,
        "wager": result.wager,
        "insurance_net": result.insurance_net,
        "insurance_wager": result.insurance_wager,
        "dealer": [str(card) for card in result.dealer],
        "dealer_final": result.dealer_final,
        "side_bets": dict(result.side_bets),
        "hands": [_seat(seat, result.unit) for seat in result.seats],
        "trace": list(result.trace),
    }


def _seat(seat: SeatResult, unit: int) -> dict[str, Any]:
    """Return one initial hand with all that was split from it."""
    return {
        "net": seat.net,
        "wager": seat.wager,
        "insurance_net": seat.insurance_net,
        "insurance_wager": seat.insurance_wager,
        "route": seat.route,
        "natural": seat.natural,
        "side_bets": dict(seat.side_bets),
        "final_hands": [
            {
                "cards": [str(card) for card in hand.cards],
                "total": hand.total,
                "route": hand.route,
                "wager": hand.wager * unit,
            }
            for hand in seat.hands
        ],
    }
