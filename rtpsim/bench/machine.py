"""The machine that a bench ran on, as far as it matters to speed."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_PACKAGES = ("rtpsim", "numba", "llvmlite", "numpy")
_LEVELS = ("avx512f", "avx2", "avx", "sse4.2", "sse2", "sve", "neon")
"""Vector instructions as LLVM calls them, the best first."""


@dataclass(frozen=True)
class Machine:
    """What rounds are played on.

    Attributes
    ----------
    processor
        Its name as the system has it.
    cores
        How many this process may use.
    compiled_for
        The processor that numba compiles for; ``NUMBA_CPU_NAME`` changes it.
    vectors
        The best vector instructions that numba may use, as LLVM calls them (``avx2``); empty where
        the name of the processor alone says so.
    system
        Operating system, its release, architecture.
    versions
        Of Python and the packages that compile.
    """

    processor: str
    cores: int
    compiled_for: str
    vectors: str
    system: str
    versions: dict[str, str]

    @classmethod
    def here(cls) -> Machine:
        """Find out about this machine."""
        from numba.core.registry import cpu_target

        from rtpsim.simulation import available_cores

        _, name, features = cpu_target.target_context.codegen().magic_tuple()
        enabled = {feature[1:] for feature in features.split(",") if feature.startswith("+")}
        return cls(
            processor=_processor(),
            cores=available_cores(),
            compiled_for=name,
            vectors=next((level for level in _LEVELS if level in enabled), ""),
            system=f"{platform.system()} {platform.release()} {platform.machine()}",
            versions={
                "python": ".".join(map(str, sys.version_info[:3])),
                **{package: metadata.version(package) for package in _PACKAGES},
            },
        )

    def __str__(self) -> str:
        cores = "1 core" if self.cores == 1 else f"{self.cores} cores"
        target = f"{self.compiled_for} {self.vectors}".strip()
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return f"{self.processor}, {cores}; compiled for {target}; {self.system}; {versions}"


def _processor() -> str:
    """Return the processor's name; that of its architecture where the system keeps it to itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(names), "") or platform.processor() or platform.machine()
