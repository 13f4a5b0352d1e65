"""Bot processes, and the fair queue for their time."""
