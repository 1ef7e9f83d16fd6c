"""What is timed: functions of a torch, this tree's or the real one, that make a call.

A case that needs a function which a torch lacks is left out of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import models
import torch
from torch import nn

F = nn.functional
Call = Callable[[], Any]
Case = Callable[[], Call]

CASES: dict[str, Case] = {}


def _case(name: str) -> Callable[[Case], Case]:
    def register(case: Case) -> Case:
        CASES[name] = case
        return case

    return register


def _add(name: str, make: Case) -> None:
    CASES[name] = make


# ---- dispatch: one element, so that only the way to the kernel counts


@_case("dispatch: add, 1 element")
def _dispatch() -> Call:
    a, b = torch.ones(1), torch.ones(1)
    return lambda: a + b


@_case("dispatch: add, 1 element, requires grad")
def _dispatch_grad() -> Call:
    a, b = torch.ones(1, requires_grad=True), torch.ones(1)
    return lambda: a + b


@_case("dispatch: add and backward, 1 element")
def _dispatch_backward() -> Call:
    a, b = torch.ones(1, requires_grad=True), torch.ones(1)
    return lambda: (a + b).backward()


@_case("dispatch: view, 1 element")
def _dispatch_view() -> Call:
    a = torch.ones(1)
    return lambda: a.view(1, 1)


# ---- pointwise and reductions


def _pointwise(function: str, size: int) -> Case:
    def make() -> Call:
        a, b = torch.rand(size), torch.rand(size)
        call = getattr(torch, function, None) or getattr(F, function)
        return (lambda: call(a, b)) if function in ("add", "mul", "div") else (lambda: call(a))

    return make


for _name in ("add", "exp", "tanh", "gelu", "silu"):
    for _size in (1_000, 100_000, 10_000_000):
        _add(f"pointwise: {_name}, {_size:,}", _pointwise(_name, _size))


def _reduction(function: str, dim: int | None) -> Case:
    def make() -> Call:
        a = torch.rand(1000, 1000)
        call = getattr(torch, function)
        return (lambda: call(a)) if dim is None else (lambda: call(a, dim))

    return make


for _name in ("sum", "amax", "var", "argmax"):
    _add(f"reduction: {_name}, 1000x1000, all", _reduction(_name, None))
for _name in ("sum", "max", "logsumexp", "cumsum"):
    for _dim in (0, 1):
        _add(f"reduction: {_name}, 1000x1000, dim {_dim}", _reduction(_name, _dim))


@_case("softmax, 128x1000")
def _softmax() -> Call:
    a = torch.randn(128, 1000)
    return lambda: torch.softmax(a, 1)


@_case("layer_norm, 512x768")
def _layer_norm() -> Call:
    a, w, b = torch.randn(512, 768), torch.ones(768), torch.zeros(768)
    return lambda: F.layer_norm(a, (768,), w, b)


@_case("sort, 100,000")
def _sort() -> Call:
    a = torch.rand(100_000)
    return lambda: torch.sort(a)


@_case("topk 10 of 100x1000")
def _topk() -> Call:
    a = torch.rand(100, 1000)
    return lambda: torch.topk(a, 10)


@_case("embedding, 4096 of 30000x768")
def _embedding() -> Call:
    table, places = torch.randn(30000, 768), torch.randint(30000, (4096,))
    return lambda: F.embedding(places, table)


@_case("index, 4096 rows of 30000x256")
def _index() -> Call:
    table, places = torch.randn(30000, 256), torch.randint(30000, (4096,))
    return lambda: table[places]


@_case("copy of a transposed 2000x2000")
def _transposed() -> Call:
    a = torch.rand(2000, 2000).t()
    return lambda: a.contiguous()


# ---- products and networks


def _matmul(size: int, dtype: torch.dtype) -> Case:
    def make() -> Call:
        a, b = torch.randn(size, size).to(dtype), torch.randn(size, size).to(dtype)
        return lambda: a @ b

    return make


for _size in (64, 128, 256, 512, 1024, 2048):
    _add(f"matmul, {_size}, float32", _matmul(_size, torch.float32))
for _size in (64, 256, 1024):
    _add(f"matmul, {_size}, bfloat16", _matmul(_size, torch.bfloat16))

# ResNet-50's convolutions (He et al. 2015, table 1): channels in and out, kernel, stride, size.
_RESNET_50 = [
    (3, 64, 7, 2, 224),
    (64, 64, 1, 1, 56),
    (64, 64, 3, 1, 56),
    (64, 256, 1, 1, 56),
    (256, 128, 1, 1, 56),
    (128, 128, 3, 2, 56),
    (128, 512, 1, 1, 28),
    (256, 512, 1, 2, 56),
    (256, 256, 3, 1, 14),
    (256, 1024, 1, 1, 14),
    (512, 512, 3, 1, 7),
    (512, 2048, 1, 1, 7),
]


def _conv(inputs: int, outputs: int, kernel: int, stride: int, size: int) -> Case:
    def make() -> Call:
        a, w = torch.randn(1, inputs, size, size), torch.randn(outputs, inputs, kernel, kernel)
        conv2d = F.conv2d
        return lambda: conv2d(a, w, None, stride, kernel // 2)

    return make


for _shape in _RESNET_50:
    _i, _o, _k, _s, _n = _shape
    _add(f"conv2d, {_i}->{_o}, {_k}x{_k}/{_s}, {_n}x{_n}", _conv(*_shape))


@_case("conv2d, depthwise, 64, 3x3/1, 56x56")
def _depthwise() -> Call:
    a, w = torch.randn(1, 64, 56, 56), torch.randn(64, 1, 3, 3)
    return lambda: F.conv2d(a, w, None, 1, 1, 1, 64)


@_case("pad by 1, 1x3x8x8")
def _pad() -> Call:
    a = torch.randn(1, 3, 8, 8)
    return lambda: F.pad(a, (1, 1, 1, 1))


@_case("attention, 4x8x256x64")
def _attention() -> Call:
    q, k, v = (torch.randn(4, 8, 256, 64) for _ in range(3))
    attention = F.scaled_dot_product_attention
    return lambda: attention(q, k, v)


class _Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Any, mask: Any) -> Any:
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q @ k.transpose(-2, -1)) * (width // self.heads) ** -0.5
        weights = torch.softmax(scores.masked_fill(mask, float("-inf")), -1)
        mixed = (weights @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class _Gpt(nn.Module):
    def __init__(self, symbols: int, width: int, heads: int, layers: int, length: int) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(symbols, width), nn.Embedding(length, width)
        for layer in range(layers):
            setattr(self, f"block{layer}", _Block(width, heads))
        self.layers = layers
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, symbols)
        self.places = torch.arange(length)
        self.mask = torch.ones(length, length).triu(1).to(torch.bool)

    def forward(self, text: Any) -> Any:
        x = self.token(text) + self.place(self.places)
        for layer in range(self.layers):
            x = getattr(self, f"block{layer}")(x, self.mask)
        return self.head(self.norm(x))


GPT_STEP = "model: GPT training step, 4 layers of 128, 8x128 symbols"


@_case(GPT_STEP)
def _gpt() -> Call:
    model = _Gpt(256, 128, 4, 4, 128)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    text = torch.randint(256, (8, 129))

    def step() -> Any:
        optimizer.zero_grad()
        logits = model(text[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 256), text[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        return loss

    return step


# ---- whole networks

for _name, _model in models.cases():
    _add(_name, _model)
