"""The studio: sets of content that people keep, and the bench on which they change them."""
