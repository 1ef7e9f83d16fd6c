"""Makes cases from PyTorch's operator database and records what PyTorch answers.

Runs with the peer's interpreter, which needs torch, numpy and expecttest:
record.py --list FILE, or record.py --operators NAMES --directory DIRECTORY.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import compare
import run
import torch
import values
from torch.overrides import TorchFunctionMode, resolve_name
from torch.testing._internal.common_methods_invocations import op_db

_DTYPES = [
    torch.float32,
    torch.float64,
    torch.int64,
    torch.bfloat16,
    torch.float16,
    torch.complex64,
    torch.complex128,
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
]

_OUT_MODES = ("right", "empty", "strided", "double", "integer")


class _Recorder(TorchFunctionMode):
    """Writes down the calls of public functions, with their arguments before the call."""

    def __init__(self) -> None:
        self.encoder = values.Encoder()
        self.steps: list[Any] = []
        self.last: Any = None

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = resolve_name(func)
        arguments = None
        if (name is not None and ".__get__" not in name) or name in _ATTRIBUTES:
            try:
                arguments = (name, self.encoder.encode(tuple(args)), self.encoder.encode(kwargs))
            except values.Untranslatable as error:
                arguments = error
        self.steps.append(arguments)  # Even if it raises.
        result = func(*args, **kwargs)
        if arguments is None:
            self.steps.pop()  # A tensor's size or dtype was read.
            return result
        self.last = result
        for index, tensor in enumerate(values.leaves(result)):
            if not self.encoder.knows(tensor):
                self.encoder.know(
                    tensor, {"kind": "output", "step": len(self.steps) - 1, "index": index}
                )
        return result


_ATTRIBUTES = {f"torch.Tensor.{n}.__get__" for n in ("T", "H", "mT", "mH", "real", "imag")}


def _trace(function: Callable[..., Any], sample: Any, process: Any = None) -> dict[str, Any]:
    """One case from one call. The call may fail: then the failing step is the last."""
    recorder = _Recorder()
    case: dict[str, Any] = {"result": None, "targets": None, "second": False, "gradients": False}
    with recorder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(sample.input, *sample.args, **sample.kwargs)
            last, targets = recorder.last, result
            if process is not None:
                targets = process(result)
            if result is not last or targets is not result:
                case["result"] = recorder.encoder.encode(result)
                case["targets"] = recorder.encoder.encode(targets)
        except values.Untranslatable:
            raise
        except Exception as error:
            case["raised"] = f"{type(error).__name__}: {error}"
    for step in recorder.steps:
        if isinstance(step, values.Untranslatable):
            raise step
    if not recorder.steps:
        raise values.Untranslatable("no call of a public function")
    case |= {
        "steps": recorder.steps,
        "storages": recorder.encoder.storages,
        "tensors": recorder.encoder.tensors,
    }
    return case


def _tolerances(op: Any, dtype: torch.dtype) -> tuple[float, float]:
    """Relative and absolute: PyTorch's defaults, or what its tests of this operator allow."""
    from torch.testing._comparison import default_tolerances

    rtol, atol = default_tolerances(dtype)
    for decorator in op.decorators:
        for one in getattr(decorator, "decorators", [decorator]):
            for kind, allowed in getattr(one, "d", {}).items():
                if kind == dtype and hasattr(allowed, "atol"):
                    rtol, atol = max(rtol, allowed.rtol), max(atol, allowed.atol)
                elif kind == dtype and isinstance(allowed, float):
                    atol = max(atol, allowed)
    return rtol, atol


def _cases(op: Any, dtype: torch.dtype) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The checks of an operator for one dtype, and how to make each case."""
    differentiable = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")

    def samples(requires_grad: bool) -> list[Any]:
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(op.sample_inputs("cpu", dtype, requires_grad=requires_grad))

    def gradient_case(function: Callable[..., Any], sample: Any) -> dict[str, Any]:
        process = sample.output_process_fn_grad
        case = _trace(function, sample, process)
        case["gradients"] = differentiable
        case["second"] = (
            differentiable and op.supports_gradgrad and dtype in (torch.float64, torch.complex128)
        )
        return case

    for sample in samples(differentiable):
        yield "function", lambda sample=sample: gradient_case(op.op, sample)
    if op.method_variant and dtype in (torch.float32, torch.int64):
        for sample in samples(False)[:4]:
            yield "method", lambda sample=sample: _trace(op.method_variant, sample)
    if op.inplace_variant:
        differentiable = differentiable and op.supports_inplace_autograd

        def inplace(input: Any, *args: Any, **kwargs: Any) -> Any:
            return op.inplace_variant(input.clone(), *args, **kwargs)

        for sample in samples(differentiable)[:12]:
            if not sample.broadcasts_input:
                yield "inplace", lambda sample=sample: gradient_case(inplace, sample)
    if op.supports_out:
        for sample in samples(False)[:2]:
            for mode in _OUT_MODES:
                yield f"out {mode}", lambda s=sample, m=mode: _trace(op.op, s) | {"out": m}


def _errors(op: Any) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    if op.error_inputs_func is None:
        return
    torch.manual_seed(0)
    for error in op.error_inputs("cpu"):

        def make(error: Any = error) -> dict[str, Any]:
            return _trace(op.op, error.sample_input) | {"regex": str(error.error_regex)}

        yield "error", make


def full_name(op: Any) -> str:
    """Name and variant of an operator of the database."""
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most so many of the items, from all over the list."""
    return items if len(items) <= most else [items[i * len(items) // most] for i in range(most)]


def record(op: Any, path: Path, sample: bool) -> None:
    """Writes every case of an operator, or a sample of them, with PyTorch's outcome."""
    part = path.with_suffix(f".{os.getpid()}")
    dtypes = [dtype for dtype in _DTYPES if dtype in op.supported_dtypes("cpu")]
    groups = [(dtype, _cases(op, dtype)) for dtype in (_spread(dtypes, 3) if sample else dtypes)]
    with part.open("wb") as file:
        for dtype, cases in [*groups, (torch.float32, _errors(op))]:
            rtol, atol = _tolerances(op, dtype)
            about = {"dtype": values.name(dtype), "rtol": rtol, "atol": atol}
            checks: dict[str, list[Any]] = {}
            for check, make in cases:
                checks.setdefault(check, []).append((len(checks.get(check, [])), make))
            for check, makers in checks.items():
                for number, make in _spread(makers, 2 if sample and check != "error" else 10**9):
                    entry = about | {"check": check, "number": number}
                    pickle.dump(entry | _answer(make), file)
    part.replace(path)


def _answer(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A case and PyTorch's outcome, or why there is none."""
    try:
        case = make()
        outcome = run.run(case)
        if reason := outcome.get("absent") or outcome.get("untranslatable"):
            raise values.Untranslatable(reason)
    except values.Untranslatable as error:
        return {"case": None, "reason": str(error)}
    return {"case": case, "outcome": outcome}


def main() -> None:
    """Lists the database or records operators of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", type=Path)
    parser.add_argument("--operators", nargs="*", default=[])
    parser.add_argument("--directory", type=Path)
    parser.add_argument("--sample", action="store_true", help="a few cases of each check")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.list:
        names = {full_name(op): op.name for op in op_db}
        arguments.list.write_text(json.dumps(names, indent=1), encoding="utf-8")
    wanted = set(arguments.operators)
    for op in op_db:
        if full_name(op) in wanted:
            try:
                path = arguments.directory / compare.file_name(full_name(op))
                record(op, path, arguments.sample)
            except Exception as error:
                print(
                    f"{full_name(op)}: cannot be recorded: {error!r}", file=sys.stderr, flush=True
                )


if __name__ == "__main__":
    main()
