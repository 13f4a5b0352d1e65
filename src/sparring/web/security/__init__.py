"""Security: connection limits, host names, rate limits, and content that anybody may have written."""
