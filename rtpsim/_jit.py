"""The one door to numba: compilation options and the place where compiled kernels are kept.

numba checks a cached kernel against the file it stands in, but not against the files of the
functions that it calls. Compiled code is therefore kept in a directory named after the content of
all of them: a stale kernel, whose numbers would be wrong, cannot be found.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as _numba_config

from rtpsim.files import user_cache

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = _numba_config  # its settings are made at run time, unseen by type checkers

# Kernels take constants in when they are compiled, from the compiler's modules too.
_COMPILED_PACKAGES = ("exact", "program", "simulation")


@cache
def cache_directory() -> Path:
    """Return the directory for compiled kernels, made if need be."""
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(Path(__file__).read_bytes())
    for folder in _COMPILED_PACKAGES:
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    name = digest.hexdigest()[:16]
    kept = user_cache() / name
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=kept):
            return kept
    except OSError:
        # compiled code is loaded as it is: never from a directory that others could have made
        passing = Path(tempfile.mkdtemp(prefix="rtpsim-"))
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        return passing


_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
}
# Where Python owns every array, nobody has to count who uses it.
_NO_ARRAYS: dict[str, Any] = {"_nrt": False}
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile a function that Python calls: no interpreter lock, kept on disk.

    It makes no arrays; all of them are handed to it.
    """
    return _kept(function, _OPTIONS | _NO_ARRAYS)


def array_kernel(function: Function) -> Function:
    """Compile a function as `kernel` does that makes arrays of its own."""
    return _kept(function, _OPTIONS)


def _kept(function: Function, options: dict[str, Any]) -> Function:
    """Compile a function and keep it on disk."""
    given = config.CACHE_DIR
    config.CACHE_DIR = given or str(cache_directory())
    try:
        compiled = numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = given
    return cast("Function", compiled)


def loop(function: Function) -> Function:
    """Compile a function that only kernels call.

    It becomes a part of each of them. The ways in from Python and C, which would take longer to
    compile than the loop itself, are left out.
    """
    options = _OPTIONS | _NO_ARRAYS | _NO_WRAPPERS
    return cast("Function", numba.njit(**options)(function))


def phase(function: Function) -> Function:
    """Compile a function that hands a kernel's arrays on to loops, as lines of the kernel.

    Its many arguments, compiled apart, would cost more time than all it does.
    """
    options = _OPTIONS | _NO_ARRAYS | _NO_WRAPPERS
    return cast("Function", numba.njit(inline="always", **options)(function))
