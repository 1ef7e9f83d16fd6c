"""Names of the recorder of programs as graphs, which is not here.

Its classes can be compared with, `isinstance(model, torch.fx.GraphModule)` is False, and derived
from; nothing records.
"""

from __future__ import annotations

from typing import Any

from torch import _absent, nn


def wrap(fn_or_name: Any) -> Any:
    """`fn_or_name`: nothing is recorded, so nothing must be kept out of it."""
    return fn_or_name


def has_side_effect(fn: Any) -> Any:
    """`fn`: nothing is recorded, so nothing is removed."""
    return fn


class GraphModule(nn.Module):
    """A module whose forward is a recorded program; there is none here."""

    def __new__(cls, *args: Any, **kwargs: Any) -> GraphModule:
        _absent.FX.refuse("torch.fx.GraphModule")


__getattr__ = _absent.names_of(
    __name__,
    _absent.FX,
    classes="CodeGen Graph Interpreter Node ProxyableClassMeta Proxy Tracer Transformer",
    functions="replace_pattern symbolic_trace",
)
_absent.provide_modules(
    __name__,
    _absent.FX,
    {
        "graph": "CodeGen Graph",
        "graph_module": "GraphModule",
        "interpreter": "Interpreter Transformer",
        "node": "Node map_arg",
        "passes": "",
        "passes.shape_prop": "ShapeProp TensorMetadata",
        "proxy": "GraphAppendingTracer Proxy TracerBase",
        "subgraph_rewriter": "replace_pattern",
    },
)

__all__ = ["GraphModule", "has_side_effect", "wrap"]
