"""Assembles a wheel from files that Bazel built; its bytes depend on their contents alone.

The platform tag comes from the symbols that the packaged libraries need, so the name of the wheel
is known only here: it is written into a directory.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.package import macho
from tools.package.archive import write_zip
from tools.package.closure import PackageError, closure_errors
from tools.package.elf import MAGIC, Needs, installed, needs_of
from tools.package.platform_tag import TooNewError, platform_tag
from tools.package.sbom import OWNER, Component, components_of, license_files, spdx


@dataclass(frozen=True)
class Stamp:
    """What only a stamped wheel says of its sources.

    Attributes:
      commit: of Git; empty when unknown.
      dirty: whether files differed from it.
    """

    commit: str = ""
    dirty: bool = False

    def of(self, version: str) -> str:
        """The version with this at the end of its local part, as PyTorch's: `git1a2b3c4`."""
        if not self.commit:
            return version
        mark = "." if "+" in version else "+"
        return f"{version}{mark}git{self.commit[:7]}" + (".dirty" if self.dirty else "")


def read_stamp(path: Path | None) -> Stamp:
    """Reads Bazel's stable-status.txt; without it nothing is stamped."""
    if path is None:
        return Stamp()
    lines = [line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    values = {line[0]: line[1] if len(line) > 1 else "" for line in lines}
    if "STABLE_GIT_COMMIT" not in values:
        raise PackageError(
            "no workspace status command gives STABLE_GIT_COMMIT, the commit of a stamped wheel. "
            "Type: --config=stamp"
        )
    return Stamp(values["STABLE_GIT_COMMIT"], values.get("STABLE_GIT_DIRTY", "") == "1")


def macos_tag(versions: list[tuple[int, int]]) -> str:
    """The tag of the newest of the oldest systems that libraries run on.

    Installers know no minor version from macOS 11 on (PyPA, "Platform compatibility tags"), so that
    a library for 12.3 is one for 12.
    """
    major = max([11, *(major for major, _ in versions)])
    return f"macosx_{major}_0"


def tag_of(
    manifest: dict[str, Any],
    libraries: dict[str, Needs],
    oldest_macos: list[tuple[int, int]],
) -> str:
    """The wheel's compatibility tag."""
    python = "py3-none"
    if manifest["python"]:
        python = "cp" + manifest["python"].replace(".", "")
        python = f"{python}-{python}"
    if manifest["os"] != "linux":
        cpu = {"aarch64": "arm64"}.get(manifest["cpu"], manifest["cpu"])
        platform = f"{macos_tag(oldest_macos)}_{cpu}" if manifest["os"] == "macos" else "win_amd64"
        return f"{python}-{platform}"
    machines = {needs.machine for needs in libraries.values()} or {manifest["cpu"]}
    if machines != {manifest["cpu"]}:
        raise PackageError(
            f"the target platform is {manifest['cpu']}, but libraries are for {sorted(machines)}"
        )
    if manifest["system"]:
        return f"{python}-linux_{manifest['cpu']}"
    versions = {version for needs in libraries.values() for version in needs.all_versions()}
    return f"{python}-{platform_tag(manifest['cpu'], versions)}"


def metadata(manifest: dict[str, Any], version: str, licenses: list[str]) -> str:
    """The METADATA file."""
    expressions = [manifest["license"], *(one["license"] for one in manifest["components"])]
    unique = sorted(set(expressions), key=expressions.index)
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {manifest['name']}",
        f"Version: {version}",
        f"Summary: {manifest['summary']}",
        "License-Expression: "
        + " AND ".join(f"({one})" if " OR " in one else one for one in unique),
        *(f"License-File: {name}" for name in licenses),
        "Requires-Python: >=3.9",
        *(f"Requires-Dist: {one}=={version}" for one in manifest["requires"]),
        *(f"Requires-Dist: {one}" for one in manifest["requires_others"]),
    ]
    return "\n".join(lines) + "\n"


def build_metadata(manifest: dict[str, Any], stamp: Stamp, directory: Path) -> Path:
    """Writes METADATA alone, which no library must be built for; the path of its folder."""
    version = stamp.of(manifest["version"])
    info = directory / f"{manifest['name'].replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    text = metadata(manifest, version, sorted(license_files(manifest)))
    (info / "METADATA").write_text(text, encoding="utf-8")
    return info


def with_values(text: str, **values: str | bool | None) -> str:
    """A module with other values of some of its variables."""
    for name, value in values.items():
        new = repr(value).replace("'", '"')
        text, count = re.subn(rf"^({name}(: .*)?) = .*$", rf"\1 = {new}", text, flags=re.MULTILINE)
        if count != 1:
            raise PackageError(f"wanted one line `{name} = ...`, and there are {count} in:\n{text}")
    return text


def record(entries: dict[str, bytes], name: str) -> bytes:
    """The RECORD file: every entry's digest and size."""
    lines = []
    for path in sorted(entries):
        digest = base64.urlsafe_b64encode(hashlib.sha256(entries[path]).digest()).decode()
        lines.append(f"{path},sha256={digest.rstrip('=')},{len(entries[path])}")
    return ("\n".join([*lines, f"{name},,"]) + "\n").encode()


def build(manifest: dict[str, Any], stamp: Stamp, directory: Path) -> Path:
    """Writes the wheel into `directory` and returns its path; PackageError if it cannot work."""
    sources = {name: Path(source) for name, source in manifest["entries"]}
    entries = {name: installed(path) for name, path in sources.items()}
    libraries = {name: needs_of(data) for name, data in entries.items() if data[:4] == MAGIC}
    needed = {name for needs in libraries.values() for name in needs.needed}
    system = [name for name in needed if name.split(".so")[0] in manifest["system"]]
    declared = [*manifest["provided"], *system]
    errors = closure_errors(libraries, declared) if manifest["os"] == "linux" else []
    if errors:
        raise PackageError("\n".join(errors))
    version = stamp.of(manifest["version"])
    macos = [macho.minimum_os(data) for data in entries.values() if data[:4] == macho.MAGIC]
    tag = tag_of(manifest, libraries, macos)
    if manifest["version_file"]:
        entries[manifest["version_file"]] = with_values(
            entries[manifest["version_file"]].decode(),
            __version__=version,
            cuda=manifest["cuda"] or None,
            debug=manifest["debug"],
            git_version=stamp.commit or None,
        ).encode()

    name = manifest["name"].replace("-", "_")
    info = f"{name}-{version}.dist-info"
    licenses = license_files(manifest)
    own = Component(manifest["name"], manifest["license"], "", OWNER)
    binaries = {path: entries[path] for path in libraries}
    entries |= {f"{info}/licenses/{path}": text for path, text in licenses.items()}
    entries[f"{info}/METADATA"] = metadata(manifest, version, sorted(licenses)).encode()
    entries[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: {name}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    entries[f"{info}/sboms/{name}.spdx.json"] = spdx(
        own, version, components_of(manifest), binaries
    ).encode()
    entries[f"{info}/RECORD"] = record(entries, f"{info}/RECORD")
    wheel = directory / f"{name}-{version}-{tag}.whl"
    write_zip(wheel, entries, last=f"{info}/RECORD")
    return wheel


def main() -> None:
    """Arguments: the manifest that the rule wrote, and where the wheel goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--manifest", type=Path, required=True)
    parser.add_argument("--status", type=Path, help="Bazel's stable-status.txt, to stamp")
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--metadata", action="store_true", help="write METADATA and no wheel")
    arguments = parser.parse_args()
    manifest = json.loads(arguments.manifest.read_text(encoding="utf-8"))
    try:
        write = build_metadata if arguments.metadata else build
        write(manifest, read_stamp(arguments.status), arguments.directory)
    except (PackageError, TooNewError) as error:
        sys.exit(f"{manifest['name']}: {error}")


if __name__ == "__main__":
    main()
