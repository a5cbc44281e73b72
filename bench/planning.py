"""Plans a room's pages as a vectorised Python connector does: numpy for grouping and offsets, lists for the engine.

Arguments: grouped|sliced, pages, tokens per page, tensors. Prints the median time of one room in microseconds. Written for
comparison with io.weft.bench.kv.PlanningCost, which runs it; what the binding and the engine do with the lists comes on top.
"""
import statistics
import sys
import time

import numpy as np

ROUNDS = 20
ITEM = 256


def runs(rng, pages):
    order = rng.permutation(pages)[: pages // 4]
    return (order[:, None] * 4 + np.arange(4)).ravel().astype(np.int32)


def grouped(source, target, tensors, item):
    breaks = np.nonzero((np.diff(source) != 1) | (np.diff(target) != 1))[0] + 1
    firsts = [(int(s[0]), int(t[0]), len(s)) for s, t in zip(np.split(source, breaks), np.split(target, breaks))]
    for _ in range(tensors):
        local = [s * item for s, _, _ in firsts]
        remote = [t * item for _, t, _ in firsts]
        sizes = [n * item for _, _, n in firsts]
    return local, remote, sizes


def sliced(source, target, tensors, tokens):
    here, there = ITEM * tokens, ITEM // 2 * tokens
    slots = np.arange(tokens, dtype=np.int64)
    for _ in range(tensors):
        local = ((source.astype(np.int64) * here)[:, None] + slots * ITEM).ravel().tolist()
        remote = ((target.astype(np.int64) * there)[:, None] + slots * (ITEM // 2)).ravel().tolist()
        sizes = [ITEM // 2] * len(local)
    return local, remote, sizes


def main():
    kind, pages, tokens, tensors = sys.argv[1], *map(int, sys.argv[2:5])
    rng = np.random.default_rng(1)
    times = []
    for _ in range(ROUNDS):
        source, target = runs(rng, pages), runs(rng, pages)
        start = time.perf_counter()
        if kind == "grouped":
            grouped(source, target, tensors, ITEM * tokens)
        else:
            sliced(source, target, tensors, tokens)
        times.append((time.perf_counter() - start) * 1e6)
    print("%.1f" % statistics.median(times))


main()
