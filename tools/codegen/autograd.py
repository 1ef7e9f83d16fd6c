"""The autograd group: nodes, and the kernels that record them.

* `Functions_N.h`, `Functions_N.cpp`   the classes of the backward graph, from derivatives.yaml
* `Functions.h`                        all of them, for the Python bindings
* `VariableType_N.cpp`                 kernels at the Autograd keys: record the node, redispatch
* `variable_factories.h`               functions that make tensors, in namespace torch
* `ADInplaceOrViewType_N.cpp`          kernels at ADInplaceOrView: count versions, track views

`Functions` and `VariableType` have the same number of shards, so that a shard of kernels includes
the nodes of its own operators only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tools.codegen.autograd_functions import functions_cpp, functions_h, functions_headers
from tools.codegen.autograd_model import Derivatives
from tools.codegen.autograd_parse import load_derivatives
from tools.codegen.autograd_variable_type import variable_type_cpp, variable_type_headers
from tools.codegen.autograd_views import ad_inplace_or_view_cpp, ad_inplace_or_view_headers
from tools.codegen.context import AUTOGRAD, GENERATED, Context, GeneratedFile
from tools.codegen.model import Location
from tools.codegen.problems import CodegenError, Problem
from tools.codegen.variable_factories import variable_factories_h

_MISSING = "the autograd group needs derivatives.yaml; pass --derivatives=FILE"


def derivatives_of(context: Context) -> Derivatives:
    """What derivatives.yaml says of the context's operators."""
    path = context.options.derivatives
    if path is None:
        raise CodegenError((Problem(Location("<command line>", 0), None, _MISSING),))
    return load_derivatives(path, context.functions, others=context.others)


def files(context: Context) -> Iterator[GeneratedFile]:
    """All files of the group."""
    derivatives = derivatives_of(context)
    count = context.shard_count("VariableType")
    for index, functions in enumerate(context.shards("VariableType")):
        nodes = tuple(derivatives.nodes_of_root(f.root_name for f in functions))
        yield GeneratedFile(f"{AUTOGRAD}/Functions_{index}.h", partial(functions_h, nodes))
        yield GeneratedFile(
            f"{AUTOGRAD}/Functions_{index}.cpp",
            partial(functions_cpp, context, index, nodes),
            headers=partial(functions_headers, context, nodes),
        )
        yield GeneratedFile(
            f"{AUTOGRAD}/VariableType_{index}.cpp",
            partial(variable_type_cpp, derivatives, index, functions),
            headers=partial(variable_type_headers, derivatives, functions),
        )
    yield GeneratedFile(f"{AUTOGRAD}/Functions.h", partial(umbrella_h, count))
    yield GeneratedFile(f"{AUTOGRAD}/variable_factories.h", partial(variable_factories_h, context))
    yield from context.sharded_files(
        AUTOGRAD,
        "ADInplaceOrViewType",
        ad_inplace_or_view_cpp,
        headers=ad_inplace_or_view_headers,
    )


def umbrella_h(count: int) -> str:
    """The header of all nodes."""
    lines = "\n".join(f"#include <{AUTOGRAD}/Functions_{index}.h>" for index in range(count))
    return f"#pragma once\n\n// {GENERATED}\n\n{lines}\n"
