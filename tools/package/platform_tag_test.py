"""Tags against auditwheel's policies, which state PEP 600 symbol by symbol."""

from __future__ import annotations

import json
from pathlib import Path

import auditwheel
import pytest

from tools.package.platform_tag import (
    MANYLINUX_LIBRARIES,
    TooNewError,
    demand,
    least_glibc,
    platform_tag,
)

_FILE = Path(auditwheel.__file__).parent / "policy/manylinux-policy.json"
POLICIES = {
    int(policy["name"].split("_")[2]): policy
    for policy in json.loads(_FILE.read_text(encoding="utf-8"))
    if policy["name"].startswith("manylinux_2_") and policy["name"] >= "manylinux_2_17"
}
POLICIES = {glibc: POLICIES[glibc] for glibc in sorted(POLICIES) if glibc >= 17}


def symbols(glibc: int, machine: str) -> set[str]:
    """Every symbol version that a policy allows."""
    families = POLICIES[glibc]["symbol_versions"][machine]
    return {
        f"{family}_{version}"
        for family in ("GLIBC", "GLIBCXX", "CXXABI", "GCC")
        for version in families[family]
    }


def test_no_symbol_implies_less_than_its_policy_on_arm() -> None:
    seen: set[str] = set()
    for glibc in POLICIES:
        for version in sorted(symbols(glibc, "aarch64") - seen):
            found = demand(version)
            if found is not None and not version.startswith("GLIBC_"):
                assert found.glibc >= glibc, version
        seen |= symbols(glibc, "aarch64")


def test_every_symbol_implies_the_first_policy_that_allows_it() -> None:
    seen: set[str] = set()
    compared = 0
    earlier = 0
    for glibc in POLICIES:
        for version in sorted(symbols(glibc, "x86_64") - seen):
            found = demand(version)
            if found is not None and not version.startswith("GLIBC_"):
                assert found.glibc == glibc, version
                compared += 1
            elif found is not None:
                # There is not a policy for every glibc, and there may be a tag for it.
                assert earlier < found.glibc <= glibc, version
                compared += 1
        seen |= symbols(glibc, "x86_64")
        earlier = glibc
    assert compared > 50


def test_no_library_that_a_policy_forbids() -> None:
    allowed = set(POLICIES[28]["lib_whitelist"])
    loaders = {name for name in MANYLINUX_LIBRARIES if name.startswith("ld-linux")}
    assert allowed >= MANYLINUX_LIBRARIES - loaders


def test_2_28_needs_every_symbol_to_be_old() -> None:
    old = ["GLIBC_2.2.5", "GLIBC_2.28", "GLIBCXX_3.4.24", "CXXABI_1.3.11", "GOMP_4.0"]
    assert platform_tag("x86_64", old) == "manylinux_2_28_x86_64"
    assert platform_tag("x86_64", [*old, "GLIBC_2.29"]) == "manylinux_2_29_x86_64"
    assert platform_tag("aarch64", [*old, "GLIBCXX_3.4.30"]) == "manylinux_2_35_aarch64"
    assert least_glibc([*old, "GLIBC_2.38"]).version == "GLIBC_2.38"
    assert platform_tag("x86_64", []) == "manylinux_2_17_x86_64"


def test_a_compiler_that_nobody_knows() -> None:
    with pytest.raises(TooNewError, match=r"GLIBCXX_3\.4\.99 is newer than every compiler"):
        platform_tag("x86_64", ["GLIBCXX_3.4.99"])
