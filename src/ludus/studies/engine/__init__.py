"""What a reproduction is made of: parts, rows, verdicts, reports."""
