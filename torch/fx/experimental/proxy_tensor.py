"""Names of the recorder that sees operators; nothing records."""

from __future__ import annotations

from torch import _absent


def get_proxy_mode() -> None:
    """The recorder that is at work: none."""


__getattr__ = _absent.names_of(
    __name__, _absent.FX, classes="ProxyTorchDispatchMode PythonKeyTracer", functions="make_fx"
)

__all__ = ["get_proxy_mode"]
