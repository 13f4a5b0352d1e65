"""The web server: pages, live updates, persistence and accounts. It knows scenes, but no particular games."""
