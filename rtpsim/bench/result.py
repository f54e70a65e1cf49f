"""What a bench found: every figure that it prints, and nothing measured twice."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rtpsim.bench.machine import Machine


@dataclass(frozen=True)
class Case:
    """What is played.

    Attributes
    ----------
    game
        Name in the catalogue, a game file or a rule string.
    hands
        Hands a round.
    side_bets
        Whether all of the game's side bets are played.
    by_composition
        Whether the best play by all the cards of a hand is played (``optimal-cd``; split hands as
        if they had not been split), not the game's chart.
    """

    game: str
    hands: int = 1
    side_bets: bool = False
    by_composition: bool = False

    def __str__(self) -> str:
        extras = [f"{self.hands} hands"] * (self.hands > 1) + ["side bets"] * self.side_bets
        extras += ["by composition"] * self.by_composition
        return ", ".join([self.game, *extras])


@dataclass(frozen=True)
class Speed:
    """How fast one thread plays a case.

    Attributes
    ----------
    case
        What was played.
    rounds
        How many rounds, all turns together.
    ns, ns_median
        CPU time of a round in ns: of the fastest turn, and the median of all.
    plain_ns
        The same of the plain kernel (`rtpsim.simulation.plain`), the fastest turn; None where it
        does not play this.
    states, table_kib
        Entries that a hand can stand at, and the size of all tables that the kernel reads, in KiB.
    """

    case: Case
    rounds: int
    ns: float
    ns_median: float
    plain_ns: float | None
    states: int
    table_kib: float

    @property
    def per_second(self) -> float:
        """Rounds a second and core."""
        return 1e9 / self.ns

    @property
    def times_plain(self) -> float | None:
        """How many times as fast as the plain kernel."""
        return None if self.plain_ns is None else self.plain_ns / self.ns


@dataclass(frozen=True)
class Phases:
    """Where the time of a round goes.

    Attributes
    ----------
    case
        What was played.
    ns
        Time of a round in ns by phase (`rtpsim.simulation.clock.Phase`, in small letters); the
        sum is more than `Speed.ns` by what reading the clock takes.
    """

    case: Case
    ns: dict[str, float]


@dataclass(frozen=True)
class Threads:
    """What a second thread adds.

    Attributes
    ----------
    case
        What was played.
    one, two
        Rounds a second by one thread and by two, by the clock on the wall, the fastest turns.
    """

    case: Case
    one: float
    two: float

    @property
    def gain(self) -> float:
        """How many times as fast two threads are."""
        return self.two / self.one


@dataclass(frozen=True)
class Start:
    """A process from nothing to its first thousand rounds: seconds on the wall, and of CPU time."""

    wall_s: float
    cpu_s: float


@dataclass(frozen=True)
class Bench:
    """All that was measured.

    Attributes
    ----------
    machine
        Where.
    stream
        Version of the stream layout.
    turns
        How often everything was measured.
    cycle_ns
        Time of one addition that waits for the one before: about a cycle.
    speeds, phases
        By case.
    threads
        None where there is one core only.
    first_start, later_start
        A start that compiles, and one that finds everything compiled; None where not asked for.
    """

    machine: Machine
    stream: str
    turns: int
    cycle_ns: float
    speeds: tuple[Speed, ...]
    phases: tuple[Phases, ...]
    threads: Threads | None
    first_start: Start | None
    later_start: Start | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts; ratios included."""
        found = asdict(self)
        for speed, numbers in zip(self.speeds, found["speeds"], strict=True):
            numbers |= {
                "cycles": speed.ns / self.cycle_ns,
                "rounds_per_s": speed.per_second,
                "times_plain": speed.times_plain,
            }
        if self.threads is not None:
            found["threads"]["gain"] = self.threads.gain
        return found
