"""Tests: unit, contract, integration, end to end, browser, chaos, and what measures and evaluates."""

import gc
import sys

if "pytest" in sys.modules:
    # Half a million objects that never go: looking through them again and again takes a tenth of the time.
    gc.disable()  # until all tests are collected
    gc.set_threshold(50_000, 20, 50)
