"""Streams, events, memory, graphs and errors of a GPU."""

from __future__ import annotations

import threading

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


def test_out_of_memory() -> None:
    total = torch.cuda.get_device_properties(0).total_memory
    with pytest.raises(RuntimeError, match=r"(?i)out of memory.*(GiB|MiB)"):
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
