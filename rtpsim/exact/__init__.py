"""The exact engine: what a game returns, by enumeration of every hand."""
