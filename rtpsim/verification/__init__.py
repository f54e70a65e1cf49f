"""Verification: published against exact against simulated, and what every reading would say."""
