"""Store the chat and the timers of tables, and list tables."""
