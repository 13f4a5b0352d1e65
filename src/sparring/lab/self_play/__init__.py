"""Train value models and policy priors from matches that bots play against themselves."""
