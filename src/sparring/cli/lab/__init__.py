"""Commands of the lab: simulations, comparisons, tournaments, training and their data."""
