"""What the tests of this folder take from others."""

import sys
from pathlib import Path

for folder in ("report", "runs"):
    sys.path.append(str(Path(__file__).parent.parent / folder))
