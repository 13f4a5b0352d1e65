"""The games of the house, one folder each, all of the same shape."""
