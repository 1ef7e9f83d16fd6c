"""What pip calls: `pip install .`, `pip wheel .` and `pip install -e .` (PEP 517 and PEP 660).

Everything is built by Bazel; this only chooses its flags, shows its progress and hands the wheel
over. It needs nothing but Python.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tools.package.environment import SettingError, settings_of

ROOT = Path(__file__).resolve().parents[2]
_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_NAME = "torch"
_HEADERS = r"--remote_download_regex=.*/bin/(aten|torch)/.*\.h"

Settings = Mapping[str, "str | list[str]"] | None


def _say(text: str) -> None:
    print(f"torch: {text}", flush=True)


def _path() -> str:
    """PATH without pip's own temporary directories: they would change on every call."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if "pip-build-env-" not in entry)


def python_flags() -> list[str]:
    """Flags that build for the Python that pip runs on; none if it is the host's own."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    probe = "import sys; print('%d.%d' % sys.version_info[:2])"
    host = shutil.which("python3", path=_path())
    if host and os.path.realpath(host) == os.path.realpath(sys.executable):
        return []
    if host:
        done = subprocess.run([host, "-c", probe], capture_output=True, check=False, text=True)
        if done.stdout.strip() == version:
            return []
    if platform.python_implementation() != "CPython" or version not in _VERSIONS:
        raise SettingError(
            f"this is {platform.python_implementation()} {version}, and torch builds for CPython {', '.join(_VERSIONS)}. Type: python{_VERSIONS[-1]} -m pip install ."
        )
    base = Path(sys.base_prefix, "bin", f"python{version}")
    variable = f"PYTHON_BIN_PATH_{version.replace('.', '_')}"
    return [f"--python_version={version}", f"--repo_env={variable}={base}"]


def bazel(command: str, targets: list[str], settings: Settings, *more: str) -> None:
    """Runs Bazel and passes its progress on; SystemExit with a message if it fails."""
    try:
        startup, flags = settings_of(settings, os.environ)
        flags += python_flags()
    except SettingError as error:
        raise SystemExit(f"torch: {error}") from None
    if not shutil.which("c++", path=_path()) and "CXX" not in os.environ:
        raise SystemExit(
            "torch: no C++ compiler (c++) in PATH. To install one: "
            "apt-get install --no-install-recommends g++"
        )
    words = [str(ROOT / "bazelw"), *startup, command, *targets, *more, *flags]
    words += ["--color=no", "--curses=no", "--show_progress_rate_limit=5"]
    _say(" ".join(["./bazelw", *words[1:]]))
    # The flags say what the variables do. What pip tells this backend is not for the pip that
    # fetches source packages: it would look for this backend in them.
    ours = ("USE_", "PEP517_", "_PYPROJECT_HOOKS_")
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONPATH" and (not name.startswith(ours) or name == "USE_BAZEL_VERSION")
    }
    with subprocess.Popen(
        words,
        cwd=ROOT,
        env=environment | {"PATH": _path()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if line.strip():
                _say(line.rstrip())
    if process.returncode != 0:
        raise SystemExit(
            f"torch: Bazel failed with {process.returncode}; the reason is above. To see it again: "
            + " ".join(["./bazelw", *words[1:]])
        )


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    """The wheel's METADATA, for which Bazel builds no library; the name of its folder.

    pip asks for it under "Preparing metadata", and would build the whole wheel there without it.
    """
    # What --config=stamp asks for besides is the wheel.
    groups = "--output_groups=metadata,-stamped"
    bazel("build", ["//torch:wheel"], config_settings, "--config=stamp", groups)
    (info,) = (ROOT / "bazel-bin/torch/wheel_metadata").glob("*.dist-info")
    target = Path(metadata_directory, info.name)
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(info / "METADATA", target / "METADATA")
    return info.name


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Builds //torch:wheel; the name of the wheel in `wheel_directory`."""
    bazel("build", ["//torch:wheel"], config_settings, "--config=stamp")
    (wheel,) = (ROOT / "bazel-bin/torch/wheel_stamped").glob("*.whl")
    target = Path(wheel_directory, wheel.name)
    try:
        shutil.copyfile(wheel, target)
    except OSError as error:
        raise SystemExit(
            f"torch: cannot write {target} ({error.strerror}). Name a directory that you may write: pip wheel . --wheel-dir=DIRECTORY"
        ) from None
    return wheel.name


_FINDER = '''"""Finds torch in a checkout: sources there, what Bazel built beside them."""

import importlib.abc
import importlib.util
import os
import sys

_ROOT = {root!r}


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        source = os.path.join(_ROOT, "torch")
        return importlib.util.spec_from_file_location(
            name,
            os.path.join(source, "__init__.py"),
            submodule_search_locations=[source, os.path.join(_ROOT, "bazel-bin", "torch")],
        )


sys.meta_path.insert(0, _Finder())
'''


def _version() -> str:
    """The module's version, as tools/rules/version.bzl puts it for Python."""
    text = (ROOT / "MODULE.bazel").read_text(encoding="utf-8")
    found = re.search(r'^    version = "(.*)",$', text, re.MULTILINE)
    assert found
    return found[1].replace(".bazel.", "+bazel.")


def _editable_metadata(version: str) -> str:
    return (
        f"Metadata-Version: 2.1\nName: {_NAME}\nVersion: {version}\nSummary: A checkout of torch\n"
    )


def prepare_metadata_for_build_editable(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    """METADATA of a wheel that points to this checkout; the name of its folder."""
    version = _version()
    info = Path(metadata_directory, f"{_NAME}-{version}.dist-info")
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(_editable_metadata(version), encoding="utf-8")
    return info.name


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Builds //torch where it is; the name of a wheel that only points there."""
    # Extensions read generated headers where Bazel puts them, which leaves some in the cache.
    bazel("build", ["//torch", "//torch:extension"], config_settings, _HEADERS)
    version = _version()
    info = f"{_NAME}-{version}.dist-info"
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{tag}-{tag}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    entries = {
        "_torch_bazel_editable.py": _FINDER.format(root=str(ROOT)),
        "torch_bazel.pth": "import _torch_bazel_editable\n",
        f"{info}/METADATA": _editable_metadata(version),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: {_NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n"
        ),
    }
    record = ""
    for name, text in entries.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
        record += f"{name},sha256={digest.decode().rstrip('=')},{len(text.encode())}\n"
    entries[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    wheel = f"{_NAME}-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return wheel


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """There is none: a checkout is the source."""
    raise SystemExit("torch: there is no source archive; clone the repository, and pip install .")


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Nothing: Bazel brings what it needs."""
    return []


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Nothing: Bazel brings what it needs."""
    return []
