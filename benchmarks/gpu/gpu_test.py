"""The table of benchmarks/gpu, from answers that no GPU gave."""

from __future__ import annotations

import gpu

COPY = "copy, 1 GiB"
MATMUL = "matmul 8192, bfloat16"


def answer(case: str, seconds: float, **work: float) -> dict[str, object]:
    return {"case": case, "seconds": seconds, "bytes": 0.0, "operations": 0.0} | work


def test_table() -> None:
    ours = {
        COPY: answer(COPY, 1e-3, bytes=2e9),
        MATMUL: answer(MATMUL, 1e-3, operations=4e11),
        "sum": answer("sum", 2e-3, bytes=3e9),
        "launch": answer("launch", 5e-6),
        "slow": answer("slow", 4.0, operations=2e9),
        "sort": {"case": "sort", "absent": "RuntimeError: no kernel"},
    }
    theirs = {
        COPY: answer(COPY, 8e-4, bytes=2e9),
        MATMUL: answer(MATMUL, 2e-3, operations=4e11),
        "sum": answer("sum", 1e-3, bytes=3e9),
        "slow": answer("slow", 2e-2),
        "sort": answer("sort", 1e-3),
    }
    lines = gpu.table(ours, theirs).splitlines()[2:]
    # The faster copy, PyTorch's, is the ceiling: 2500 GB/s.
    assert lines[0] == f"| {COPY} | 1,000.0 | 2,000 GB/s | 0.80 | 800.0 | 0.80 |"
    assert lines[1] == f"| {MATMUL} | 1,000.0 | 400 TFLOP/s | 1.00 | 2,000.0 | 2.00 |"
    assert lines[2] == "| sum | 2,000.0 | 1,500 GB/s | 0.60 | 1,000.0 | 0.50 |"
    assert lines[3] == "| launch | 5.0 |  |  |  |  |"
    # A processor's driver: three thousandths of what PyTorch computes in the time.
    assert lines[4] == "| slow | 4,000,000.0 | 0.0005 TFLOP/s | 1.3e-06 | 20,000.0 | 0.005 |"
    assert lines[5] == "| sort | RuntimeError: no kernel | | | | |"
