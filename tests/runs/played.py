"""A run that the tests of this folder play, as a program too, so that it can be killed.

    python played.py CHECKPOINT ROUNDS [resume]

plays it with a checkpoint after every chunk, prints how many rounds have been played after each,
and in the end the hash of all that it counted.
"""

import hashlib
import json
import sys
from dataclasses import replace

from rtpsim.games import load_game
from rtpsim.runs.checkpoint import Checkpoint
from rtpsim.runs.play import Threads, play
from rtpsim.runs.run import Run
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")


def a_run(rounds, **changes):
    return replace(Run(GAME, default_chart(GAME), rounds, seed=5), **changes)


def fingerprint(tally):
    """Return a hash of every count of a tally."""
    counts = [
        tally.unit,
        tally.hands,
        tally.rounds,
        sorted([*key, n] for key, n in tally.outcomes.items()),
        sorted([*key, n] for key, n in tally.insurance.items()),
        sorted([*map(str, label), n] for label, n in tally.labels.items()),
        tally.initial.tolist(),
        [
            [bet, sorted([",".join(key), n] for key, n in won.items())]
            for bet, won in tally.side_bets.items()
        ],
    ]
    return hashlib.sha256(json.dumps(counts).encode()).hexdigest()


def main(path, rounds, resume=""):
    checkpoint = Checkpoint(path, resume=bool(resume), every=0, say=lambda text: print("#", text))
    played = play(
        a_run(int(rounds)),
        engine=Threads(1, piece_chunks=1),
        checkpoint=checkpoint,
        progress=lambda played: print(played, flush=True),
    )
    print(fingerprint(played.tally), played.resumed_rounds)


if __name__ == "__main__":
    main(*sys.argv[1:])
