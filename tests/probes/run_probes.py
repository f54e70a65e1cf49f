"""Run checks with and without planted faults, each in a process of its own that starts clean.

    python run_probes.py [--plain] PROBE ...

prints a line of JSON for each probe, ``[name, exit status of pytest, last line]``, and with
``--plain`` one for the checks of them all without any fault. The processes are forked from this
one, which has imported everything and computed nothing.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


def forked(work):
    """Return what `work` returns in a forked process; it must fit into JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            answer = json.dumps(work())
        except BaseException as error:
            answer = json.dumps([99, f"{type(error).__name__}: {error}"])
        with open(writing, "w", encoding="utf-8") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else [98, "the process died"]


def run_checks(checks):
    """Run tests by their names under `tests`; return pytest's exit status and its last words."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = pytest.main(
            [
                *(str(TESTS / check) for check in checks),
                "--rootdir",
                str(TESTS.parent),
                "-c",
                str(TESTS.parent / "pyproject.toml"),
                "-x",
                "-q",
                "-p",
                "no:cacheprovider",
                "--no-header",
                "-m",
                "slow or not slow",
                "-W",
                "ignore::RuntimeWarning",  # numbers that wrap around, as in compiled code
                "-W",
                "ignore::pytest.PytestAssertRewriteWarning",
                f"--basetemp={tempfile.mkdtemp()}",
            ]
        )
    lines = [line for line in said.getvalue().splitlines() if line.strip()]
    faults = [line for line in lines if line.startswith("E  ")]
    return int(status), (faults or lines[-1:] or [""])[0].strip()[:300]


def main(*names):
    warnings.simplefilter("ignore")
    import figure_probes
    import probes

    import rtpsim.exact.upcard
    import rtpsim.runs.merge
    import rtpsim.simulation
    import rtpsim.verification.judging  # noqa: F401

    plain = "--plain" in names
    known = probes.PROBES | figure_probes.PROBES
    chosen = [known[name] for name in names if name != "--plain"]
    if plain:
        checks = sorted({check for probe in chosen for check in probe.checks})
        print(json.dumps(["--plain", *forked(lambda: run_checks(checks))]), flush=True)
    for probe in chosen:

        def work(probe=probe):
            with probe.planted():
                return run_checks(probe.checks)

        print(json.dumps([probe.name, *forked(work)]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
