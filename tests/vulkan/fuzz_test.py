"""Some calls of the fuzzer, each kind once at least; and that it notices a wrong result."""

from __future__ import annotations

import fuzz
import pytest
import torch

pytestmark = pytest.mark.usefixtures("device")


@pytest.mark.parametrize("name", sorted(fuzz.CALLS))
def test_calls(name: str) -> None:
    fuzz.fuzz(4, int(torch.randint(0, 1 << 30, ())), [name])


def test_a_wrong_result_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> None:
        fuzz.compare(lambda t: t * 2 if t.device.type == "vulkan" else t, torch.ones(3))

    monkeypatch.setitem(fuzz.CALLS, "wrong", wrong)
    with pytest.raises(AssertionError, match=r"wrong: .*(\n.*)*--seed 7 --calls 1 --only wrong"):
        fuzz.fuzz(1, 7, ["wrong"])
