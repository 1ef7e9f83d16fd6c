"""A copy of the tree with what additions.py adds."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backends import additions
from tests.budget.checkout import Checkout
from tools.lint.tree import source_root


@pytest.fixture(scope="session")
def checkout() -> Iterator[Checkout]:
    """The copy, its generated files refreshed."""
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as server:
        scratch = Path(directory).resolve()
        result = Checkout.of(source_root(), scratch / "tree", scratch / "output_base", ())
        for add, most in (
            (additions.backend, 6),
            (additions.operator, 6),
            (additions.kernels, 6),
            (additions.form, 2),
            (additions.binding, 7),
            (additions.module, 3),
            (additions.packed, 3),
            (additions.option, 4),
            (additions.library, 2),
        ):
            files = add(result.root)
            assert len(files) <= most
            result.write(files)
        server.callback(result.bazel, "shutdown")
        result.update()
        yield result
