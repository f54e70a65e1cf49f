"""Entry point of the command line: the commands, and how errors become a line or two."""

from __future__ import annotations

import os
import pickle
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import click

import rtpsim
from rtpsim.cli.audit import audit_command
from rtpsim.cli.bench import bench_command
from rtpsim.cli.compare import compare_command
from rtpsim.cli.effects import effects_command
from rtpsim.cli.exact import exact_command
from rtpsim.cli.games import games_command, show_command
from rtpsim.cli.hand import hand_command
from rtpsim.cli.merge import merge_command
from rtpsim.cli.paytables import paytable_command
from rtpsim.cli.progress import status_of
from rtpsim.cli.readings import readings_command
from rtpsim.cli.simulate import simulate_command
from rtpsim.cli.solve import solve_command
from rtpsim.cli.strategy import strategy_command
from rtpsim.cli.strategy_worth import worth_commands
from rtpsim.cli.sweep import sweep_command
from rtpsim.cli.trace import trace_command
from rtpsim.cli.verify import verify_command
from rtpsim.errors import RtpsimError, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn, TextIO

USAGE = 2
"""Exit status of a command that was not understood."""
FAULT = 70
"""Exit status of a fault of rtpsim's own."""
LONGEST = 600
"""Characters of a line that are printed of an error."""
PIPE_CLOSED = 141
"""Exit status when the reader of the output went away (128 + SIGPIPE)."""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Example:
  rtpsim simulate classic-blackjack --rounds 1e6

\b
Exit status:
  0    all is well
  1    verify: a FAIL or NOT REPRODUCED; audit: something is not confirmed
  2    the command or a file could not be understood
  3    verify: an INCONCLUSIVE, and nothing worse
  70   a fault of rtpsim's own
  130  stopped by Ctrl-C (143: by SIGTERM)
  141  the reader of the output went away""",
)
@click.version_option(rtpsim.__version__, "-V", "--version", message="%(prog)s %(version)s")
def cli() -> None:
    """Find out what a blackjack game really pays.

    A GAME is a name of the catalogue (`rtpsim games`), a game file of your own (mine.toml)
    or a rule string ("6D H17 3:2").
    """


for command in (
    games_command,
    show_command,
    trace_command,
    simulate_command,
    merge_command,
    exact_command,
    hand_command,
    solve_command,
    readings_command,
    compare_command,
    sweep_command,
    effects_command,
    strategy_command,
    paytable_command,
    verify_command,
    audit_command,
    bench_command,
):
    cli.add_command(command)
for command in worth_commands:
    strategy_command.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit status.

    Parameters
    ----------
    arguments
        What stands behind the program's name; by default that of this process.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; print errors in a line or two."""
    if sys.stdout is None:  # closed before the program began
        return _complain("there is no standard output to write to")
    for stream in (sys.stdout, sys.stderr):
        _never_refuse_a_character(stream)
    command = ["rtpsim", *(sys.argv[1:] if arguments is None else arguments)]
    try:
        status = cli.main(
            arguments, prog_name="rtpsim", standalone_mode=False, obj=shlex.join(command)
        )
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return USAGE
    except click.UsageError as error:
        return _usage_error(error)
    except click.ClickException as error:
        return _complain(error.format_message())
    except RtpsimError as error:
        return _complain(str(error))
    except (click.Abort, KeyboardInterrupt) as error:
        return status_of(error.__cause__ if isinstance(error, click.Abort) else error)
    except (BrokenPipeError, SystemExit):
        # click turns the one into the other, with a status that means something else here;
        # what is still buffered would raise again when Python leaves
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        return _complain(f"{error.filename or 'output'}: {error.strerror or error}")
    except (pickle.UnpicklingError, EOFError):
        return _damaged_kernels()
    except Exception as error:
        if os.environ.get("RTPSIM_DEBUG"):
            raise
        _complain(
            f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}\n"
            "This is a fault of rtpsim's own; with RTPSIM_DEBUG=1 it prints where it happened."
        )
        return FAULT
    return status if isinstance(status, int) else 0


def _damaged_kernels() -> int:
    """Remove compiled code that cannot be read, and say so."""
    from rtpsim._jit import cache_directory

    folder = cache_directory()
    shutil.rmtree(folder, ignore_errors=True)
    _complain(
        f"the compiled code kept in {folder} was damaged and has been removed.\n"
        "Run the command again; it compiles anew."
    )
    return FAULT


def _usage_error(error: click.UsageError) -> int:
    """Say what was not understood, and which help to read."""
    message = error.format_message().replace("\n", " ")
    if error.ctx is not None:
        message += f"\nTry '{error.ctx.command_path} -h'."
    return _complain(message)


def _complain(message: str) -> int:
    """Print an error, two lines of it at the most."""
    lines = message.strip().splitlines() or ["unknown error"]
    # what click says quotes the command line as it is
    told = (visible(line if len(line) <= LONGEST else f"{line[:LONGEST]}...") for line in lines[:2])
    click.echo("rtpsim: " + "\n".join(told), err=True)
    return USAGE


def _never_refuse_a_character(stream: TextIO) -> None:
    """Let a terminal that knows no card suits show question marks instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
