"""Engine: rules, matches, views, records and options; it knows no particular game."""
