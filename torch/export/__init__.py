"""Names of `torch.export`, which is not here."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.EXPORT,
    classes="AdditionalInputs Constraint CustomDecompTable Dim ExportBackwardSignature"
    " ExportGraphSignature ExportedProgram FlatArgsAdapter ModuleCallEntry"
    " ModuleCallSignature ShapesCollection UnflattenedModule",
    functions="default_decompositions dims draft_export export export_for_inference"
    " export_for_training load register_dataclass save unflatten",
)

__all__: list[str] = []
