"""Ratings: how strong levels are, from the order in which seats finished (Plackett and Luce)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import log, log10, sqrt
from random import Random

from msgspec import Struct

ROUNDS = 200
CLOSE = 1e-4
RESAMPLED = 200  # times, for the intervals
PRIOR = 0.5  # wins and losses against a level of average strength, so that nobody becomes infinitely strong

Finish = tuple[tuple[float, str], ...]  # of one game: score and level of every seat


class Rating(Struct, frozen=True):
    """A level on the scale of chess: 400 points more is ten times as likely to finish first of two."""

    rating: float
    low: float
    high: float


def ratings(games: Sequence[Finish], seed: str = "ratings") -> dict[str, Rating]:
    """The rating of every level, centred on 0, with the 95 % interval over games drawn anew."""
    levels = sorted({level for game in games for _, level in game})
    best = strengths(games, levels)
    rng = Random(seed)
    drawn = [strengths(rng.choices(games, k=len(games)), levels) for _ in range(RESAMPLED)]
    found = {}
    for level in levels:
        some = sorted(one[level] for one in drawn)
        low, high = some[round(0.025 * (RESAMPLED - 1))], some[round(0.975 * (RESAMPLED - 1))]
        found[level] = Rating(rating=round(best[level], 1), low=round(low, 1), high=round(high, 1))
    return found


def likely_ratings(games: Sequence[Finish]) -> dict[str, Rating]:
    """The same ratings, with the 95 % interval that follows from how sharp the likelihood is.

    For a few games among people: games drawn anew from three that went the same way would all agree, and
    seem certain. What the prior leaves open is in this interval.
    """
    levels = sorted({level for game in games for _, level in game})
    if not levels:
        return {}
    best = strengths(games, levels)
    strength = {level: 10 ** (one / 400) for level, one in best.items()}
    information = [[0.0] * len(levels) for _ in levels]
    for n, level in enumerate(levels):
        half = strength[level] / (strength[level] + 1)
        information[n][n] += 2 * PRIOR * half * (1 - half)
    for game in games:
        for chosen, rest in _stages(game):
            there = [
                (n, rest.count(level) * strength[level]) for n, level in enumerate(levels) if level in rest
            ]
            whole = sum(one for _, one in there)
            share = [(n, one / whole) for n, one in there]
            for n, one in share:
                information[n][n] += len(chosen) * one
                for m, other in share:
                    information[n][m] -= len(chosen) * one * other
    found = {}
    for level, variance in zip(levels, _centred(_inverse(information)), strict=True):
        reach = 1.96 * 400 / log(10) * sqrt(max(0.0, variance))
        rating = best[level]
        low, high = round(rating - reach, 1), round(rating + reach, 1)
        found[level] = Rating(rating=round(rating, 1), low=low, high=high)
    return found


def _centred(covariance: list[list[float]]) -> list[float]:
    """The variance of each against the mean of all."""
    size = len(covariance)
    rows = [sum(row) / size for row in covariance]
    whole = sum(rows) / size
    return [covariance[n][n] - 2 * rows[n] + whole for n in range(size)]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """By elimination; the prior keeps every pivot of an information matrix above zero."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        pivot = rows[n][n]
        rows[n] = [one / pivot for one in rows[n]]
        for m in range(size):
            if m != n and rows[m][n]:
                factor = rows[m][n]
                rows[m] = [one - factor * other for one, other in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]


def strengths(games: Sequence[Finish], levels: Sequence[str]) -> dict[str, float]:
    """The most likely ratings: a seat finishes next with a chance in proportion to its level's strength.

    Seats with the same score count as chosen at the same moment. Found by minorising and maximising.
    """
    stages = [stage for game in games for stage in _stages(game)]
    # Stages that look alike are counted once.
    alike: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for next_up, rest in stages:
        key = tuple(map(next_up.count, levels)), tuple(map(rest.count, levels))
        alike[key] = alike.get(key, 0) + 1
    wins = [
        PRIOR + sum(times * chosen[n] for (chosen, _), times in alike.items()) for n in range(len(levels))
    ]
    # Of many levels few are in a game: only those are walked through.
    met = [
        (times * sum(chosen), [(n, seats) for n, seats in enumerate(there) if seats])
        for (chosen, there), times in alike.items()
    ]
    strength = [1.0] * len(levels)
    for _ in range(ROUNDS):
        # Half a win and half a defeat against a level of strength 1, the prior.
        weight = [2 * PRIOR / (one + 1.0) for one in strength]
        for finished, there in met:
            share = finished / sum(seats * strength[n] for n, seats in there)
            for n, seats in there:
                weight[n] += seats * share
        new = [win / per for win, per in zip(wins, weight, strict=True)]
        moved = max(abs(log10(a / b)) for a, b in zip(new, strength, strict=True))
        strength = new
        if moved < CLOSE:
            break
    scale = [400 * log10(one) for one in strength]
    middle = sum(scale) / len(scale)
    return {level: one - middle for level, one in zip(levels, scale, strict=True)}


def _stages(game: Finish) -> list[tuple[list[str], list[str]]]:
    """Who came next, and who was still there; the last to finish is no choice."""
    order = sorted(game, key=lambda seat: -seat[0])
    left = [level for _, level in order]
    stages = []
    for _, group in groupby(order, key=lambda seat: seat[0]):
        chosen = [level for _, level in group]
        if len(left) > len(chosen):
            stages.append((chosen, left))
        left = left[len(chosen) :]
    return stages


__all__ = ["Finish", "Rating", "likely_ratings", "ratings", "strengths"]
