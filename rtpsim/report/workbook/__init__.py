"""The report as a workbook whose formulas can be followed cell by cell."""
