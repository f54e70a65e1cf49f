"""The report as a page: HTML, and the PDF that is printed from it."""
