"""torch.profiler: what becomes of CUPTI's records, in builds with it and without, no GPU."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import profiler
from torch.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule

HAS_CUPTI = ProfilerActivity.CUDA in profiler.supported_activities()


class Gpu:
    """Stands for the bindings: gives back the records that the test put into it."""

    def __init__(self) -> None:
        self.records: list[tuple[object, ...]] = []
        self.running = False

    def start(self) -> None:
        assert not self.running
        self.running = True

    def stop(self) -> list[tuple[object, ...]]:
        assert self.running
        self.running = False
        return self.records


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Gpu:
    fake = Gpu()
    bindings = SimpleNamespace(
        _cuda_hasTrace=lambda: True, _cuda_startTrace=fake.start, _cuda_stopTrace=fake.stop
    )
    monkeypatch.setattr(profiler, "_C", bindings)
    return fake


def kernel(name: str, start: int, end: int, device: int = 0, stream: int = 7) -> tuple[object, ...]:
    return (0, name, start, end, device, stream, (5, 1, 1), (128, 2, 1), 1100, 0)


def test_events_and_averages(gpu: Gpu) -> None:
    spans: dict[str, list[int]] = {"short": [], "long": []}
    start = 10**9
    for _ in range(random.randint(3, 9)):
        for name, most in (("short", 900), ("long", 90000)):
            length = random.randint(1, most)
            gpu.records.append(kernel(name, start, start + length))
            spans[name].append(length)
            start += length + 5
    gpu.records.append((1, "Memcpy HtoD", start, start + 2500, 1, 9, (0, 0, 0), (0, 0, 0), 0, 4096))
    ended: list[profile] = []
    with profile(activities=[ProfilerActivity.CUDA], on_trace_ready=ended.append) as prof:
        assert gpu.running
        with pytest.raises(RuntimeError, match="the block of `with profile\\(\\)` has not ended"):
            prof.events()
    assert not gpu.running and ended == [prof]

    events = prof.events()
    assert [event.name for event in events] == [record[1] for record in gpu.records]
    assert events[0].start == 10**6 and events[0].duration == spans["short"][0] / 1e3
    assert (events[-1].category, events[-1].bytes, events[-1].device_index) == (
        "gpu_memcpy",
        4096,
        1,
    )
    averages = {average.key: average for average in prof.key_averages()}
    for name, lengths in spans.items():
        assert averages[name].count == len(lengths)
        assert averages[name].device_time_total == pytest.approx(sum(lengths) / 1e3)
        assert averages[name].cuda_time == pytest.approx(sum(lengths) / 1e3 / len(lengths))
    totals = [average.device_time_total for average in prof.key_averages()]
    assert totals == sorted(totals, reverse=True)


def test_table(gpu: Gpu) -> None:
    gpu.records = [
        kernel("a" * 80, 0, 3_000_000),
        kernel("b", 0, 500),
        kernel("b", 0, 500),
        kernel("c", 0, 1_000_000),
    ]
    with profile() as prof:
        pass
    averages = prof.key_averages()
    lines = averages.table().splitlines()
    assert re.fullmatch(r"a{52}\.\.\. +74\.98% +3\.000ms +3\.000ms +1", lines[3])
    assert re.fullmatch(r"c +24\.99% +1\.000ms +1\.000ms +1", lines[4])
    assert re.fullmatch(r"b +0\.02% +1\.000us +0\.500us +2", lines[5])
    assert lines[-1] == "CUDA time total: 4.001ms"
    by_count = averages.table(sort_by="count", row_limit=1).splitlines()
    assert by_count[3].startswith("b ") and by_count[-1] == "2 more names, row_limit is 1"
    with pytest.raises(ValueError, match="sort_by should be one of cuda_time_total.*'cpu_time'"):
        averages.table(sort_by="cpu_time")


def test_chrome_trace(gpu: Gpu, tmp_path: Path) -> None:
    gpu.records = [
        kernel("k", 2000, 5000, device=1, stream=13),
        (2, "Memset", 6000, 6500, 0, 7, (0, 0, 0), (0, 0, 0), 0, 12),
    ]
    with profile() as prof:
        pass
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(path)
    rows = json.loads(path.read_text())["traceEvents"]
    names = {(r["name"], r["pid"], r["args"]["name"]) for r in rows if r["ph"] == "M"}
    assert names == {
        ("process_name", 0, "GPU 0"),
        ("process_name", 1, "GPU 1"),
        ("thread_name", 0, "stream 7"),
        ("thread_name", 1, "stream 13"),
    }
    first, second = (r for r in rows if r["ph"] == "X")
    assert (first["ts"], first["dur"], first["pid"], first["tid"]) == (2.0, 3.0, 1, 13)
    assert first["args"]["grid"] == [5, 1, 1] and first["cat"] == "kernel"
    assert (second["cat"], second["args"]["bytes"]) == ("gpu_memset", 12)


def test_wrong_arguments(gpu: Gpu) -> None:
    with pytest.raises(ValueError, match="not ProfilerActivity.CPU: pass activities="):
        profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
    with pytest.raises(ValueError, match="nothing to record: pass activities="):
        profile(activities=[])
    with pytest.raises(TypeError, match="activities are of ProfilerActivity, not 'cuda'"):
        profile(activities=["cuda"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="has no record_shapes=True: leave record_shapes out"):
        profile(record_shapes=True)
    with pytest.raises(ValueError, match="has no schedule=<.*>: leave schedule out"):
        profile(schedule=lambda step: step)
    with pytest.raises(TypeError, match="unexpected keyword argument 'shapes'"):
        profile(shapes=True)
    profile(record_shapes=False, schedule=None)
    assert not gpu.running


def test_an_error_in_the_block_ends_the_trace(gpu: Gpu) -> None:
    with pytest.raises(KeyError), profile():
        raise KeyError
    assert not gpu.running


@pytest.mark.skipif(HAS_CUPTI, reason="this build has CUPTI")
def test_without_cupti_the_option_is_named() -> None:
    assert profiler.supported_activities() == set()
    with pytest.raises(RuntimeError, match="this build has no CUPTI.*--config=cuda --cupti"):
        profile()


@pytest.mark.skipif(
    not HAS_CUPTI or torch.cuda.is_available(), reason="this build has no CUPTI, or there is a GPU"
)
def test_cupti_without_a_driver() -> None:
    """NVIDIA's own library answers: it is linked, found and called."""
    with pytest.raises(RuntimeError, match="CUPTI error: .* when calling `cupti"), profile():
        pass


def test_a_schedule_repeats() -> None:
    wait, warmup, active = (random.randint(1, 4) for _ in range(3))
    plan = schedule(wait=wait, warmup=warmup, active=active, repeat=2, skip_first=3)
    cycle = "N" * wait + "W" * warmup + "R" * (active - 1) + "S"
    letters = {
        ProfilerAction.NONE: "N",
        ProfilerAction.WARMUP: "W",
        ProfilerAction.RECORD: "R",
        ProfilerAction.RECORD_AND_SAVE: "S",
    }
    count = 3 + 2 * len(cycle) + 5
    assert "".join(letters[plan(i)] for i in range(count)) == "NNN" + 2 * cycle + "NNNNN"
    with pytest.raises(AssertionError, match=r"Got wait=-1 \(need >= 0\)"):
        schedule(wait=-1, warmup=1, active=1)
    with pytest.warns(UserWarning, match="Profiler won't be using warmup"):
        schedule(wait=1, warmup=0, active=1)


def test_names_of_blocks() -> None:
    @record_function("twice")
    def twice(x: float) -> float:
        return 2 * x

    with record_function("block") as block:
        assert twice(1.5) == 3.0
    assert block.name == "block" and twice.__name__ == "twice"


def test_names_of_devices_and_autocast() -> None:
    assert torch.get_device_module("cuda") is torch.cuda
    assert torch.GradScaler is torch.amp.GradScaler
    with pytest.warns(DeprecationWarning, match="Please use torch.get_autocast_dtype"):
        assert torch.get_autocast_gpu_dtype() is torch.get_autocast_dtype("cuda")
    with pytest.warns(DeprecationWarning), torch.autocast("cpu"):
        assert torch.is_autocast_cpu_enabled()
