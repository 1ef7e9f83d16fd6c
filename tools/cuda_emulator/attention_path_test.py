"""Which kernel of attention a GPU of each capability runs, where the GPU is emulated."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import torch
q = torch.ones(1, 1, 5, {features}, dtype=torch.float16).cuda()
mask = {mask}
torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask, scale={scale}).cpu()
"""


def launched(capability: str, features: int, mask: bool = False, scale: float = 1.0) -> list[str]:
    """The kernels of attention among those that a program launches."""
    text = "torch.zeros(5, 5, dtype=torch.float16).cuda()" if mask else "None"
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(features=features, mask=text, scale=scale)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "EMULATED_CUDA_CAPABILITY": capability,
            "EMULATED_CUDA_TRACE": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert result.returncode == 0, result.stderr
    names = [line for line in result.stderr.splitlines() if line.startswith("launch: ")]
    return [
        "sm_90" if "attention_kernel_sm90" in name else "sm_80"
        for name in names
        if "attention_kernel" in name
    ]


@pytest.mark.parametrize("features", [64, 128])
def test_each_capability_has_its_own(features: int) -> None:
    assert launched("8.0", features) == ["sm_80"]
    assert launched("9.0", features) == ["sm_90"]


def test_what_the_kernel_of_sm_90_does_not_take() -> None:
    assert launched("9.0", 64, mask=True) == ["sm_80"]
    assert launched("9.0", 64, scale=-1.0) == ["sm_80"]


def test_an_unknown_capability_is_refused() -> None:
    with pytest.raises(AssertionError, match="EMULATED_CUDA_CAPABILITY is '7.0': it may be 8.0 or"):
        launched("7.0", 64)
