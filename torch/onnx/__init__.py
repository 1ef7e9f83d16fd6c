"""Names of the export to ONNX, which is not here."""

from __future__ import annotations

from torch import _absent


def is_in_onnx_export() -> bool:
    """Whether a model is being exported: never."""
    return False


__getattr__ = _absent.names_of(
    __name__,
    _absent.ONNX,
    classes="ExportOptions InputObserver JitScalarType ONNXProgram OnnxExporterError"
    " OnnxRegistry OperatorExportTypes TensorProtoDataType TrainingMode",
    functions="dynamo_export export register_custom_op_symbolic select_model_mode_for_export"
    " unregister_custom_op_symbolic",
)

__all__ = ["is_in_onnx_export"]
