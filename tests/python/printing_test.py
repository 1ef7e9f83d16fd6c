"""What tensors print as: texts that PyTorch 2.13 printed."""

from __future__ import annotations

import pytest
import torch

CASES = [
    (
        "torch.tensor([1.0, 2.0])",
        "tensor([1., 2.])",
    ),
    (
        "torch.tensor(3)",
        "tensor(3)",
    ),
    (
        "torch.tensor([])",
        "tensor([])",
    ),
    (
        "torch.tensor([[1, -2], [30, 4]])",
        "\n".join(
            [
                "tensor([[ 1, -2],",
                "        [30,  4]])",
            ]
        ),
    ),
    (
        "torch.tensor([True, False])",
        "tensor([ True, False])",
    ),
    (
        "torch.tensor([1.5, 0.25, -3.125])",
        "tensor([ 1.5000,  0.2500, -3.1250])",
    ),
    (
        "torch.tensor([1e-5, 1.0])",
        "tensor([1.0000e-05, 1.0000e+00])",
    ),
    (
        "torch.tensor([1e10, 1.0])",
        "tensor([1.0000e+10, 1.0000e+00])",
    ),
    (
        "torch.tensor([1e9])",
        "tensor([1.0000e+09])",
    ),
    (
        'torch.tensor([float("nan"), float("inf"), 1.0])',
        "tensor([nan, inf, 1.])",
    ),
    (
        'torch.tensor([float("nan"), float("inf"), 1.5])',
        "tensor([   nan,    inf, 1.5000])",
    ),
    (
        "torch.tensor([1e5 + 0j, 1])",
        "tensor([1.0000e+05+0.j, 1.0000e+00+0.j])",
    ),
    (
        "torch.tensor(0.1)",
        "tensor(0.1000)",
    ),
    (
        "torch.tensor(0.1, dtype=torch.float64)",
        "tensor(0.1000, dtype=torch.float64)",
    ),
    (
        "torch.tensor([1.0, 2.0], requires_grad=True)",
        "tensor([1., 2.], requires_grad=True)",
    ),
    (
        "torch.arange(2000)",
        "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])",
    ),
    (
        "torch.arange(10000).reshape(100, 100)",
        "\n".join(
            [
                "tensor([[   0,    1,    2,  ...,   97,   98,   99],",
                "        [ 100,  101,  102,  ...,  197,  198,  199],",
                "        [ 200,  201,  202,  ...,  297,  298,  299],",
                "        ...,",
                "        [9700, 9701, 9702,  ..., 9797, 9798, 9799],",
                "        [9800, 9801, 9802,  ..., 9897, 9898, 9899],",
                "        [9900, 9901, 9902,  ..., 9997, 9998, 9999]])",
            ]
        ),
    ),
    (
        "torch.arange(24).reshape(2, 3, 4)",
        "\n".join(
            [
                "tensor([[[ 0,  1,  2,  3],",
                "         [ 4,  5,  6,  7],",
                "         [ 8,  9, 10, 11]],",
                "",
                "        [[12, 13, 14, 15],",
                "         [16, 17, 18, 19],",
                "         [20, 21, 22, 23]]])",
            ]
        ),
    ),
    (
        "torch.zeros(0, 3)",
        "tensor([], size=(0, 3))",
    ),
    (
        "torch.zeros(2, 0, dtype=torch.int32)",
        "tensor([], size=(2, 0), dtype=torch.int32)",
    ),
    (
        "torch.arange(30.0)",
        "\n".join(
            [
                "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,",
                "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,",
                "        28., 29.])",
            ]
        ),
    ),
    (
        "torch.arange(30.0) / 7",
        "\n".join(
            [
                "tensor([0.0000, 0.1429, 0.2857, 0.4286, 0.5714, 0.7143, 0.8571, 1.0000, 1.1429,",
                "        1.2857, 1.4286, 1.5714, 1.7143, 1.8571, 2.0000, 2.1429, 2.2857, 2.4286,",
                "        2.5714, 2.7143, 2.8571, 3.0000, 3.1429, 3.2857, 3.4286, 3.5714, 3.7143,",
                "        3.8571, 4.0000, 4.1429])",
            ]
        ),
    ),
    (
        "torch.tensor([1.5], dtype=torch.float16)",
        "tensor([1.5000], dtype=torch.float16)",
    ),
    (
        "torch.tensor([1, 2], dtype=torch.uint8)",
        "tensor([1, 2], dtype=torch.uint8)",
    ),
    (
        "torch.zeros(2, 2)",
        "\n".join(
            [
                "tensor([[0., 0.],",
                "        [0., 0.]])",
            ]
        ),
    ),
    (
        'torch.tensor(float("inf"))',
        "tensor(inf)",
    ),
    (
        "torch.tensor([0.0, 1e-10])",
        "tensor([0.0000e+00, 1.0000e-10])",
    ),
    (
        "torch.tensor([1.0, 2.0], requires_grad=True) * 2",
        "tensor([2., 4.], grad_fn=<MulBackward0>)",
    ),
    (
        'torch.ones(2, device="meta")',
        "tensor(..., device='meta', size=(2,))",
    ),
    (
        "torch.tensor([100000.0, 1.5])",
        "tensor([1.0000e+05, 1.5000e+00])",
    ),
    (
        "torch.tensor([123456.0, 1.0])",
        "tensor([1.2346e+05, 1.0000e+00])",
    ),
    (
        "torch.arange(1100.0).reshape(11, 100)",
        "\n".join(
            [
                "tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01, 9.8000e+01,",
                "         9.9000e+01],",
                "        [1.0000e+02, 1.0100e+02, 1.0200e+02,  ..., 1.9700e+02, 1.9800e+02,",
                "         1.9900e+02],",
                "        [2.0000e+02, 2.0100e+02, 2.0200e+02,  ..., 2.9700e+02, 2.9800e+02,",
                "         2.9900e+02],",
                "        ...,",
                "        [8.0000e+02, 8.0100e+02, 8.0200e+02,  ..., 8.9700e+02, 8.9800e+02,",
                "         8.9900e+02],",
                "        [9.0000e+02, 9.0100e+02, 9.0200e+02,  ..., 9.9700e+02, 9.9800e+02,",
                "         9.9900e+02],",
                "        [1.0000e+03, 1.0010e+03, 1.0020e+03,  ..., 1.0970e+03, 1.0980e+03,",
                "         1.0990e+03]])",
            ]
        ),
    ),
    (
        'torch.tensor([[1.25, float("nan")], [-1e3, 0]])',
        "\n".join(
            [
                "tensor([[    1.2500,        nan],",
                "        [-1000.0000,     0.0000]])",
            ]
        ),
    ),
    (
        "torch.full((2, 2), -0.0)",
        "\n".join(
            [
                "tensor([[-0., -0.],",
                "        [-0., -0.]])",
            ]
        ),
    ),
    (
        "torch.tensor([1 + 2j, 3.5 - 1j])",
        "tensor([1.0000+2.j, 3.5000-1.j])",
    ),
    (
        "torch.tensor([1234567, 1])",
        "tensor([1234567,       1])",
    ),
    (
        "torch.nn.Parameter(torch.tensor([1.0]))",
        "\n".join(
            [
                "Parameter containing:",
                "tensor([1.], requires_grad=True)",
            ]
        ),
    ),
    (
        "torch.arange(20.0, requires_grad=True).reshape(4, 5)",
        "\n".join(
            [
                "tensor([[ 0.,  1.,  2.,  3.,  4.],",
                "        [ 5.,  6.,  7.,  8.,  9.],",
                "        [10., 11., 12., 13., 14.],",
                "        [15., 16., 17., 18., 19.]], grad_fn=<ViewBackward0>)",
            ]
        ),
    ),
    (
        "torch.tensor([9.99999, 1.00001])",
        "tensor([10.0000,  1.0000])",
    ),
    (
        "torch.arange(40) * 1000",
        "\n".join(
            [
                "tensor([    0,  1000,  2000,  3000,  4000,  5000,  6000,  7000,  8000,  9000,",
                "        10000, 11000, 12000, 13000, 14000, 15000, 16000, 17000, 18000, 19000,",
                "        20000, 21000, 22000, 23000, 24000, 25000, 26000, 27000, 28000, 29000,",
                "        30000, 31000, 32000, 33000, 34000, 35000, 36000, 37000, 38000, 39000])",
            ]
        ),
    ),
    (
        "torch.ones(1, 1, 1)",
        "tensor([[[1.]]])",
    ),
    (
        'torch.tensor([float("nan")])',
        "tensor([nan])",
    ),
    (
        'torch.tensor([float("-inf"), 0.0])',
        "tensor([-inf, 0.])",
    ),
]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_repr(expression: str, expected: str) -> None:
    assert repr(eval(expression, {"torch": torch})) == expected


def test_print_options() -> None:
    x = torch.tensor([1.23456])
    torch.set_printoptions(precision=2)
    try:
        assert repr(x) == "tensor([1.23])"
        torch.set_printoptions(profile="default", sci_mode=True)
        assert repr(x) == "tensor([1.2346e+00])"
    finally:
        torch.set_printoptions(profile="default")
    assert repr(x) == "tensor([1.2346])"


def test_format() -> None:
    assert f"{torch.tensor(0.12345):.2f}" == "0.12"


def test_a_notation_that_is_set_has_its_own_width() -> None:
    torch.set_printoptions(sci_mode=True)
    assert str(torch.tensor([-0.5, 100.0])) == "tensor([-5.0000e-01,  1.0000e+02])"
    torch.set_printoptions(sci_mode=False)
    assert str(torch.tensor([1e-9, -2.0, 3.0])) == "tensor([ 0.0000, -2.0000,  3.0000])"
    torch.set_printoptions(profile="default")
