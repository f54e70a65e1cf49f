"""Witnesses: what the referee found by itself, made once, kept in the package and quoted.

The referee plays rounds literally and shares no code with compiler, kernel and exact engine
(`rtpsim.reference`). A million rounds by it take minutes, so that they are not played for every
report: ``python -m rtpsim.witnesses`` plays them for the games of the catalogue by their own charts
and writes what they counted, with a hash of game, chart and the referee's own text. A witness for
anything else does not count, and none is found then.
"""
