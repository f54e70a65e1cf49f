"""Analysis: what rules, chart cells, habits and paytables are worth, by exact values."""
