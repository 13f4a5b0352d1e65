"""The studio: people's content sets and the editor for them."""
