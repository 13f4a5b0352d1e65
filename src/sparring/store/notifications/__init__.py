"""Store what people want to be told, and the outbox."""
