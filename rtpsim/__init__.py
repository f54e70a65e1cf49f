"""rtpsim proves what a blackjack game pays: exactly, and by simulation, card by card."""

__version__ = "0.1.0"
