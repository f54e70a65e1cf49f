"""The report of a verification: one model, several renderings, and its audit."""
