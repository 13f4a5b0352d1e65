"""The endpoints of content sets and their jobs."""
