"""Trains a small GPT on the documentation strings of Python's standard library, then lets it write.

    ./bazelw run //examples/gpt:train
    ./bazelw run //examples/gpt:train -- --steps 1000 --prompt "Return the "
    ./bazelw run --vulkan //examples/gpt:train -- --device vulkan

It reads and writes characters; the text is what this machine's Python says of its modules.
"""

from __future__ import annotations

import argparse
import ast
import math
import sysconfig
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, RandomSampler
from tqdm import tqdm

# Modules that every Python has, with much to say.
MODULES = "argparse asyncio/tasks collections/__init__ contextlib datetime decimal difflib email/message functools heapq inspect ipaddress itertools logging/__init__ os pathlib pickle random shutil statistics string subprocess tarfile tempfile textwrap threading typing unittest/case urllib/parse zipfile"


@dataclass(frozen=True)
class Shape:
    """The sizes of a network."""

    vocabulary: int
    context: int = 64
    width: int = 64
    heads: int = 4
    layers: int = 2


def docstrings(source: str) -> list[str]:
    """The documentation strings of a module, its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(n) for n in ast.walk(ast.parse(source)) if isinstance(n, kinds))
    return [text for text in found if text]


def corpus() -> str:
    """The text to learn from, ASCII only."""
    library = Path(sysconfig.get_path("stdlib"))
    files = [library / f"{name}.py" for name in MODULES.split()]
    texts = [
        text for file in files if file.exists() for text in docstrings(file.read_text("utf-8"))
    ]
    return "\n\n".join(texts).encode("ascii", "ignore").decode()


class Windows(Dataset[torch.Tensor]):
    """Every stretch of `length` characters of a text, as numbers."""

    def __init__(self, codes: torch.Tensor, length: int) -> None:
        self.codes = codes
        self.length = length

    def __len__(self) -> int:
        return self.codes.numel() - self.length + 1

    def __getitem__(self, start: int) -> torch.Tensor:
        return self.codes[start : start + self.length]


class Block(nn.Module):
    """Attention to what came before, then a small network, each added to its input."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.before_attention = nn.LayerNorm(shape.width)
        self.attention = nn.Linear(shape.width, 3 * shape.width)
        self.mix = nn.Linear(shape.width, shape.width)
        self.before_network = nn.LayerNorm(shape.width)
        self.network = nn.Sequential(
            nn.Linear(shape.width, 4 * shape.width),
            nn.GELU(),
            nn.Linear(4 * shape.width, shape.width),
        )

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        """Causal attention of several heads."""
        batch, length, width = x.shape
        parts = self.attention(x).reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.mix(seen.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attend(self.before_attention(x))
        return x + self.network(self.before_network(x))


class GPT(nn.Module):
    """From characters to a score for each character that may come next (Radford et al., 2019)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.characters = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.context, shape.width)
        self.blocks = nn.Sequential(*(Block(shape) for _ in range(shape.layers)))
        self.norm = nn.LayerNorm(shape.width)
        self.scores = nn.Linear(shape.width, shape.vocabulary, bias=False)
        # One table says what a character means and how it is written.
        self.scores.weight = self.characters.weight
        for table in (self.characters, self.positions):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, codes: torch.Tensor) -> torch.Tensor:
        places = torch.arange(codes.size(1), device=codes.device)
        x = self.characters(codes) + self.positions(places)
        return self.scores(self.norm(self.blocks(x)))

    @torch.no_grad()
    def write(self, codes: torch.Tensor, count: int, temperature: float) -> torch.Tensor:
        """`count` more characters behind `codes`, (1, length)."""
        for _ in range(count):
            scores = self(codes[:, -self.shape.context :])[:, -1] / temperature
            # The largest of the scores with Gumbel noise is a sample of their softmax.
            noise = -torch.log(-torch.log(torch.rand_like(scores)))
            codes = torch.cat([codes, (scores + noise).argmax(-1, keepdim=True)], 1)
        return codes


def train(model: GPT, codes: torch.Tensor, steps: int, batch: int, rate: float) -> list[float]:
    """Fits the model; the loss of every step, in nats for a character."""
    windows = Windows(codes, model.shape.context + 1)
    sampler = RandomSampler(windows, replacement=True, num_samples=steps * batch)
    loader = DataLoader(windows, batch_size=batch, sampler=sampler)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=steps + 1, pct_start=0.1
    )
    device = model.positions.weight.device
    losses = []
    with tqdm(loader, desc="training", unit="step") as bar:
        for window in bar:
            window = window.to(device)
            scores = model(window[:, :-1])
            loss = F.cross_entropy(scores.flatten(0, 1), window[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            bar.set_postfix(loss=f"{losses[-1]:.3f}")
    return losses


def entropy(text: str) -> float:
    """The loss of who knows how often each character comes and nothing else."""
    parts = [count / len(text) for count in Counter(text).values()]
    return -sum(part * math.log(part) for part in parts)


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=5e-3, help="the highest learning rate")
    parser.add_argument("--device", default="cpu", help="cuda, mps or vulkan, if torch has it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--prompt", default="Return ")
    parser.add_argument("--write", type=int, default=200, help="how many characters")
    parser.add_argument("--temperature", type=float, default=0.8)
    return parser.parse_args()


def main() -> None:
    """Reads, trains, writes."""
    arguments = parse_arguments()
    torch.manual_seed(arguments.seed)
    text = corpus()
    alphabet = sorted(set(text) | set(arguments.prompt))
    number = {character: i for i, character in enumerate(alphabet)}
    codes = torch.tensor([number[c] for c in text])
    model = GPT(Shape(len(alphabet))).to(arguments.device)
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(text)} characters, {len(alphabet)} different ones; {count} parameters")
    losses = train(model, codes, arguments.steps, arguments.batch, arguments.rate)
    last = losses[-20:]
    print(f"loss of guessing: {math.log(len(alphabet)):.3f}")
    print(f"loss of knowing the frequencies: {entropy(text):.3f}")
    print(f"first loss: {losses[0]:.3f}")
    print(f"last loss: {sum(last) / len(last):.3f}")
    prompt = torch.tensor([[number[c] for c in arguments.prompt]], device=arguments.device)
    written = model.write(prompt, arguments.write, arguments.temperature)
    print("sample: " + repr("".join(alphabet[i] for i in written[0].tolist())))


if __name__ == "__main__":
    main()
