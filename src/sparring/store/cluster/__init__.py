"""Store what several processes share: presence, reports of processes, and rate limits."""
