"""The compiler: rules and a strategy become integer tables that every engine reads."""
