"""Parallel text: reading, cleaning, preparing, and a toy language pair to try things on."""
