"""Runs the recorded cases of PyTorch's operator database on a GPU and on the processor, both of this tree.

    ./bazelw run --config=cuda //tests/parity:on_gpu -- CACHE [--ops add,mul]

CACHE is a directory of cases that `./bazelw run //tests/parity` recorded, below ~/.cache/torch-parity. An operator that
has no kernel for a GPU is counted, not failed.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import compare
import run
import torch
import values

_MISSING = ("missing kernel for cuda", "from the 'CUDA' backend")


def _elements(tensor: Any) -> bytes:
    return _bytes_of(tensor.cpu() if tensor.is_cuda else tensor)


def _moved(made: Any, like: Any) -> Any:
    if isinstance(made, tuple):
        return tuple(_moved(one, other) for one, other in zip(made, like, strict=True))
    return made.to(like.device)


_bytes_of, _noise, _out_argument = values.bytes_of, run._noise, run._out_argument
values.bytes_of = _elements
run._noise = lambda like, seed: _noise(like, seed).to(like.device)
run._out_argument = lambda like, mode: _moved(_out_argument(like, mode), like)


class OnGpu(values.Decoder):
    """Inputs with their strides, in memory of the GPU."""

    def _tensor(self, description: dict[str, Any]) -> Any:
        tensor = super()._tensor(description)
        if description["storage"] is None:
            return tensor
        key = (description["storage"], description["dtype"])
        if not self._bases[key].is_cuda:
            self._bases[key] = self._bases[key].cuda()
        base = self._bases[key]
        moved = base.as_strided(
            description["shape"], description["strides"], description["offset"]
        ).detach()
        return moved.requires_grad_() if description["requires_grad"] else moved

    def decode(self, value: Any) -> Any:
        """The value; its devices are the GPU."""
        if isinstance(value, dict) and value["kind"] == "device":
            return torch.device("cuda")
        if isinstance(value, dict) and value["kind"] == "generator":
            return torch.Generator("cuda").manual_seed(value["seed"])
        return super().decode(value)


def outcome(case: dict[str, Any], decoder: type[values.Decoder]) -> dict[str, Any]:
    """What a case gives with inputs of one kind."""
    run.values.Decoder = decoder
    return run.run(case)


def main() -> int:
    """The status is 0 if the GPU gives what the processor gives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path)
    parser.add_argument("--ops", help="operators, with commas")
    parser.add_argument("--dtypes", help="only these, with commas")
    parser.add_argument("--every", type=int, default=1, help="only every so many cases")
    parser.add_argument("--verbose", type=int, default=2, help="failures to show of each kind")
    arguments = parser.parse_args()
    plain = values.Decoder
    total: Counter[str] = Counter()
    for path in sorted(arguments.cache.glob("*.pickle")):
        name = path.name.removesuffix(".pickle")
        if arguments.ops and name not in arguments.ops.split(","):
            continue
        found: Counter[str] = Counter()
        shown: Counter[str] = Counter()
        with path.open("rb") as file:
            number = 0
            while True:
                try:
                    record = pickle.load(file)
                except EOFError:
                    break
                number += 1
                case = record["case"]
                if case is None or number % arguments.every:
                    continue
                if arguments.dtypes and record["dtype"] not in arguments.dtypes.split(","):
                    continue
                ours = outcome(case, OnGpu)
                message = str(ours.get("message", ""))
                if any(text in message for text in _MISSING):
                    found["no kernel"] += 1
                    continue
                expected = outcome(case, plain)
                record = {**record, "operator": name, "theirs": expected, "outcome": expected}
                different = list(compare.differences(record, ours))
                found["differ" if different else "agree"] += 1
                for difference in different:
                    shown[difference.kind] += 1
                    if shown[difference.kind] <= arguments.verbose:
                        print(
                            f"{name} {record['dtype']} {record['check']} {number}: {difference.kind}:"
                            f" {difference.text[:300]}"
                        )
        total += found
        if shown:
            print(f"{name}: {dict(found)} {dict(shown)}", flush=True)
    print(dict(total))
    return int(total["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
