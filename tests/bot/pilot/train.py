"""A training command in plain Python: a line fitted by gradient descent. Its device is a value that it only reports."""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--seed", type=int, required=True)
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--seconds", type=float, default=0.0)
parser.add_argument("--fail-at", default="")
parser.add_argument("--silent", action="store_true")
parser.add_argument("--count", type=Path, help="a line for each start")
args = parser.parse_args()

if args.count:
    with args.count.open("a", encoding="utf-8") as file:
        file.write(f"{os.environ['STEELYARD_ARM']} {os.environ['STEELYARD_RUN']}\n")
if args.fail_at == f"{os.environ['STEELYARD_ARM']}-{os.environ['STEELYARD_RUN']}":
    sys.exit("out of memory")
lot = random.Random(args.seed)
data = [(x := lot.uniform(-1, 1), 2 * x + 1 + lot.gauss(0, 0.1)) for _ in range(50)]
a = b = 0.0
Path(os.environ["STEELYARD_WARM"]).touch()
began = time.monotonic()
for _ in range(args.steps):
    slope = sum((a * x + b - y) * x for x, y in data) / len(data)
    level = sum(a * x + b - y for x, y in data) / len(data)
    a, b = a - 0.5 * slope, b - 0.5 * level
time.sleep(args.seconds)
loss = sum((a * x + b - y) ** 2 for x, y in data) / len(data)
if not args.silent:
    result = {"duration_s": time.monotonic() - began, "work_units": args.steps, "unit": "step", "eval_loss": loss}
    (args.out / "result.json").write_text(json.dumps(result), encoding="utf-8")
