"""Store what several processes share: presence, jobs, reports of processes, and rate limits."""
