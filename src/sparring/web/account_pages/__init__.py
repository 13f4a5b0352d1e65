"""Who one is, as a page: the name, the ways in, all that one has, taken along or deleted."""
