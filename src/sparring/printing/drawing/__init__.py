"""Draw the components of a printed game."""
