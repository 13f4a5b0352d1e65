"""Store friends, challenges, and when people were last seen."""
