"""Outcomes: what a round can come to, how often, and what of the return comes from it."""
