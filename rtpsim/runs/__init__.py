"""Runs: long simulations that are stopped, continued, shared out among machines and merged."""
