"""``rtpsim merge``: the results of a run's shares put together."""

from __future__ import annotations

from pathlib import Path

import click

from rtpsim.cli import options
from rtpsim.cli.output import print_json
from rtpsim.cli.simulate import check_save, print_run


@click.command(
    "merge",
    epilog="""\b
Examples:
  rtpsim simulate "8D LS" --rounds 1e9 --shard 1/2 --save 1.parquet
  rtpsim simulate "8D LS" --rounds 1e9 --shard 2/2 --save 2.parquet
  rtpsim merge 1.parquet 2.parquet --save all.parquet""",
)
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
)
@options.json_option()
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the whole result in a .json or .parquet file.",
)
def merge_command(files: tuple[Path, ...], as_json: bool, save: Path | None) -> None:
    """Put the saved results of all shares of a run together.

    The figures are those of the run played in one piece. Shares of different runs are refused, and
    so are shares that are missing or given twice.
    """
    from rtpsim.results import SimulationResult
    from rtpsim.runs.merge import merge
    from rtpsim.runs.prepared import Finished

    check_save(save)
    command = click.get_current_context().find_root().obj or ""
    result = merge([(str(file), SimulationResult.load(file)) for file in files], command)
    if as_json:
        print_json(result.to_dict())
    else:
        print_run(Finished(result, result.rounds))
    if save is not None:
        result.save(save)
