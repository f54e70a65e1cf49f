"""``rtpsim bench``: how fast this machine plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, print_json, print_table, say, table, wrap
from rtpsim.cli.progress import progress_bar
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rtpsim.bench import Bench
    from rtpsim.bench.result import Speed

SHORTEST, LONGEST = 10**6, 10**12
_ABREAST = 5
"""Games whose phases stand beside one another in a table."""


class Lines(NamedTuple):
    """A table as texts, for a terminal or for a page."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@click.command(
    "bench",
    epilog="""\b
Examples:
  rtpsim bench
  rtpsim bench signature-surrender "6D H17" --json
  rtpsim bench --rounds 3e9 --markdown > measured.md""",
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--rounds",
    type=options.whole_number(SHORTEST, LONGEST),
    metavar="N",
    help="Rounds measured of every line, nine turns together. [default: 3e7]",
)
@options.json_option()
@click.option("--markdown", is_flag=True, help="Print the tables in Markdown.")
def bench_command(
    games: tuple[str, ...], rounds: int | None, as_json: bool, markdown: bool
) -> None:
    """Measure how fast rounds are played here: by each GAME's chart, one thread.

    Without a GAME: all of the catalogue, and one with resplits to four hands. ns are CPU time of
    a round; a cycle is the time of one addition; "x plain" says how many times as fast that is as
    a plain loop over rounds and cards on the same tables.
    """
    if as_json and markdown:
        raise InputError("--markdown: prints tables; give no --json too")
    from rtpsim.bench import DEFAULT_GAMES, DEFAULT_ROUNDS, measure, rounds_in_all

    chosen, rounds = games or DEFAULT_GAMES, rounds or DEFAULT_ROUNDS
    say("compiling, then measuring; other work on this machine spoils the figures")
    with progress_bar("measuring", rounds_in_all(chosen, rounds)) as update:
        found = measure(chosen, rounds, progress=update)
    if as_json:
        print_json(found.to_dict())
    elif markdown:
        _print_markdown(found)
    else:
        _print(found)


def _print(found: Bench) -> None:
    """Print a bench for a terminal."""
    out = console()
    for text in _remarks(found):
        click.echo(wrap(text, out.width, "", ""))
    for lines in _all_lines(found):
        if lines.rows:
            shown = table(*lines.columns)
            for row in lines.rows:
                shown.add_row(*row)
            click.echo()
            print_table(out, shown)


def _print_markdown(found: Bench) -> None:
    """Print a bench for a page."""
    for text in _remarks(found):
        click.echo(f"{text}\n")
    for lines in _all_lines(found):
        if lines.rows:
            heads = [" ".join(column.replace("-\n", "-").split()) for column in lines.columns]
            click.echo(_markdown_row(heads))
            click.echo("|---|" + "---:|" * (len(heads) - 1))
            for row in lines.rows:
                click.echo(_markdown_row(row))
            click.echo()


def _markdown_row(texts: Iterable[str]) -> str:
    """Write a line of a table."""
    return f"| {' | '.join(text.strip() for text in texts)} |"


def _all_lines(found: Bench) -> list[Lines]:
    """Lay out everything."""
    return [_speeds(found), *_phases(found), _tables(found), _starts(found)]


def _remarks(found: Bench) -> list[str]:
    """Say where and how it was measured."""
    each = max(speed.rounds for speed in found.speeds)
    remarks = [
        f"{found.machine}.",
        f"{each:,} rounds of every line in {found.turns} turns, stream layout {found.stream}; "
        f"an addition (a cycle, about) takes {found.cycle_ns:.3f} ns.",
    ]
    if found.threads is not None:
        remarks.append(
            f"Two threads play {found.threads.case} {found.threads.gain:.2f} times as fast as one: "
            f"{found.threads.two / 1e6:.1f} M rounds/s."
        )
    return remarks


def _speeds(found: Bench) -> Lines:
    """Lay out what a round costs."""
    columns = ("one thread", "ns", "median", "cycles", "M/s", "x plain")
    return Lines(columns, [_speed(speed, found.cycle_ns) for speed in found.speeds])


def _speed(speed: Speed, cycle_ns: float) -> tuple[str, ...]:
    times = speed.times_plain
    return (
        str(speed.case),
        f"{speed.ns:.2f}",
        f"{speed.ns_median:.2f}",
        f"{speed.ns / cycle_ns:.1f}",
        f"{speed.per_second / 1e6:.1f}",
        "" if times is None else f"{times:.1f}",
    )


def _tables(found: Bench) -> Lines:
    """Lay out what the kernel's tables take of the processor's cache."""
    rows = [
        (str(speed.case), str(speed.states), f"{speed.table_kib:.0f}")
        for speed in found.speeds
        if not speed.case.side_bets
    ]
    return Lines(("tables", "states", "KiB"), rows)


def _phases(found: Bench) -> list[Lines]:
    """Lay out where the time goes, some games abreast."""
    tables = []
    for first in range(0, len(found.phases), _ABREAST):
        some = found.phases[first : first + _ABREAST]
        rows = [(phase, *(f"{phases.ns[phase]:.2f}" for phases in some)) for phase in some[0].ns]
        rows.append(("all", *(f"{sum(phases.ns.values()):.2f}" for phases in some)))
        tables.append(
            Lines(("ns, with\nside bets", *(_folded(phases.case.game) for phases in some)), rows)
        )
    return tables


def _folded(game: str) -> str:
    """Write a game's name in narrow lines, for the head of a column."""
    return game.replace("-", "-\n").replace(" ", "\n")


def _starts(found: Bench) -> Lines:
    """Lay out how long processes take to begin."""
    starts = (("first start, compiling", found.first_start), ("later start", found.later_start))
    rows = [(name, f"{start.wall_s:.2f}", f"{start.cpu_s:.2f}") for name, start in starts if start]
    return Lines(("to the first 1000 rounds", "s", "CPU s"), rows)
