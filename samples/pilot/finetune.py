"""Fine-tunes a tiny language model on the text beside it. Its device is one value: --device, or STEELYARD_DEVICE.

No call below names an accelerator: the device is passed on to `torch.device`, and what else an accelerator needs
(a plugin to import, a backend to set) belongs into `prepare`.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

try:
    import torch
except ImportError:
    sys.exit("This sample needs PyTorch: pip install 'steelyard[pilot]', or a build for your device from pytorch.org.")

HERE = Path(__file__).parent
CONTEXT, WIDTH, HEADS, LAYERS = 64, 64, 4, 2
HELD_OUT = 0.1
WARM_UP_STEPS = 3


def options() -> argparse.Namespace:
    """What differs between arms and runs, each one value."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default=os.environ.get("STEELYARD_DEVICE", "cpu"))
    parser.add_argument("--batch", type=int, default=16, help="sequences a step")
    parser.add_argument("--threads", type=int, default=1, help="of the processor")
    parser.add_argument("--tokens", type=int, default=131_072, help="to train on, the same for every arm")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path())
    return parser.parse_args()


def prepare(told: argparse.Namespace) -> torch.device:
    """The device, and what is set once."""
    torch.set_num_threads(told.threads)
    torch.manual_seed(told.seed)
    return torch.device(told.device)


class Model(torch.nn.Module):
    """A transformer of two layers over bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = torch.nn.Embedding(256, WIDTH)
        self.places = torch.nn.Embedding(CONTEXT, WIDTH)
        layer = torch.nn.TransformerEncoderLayer(
            WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
        )
        self.layers = torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.head = torch.nn.Linear(WIDTH, 256)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        """Logits of the next byte at each place."""
        length = letters.shape[1]
        mask = torch.nn.Transformer.generate_square_subsequent_mask(length, device=letters.device)
        seen = self.letters(letters) + self.places(torch.arange(length, device=letters.device))
        return self.head(self.layers(seen, mask=mask, is_causal=True))


def loss_of(model: Model, rows: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of the next byte, in nats."""
    return torch.nn.functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())


def rows_of(text: torch.Tensor, count: int, lot: torch.Generator) -> torch.Tensor:
    """So many pieces of the text, drawn by lot."""
    starts = torch.randint(len(text) - CONTEXT - 1, (count,), generator=lot)
    return torch.stack([text[start : start + CONTEXT + 1] for start in starts.tolist()])


def main() -> None:
    """Train on the same number of tokens whatever the batch, then measure the loss on text that was held out."""
    told = options()
    device = prepare(told)
    text = torch.tensor(list((HERE / "text.txt").read_bytes()), dtype=torch.long)
    split = int(len(text) * (1 - HELD_OUT))
    train, held_out = text[:split], text[split:]
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    lot = torch.Generator().manual_seed(told.seed)

    def step() -> None:
        optimizer.zero_grad()
        loss_of(model, rows_of(train, told.batch, lot).to(device)).backward()
        optimizer.step()

    for _ in range(WARM_UP_STEPS):
        step()
    if mark := os.environ.get("STEELYARD_WARM"):
        Path(mark).touch()
    steps = told.tokens // (told.batch * CONTEXT)
    began = time.perf_counter()
    for _ in range(steps):
        step()
    seconds = time.perf_counter() - began
    with torch.no_grad():
        pieces = held_out[: len(held_out) // (CONTEXT + 1) * (CONTEXT + 1)].view(-1, CONTEXT + 1)
        eval_loss = loss_of(model, pieces.to(device)).item()
    result = {
        "duration_s": seconds,
        "work_units": steps * told.batch * CONTEXT,
        "unit": "token",
        "eval_loss": eval_loss,
    }
    (told.out / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
