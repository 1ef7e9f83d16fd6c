"""Cases in words."""

from __future__ import annotations

from typing import Any


def describe(case: dict[str, Any]) -> str:
    """The calls of a case as a person would write them, without the elements."""

    def show(value: Any) -> str:
        if not isinstance(value, dict):
            return repr(value)
        kind = value["kind"]
        if kind == "input":
            t = case["tensors"][value["index"]]
            contiguous, expected = True, 1
            for size, stride in zip(reversed(t["shape"]), reversed(t["strides"]), strict=True):
                contiguous &= size == 1 or stride == expected
                expected *= size
            text = f"{t['dtype']}{list(t['shape'])}"
            return text if contiguous else f"{text} strides {list(t['strides'])}"
        if kind == "output":
            return f"result {value['step']}"
        if kind == "dict":
            return ", ".join(f"{k}={show(v)}" for k, v in value["items"])
        if "items" in value:
            return f"{kind}({', '.join(show(item) for item in value['items'])})"
        return str(value.get("name", kind))

    lines = []
    for name, args, kwargs in case["steps"]:
        shown = [show(item) for item in args["items"]] + ([show(kwargs)] if kwargs["items"] else [])
        lines.append(f"{name}({', '.join(shown)})")
    return "; ".join(lines)
