"""Runs recorded cases of PyTorch's operator database on a GPU and on the processor.

    ./bazelw run --config=cuda //tests/parity:on_gpu -- CACHE [--ops add,mul]
    ./bazelw run --vulkan //tests/parity:on_gpu -- CACHE --device=vulkan

Both are this tree's. CACHE is a directory of cases that `./bazelw run //tests/parity` recorded,
below ~/.cache/torch-parity. A case of an operator or type that has no kernel there is counted, not
failed; the last line is the share of the others. exceptions_DEVICE.yaml has the known differences.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import compare
import exceptions
import run
import torch
import values
from processes import records

_HERE = Path(__file__).resolve().parent

_MISSING = (
    "missing kernel for ",
    " backend. This could be because",
    '_cuda" not implemented for',
    " has no kernel for ",
)

# PyTorch takes these tensors from the CPU only: the argument by the name of the function.
_OF_THE_CPU = {"tensor_split": 1}

# Where the cases run: main() chooses.
DEVICE = torch.device("cuda")


def _elements(tensor: Any) -> bytes:
    return _bytes_of(tensor.cpu() if tensor.device.type == DEVICE.type else tensor)


def _moved(made: Any, like: Any) -> Any:
    if isinstance(made, tuple):
        return tuple(_moved(one, other) for one, other in zip(made, like, strict=True))
    return made.to(like.device)


_bytes_of, _noise, _out_argument = values.bytes_of, run._noise, run._out_argument
values.bytes_of = _elements
run._noise = lambda like, seed: _noise(like, seed).to(like.device)
run._out_argument = lambda like, mode: _moved(_out_argument(like, mode), like)


Plain = values.Decoder


class OnGpu(Plain):
    """Inputs with their strides, in memory of the GPU."""

    def _tensor(self, description: dict[str, Any]) -> Any:
        tensor = super()._tensor(description)
        if description["storage"] is None or description.get("of the CPU"):
            return tensor
        key = (description["storage"], description["dtype"])
        if self._bases[key].device.type != DEVICE.type:
            self._bases[key] = self._bases[key].to(DEVICE)
        base = self._bases[key]
        # No view: a case may resize it, as an `out=`.
        moved = torch.empty(0, dtype=base.dtype, device=DEVICE)
        moved.data = base.as_strided(
            description["shape"], description["strides"], description["offset"]
        )
        return moved.requires_grad_() if description["requires_grad"] else moved

    def decode(self, value: Any) -> Any:
        """The value; its devices are the GPU."""
        if value == "cpu" or (isinstance(value, dict) and value["kind"] == "device"):
            return DEVICE
        if isinstance(value, dict) and value["kind"] == "generator":
            # Only CUDA has a generator of its own.
            where = "cuda" if DEVICE.type == "cuda" else "cpu"
            return torch.Generator(where).manual_seed(value["seed"])
        return super().decode(value)


def outcome(case: dict[str, Any], decoder: type[values.Decoder]) -> dict[str, Any]:
    """What a case gives with inputs of one kind."""
    values.Decoder = decoder  # type: ignore[misc]
    return run.run(case)


def with_places(case: dict[str, Any]) -> dict[str, Any]:
    """The case with a mark at the tensors that stay on the CPU."""
    stay = set()
    for function, arguments, _ in filter(None, case["steps"]):
        at = _OF_THE_CPU.get(function.rpartition(".")[2])
        if at is not None and at < len(arguments["items"]):
            argument = arguments["items"][at]
            if isinstance(argument, dict) and argument["kind"] == "input":
                stay.add(argument["index"])
    tensors = [t | {"of the CPU": True} if i in stay else t for i, t in enumerate(case["tensors"])]
    return case | {"tensors": tensors}


def examine(
    record: dict[str, Any], allowances: list[exceptions.Allowance]
) -> tuple[str, list[compare.Difference]]:
    """Whether a case agrees, and how it differs in what no allowance covers."""
    ours = outcome(with_places(record["case"]), OnGpu)
    message = str(ours.get("message", ""))
    refused = "NotImplementedError" in (ours.get("error"), ours.get("gradient_error"))
    if any(text in message for text in _MISSING) or (refused and DEVICE.type != "cuda"):
        return "no kernel", []
    if "absent" in ours:
        return "absent", []
    expected = outcome(record["case"], Plain)
    different = list(compare.differences({**record, "outcome": expected}, ours))
    if record["check"].startswith("out"):  # what was moved to the GPU is no view
        different = [d for d in different if d.kind != "view"]
    if not different:
        return "agree", []
    left = [d for d in different if exceptions.excuse(allowances, record, d) is None]
    return "differ" if left else "excepted", left


def main() -> int:
    """The status is 0 if the GPU gives what the processor gives, but for the known differences."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path)
    parser.add_argument("--device", default="cuda", choices=("cuda", "mps", "vulkan"))
    parser.add_argument("--library", type=Path, help="libtorch_vulkan.so, for a torch without it")
    parser.add_argument("--ops", help="operators, with commas")
    parser.add_argument("--dtypes", help="only these, with commas")
    parser.add_argument("--every", type=int, default=1, help="only every so many cases")
    parser.add_argument("--verbose", type=int, default=2, help="failures to show of each kind")
    arguments = parser.parse_args()
    global DEVICE
    DEVICE = torch.device(arguments.device)
    if arguments.library is not None:
        torch.ops.load_library(arguments.library.resolve())
    # Where there is none, this says so.
    torch.empty(1, device=DEVICE)
    operators = arguments.ops and arguments.ops.split(",")
    dtypes = arguments.dtypes and arguments.dtypes.split(",")
    table = _HERE / f"exceptions_{DEVICE.type}.yaml"
    known = exceptions.load(table) if table.exists() else {}
    total: Counter[str] = Counter()
    for path in sorted(arguments.cache.glob("*.pickle")):
        name = path.name.removesuffix(".pickle")
        if operators and name not in operators:
            continue
        # The last name is that of an operator that ends the process.
        print(name, file=sys.stderr, flush=True)
        found: Counter[str] = Counter()
        shown: Counter[str] = Counter()
        for number, (_, record) in enumerate(records(path)):
            if record["case"] is None or number % arguments.every:
                continue
            if dtypes and record["dtype"] not in dtypes:
                continue
            status, different = examine({**record, "operator": name}, known.get(name, []))
            found[status] += 1
            for kind, text in ((d.kind, d.text) for d in different):
                shown[kind] += 1
                if shown[kind] <= arguments.verbose:
                    case = f"{name} {record['dtype']} {record['check']} {number}"
                    print(f"{case}: {kind}: {text[:300]}")
        total += found
        if shown:
            print(f"{name}: {dict(found)} {dict(shown)}", flush=True)
    print(dict(total))
    ran = total["agree"] + total["excepted"] + total["differ"]
    print(f"{DEVICE.type} has kernels for {ran} of {ran + total['no kernel']} cases")
    return int(total["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
