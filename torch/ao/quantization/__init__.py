"""Names of the quantisation of modules, which is not here."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.QUANTIZED,
    classes="DeQuantStub FakeQuantize FakeQuantizeBase HistogramObserver MinMaxObserver"
    " MovingAverageMinMaxObserver MovingAveragePerChannelMinMaxObserver NoopObserver"
    " ObserverBase PerChannelMinMaxObserver PlaceholderObserver QConfig QConfigMapping"
    " QuantStub QuantWrapper",
    functions="convert default_eval_fn disable_fake_quant disable_observer enable_fake_quant"
    " enable_observer fuse_modules fuse_modules_qat get_default_qat_qconfig"
    " get_default_qat_qconfig_mapping get_default_qconfig get_default_qconfig_mapping"
    " prepare prepare_qat propagate_qconfig_ quantize quantize_dynamic quantize_qat"
    " swap_module",
)

__all__: list[str] = []
