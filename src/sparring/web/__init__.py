"""The table in the browser: pages, live updates, storage, identity. Knows scenes and no games."""
