"""A planted fault: what it breaks, and the tests that must notice."""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from planting import other_code, other_value


@dataclass(frozen=True)
class Probe:
    """A fault.

    `place` is ``module:name`` below `rtpsim`; there, `old` is replaced by `new`, or a constant by
    the value `new` where `old` is None. `checks` are names of tests, of which one has to fail.
    """

    name: str
    place: str
    old: str | None
    new: object
    checks: tuple[str, ...]
    compiled: bool = True

    @contextmanager
    def planted(self):
        with ExitStack() as stack:
            target = f"rtpsim.{self.place}"
            if self.old is None:
                stack.enter_context(other_value(target, self.new))
            else:
                stack.enter_context(other_code(target, self.old, self.new))
            yield


def of(name, place, old, new, *checks, compiled=True):
    """Return a fault of what runs as plain Python, or is compiled from it."""
    return Probe(name, place, old, new, checks, compiled)


def kernel(name, place, old, new, *checks):
    """Return a fault of the kernel, which runs as plain Python for it."""
    return Probe(name, f"simulation.{place}", old, new, checks, compiled=False)
