"""Gradients clipped, parameters as one vector, weights made of other tensors."""

from __future__ import annotations

from torch import _absent
from torch.nn.utils import parametrizations as parametrizations
from torch.nn.utils import parametrize as parametrize
from torch.nn.utils import rnn as rnn
from torch.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    get_total_norm,
)
from torch.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

__getattr__ = _absent.explain(__name__)

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "rnn",
    "vector_to_parameters",
]
