"""Matches between players, ratings with intervals, learning by self-play; on the cores of one machine or on a Ray cluster."""
