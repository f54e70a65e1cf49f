"""Citations: what regulations ask of the strategy behind a return, as read on the date given."""

from __future__ import annotations

from rtpsim.report.model import Citation

_READ_ON = "2026-11-30"
_NEW_JERSEY = "www.law.cornell.edu/regulations/new-jersey"

CITATIONS = (
    Citation(
        reference="N.J.A.C. 13:69E-1.28A(g)",
        says="The theoretical return of a game that needs choices is computed with optimal "
        "strategy. The section is about slot machines; tables with an automated dealer are treated "
        "as such by 13:69E-1.28P.",
        address=_NEW_JERSEY,
        read_on=_READ_ON,
    ),
    Citation(
        reference="N.J.A.C. 13:69E-1.28A(c)",
        says="No award may be offered at odds over 1 in 100,000,000.",
        address=_NEW_JERSEY,
        read_on=_READ_ON,
    ),
    Citation(
        reference="86 Ill. Adm. Code 3000.660(a)",
        says="The return is a percentage of all amounts wagered, with the play that gives the "
        "greatest return.",
        address="regulations.justia.com",
        read_on=_READ_ON,
    ),
)
"""Nothing else about regulations is said anywhere: nobody has read more of them."""
