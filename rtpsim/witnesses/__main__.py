"""``python -m rtpsim.witnesses [GAME]...``: the witnesses of the catalogue made anew."""

import sys

from rtpsim.witnesses.making import main

main(sys.argv[1:])
