"""The table as a page of words, for people who listen: it plays the same match, from the same scenes and sentences."""
