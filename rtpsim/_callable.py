"""Modules that can be called: `rtpsim.exact(game)`, although `rtpsim.exact` is a package too."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """A module that stands for its main function."""

    __called__: str
    """The function's name in the module."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, self.__called__)(*args, **kwargs)

    @property
    def __wrapped__(self) -> Any:
        """The function: its signature is the module's."""
        return getattr(self, self.__called__)


def make_callable(module: str, function: str) -> None:
    """Let a module be called as its function of that name is.

    Parameters
    ----------
    module
        The module's name; it has been imported.
    function
        The function's.
    """
    made = sys.modules[module]
    made.__class__ = CallableModule
    made.__called__ = function  # type: ignore[attr-defined]
