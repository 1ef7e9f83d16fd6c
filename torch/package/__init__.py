"""Names of packages of code and weights, which are not here."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.PACKAGE,
    classes="Directory EmptyMatchError Importer ObjMismatchError ObjNotFoundError"
    " OrderedImporter PackageExporter PackageImporter PackagingError",
    functions="is_from_package",
)

__all__: list[str] = []
