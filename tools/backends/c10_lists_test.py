"""The lists of backends in c10, and what becomes of them when the table has one more."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.backends import c10_lists
from tools.backends.c10_lists import UPDATES, ListError, main, merged
from tools.codegen.backend_table import DEVICE_TYPES

CORE = Path("c10/core")


@pytest.mark.parametrize("name", sorted(UPDATES))
def test_the_lists_are_up_to_date(name: str) -> None:
    text = (CORE / name).read_text(encoding="utf-8")
    assert UPDATES[name](text) == text


def test_the_old_order_stays_and_new_names_go_before_the_last() -> None:
    assert merged(["b", "a", "z"], ["a", "b", "c", "z"]) == ["b", "a", "c", "z"]
    assert merged(["b", "gone", "z"], ["b", "z"]) == ["b", "z"]


def test_a_backend_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(c10_lists, "_KEYS", ["Abacus", *c10_lists._KEYS])
    monkeypatch.setattr(c10_lists, "_AUTOGRAD", ["AutogradAbacus", *c10_lists._AUTOGRAD])
    monkeypatch.setattr(c10_lists, "DEVICE_TYPES", {**DEVICE_TYPES, "Abacus": 21})
    texts = {}
    for name in UPDATES:
        assert main([f"{CORE / name}={tmp_path / name}"]) == 0
        texts[name] = (tmp_path / name).read_text(encoding="utf-8")
    keys = re.findall(r"_\((\w+)\)", texts["DispatchKey.h"])
    assert keys.index("Meta") < keys.index("Abacus") < keys.index("PrivateUse1")
    assert keys.index("Tracer") > keys.index("AutogradAbacus") > keys.index("AutogradOther")
    assert "DispatchKey::AutogradAbacus,\n" in texts["DispatchKeySet.h"]
    assert re.search(r"\bAbacus,\n? ", texts["Backend.h"])
    assert "  Abacus = 21,\n  COMPILE_TIME_MAX_DEVICE_TYPES = 22,\n" in texts["DeviceType.h"]
    assert "  Meta = 14,  // a device whose tensors have shapes" in texts["DeviceType.h"]
    assert '_(Abacus, "ABACUS")' in texts["backend_table.h"]


def test_a_backend_that_autograd_other_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    abacus = SimpleNamespace(key="Abacus", autograd=False)
    monkeypatch.setattr(c10_lists, "_IN_C10", [abacus, *c10_lists._IN_C10])
    text = UPDATES["DispatchKeySet.h"]((CORE / "DispatchKeySet.h").read_text(encoding="utf-8"))
    assert "autogradother_backends({DispatchKey::Abacus, DispatchKey::Vulkan});" in text
    assert "AutogradAbacus" not in text


def test_a_file_without_its_list_is_an_error() -> None:
    with pytest.raises(ListError, match="0 places look like"):
        UPDATES["Backend.h"]("enum class Back {};")
