"""Spearman's rank correlation of a number with a flag, over counts."""

import math

import msgspec
import numpy as np

from iwtui.analysis.cube import Numbers


class Correlation(msgspec.Struct, frozen=True):
    """ρ of the average ranks over `n` episodes, and its two-sided p by Student's t; None where it is not defined."""

    rho: float | None = None
    p: float | None = None
    n: int = 0


def spearman(values: Numbers, counts: Numbers, flagged: Numbers) -> Correlation:
    """Of `counts[i]` episodes with the value values[i], ascending and each once, `flagged[i]` bear the flag."""
    n = int(counts.sum())
    yes = flagged.sum()
    if n < 3 or len(values) < 2 or yes in (0, n):
        return Correlation(n=n)
    ranks = np.cumsum(counts) - counts + (counts + 1) / 2
    ranks -= np.dot(ranks, counts) / n
    # A flag has two ranks, and any two numbers correlate alike.
    flags = 1 - yes / n
    covariance = np.dot(ranks, flagged)
    rho = float(covariance / math.sqrt(np.dot(ranks**2, counts) * yes * flags))
    free = n - 2
    rest = 1 - rho**2
    return Correlation(rho, 0.0 if rest <= 0 else 1 - student(abs(rho) * math.sqrt(free / rest), free), n)


def student(t: float, free: int) -> float:
    """The probability that Student's |T| is below t, for whole degrees of freedom.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan2(t, math.sqrt(free))
    square = math.cos(angle) ** 2
    odd = free % 2
    term = math.cos(angle) if odd else 1.0
    total = term if free > 1 else 0.0
    for step in range(2 + odd, free - 1, 2):
        term *= square * (step - 1) / step
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
