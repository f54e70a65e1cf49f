"""Rounds that the kernel has played, with their cards, for the referee to play again."""

from collections import Counter

from against_referee import DECK, Comparison, Played

from rtpsim.reference.runs import winning_outcomes
from rtpsim.sidebets import LOSE, outcome_table
from rtpsim.simulation.run import make_plan, record_rounds
from rtpsim.simulation.tally import make_tally


def played_rounds(record, hands):
    """Yield every recorded round."""
    everything = zip(
        record.dealt.tolist(),
        record.drawn.tolist(),
        record.length.tolist(),
        record.results.tolist(),
        strict=True,
    )
    for dealt, drawn, length, (final, *contexts) in everything:
        up, second, *cards = (DECK[number] for number in dealt)
        seats = tuple((cards[2 * hand], cards[2 * hand + 1]) for hand in range(hands))
        yield Played(seats, up, second, tuple(drawn[:length]), tuple(contexts), final)


def disagreements(game, chart, rounds, *, seed=1, hands=1, plan=None, side_bets=None):
    """Let the kernel play, and the referee with the same cards; return where they differ.

    Compared are every round's wagers and results, hand by hand, and its side bets; the kernel's
    histograms of rounds and of side bets with those of the referee's rounds.
    """
    plan = plan or make_plan(
        game, chart, rounds=rounds, seed=seed, hands=hands, side_bets=side_bets
    )
    record, counts = record_rounds(plan)
    tally = make_tally(plan.program, counts, hands, plan.bets, plan.offsets)
    comparison = Comparison(game, chart, plan.program, hands, side_bets=bool(plan.bets))
    tables = {bet.id: (bet, outcome_table(bet).tolist()) for bet in plan.bets}
    outcomes, insurance = Counter(), Counter()
    bets = {bet: Counter() for bet in tables}
    found = []
    for played in played_rounds(record, hands):
        difference, result = comparison.difference(played)
        if difference is not None:
            found.append(difference)
            continue
        outcomes[result.net, result.wager] += 1
        insurance[result.insurance_net, result.insurance_wager] += 1
        for bet, counter in bets.items():
            counter[winning_outcomes(result, bet)] += 1
        found += _bet_differences(played, result, tables.values())
    if not found:
        same = {"outcomes": outcomes, "insurance": insurance, "side_bets": bets}
        found = [f"tally: {name}" for name, what in same.items() if getattr(tally, name) != what]
    return found


def _bet_differences(played, result, bets):
    """Look each side bet up in the kernel's table; yield what the referee has otherwise."""
    for bet, table in bets:
        for seat, (first, second) in zip(result.seats, played.hands, strict=True):
            roles = {"player1": first, "player2": second, "up": played.up, "hole": played.second}
            code = table
            for role in bet.cards:
                code = code[roles[role].number]
            outcome = (LOSE, *bet.outcomes)[code]
            said = (result.side_bets if bet.per_round else seat.side_bets)[bet.id]
            if said != outcome:
                yield f"{played}: {bet.id}: {outcome}; the referee: {said}"
