"""The processes in which bots think, and whose turn it is to have one think."""
