"""Volatility: how far results spread, in a round, in a session, between hands and bets."""
