"""Measuring: corpus metrics with significance, sentence BLEU for oracles, detection, calibration, perplexity.

Import what you need from its own module (`redraft.evaluate.detection`), so that nobody who does not use them
waits for Numba or sacreBLEU.
"""
