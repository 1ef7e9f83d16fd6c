"""The software bill of materials: SPDX 2.3, as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWNER = "the authors of this repository"
_CREATED = "1980-01-01T00:00:00Z"  # Fixed, so that the same contents are the same bytes.


@dataclass(frozen=True)
class Component:
    """A library of others inside the package.

    Attributes:
      name: its name in the build.
      license: SPDX expression.
      homepage: where it comes from.
      owner: who holds the rights.
    """

    name: str
    license: str
    homepage: str
    owner: str


def components_of(manifest: dict[str, Any]) -> list[Component]:
    """The libraries of others that a packing rule's manifest lists."""
    return [
        Component(one["name"], one["license"], one["homepage"], one["owner"])
        for one in manifest["components"]
    ]


def license_files(manifest: dict[str, Any]) -> dict[str, bytes]:
    """The text of every licence, by its path in a directory of licences."""
    files = {"LICENSE": Path(manifest["license_text"]).read_bytes()}
    for one in manifest["components"]:
        text = Path(one["text"]).read_text(encoding="utf-8")
        head = [f"Copyright {one['owner']}", *([one["note"]] if one["note"] else [])]
        files[f"{one['name']}/LICENSE"] = "\n\n".join([*head, text]).encode()
    return files


def _package(component: Component, version: str | None) -> dict[str, object]:
    package: dict[str, object] = {
        "SPDXID": f"SPDXRef-Package-{component.name.replace('_', '-')}",
        "copyrightText": f"Copyright {component.owner}",
        "downloadLocation": component.homepage or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": component.license,
        "licenseDeclared": component.license,
        "name": component.name,
    }
    if version:
        package["versionInfo"] = version
    return package


def _verification(files: Mapping[str, bytes]) -> str:
    """SPDX 2.3's package verification code, section 7.9: of the sorted digests of all files."""
    digests = sorted(hashlib.sha1(data).hexdigest() for data in files.values())
    return hashlib.sha1("".join(digests).encode()).hexdigest()


def spdx(
    package: Component,
    version: str,
    components: list[Component],
    binaries: Mapping[str, bytes],
) -> str:
    """The document of one package.

    Args:
      package: the package itself.
      version: its version.
      components: what it contains of others.
      binaries: its libraries and programs, by path.

    Returns:
      The JSON text.
    """
    digest = hashlib.sha256()
    for name in sorted(binaries):
        digest.update(name.encode() + b"\0" + hashlib.sha256(binaries[name]).digest())
    own = _package(package, version) | {
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": _verification(binaries)},
    }
    others = [_package(one, None) for one in sorted(components, key=lambda one: one.name)]
    packages = [own, *others]
    top = packages[0]["SPDXID"]
    files: list[dict[str, object]] = [
        {
            "SPDXID": f"SPDXRef-File-{number}",
            "checksums": [
                {
                    "algorithm": algorithm.upper(),
                    "checksumValue": hashlib.new(algorithm, binaries[name]).hexdigest(),
                }
                for algorithm in ("sha1", "sha256")
            ],
            "copyrightText": f"Copyright {package.owner}",
            "fileName": f"./{name}",
            "fileTypes": ["BINARY"],
            "licenseConcluded": "NOASSERTION",
        }
        for number, name in enumerate(sorted(binaries))
    ]
    relationships: list[dict[str, object]] = [
        {
            "spdxElementId": "SPDXRef-DOCUMENT",
            "relationshipType": "DESCRIBES",
            "relatedSpdxElement": top,
        }
    ]
    relationships += [
        {"spdxElementId": top, "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
        for one in [*packages[1:], *files]
    ]
    document = {
        "SPDXID": "SPDXRef-DOCUMENT",
        "creationInfo": {"created": _CREATED, "creators": [f"Tool: {package.name}-packager"]},
        "dataLicense": "CC0-1.0",
        "hasExtractedLicensingInfos": [
            {
                "extractedText": f"See licenses/{one.name}/LICENSE of the package.",
                "licenseId": one.license,
            }
            for one in components
            if one.license.startswith("LicenseRef-")
        ],
        "documentNamespace": f"urn:{package.name}:{version}:{digest.hexdigest()[:32]}",
        "files": files,
        "name": f"{package.name}-{version}",
        "packages": packages,
        "relationships": relationships,
        "spdxVersion": "SPDX-2.3",
    }
    return json.dumps(document, indent=1, sort_keys=True) + "\n"
