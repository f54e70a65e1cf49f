"""What a reader makes of bad inputs: clear errors, acceptances, and whatever else."""

import unicodedata
from dataclasses import dataclass, field

from rtpsim.errors import RtpsimError

MOST_CHARACTERS = 800
"""A message is read by a person: two lines, not a page."""

INNARDS = ("Traceback", "pydantic", "NoneType", "object at 0x", "numpy.", "pyarrow.")
"""Words of the program's insides, which say nothing to whoever wrote the input."""


@dataclass
class Outcomes:
    """How many inputs were refused, which were accepted, and which faults were found."""

    refused: int = 0
    accepted: list = field(default_factory=list)
    """(input, what it was read as)."""
    faults: list = field(default_factory=list)
    """(input, what is wrong with the answer)."""

    def feed(self, read, given, names=""):
        """Have one input read and note what came of it; `names` must stand in the message."""
        try:
            value = read(given)
        except RtpsimError as error:
            self.refused += 1
            if fault := unclear(str(error), names, given):
                self.faults.append((given, fault))
        except Exception as error:
            self.faults.append((given, f"{type(error).__name__}: {error}"[:300]))
        else:
            self.accepted.append((given, value))


def unclear(message, names, given=""):
    """Return what makes a message unfit for a person, or None."""
    lines = message.splitlines()
    if not 1 <= len(lines) <= 2 or not all(line.strip() for line in lines):
        return f"{len(lines)} lines: {message[:300]!r}"
    if len(message) > MOST_CHARACTERS:
        return f"{len(message)} characters: {message[:300]!r}"
    if odd := {c for line in lines for c in line if unicodedata.category(c) in ("Cc", "Cf", "Cs")}:
        return f"unprintable {sorted(odd)!r}: {message[:300]!r}"
    if names not in message:
        return f"does not name {names}: {message[:300]!r}"
    if words := [word for word in INNARDS if word in message and word not in str(given)]:
        return f"speaks of {words}: {message[:300]!r}"
    return None
