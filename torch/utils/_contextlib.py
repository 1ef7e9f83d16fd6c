"""Contexts that decorate functions: `torch.no_grad` is one, and so are classes of packages."""

from __future__ import annotations

from torch.autograd.grad_mode import (
    _DecoratorContextManager as _DecoratorContextManager,
)
from torch.autograd.grad_mode import (
    _NoParamDecoratorContextManager as _NoParamDecoratorContextManager,
)
from torch.autograd.grad_mode import context_decorator as context_decorator
