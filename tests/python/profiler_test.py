"""torch.profiler: what the processor does, and what becomes of CUPTI's records; no GPU."""

from __future__ import annotations

import gzip
import json
import random
import re
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import profiler
from torch.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule

CPU = [ProfilerActivity.CPU]
GPUS = [ProfilerActivity.CUDA]
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
        _cuda_hasTrace=lambda: True,
        _cuda_startTrace=fake.start,
        _cuda_stopTrace=fake.stop,
        _profiler_start=torch._C._profiler_start,
        _profiler_stop=torch._C._profiler_stop,
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


def test_table(gpu: Gpu) -> None:
    gpu.records = [
        kernel("a" * 80, 0, 3_000_000),
        kernel("b", 0, 500),
        kernel("b", 0, 500),
        kernel("c", 0, 1_000_000),
    ]
    with profile(activities=GPUS) as prof:
        pass
    averages = prof.key_averages()
    lines = averages.table(sort_by="cuda_time_total").splitlines()
    assert re.fullmatch(r"a{52}\.\.\. +3\.000ms +74\.98% +3\.000ms +3\.000ms +1", lines[3])
    assert re.fullmatch(r" +c +1\.000ms +24\.99% +1\.000ms +1\.000ms +1", lines[4])
    assert re.fullmatch(r" +b +1\.000us +0\.02% +1\.000us +0\.500us +2", lines[5])
    assert lines[-1] == "Self CUDA time total: 4.001ms"
    by_count = averages.table(sort_by="count", row_limit=1).splitlines()
    assert by_count[3].strip().startswith("b ") and by_count[5] == "2 more rows, row_limit is 1"
    with pytest.raises(ValueError, match="sort_by should be one of cpu_time, .*, not 'time'"):
        averages.table(sort_by="time")


def test_chrome_trace(gpu: Gpu, tmp_path: Path) -> None:
    gpu.records = [
        kernel("k", 2000, 5000, device=1, stream=13),
        (2, "Memset", 6000, 6500, 0, 7, (0, 0, 0), (0, 0, 0), 0, 12),
    ]
    with profile(activities=GPUS) as prof:
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


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="nothing to record: pass activities="):
        profile(activities=[])
    with pytest.raises(TypeError, match="activities are of ProfilerActivity, not 'cuda'"):
        profile(activities=["cuda"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="has no with_stack=True: leave with_stack out"):
        profile(with_stack=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'shapes'"):
        profile(shapes=True)
    with profile(activities=CPU, with_stack=False, profile_memory=None) as prof:
        with pytest.raises(RuntimeError, match="this thread records already"):
            profile(activities=CPU).start()
        torch.ones(2)
    with pytest.raises(RuntimeError, match="this thread does not record: start a profile first"):
        torch._C._profiler_stop()
    with pytest.raises(ValueError, match="no stacks are recorded: leave group_by_stack_n out"):
        prof.key_averages(group_by_stack_n=3)
    # The first went on.
    assert "aten::ones" in {event.name for event in prof.events()}


def test_an_error_in_the_block_ends_the_trace(gpu: Gpu) -> None:
    with pytest.raises(KeyError), profile(activities=GPUS):
        raise KeyError
    assert not gpu.running
    with pytest.raises(RuntimeError, match="mat1|size|shape"), profile(activities=CPU) as prof:
        torch.ones(2, 3) @ torch.ones(2, 3)
    assert all(event.time_range.elapsed_us() > 0 for event in prof.events())
    with profile(activities=CPU):
        pass


@pytest.mark.skipif(HAS_CUPTI, reason="this build has CUPTI")
def test_without_cupti_the_option_is_named() -> None:
    assert profiler.supported_activities() == {ProfilerActivity.CPU}
    with pytest.raises(RuntimeError, match="this build has no CUPTI.*--config=cuda --cupti"):
        profile(activities=GPUS)


def counts(prof: profile) -> dict[str, int]:
    return {average.key: average.count for average in prof.key_averages()}


def test_operators_and_what_they_call() -> None:
    x, w = torch.randn(3, 4), torch.randn(5, 4, requires_grad=True)
    times = random.randint(2, 5)
    torch.nn.functional.linear(x, w)  # Not recorded.
    with profile(activities=CPU, record_shapes=True) as prof:
        for _ in range(times):
            y = torch.nn.functional.linear(x, w).exp()
        y.sum().backward()
    torch.ones(7)  # Neither is this.
    found = counts(prof)
    assert found["aten::linear"] == found["aten::exp"] == times and "aten::ones" not in found
    assert found["ExpBackward0"] == found["torch::autograd::AccumulateGrad"] == 1

    events = prof.events()
    linear = next(event for event in events if event.name == "aten::linear")
    assert linear.cpu_parent is None and linear.input_shapes == [[3, 4], [5, 4], []]
    assert linear.cpu_children and all(e.cpu_parent is linear for e in linear.cpu_children)
    inside = sum(child.cpu_time_total for child in linear.cpu_children)
    assert linear.self_cpu_time_total == pytest.approx(linear.cpu_time_total - inside)
    backward = next(event for event in events if event.name == "ExpBackward0")
    assert {child.name for child in backward.cpu_children} >= {"aten::mul"}
    starts = [event.time_range.start for event in events]
    assert starts == sorted(starts) and starts[0] == 0
    roots = sum(event.cpu_time_total for event in events if event.cpu_parent is None)
    assert events.self_cpu_time_total == pytest.approx(roots)
    assert events.total_average().count == len(events)


def test_a_profile_changes_no_result() -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
    x = torch.randn(3, 2, 8, requires_grad=True)

    def gradients() -> list[torch.Tensor]:
        x.grad = None
        out = layer(x)
        out.pow(2).sum().backward()
        assert x.grad is not None
        return [out.detach(), x.grad, torch.stack(torch.max(out, 0)[:1]), *torch.split(out, 2)]

    plain = gradients()
    with profile(activities=CPU):
        recorded = gradients()
    assert all(torch.equal(a, b) for a, b in zip(plain, recorded, strict=True))


def test_an_operator_that_changes_two_arguments_returns_the_right_one() -> None:
    x = torch.tensor([-1.0, 2.0])
    with profile(activities=CPU):
        result = torch.nn.functional.rrelu(x, training=True, inplace=True)
    assert result.data_ptr() == x.data_ptr() and x[1] == 2


def test_shapes_divide_the_averages() -> None:
    with profile(activities=CPU, record_shapes=True) as prof:
        for n in (2, 3, 3):
            torch.zeros(n).add_(torch.ones(n))
    rows = [row for row in prof.key_averages(True) if row.key == "aten::add_"]
    assert [(row.input_shapes, row.count) for row in rows] == [
        ([[2], [2], []], 1),
        ([[3], [3], []], 2),
    ]
    assert "[[3], [3], []]" in prof.key_averages(group_by_input_shape=True).table()
    assert "Input Shapes" not in prof.key_averages().table()


def test_the_table_of_the_processor() -> None:
    with profile(activities=CPU) as prof, record_function("part"):
        torch.ones(3).exp()
    averages = prof.key_averages()
    lines = averages.table(sort_by="cpu_time_total", header="Title").splitlines()
    assert lines[0] == "Title" and lines[4].split()[0] == "part"
    titles = "Name  Self CPU %  Self CPU  CPU total %  CPU total  CPU time avg  # of Calls"
    assert re.sub(" {2,}", "  ", lines[2].strip()) == titles
    share = re.search(r"part +[\d.]+% +[\d.]+[mu]?s +([\d.]+)% ", lines[4])
    assert share is not None and float(share[1]) == 100.0
    assert lines[-1].startswith("Self CPU time total: ")
    top = prof.events().table(top_level_events_only=True)
    assert "part" in top and "aten::exp" not in top


def test_a_schedule_runs(tmp_path: Path) -> None:
    ready: list[tuple[int, list[str]]] = []

    def keep(prof: profile) -> None:
        names = [e.name for e in prof.events() if e.is_user_annotation]
        ready.append((prof.step_num, names))
        prof.add_metadata("cycle", str(len(ready)))
        prof.export_chrome_trace(tmp_path / f"{len(ready)}.json.gz")

    plan = schedule(wait=1, warmup=1, active=2, repeat=2)
    with profile(activities=CPU, schedule=plan, on_trace_ready=keep) as prof:
        for _ in range(11):
            torch.ones(2)
            prof.step()
    assert ready == [
        (4, ["ProfilerStep#2", "ProfilerStep#3"]),
        (8, ["ProfilerStep#6", "ProfilerStep#7"]),
    ]
    with gzip.open(tmp_path / "2.json.gz", "rt") as file:
        trace = json.load(file)
    assert trace["cycle"] == "2"
    rows = {(row["name"], row["cat"]) for row in trace["traceEvents"]}
    assert {("aten::ones", "cpu_op"), ("ProfilerStep#6", "user_annotation")} <= rows


def test_a_cycle_that_is_cut_short_is_ready_at_the_end() -> None:
    ready: list[profile] = []
    plan = schedule(wait=0, warmup=1, active=5)
    with profile(activities=CPU, schedule=plan, on_trace_ready=ready.append) as prof:
        prof.step()
        torch.ones(2)
        prof.step()
    assert ready == [prof] and counts(prof)["aten::ones"] == 1


def test_a_part_that_goes_on_into_another_profile() -> None:
    with profile(activities=CPU) as first:
        part = record_function("part").__enter__()
    with profile(activities=CPU) as second:
        torch.ones(2)
        part.__exit__()
        torch.ones(3)
    assert counts(first) == {"part": 1}
    assert counts(second)["aten::ones"] == 2
    assert all(event.time_range.elapsed_us() < 1e6 for event in second.events())


def test_steps_of_optimizers_have_names() -> None:
    weight = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    with profile(activities=CPU) as prof:
        optimizer.step()
    assert prof.events()[0].name == "Optimizer.step#Adam.step"


def test_the_first_profiler_and_others_threads() -> None:
    with torch.autograd.profiler.profile() as prof:
        thread = threading.Thread(target=lambda: torch.ones(5).exp())
        thread.start()
        thread.join()
        torch.ones(2).sin()
    assert {"aten::ones", "aten::sin"} <= {event.name for event in prof.function_events}
    assert "aten::exp" not in {event.name for event in prof.function_events}
    assert prof.total_average().count == len(prof.function_events)
    assert "aten::sin" in prof.table() and "aten::sin" in prof.key_averages().table()
    with torch.autograd.profiler.profile(enabled=False) as nothing:
        torch.ones(2)
    with pytest.raises(RuntimeError, match="nothing was recorded"):
        nothing.table()


@pytest.mark.skipif(
    not HAS_CUPTI or torch.cuda.is_available(), reason="this build has no CUPTI, or there is a GPU"
)
def test_cupti_without_a_driver() -> None:
    """NVIDIA's own library answers: it is linked, found and called."""
    wanted = pytest.raises(RuntimeError, match="CUPTI error: .* when calling `cupti")
    with wanted, profile(activities=GPUS):
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
