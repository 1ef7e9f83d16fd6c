"""Packs the C++ libraries with their headers and CMake files: libtorch.zip or libtorch.tar."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tools.package.archive import write_tar, write_zip
from tools.package.closure import PackageError, closure_errors
from tools.package.elf import MAGIC, installed, needs_of
from tools.package.sbom import OWNER, Component, components_of, license_files, spdx


def build(manifest: dict[str, Any], output: Path) -> None:
    """Writes the archive; PackageError if it cannot work."""
    sources = {name: Path(source) for name, source in manifest["entries"]}
    entries = {name: installed(path) for name, path in sources.items()}
    libraries = {name: needs_of(data) for name, data in entries.items() if data[:4] == MAGIC}
    errors = closure_errors(libraries) if manifest["os"] == "linux" else []
    if errors:
        raise PackageError("\n".join(errors))
    entries |= {f"share/licenses/{name}": text for name, text in license_files(manifest).items()}
    own = Component(manifest["name"], manifest["license"], "", OWNER)
    binaries = {name: entries[name] for name in libraries}
    document = spdx(own, manifest["version"], components_of(manifest), binaries)
    entries[f"share/sbom/{manifest['name']}.spdx.json"] = document.encode()
    entries["build-version"] = f"{manifest['version']}\n".encode()
    write = write_zip if output.suffix == ".zip" else write_tar
    write(output, {f"{manifest['name']}/{name}": entries[name] for name in entries})


def main() -> None:
    """Arguments: the manifest that the rule wrote, and the archive; its ending says its kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--manifest", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = json.loads(arguments.manifest.read_text(encoding="utf-8"))
    try:
        build(manifest, arguments.output)
    except PackageError as error:
        sys.exit(f"{manifest['name']}: {error}")


if __name__ == "__main__":
    main()
