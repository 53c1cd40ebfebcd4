"""`steelyard bench portability`: a tree of 2,000 Python files made at random, scanned; exit status 1 above 10 s."""

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

from bot.scanning import scanned
from bot.source_tree import Bounds
from scoring.model.portability import PortabilitySetting
from scoring.portability.assess import assess

FILES, FUNCTIONS, BAR_S = 2_000, 12, 10.0
WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
CUDA = (
    "    x = x.cuda()\n",
    "    device = 'cuda' if torch.cuda.is_available() else 'cpu'\n",
    "    torch.cuda.synchronize()\n",
    "    dist.init_process_group(backend='nccl')\n",
    "    for row in rows:\n        total += row.item()\n",
)
PLAIN = (
    "    values = [self.scale * value + offset for value in rows if value is not None]\n",
    "    result = {name: compute(name, depth=depth + 1) for name in sorted(names)}\n",
    "    if depth > limit and not result:\n        raise ValueError(f'no result at {depth}')\n",
    "    x = F.gelu(self.norm(x) @ self.weight.T + self.bias).reshape(batch, -1, width)\n",
)


def run(args: argparse.Namespace) -> int:
    """One line: files, lines, seconds, findings."""
    with tempfile.TemporaryDirectory(prefix="steelyard-bench-") as folder:
        lines = made(Path(folder), FILES)
        bounds = Bounds()
        begun = time.perf_counter()
        found = assess(scanned(Path(folder), None, bounds), PortabilitySetting())
        seconds = time.perf_counter() - begun
        used = sum(sum(resource.getrusage(who)[:2]) for who in WHO)
    print(
        f"{FILES:,} Python files, {lines:,} lines, {bounds.taken / 1e6:.1f} MB: {seconds:.2f} s (bar {BAR_S:g}), "
        f"{used:.1f} s of two processors, "
        f"{len(found.findings):,} findings"
    )
    return 0 if seconds <= BAR_S else 1


def made(folder: Path, files: int, seed: int = 7) -> int:
    """A tree of packages, every other file with uses of CUDA; how many lines it has."""
    rng, lines = random.Random(seed), 0  # noqa: S311 - data for a benchmark
    for number in range(files):
        path = folder / f"package{number % 40}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True)
        text = _module(rng, with_cuda=number % 2 == 0)
        path.write_text(text, encoding="utf-8")
        lines += text.count("\n")
    return lines


def _module(rng: random.Random, with_cuda: bool) -> str:
    parts = ['"""Made for a benchmark."""\n\nimport torch\nimport torch.nn.functional as F\n\n']
    for number in range(FUNCTIONS):
        parts.append(f"\ndef work{number}(self, x, rows, names, depth=0, limit=3):\n    '''Moves rows.'''\n")
        parts += rng.choices(PLAIN, k=8)
        parts += rng.choices(CUDA, k=1) if with_cuda else []
        parts.append("    return x\n\n")
    return "".join(parts)
