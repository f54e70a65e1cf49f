"""Faults planted in the running program: a line of a function replaced, or a constant.

A function keeps its identity and gets other code, so that whoever imported it has the fault too.
Kernels are functions like others where numba's compiler is off.
"""

import functools
import importlib
import inspect
import linecache
import textwrap
from contextlib import contextmanager


def _holder(target):
    """Return the object that ``module:Class.name`` stands in, and the name."""
    module, _, path = target.partition(":")
    holder = importlib.import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        holder = getattr(holder, part)
    return holder, name


def _function(thing):
    """Return the plain function behind a property, a cache or a class method."""
    for attribute in ("fget", "func", "__func__", "__wrapped__", "py_func"):
        if not inspect.isfunction(thing) and hasattr(thing, attribute):
            thing = getattr(thing, attribute)
    while hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    assert inspect.isfunction(thing), thing
    return thing


@contextmanager
def other_code(target, old, new):
    """Replace a piece of a function's text; it must stand there exactly once."""
    holder, name = _holder(target)
    thing = inspect.getattr_static(holder, name)
    function = _function(thing)
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(old) != 1:
        raise LookupError(f"{target}: {old!r} stands there {source.count(old)} times")
    lines = source.replace(old, new).splitlines(keepends=True)
    while not lines[0].startswith("def "):  # decorators are applied already
        del lines[0]
    text = "from __future__ import annotations\n" + "".join(lines)
    file = f"<planted in {target}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = {}
    exec(compile(text, file, "exec"), function.__globals__, made)
    kept = function.__code__
    function.__code__ = made[function.__name__].__code__
    _forget(thing)
    try:
        yield
    finally:
        function.__code__ = kept
        _forget(thing)


def _forget(thing):
    if isinstance(thing, functools._lru_cache_wrapper):
        thing.cache_clear()


@contextmanager
def other_value(target, value):
    """Replace a constant of a module or class."""
    holder, name = _holder(target)
    kept = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, kept)
