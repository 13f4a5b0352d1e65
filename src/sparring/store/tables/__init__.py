"""Store the chat, the timers and half invitations of tables, and list tables."""
