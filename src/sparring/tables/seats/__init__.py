"""Who plays: new tables with their players, people and bots who take a seat, and halves that two people bring."""
