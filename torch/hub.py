"""Weights from an address, and models from a directory with a `hubconf.py`."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlparse

from torch._absent import Part

try:
    from tqdm import tqdm
except ImportError:

    class tqdm:  # type: ignore[no-redef]
        """How much of a download is there, on stderr, where the package is not installed."""

        def __init__(
            self, total: int | None = None, disable: bool = False, **_options: object
        ) -> None:
            self.total = total
            self.disable = disable
            self.n = 0

        def update(self, n: int = 1) -> None:
            """Adds `n` to what is there."""
            self.n += n
            if not self.disable:
                done = f"{100 * self.n / self.total:.1f}%" if self.total else f"{self.n} bytes"
                print(f"\r{done}", end="", file=sys.stderr, flush=True)

        def set_description(self, *_args: object, **_options: object) -> None:
            """Nothing: there is no room for a description."""

        def write(self, s: str) -> None:
            """A line on stderr."""
            print(s, file=sys.stderr)

        def close(self) -> None:
            """Says no more."""
            self.disable = True

        def __enter__(self) -> tqdm:
            return self

        def __exit__(self, *_error: object) -> None:
            if not self.disable:
                print(file=sys.stderr)


_GITHUB = Part(
    "torch.hub's download of repositories",
    'clone the repository, and call it with source="local" and the directory',
)
# The start of a digest at the end of a file's name: resnet18-bf5a0114.pth
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_BLOCK = 1 << 20
_hub_dir: str | None = None


def get_dir() -> str:
    """Where downloads are kept: `set_dir`'s, $TORCH_HOME/hub, or ~/.cache/torch/hub."""
    if _hub_dir is not None:
        return _hub_dir
    return os.path.join(_get_torch_home(), "hub")


def _get_torch_home() -> str:
    """The directory of the user's downloads: $TORCH_HOME, or ~/.cache/torch."""
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.environ.get("TORCH_HOME", os.path.join(cache, "torch")))


def set_dir(d: str | os.PathLike[str]) -> None:
    """Sets where downloads are kept, for this process.

    Args:
        d: a directory; `~` is the user's.

    Example::

        >>> before = torch.hub.get_dir()
        >>> torch.hub.set_dir("/tmp/hub")
        >>> torch.hub.get_dir()
        '/tmp/hub'
        >>> torch.hub.set_dir(before)
    """
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> None:
    """Writes what is at an address into a file, which appears when it is whole.

    Args:
      url: the address.
      dst: path of the file.
      hash_prefix: the start of its SHA-256 digest; RuntimeError for another.
      progress: whether to say what is downloaded and how much of it is there, on stderr.
    """
    if progress:
        print(f'Downloading: "{url}" to {dst}', file=sys.stderr)
    digest = hashlib.sha256()
    target = Path(dst).expanduser()
    request = urllib.request.Request(url, headers={"User-Agent": "torch.hub"})
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        try:
            with urllib.request.urlopen(request) as source:
                length = source.headers.get("Content-Length")
                total = int(length) if length else None
                unit = {"unit": "B", "unit_scale": True, "unit_divisor": 1024}
                with tqdm(total=total, disable=not progress, **unit) as bar:
                    while block := source.read(_BLOCK):
                        file.write(block)
                        digest.update(block)
                        bar.update(len(block))
            found = digest.hexdigest()
            if hash_prefix is not None and not found.startswith(hash_prefix):
                raise RuntimeError(
                    f'invalid hash value (expected "{hash_prefix}", got "{found}") of {url}'
                )
            file.close()
            shutil.move(file.name, target)
        except BaseException:
            os.unlink(file.name)
            raise


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> Any:
    """What `torch.save` wrote into the file at an address, which is downloaded once.

    Args:
      url: the address.
      model_dir: where the file is kept; `checkpoints` in `get_dir()` if None.
      map_location: as for `torch.load`.
      progress: whether to say what is downloaded.
      check_hash: whether the file's name ends in the start of its digest, as in `net-bf5a0114.pth`.
      file_name: its name here, instead of that in the address.
      weights_only: `torch.load` runs no code of a file, whatever this says.
    """
    import torch

    directory = Path(model_dir or os.path.join(get_dir(), "checkpoints"))
    directory.mkdir(parents=True, exist_ok=True)
    name = file_name or os.path.basename(urlparse(url).path)
    file = directory / name
    if not file.exists():
        found = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, str(file), found[1] if found else None, progress)
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            members = archive.namelist()
        if len(members) == 1:  # A zip around the file, not the file's own format.
            with zipfile.ZipFile(file) as archive:
                archive.extractall(directory)
            file = directory / members[0]
    return torch.load(file, map_location=map_location)


def _hubconf(repo_or_dir: str, source: str, name: str) -> ModuleType:
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        _GITHUB.refuse(f"torch.hub.{name}")
    path = Path(repo_or_dir).expanduser() / "hubconf.py"
    spec = importlib.util.spec_from_file_location("hubconf", path)
    if spec is None or spec.loader is None or not path.exists():
        raise ValueError(f"{path} does not exist; wanted a directory with a hubconf.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    missing = [
        one for one in getattr(module, "dependencies", []) if importlib.util.find_spec(one) is None
    ]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    return module


def _entry(module: ModuleType, model: str) -> Any:
    function = getattr(module, model, None)
    if not callable(function):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return function


def load(repo_or_dir: str, model: str, *args: Any, source: str = "github", **kwargs: Any) -> Any:
    """Calls a function of a directory's `hubconf.py`.

    Args:
      repo_or_dir: the directory.
      model: the function.
      *args: for the function.
      source: "local"; NotImplementedError for "github".
      **kwargs: for the function.
    """
    for name in ("trust_repo", "force_reload", "verbose", "skip_validation"):
        kwargs.pop(name, None)
    return _entry(_hubconf(repo_or_dir, source, "load"), model)(*args, **kwargs)


def list(github: str, *args: Any, source: str = "github", **kwargs: Any) -> Any:
    """The names of the functions of a directory's `hubconf.py`, which is run.

    Args:
        github: the directory.
        *args, **kwargs: not looked at.
        source: "local"; "github" is refused.

    Raises:
        NotImplementedError: `source` is "github".
        ValueError: another `source`, or there is no such file.
        RuntimeError: a package that the file names as a dependency is missing.
    """
    module = _hubconf(github, source, "list")
    return [
        name for name, value in vars(module).items() if callable(value) and not name.startswith("_")
    ]


def help(github: str, model: str, *args: Any, source: str = "github", **kwargs: Any) -> Any:
    """The docstring of a function of a directory's `hubconf.py`, which is run.

    Args:
        github: the directory.
        model: the function.
        *args, **kwargs: not looked at.
        source: "local"; "github" is refused.

    Raises:
        NotImplementedError: `source` is "github".
        ValueError: another `source`, or there is no such file.
        RuntimeError: there is no such function, or a dependency is missing.
    """
    return _entry(_hubconf(github, source, "help"), model).__doc__


__all__ = [
    "download_url_to_file",
    "get_dir",
    "help",
    "list",
    "load",
    "load_state_dict_from_url",
    "set_dir",
]
