"""Training: data by length, two recipes, checkpoints that resume to the byte, a loop that says how it goes."""
