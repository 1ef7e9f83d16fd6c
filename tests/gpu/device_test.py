"""Streams, events, memory, graphs and errors of a GPU."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.gpu_only
MIB = 1 << 20


def test_streams_and_events() -> None:
    side = torch.cuda.Stream()
    a = torch.randn(4096, 4096, device="cuda")
    expected = (a * 2).sum().item()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        assert torch.cuda.current_stream() == side
        start.record()
        b = a * 2
        end.record()
    torch.cuda.current_stream().wait_stream(side)
    b.record_stream(torch.cuda.current_stream())
    assert abs(b.sum().item() - expected) <= 1e-3 * abs(expected) + 1
    end.synchronize()
    assert end.query()
    assert start.elapsed_time(end) > 0
    assert torch.cuda.current_stream() == torch.cuda.default_stream()


def test_order_of_streams() -> None:
    """Work that waits for an event sees what was written before it, many times over."""
    side = torch.cuda.Stream()
    t = torch.zeros(1 << 20, device="cuda")
    for i in range(50):
        t.fill_(i)
        written = torch.cuda.Event()
        written.record()
        with torch.cuda.stream(side):
            side.wait_event(written)
            u = t + 1
        side.synchronize()
        assert u.min().item() == i + 1 and u.max().item() == i + 1


def test_memory() -> None:
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    t = torch.empty(64 * MIB, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_allocated() == before + 64 * MIB
    assert torch.cuda.max_memory_allocated() >= before + 64 * MIB
    assert torch.cuda.memory_reserved() >= torch.cuda.memory_allocated()
    del t
    assert torch.cuda.memory_allocated() == before
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() >= before


@pytest.mark.parametrize("channels_last", [False, True], ids=["contiguous", "channels_last"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
def test_memory_of_convolution(dtype: torch.dtype, channels_last: bool) -> None:
    """Windows of the input are never in memory: for 3 x 3 they would be nine times the input."""
    if torch.backends.cudnn.is_available():
        pytest.skip("cuDNN takes what memory it likes")
    order = torch.channels_last if channels_last else torch.contiguous_format
    x, weight = (
        torch.randn(shape, device="cuda", dtype=dtype).to(memory_format=order)
        for shape in ((1, 64, 40, 40), (64, 64, 3, 3))
    )
    bytes_of = x.numel() * x.element_size()

    def taken(function: Callable[[], object]) -> int:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        kept = function()
        assert kept is not None
        return torch.cuda.max_memory_allocated() - before

    assert taken(lambda: torch.conv2d(x, weight, padding=1)) <= 1.1 * bytes_of
    grad = torch.randn_like(x)
    for result in (x, weight):
        out = torch.conv2d(*(t.requires_grad_(t is result) for t in (x, weight)), padding=1)
        more = taken(lambda out=out, result=result: torch.autograd.grad(out, result, grad))
        made = result.numel() * result.element_size()
        # The weight's gradient is added up in parts, enough for four blocks of threads on each
        # multiprocessor, with 128 x 64 floats each.
        blocks = 4 * torch.cuda.get_device_properties(0).multi_processor_count + 9
        parts = 0 if result is x else 4 * 128 * 64 * blocks
        assert more <= 1.1 * made + parts


def test_threads() -> None:
    """Memory of one thread is never another's."""
    failures: list[str] = []

    def work(number: int) -> None:
        with torch.cuda.stream(torch.cuda.Stream()):
            for i in range(200):
                value = number * 1000 + i
                t = torch.full((1 + (i * 7919 + number) % 100000,), value, device="cuda")
                u = t + 0
                del t
                if u.min().item() != value or u.max().item() != value:
                    failures.append(f"thread {number}, turn {i}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_pinned() -> None:
    t = torch.randn(1 << 20).pin_memory()
    assert t.is_pinned()
    there = t.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    assert torch.equal(there.cpu(), t)


def test_graph() -> None:
    x = torch.randn(64, 64, device="cuda")
    w = torch.randn(64, 64, device="cuda", requires_grad=True)

    def step() -> torch.Tensor:
        w.grad = None
        loss = torch.softmax(x @ w, -1).pow(2).sum()
        loss.backward()
        return loss

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()
        grad = w.grad
    for _ in range(3):
        x.copy_(torch.randn(64, 64))
        graph.replay()
        captured, gradient = loss.clone(), grad.clone()
        again = step()
        torch.testing.assert_close(captured, again)
        torch.testing.assert_close(gradient, w.grad)


def test_graph_of_a_training_step() -> None:
    """Replays of one captured step end in the weights of as many steps."""

    def make() -> tuple[torch.nn.Module, torch.optim.Optimizer]:
        torch.manual_seed(1)
        layers = (torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
        model = torch.nn.Sequential(*layers).cuda()
        return model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, fused=True)

    x, y = torch.randn(8, 16, device="cuda"), torch.randint(0, 4, (8,), device="cuda")

    def step(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> torch.Tensor:
        optimizer.zero_grad(set_to_none=False)
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    captured, plain = make(), make()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step(*captured)
    torch.cuda.current_stream().wait_stream(side)
    step(*plain)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step(*captured)
    for _ in range(3):
        x.copy_(torch.randn(8, 16))
        graph.replay()
        torch.testing.assert_close(loss, step(*plain))
    for one, other in zip(captured[0].parameters(), plain[0].parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_random_numbers_of_a_graph() -> None:
    """Each replay draws new numbers, and the seed gives them again."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        drawn = torch.rand(1000, device="cuda")

    def replays() -> list[torch.Tensor]:
        torch.manual_seed(9)
        found = []
        for _ in range(2):
            graph.replay()
            found.append(drawn.cpu())
        return found

    first, second = replays()
    assert not torch.equal(first, second)
    assert first.min().item() >= 0 and first.max().item() < 1
    assert torch.equal(torch.stack(replays()), torch.stack([first, second]))


def test_what_a_capture_refuses() -> None:
    t = torch.ones(5, device="cuda")
    with pytest.raises(RuntimeError, match="captur"), torch.cuda.graph(torch.cuda.CUDAGraph()):
        t.sum().item()
    assert (t + 1).sum().item() == 10


def test_memory_without_a_cache() -> None:
    """PYTORCH_NO_CUDA_MEMORY_CACHING=1 gives each tensor memory of the driver's."""
    program = (
        "import torch; t = torch.ones(1000, device='cuda'); u = t * 2; del t;"
        "assert torch.cuda.memory_reserved() == 0; assert u.sum().item() == 2000"
    )
    environment = os.environ | {
        "PYTORCH_NO_CUDA_MEMORY_CACHING": "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def test_properties() -> None:
    major, minor = torch.cuda.get_device_capability()
    properties = torch.cuda.get_device_properties(0)
    assert (properties.major, properties.minor) == (major, minor)
    assert properties.total_memory > MIB and properties.multi_processor_count > 0
    archs = torch.cuda.get_arch_list()
    assert any(arch.startswith(("sm_", "compute_")) for arch in archs), archs
    assert torch.cuda.device_count() >= 1


def test_wrong_devices() -> None:
    a, b = torch.randn(4, device="cuda"), torch.randn(4)
    with pytest.raises(RuntimeError, match="same device"):
        a + b
    with pytest.raises(RuntimeError, match="same device"):
        torch.randn(4, 4) @ torch.randn(4, 4, device="cuda")
    with pytest.raises(RuntimeError, match=r"(invalid device|device)"):
        torch.zeros(1, device="cuda:99")


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_work_goes_to_the_gpu_of_its_operands() -> None:
    x, weight = torch.randn(2, 8, 9, 9), torch.randn(4, 8, 3, 3)
    calls: list[Callable[..., torch.Tensor]] = [
        lambda x, w: torch.conv2d(x, w).sum((2, 3)),
        lambda x, w: torch.conv_transpose2d(x, w.transpose(0, 1)).mean(),
        lambda x, w: x.flatten(1) @ x.flatten(1).t(),
        lambda x, w: torch.softmax(x, -1).sort(-1)[0],
        lambda x, w: torch.nn.functional.layer_norm(x, (9, 9)),
    ]
    for call in calls:
        inputs = [t.to("cuda:1").requires_grad_() for t in (x, weight)]
        result = call(*inputs)
        assert result.device.index == 1 and torch.cuda.current_device() == 0
        result.sum().backward()
        torch.testing.assert_close(result.cpu(), call(x, weight), rtol=1e-3, atol=1e-3)


def test_out_of_memory() -> None:
    total = torch.cuda.get_device_properties(0).total_memory
    with pytest.raises(torch.cuda.OutOfMemoryError, match=r"(?i)out of memory.*(GiB|MiB)"):
        torch.empty(2 * total, dtype=torch.uint8, device="cuda")
    assert torch.zeros(3, device="cuda").sum().item() == 0


def test_large() -> None:
    """More elements than 32 bits count."""
    n = (1 << 31) + 3
    if torch.cuda.get_device_properties(0).total_memory < 3 * n:
        pytest.skip("needs more memory")
    t = torch.zeros(n, dtype=torch.uint8, device="cuda")
    t[-1] = 5
    t[7] = 2
    assert t.sum().item() == 7
    assert t.argmax().item() == n - 1
    assert (t + t).amax().item() == 10
