"""What is timed: calls, and the bytes or floating-point operations that each stands for.

A case has several sets of inputs, used in turn, so that no result comes from a warm cache. Bytes
are those that must move at least: each input read once, each output written once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

F = nn.functional
SETS = 3
# Where inputs are made; the worker sets it.
DEVICE = "cuda"


@dataclass(frozen=True)
class Work:
    """One case: a call for each set of inputs, and what one call does."""

    calls: list[Callable[[], Any]]
    bytes: float = 0.0
    operations: float = 0.0


CASES: dict[str, Callable[[], Work]] = {}
# Smaller, of float32: for devices that may be a processor.
SMALL_CASES: dict[str, Callable[[], Work]] = {}


def cases_of(device: str) -> dict[str, Callable[[], Work]]:
    """What is timed on a kind of device."""
    return CASES if device == "cuda" else SMALL_CASES


def _case(name: str) -> Callable[[Callable[[], Work]], Callable[[], Work]]:
    def register(make: Callable[[], Work]) -> Callable[[], Work]:
        CASES[name] = make
        return make

    return register


def _tensor(*shape: int, dtype: torch.dtype = torch.float32, grad: bool = False) -> torch.Tensor:
    return torch.randn(*shape, device=DEVICE).to(dtype).requires_grad_(grad)


def _size(*tensors: torch.Tensor) -> float:
    return float(sum(t.numel() * t.element_size() for t in tensors))


def _map(
    function: Callable[..., Any], shapes: list[tuple[int, ...]], dtype: torch.dtype
) -> Callable[[], Work]:
    """A function of tensors, whose output is counted by its size."""

    def make() -> Work:
        sets = [[_tensor(*shape, dtype=dtype) for shape in shapes] for _ in range(SETS)]
        out = function(*sets[0])
        outputs = out if isinstance(out, tuple) else (out,)
        calls = [lambda tensors=tensors: function(*tensors) for tensors in sets]
        return Work(calls, bytes=_size(*sets[0], *outputs))

    return make


def _add(
    name: str, function: Callable[..., Any], shapes: list[tuple[int, ...]], dtype: str = "float32"
) -> None:
    CASES[f"{name}, {dtype}"] = _map(function, shapes, getattr(torch, dtype))


# ---- ceilings: everything else is a share of these


def _copy(count: int) -> Work:
    sets = [(_tensor(count), _tensor(count)) for _ in range(2)]
    return Work([lambda a=a, b=b: b.copy_(a) for a, b in sets], bytes=_size(*sets[0]))


def _matmul(n: int, dtype: torch.dtype) -> Work:
    sets = [(_tensor(n, n, dtype=dtype), _tensor(n, n, dtype=dtype)) for _ in range(SETS)]
    return Work([lambda a=a, b=b: a @ b for a, b in sets], operations=2.0 * n**3)


CASES["copy, 1 GiB"] = lambda: _copy(1 << 28)
CASES["matmul 8192, bfloat16"] = lambda: _matmul(8192, torch.bfloat16)
for _n in (1024, 4096):
    CASES[f"matmul {_n}, bfloat16"] = lambda n=_n: _matmul(n, torch.bfloat16)
CASES["matmul 4096, float32"] = lambda: _matmul(4096, torch.float32)

# ---- pointwise

_FLAT = (1 << 27,)
_ROWS = (32768, 4096)
for _dtype in ("float32", "bfloat16"):
    _add("add", torch.add, [_FLAT, _FLAT], _dtype)
    _add("gelu", F.gelu, [_FLAT], _dtype)
    _add("add a row", torch.add, [_ROWS, (4096,)], _dtype)
_add("mul by a number", lambda x: x * 2, [_FLAT])
_add("transposed copy", lambda x: x.t().contiguous(), [_ROWS])
_add("where", lambda a, b: torch.where(a > b, a, b), [_FLAT, _FLAT])

# ---- reductions

for _dtype in ("float32", "bfloat16"):
    _add("sum of all", torch.sum, [_FLAT], _dtype)
    _add("sum of rows", lambda x: x.sum(1), [_ROWS], _dtype)
    _add("sum of columns", lambda x: x.sum(0), [_ROWS], _dtype)
_add("sum of short rows", lambda x: x.sum(1), [(1 << 21, 64)])
_add("amax of rows", lambda x: x.amax(1), [_ROWS])
_add("argmax of rows", lambda x: x.argmax(1), [_ROWS])
_add("variance of rows", lambda x: x.var(1), [_ROWS])
_add("cumsum of rows", lambda x: x.cumsum(1), [_ROWS])
_add("cumsum of one row", lambda x: x.cumsum(0), [_FLAT])

# ---- rows


def _backward(function: Callable[..., Any], shapes: list[tuple[int, ...]]) -> Callable[[], Work]:
    """The backward pass alone: reads grad and input (or output), writes the gradient."""

    def make() -> Work:
        sets = []
        for _ in range(2):
            leaves = [_tensor(*s, dtype=torch.bfloat16, grad=True) for s in shapes]
            out = function(*leaves)
            sets.append((out, leaves, torch.randn_like(out)))
        calls = [
            lambda o=o, x=x, g=g: torch.autograd.grad(o, x, g, retain_graph=True)
            for o, x, g in sets
        ]
        return Work(calls, bytes=3 * _size(sets[0][0]))

    return make


for _dtype in ("float32", "bfloat16"):
    _add("softmax of 1024", lambda x: x.softmax(-1), [(131072, 1024)], _dtype)
    _add("softmax of 4096", lambda x: x.softmax(-1), [_ROWS], _dtype)
    _add("softmax of 131072", lambda x: x.softmax(-1), [(1024, 131072)], _dtype)
    _add(
        "layer_norm of 4096",
        lambda x, w, b: F.layer_norm(x, (4096,), w, b),
        [_ROWS, (4096,), (4096,)],
        _dtype,
    )
_add("log_softmax across", lambda x: x.log_softmax(0), [_ROWS])
_add("rms_norm of 4096", lambda x, w: F.rms_norm(x, (4096,), w), [_ROWS, (4096,)], "bfloat16")
CASES["softmax of 4096, backward, bfloat16"] = _backward(lambda x: x.softmax(-1), [_ROWS])
CASES["layer_norm of 4096, backward, bfloat16"] = _backward(
    lambda x, w, b: F.layer_norm(x, (4096,), w, b), [_ROWS, (4096,), (4096,)]
)

# ---- indices and order


@_case("embedding, bfloat16")
def _embedding() -> Work:
    table = _tensor(50304, 1024, dtype=torch.bfloat16)
    sets = [torch.randint(0, 50304, (65536,), device=DEVICE) for _ in range(SETS)]
    row_bytes = 65536 * 1024 * 2
    return Work([lambda i=i: F.embedding(i, table) for i in sets], bytes=2 * row_bytes)


_add("sort of 2^24", lambda x: torch.sort(x), [(1 << 24,)])
_add("sort of rows of 1024", lambda x: torch.sort(x, dim=1), [(16384, 1024)])
_add("topk 10 of rows of 50304", lambda x: torch.topk(x, 10, dim=1), [(512, 50304)])

# ---- attention


def _attention(features: int, causal: bool, backward: bool) -> Work:
    batch, heads, length = 4, 16, 4096
    shape = (batch, heads, length, features)
    operations = 4.0 * batch * heads * length**2 * features * (0.5 if causal else 1.0)
    sets = []
    for _ in range(2):
        leaves = [_tensor(*shape, dtype=torch.bfloat16, grad=backward) for _ in range(3)]
        out = F.scaled_dot_product_attention(*leaves, is_causal=causal)
        sets.append((leaves, out, torch.randn_like(out)))
    if not backward:
        return Work(
            [lambda x=x: F.scaled_dot_product_attention(*x, is_causal=causal) for x, _, _ in sets],
            operations=operations,
        )
    # Five products instead of two.
    return Work(
        [lambda x=x, o=o, g=g: torch.autograd.grad(o, x, g, retain_graph=True) for x, o, g in sets],
        operations=2.5 * operations,
    )


for _features in (64, 128):
    for _causal in (False, True):
        for _back in (False, True):
            _name = f"attention of {_features}{', causal' * _causal}{', backward' * _back}"
            CASES[_name] = lambda d=_features, c=_causal, b=_back: _attention(d, c, b)

# ---- convolution


def _convolution(name: str, channels_last: bool, backward: bool) -> Work:
    """3 x 3 of 256 channels, on 32 images of 56 x 56."""
    dtype = getattr(torch, name)
    order = torch.channels_last if channels_last else torch.contiguous_format
    weight = _tensor(256, 256, 3, 3, dtype=dtype).to(memory_format=order).requires_grad_(backward)
    sets = []
    for _ in range(2):
        x = _tensor(32, 256, 56, 56, dtype=dtype).to(memory_format=order).requires_grad_(backward)
        out = F.conv2d(x, weight, padding=1)
        sets.append((x, out, torch.randn_like(out)))
    operations = 2.0 * 32 * 56 * 56 * 256 * 256 * 9
    if not backward:
        return Work([lambda x=x: F.conv2d(x, weight, padding=1) for x, _, _ in sets], 0, operations)
    return Work(
        [
            lambda x=x, o=o, g=g: torch.autograd.grad(o, (x, weight), g, retain_graph=True)
            for x, o, g in sets
        ],
        operations=2 * operations,
    )


for _dtype in ("float32", "bfloat16"):
    for _last in (False, True):
        for _back in (False, True):
            _name = f"convolution{', channels last' * _last}{', backward' * _back}, {_dtype}"
            CASES[_name] = lambda t=_dtype, c=_last, b=_back: _convolution(t, c, b)

# ---- overhead, and a program

LAUNCHES = 1000


@_case("launch of a small kernel, 1000 times")
def _launches() -> Work:
    a = _tensor(16)

    def run() -> None:
        for _ in range(LAUNCHES):
            a.add_(1)

    return Work([run])


class _Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = (
            t.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for t in self.qkv(self.norm1(x)).chunk(3, -1)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


def _gpt(words: int, width: int, length: int, batch: int, blocks: int, dtype: torch.dtype) -> Work:
    model = nn.Sequential(
        nn.Embedding(words, width),
        *[_Block(width, width // 64) for _ in range(blocks)],
        nn.LayerNorm(width),
        nn.Linear(width, words, bias=False),
    )
    model = model.to(device=DEVICE, dtype=dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    sets = [torch.randint(0, words, (batch, length + 1), device=DEVICE) for _ in range(SETS)]

    def step(tokens: torch.Tensor) -> None:
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        F.cross_entropy(logits.reshape(-1, words).float(), tokens[:, 1:].reshape(-1)).backward()
        optimizer.step()

    parameters = sum(p.numel() for p in model.parameters())
    tokens = batch * length
    attention = 12.0 * blocks * width * length * tokens
    operations = 6.0 * parameters * tokens + attention
    return Work([lambda t=t: step(t) for t in sets], operations=operations)


CASES["GPT training step: 12 blocks of 768, batch 8 x 1024, bfloat16"] = lambda: _gpt(
    50304, 768, 1024, 8, 12, torch.bfloat16
)

# ---- the small ones

_FEW = (1 << 22,)
_FEW_ROWS = (2048, 1024)
SMALL_CASES["copy, 64 MiB"] = lambda: _copy(1 << 24)
SMALL_CASES["matmul 1024, float32"] = lambda: _matmul(1024, torch.float32)


def _add_small(name: str, function: Callable[..., Any], shapes: list[tuple[int, ...]]) -> None:
    SMALL_CASES[f"{name}, float32"] = _map(function, shapes, torch.float32)


_add_small("add of 2^22", torch.add, [_FEW, _FEW])
_add_small("gelu of 2^22", F.gelu, [_FEW])
_add_small("transposed copy of 2048 x 1024", lambda x: x.t().contiguous(), [_FEW_ROWS])
_add_small("sum of rows of 1024", lambda x: x.sum(1), [_FEW_ROWS])
_add_small("sum of columns of 2048", lambda x: x.sum(0), [_FEW_ROWS])
_add_small("softmax of 1024", lambda x: x.softmax(-1), [_FEW_ROWS])
_add_small(
    "layer_norm of 1024",
    lambda x, w, b: F.layer_norm(x, (1024,), w, b),
    [_FEW_ROWS, (1024,), (1024,)],
)
_add_small(
    "convolution 3 x 3 of 64 channels, 4 x 56 x 56",
    lambda x, w: F.conv2d(x, w, padding=1),
    [(4, 64, 56, 56), (64, 64, 3, 3)],
)
SMALL_CASES["launch of a small kernel, 1000 times"] = CASES["launch of a small kernel, 1000 times"]
SMALL_CASES["GPT training step: 2 blocks of 128, batch 4 x 64, float32"] = lambda: _gpt(
    256, 128, 64, 4, 2, torch.float32
)
