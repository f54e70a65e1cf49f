"""The audit: whether a report says what its inputs and its seed say."""
