"""Security: connection limits, host names, rate limits, and untrusted content."""
