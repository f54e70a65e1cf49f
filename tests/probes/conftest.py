"""What the probes take from other tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "agreement"))
