"""Collects rounds of bench/compare and prints their medians and the spread of the ratios."""
import json
import statistics
import sys


def add(path):
    _, c_rate, c_p50, c_p99, iperf, weft = sys.stdin.read().split()
    report = json.load(open(weft))
    row = report["rows"][-1]  # those before are warm-up
    if not row["verified"]:
        sys.exit("ratios: weft moved wrong bytes")
    host = {name: report[name] for name in ("machine", "kernel", "congestionControl", "jdk", "load")}
    with open(path, "a") as out:
        print(json.dumps({"host": host, "c": float(c_rate), "cP50": float(c_p50), "cP99": float(c_p99),
                          "iperf": float(iperf), "weft": row["gigabytesPerSecond"], "p50": row["p50Micros"],
                          "p99": row["p99Micros"]}), file=out)


def spread(values):
    return "%.3f (%.3f to %.3f)" % (statistics.median(values), min(values), max(values))


def report(path, size, batch):
    rounds = [json.loads(line) for line in open(path)]
    loads = [round_["host"]["load"] for round_ in rounds]
    print("%s x %s, %d rounds; %s, load %.1f to %.1f" % (
        size, batch, len(rounds), ", ".join(rounds[0]["host"][name] for name in
                                            ("machine", "kernel", "congestionControl", "jdk")), min(loads), max(loads)))
    others = ["c"] + (["iperf"] if rounds[0]["iperf"] else [])
    units = [(name, "GB/s") for name in others + ["weft"]] + [(name, "us") for name in ("cP50", "p50", "p99")]
    for name, unit in units:
        print("  %-6s %s %s" % (name, spread([round_[name] for round_ in rounds]), unit))
    for name in others:
        print("  weft/%-5s %s" % (name, spread([round_["weft"] / round_[name] for round_ in rounds])))
    print("  cP50/p50   %s" % spread([round_["cP50"] / round_["p50"] for round_ in rounds]))


if sys.argv[1] == "add":
    add(sys.argv[2])
else:
    report(*sys.argv[2:])
