"""Play tournaments between bots and rate them."""
