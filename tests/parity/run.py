"""Runs cases on the PyTorch of this process. The same file runs in both processes.

A case is a list of calls by public name, their arguments as data (values.py), and what to look at.
As a program it answers requests for cases of a file with pickled outcomes.
"""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import torch
import values


class Absent(Exception):
    """This PyTorch has no function of that name."""


def function(name: str) -> Any:
    """The function that a case names, such as torch.nn.functional.relu."""
    found: Any = torch
    for part in name.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError:
            raise Absent(name) from None
    return found


def _noise(like: Any, seed: int) -> Any:
    """Numbers that are the same in both processes, of the dtype and shape of `like`."""
    random = np.random.default_rng(seed)
    array = random.standard_normal(tuple(like.shape))
    if like.dtype.is_complex:
        array = array + 1j * random.standard_normal(tuple(like.shape))
    return torch.from_numpy(np.asarray(array)).to(like.dtype)


def _gradients(targets: list[Any], inputs: list[Any], second: bool) -> dict[str, Any]:
    """Gradients by the inputs, and the gradients of those."""
    seeds = [_noise(target, index) for index, target in enumerate(targets)]
    if second:
        seeds = [seed.requires_grad_() for seed in seeds]
    first = torch.autograd.grad(targets, inputs, seeds, create_graph=second, allow_unused=True)
    found = {"gradients": [values.result(gradient) for gradient in first]}
    if second:
        again = [g for g in first if g is not None and g.requires_grad]
        if again:
            noise = [_noise(g, 100 + index) for index, g in enumerate(again)]
            by = inputs + seeds
            grads = torch.autograd.grad(again, by, noise, allow_unused=True)
            found["second"] = [values.result(g) for g in grads]
    return found


def _out_argument(like: Any, mode: str) -> Any:
    """Where an out= variant shall write: right, empty, strided otherwise, of another dtype."""
    if isinstance(like, (tuple, list)):
        return tuple(_out_argument(item, mode) for item in like)
    shape = tuple(like.shape)
    if mode == "empty":
        return torch.empty(0, dtype=like.dtype)
    if mode == "strided":
        return torch.zeros(shape[::-1], dtype=like.dtype).permute(tuple(range(len(shape))[::-1]))
    if mode == "double":
        return torch.zeros(shape, dtype=torch.float64)
    if mode == "integer":
        return torch.zeros(shape, dtype=torch.int64)
    return torch.zeros(shape, dtype=like.dtype)


def _call(case: dict[str, Any], decoder: values.Decoder) -> Any:
    """All steps; the result of the last."""
    last = None
    for number, (name, args, kwargs) in enumerate(case["steps"]):
        args, kwargs = decoder.decode(args), decoder.decode(kwargs)
        last = function(name)(*args, **kwargs)
        if case.get("out") and number == len(case["steps"]) - 1:
            out = _out_argument(last, case["out"])
            torch.manual_seed(0)
            last = function(name)(*args, **kwargs, out=out)
            for given, got in zip(values.leaves(out), values.leaves(last), strict=True):
                if given is not got:
                    raise AssertionError("out= is not what was returned")
        decoder.steps.append(values.leaves(last))
    return last


def run(case: dict[str, Any]) -> dict[str, Any]:
    """What a case gives: results, gradients, arguments written to, or the exception."""
    decoder = values.Decoder(case["storages"], case["tensors"])
    torch.manual_seed(0)
    try:
        last = _call(case, decoder)
        result = last if case["result"] is None else decoder.decode(case["result"])
        outcome = {"result": values.result(result)}
    except Absent as error:
        return {"absent": str(error)}
    except values.Untranslatable as error:
        return {"untranslatable": str(error)}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    written = {i: t for i, t in enumerate(decoder.inputs) if t._version}
    outcome["written"] = {i: values.result(tensor) for i, tensor in written.items()}
    if case["gradients"]:
        inputs = [tensor for tensor in decoder.inputs if tensor.requires_grad and tensor.is_leaf]
        targets = last if case["targets"] is None else decoder.decode(case["targets"])
        targets = [target for target in values.leaves(targets) if target.requires_grad]
        try:
            if inputs and targets:
                outcome |= _gradients(targets, inputs, case["second"])
        except Exception as error:
            outcome |= {"gradient_error": type(error).__name__, "message": str(error)}
    return outcome


def main() -> None:
    """Answers each line `OFFSET FILE` with the outcome of the case there, until the input ends."""
    torch.set_num_threads(1)
    answers = sys.stdout.buffer
    for line in sys.stdin:
        offset, path = line.rstrip("\n").split(" ", 1)
        with open(path, "rb") as file:
            file.seek(int(offset))
            pickle.dump(run(pickle.load(file)["case"]), answers)
        answers.flush()


if __name__ == "__main__":
    main()
