"""Compares the runs that bench/telemetry-cost left in a directory: median of the blocks' ratios, and 95 % bootstrap intervals."""
import glob
import json
import math
import os
import random
import statistics
import sys

TURNS = {"looks": ("metrics", "jfr", "both"), "pair": ("compiled away",), "same": ("the same",)}
RESAMPLES = 2000


def slices(path):
    """Rate, and processor time of a transfer in ns, of each iteration."""
    result = json.load(open(path))[0]
    used = result["secondaryMetrics"]
    times, counts = (used[name]["rawData"][0] for name in ("processorTime", "transfers"))
    return list(zip(result["primaryMetric"]["rawData"][0], (time / count for time, count in zip(times, counts))))


def blocks(run, which, of, measure):
    """Of each block of four the logarithm of the inner two to the outer two."""
    values = [one[measure] for one in run]
    found = []
    for start in range(4 * which, len(values) - 3, 4 * of):
        first, inner, again, last = values[start:start + 4]
        found.append(math.log((inner + again) / (first + last)))
    return found


def resampled(runs, statistic, dice):
    """Runs are drawn, then blocks of each: what differs from process to process is in the interval, if there are several."""
    for _ in range(RESAMPLES):
        drawn = []
        for run in dice.choices(runs, k=len(runs)):
            drawn += dice.choices(run, k=len(run))
        yield statistic(drawn)


def text(runs, statistic):
    dice = random.Random(1)
    found = sorted(resampled(runs, statistic, dice))
    low, high = found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES)]
    return "%.4f (%.4f to %.4f)" % tuple(math.exp(x) for x in (statistic([b for run in runs for b in run]), low, high))


def main(directory):
    kinds = {}
    for path in sorted(glob.glob(os.path.join(directory, "*.json"))):
        what, backend, _ = os.path.basename(path).rsplit("-", 2)
        kinds.setdefault((what, backend), []).append(path)
    for (what, backend), paths in kinds.items():
        loads = [float(line.split()[0]) for path in paths for line in open(path[:-4] + "load")]
        runs = [slices(path) for path in paths]
        off = [one for run in runs for at, one in enumerate(run) if at % 4 in (0, 3)]
        print("%s over %s: %d processes, %d iterations; load %.1f to %.1f; nobody looks: %.0f/s, %.2f us of processor time" % (
            what, backend, len(runs), sum(map(len, runs)), min(loads), max(loads),
            statistics.median(rate for rate, _ in off), statistics.median(time for _, time in off) / 1000))
        for which, name in enumerate(TURNS[what]):
            for measure, unit in enumerate(("rate", "time")):
                found = [blocks(run, which, len(TURNS[what]), measure) for run in runs]
                print("  %-13s %s: median %s, mean %s; %d blocks; medians of the processes %s" % (
                    name, unit, text(found, statistics.median), text(found, statistics.fmean), sum(map(len, found)),
                    " ".join("%.3f" % math.exp(statistics.median(run)) for run in found)))


main(sys.argv[1])
