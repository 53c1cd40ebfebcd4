"""Intervals, margins and sample sizes: plain numbers in, estimates out."""
