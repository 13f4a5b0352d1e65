"""The endpoints of what the site shows: replays, lessons, players and one's own data."""
