"""The whole tree, built by a Bazel inside: what its actions may read, and what an edit costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.budget.budget import (
    EDITS,
    checkouts,
    cost,
    misses,
    more_comments,
    refuses_undeclared,
    relinked,
    rename_argument,
    unread,
    users_of_tensor,
)
from tests.budget.checkout import Checkout, Compilation, Link


class Built(NamedTuple):
    """Two checkouts, and what the first build of the first one compiled and linked."""

    first: Checkout
    second: Checkout
    compilations: list[Compilation]
    links: list[Link]


@pytest.fixture(scope="module")
def built() -> Iterator[Built]:
    """Two checkouts. The build of the first has filled the cache."""
    with checkouts() as (first, second):
        compilations = first.build("--remote_upload_local_results")
        yield Built(first, second, compilations, first.links())


def test_no_action_may_read_a_generated_header_that_it_does_not_read(built: Built) -> None:
    first, compilations = built.first, built.compilations
    assert len(compilations) > 200
    assert 0 < users_of_tensor(compilations) < len(compilations)
    assert unread(first, compilations) == []


def test_a_source_cannot_include_an_operator_that_its_table_does_not_name(built: Built) -> None:
    first = built.first
    assert refuses_undeclared(first)


def test_a_checkout_elsewhere_finds_everything_in_the_cache(built: Built) -> None:
    second, compilations = built.second, built.compilations
    found = second.build()
    assert len(found) == len(compilations)
    assert misses(found) == []


def test_comments_run_one_action(built: Built) -> None:
    first = built.first
    tree = first.files()
    first.build()
    for path, text in more_comments(tree).items():
        first.write({path: text})
        first.build()
        assert first.ran() == {"TorchCodegen": 1}, path
        first.write({path: tree[path]})


def test_an_argument_renamed_generates_one_slice_of_headers_and_compiles_its_budget(
    built: Built,
) -> None:
    first = built.first
    edit = next(edit for edit in EDITS if edit.make is rename_argument)
    tree = first.files()
    first.build()
    first.write(edit.make(tree))
    compiled = first.build()
    ran = first.ran()
    libraries = relinked(edit, compiled, built.links, first)
    first.write(tree)
    # YAML, check, slice, tensor class, sources, autograd, bindings, stubs and docstrings.
    assert 0 < ran["TorchCodegen"] <= 9
    assert 0 < ran["CppCompile"] <= edit.budget(0)
    assert len(libraries) == edit.links == 2, libraries


def test_an_operator_more_costs_its_budget_here_and_elsewhere(built: Built) -> None:
    first, second = built.first, built.second
    edit = next(edit for edit in EDITS if edit.name == "a function more")
    here, there = cost(edit, first.files(), first, second)
    libraries = relinked(edit, here, built.links, first)
    assert 0 < len(here) <= edit.budget(0)
    assert 0 < len(there) <= edit.budget(0)
    assert 0 < len(libraries) <= edit.links, libraries
