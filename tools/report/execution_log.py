"""Reads what `--execution_log_json_file` and `--profile` wrote."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from tools.report.disk_cache import DiskCache


@dataclass(frozen=True)
class Action:
    """An action that was run or answered by a cache.

    Attributes:
      target: label of its target.
      mnemonic: its kind, such as `CppCompile`.
      arguments: its command.
      environment: its environment variables.
      inputs: digests of the files that it may read, by path.
      outputs: digests of the files that it made, by path.
      output_bytes: their sizes, together.
      seconds: how long its command ran; 0 if a cache answered that does not say it.
      started: when its worker took it, in seconds since the epoch; 0 if not recorded.
      queue_seconds: how long it waited for a worker before.
      total_seconds: with queueing, transfer and setup.
      runner: what ran it or answered, such as `linux-sandbox` and `remote cache hit`.
      cached: whether a cache answered.
    """

    target: str
    mnemonic: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    output_bytes: int
    seconds: float
    started: float
    queue_seconds: float
    total_seconds: float
    runner: str
    cached: bool

    @property
    def name(self) -> str:
        """What tells it from other actions: its first output, or else its target."""
        return min(self.outputs, key=lambda path: (path.endswith(".d"), path), default=self.target)


def _seconds(text: str) -> float:
    """A duration as the log writes it: `1.985s`."""
    return float(text.removesuffix("s") or 0)


def _instant(text: str) -> float:
    """A time as the log writes it: `2026-01-31T17:11:30.807Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else 0.0


def _digest(file: Mapping[str, Any]) -> str:
    """What a file holds, or where it points."""
    digest: str = file.get("digest", {}).get("hash", "")
    target: str = file.get("symlinkTargetPath", "")
    return sys.intern(digest or target)


def _seconds_of(entry: Mapping[str, Any], disk_cache: DiskCache | None) -> float:
    """How long the command of an action ran, now or when the cache's answer was made."""
    if disk_cache and entry.get("cacheHit"):
        return disk_cache.seconds(entry.get("digest", {}).get("hash", ""))
    return _seconds(entry.get("metrics", {}).get("executionWallTime", "0s"))


def _action(entry: Mapping[str, Any], disk_cache: DiskCache | None = None) -> Action:
    metrics = entry.get("metrics", {})
    outputs = entry.get("actualOutputs", ())
    return Action(
        target=entry.get("targetLabel", ""),
        mnemonic=entry["mnemonic"],
        arguments=tuple(entry.get("commandArgs", ())),
        environment={v["name"]: v["value"] for v in entry.get("environmentVariables", ())},
        # A thousand actions name the same headers: each path is held once.
        inputs={sys.intern(file["path"]): _digest(file) for file in entry.get("inputs", ())},
        outputs={file["path"]: _digest(file) for file in outputs},
        output_bytes=sum(int(f.get("digest", {}).get("sizeBytes", 0)) for f in outputs),
        seconds=_seconds_of(entry, disk_cache),
        started=_instant(metrics.get("startTime", "")),
        queue_seconds=_seconds(metrics.get("queueTime", "0s")),
        total_seconds=_seconds(metrics.get("totalTime", "0s")),
        runner=entry.get("runner", ""),
        cached=bool(entry.get("cacheHit")),
    )


def entries(file: TextIO, size: int = 1 << 24) -> Iterator[dict[str, Any]]:
    """The objects of a file that is one JSON object after another, without holding all of it.

    Args:
      file: the file.
      size: how many characters are read at once.
    """
    decoder = json.JSONDecoder()
    text = ""
    position = 0
    while True:
        more = file.read(size)
        text, position = text[position:] + more, 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            try:
                entry, position = decoder.raw_decode(text, position)
            except json.JSONDecodeError:
                # Its end is not read yet.
                if more:
                    break
                raise
            yield entry
        if not more:
            return


def read_log(path: Path, disk_cache: DiskCache | None = None) -> list[Action]:
    """The actions of an execution log, in its order; exits if it is none.

    Args:
      path: the log.
      disk_cache: says how long the actions ran that it answered.
    """
    if not path.exists():
        sys.exit(
            f"no execution log {path}. To write one:\n    ./bazelw build --config=report //..."
        )
    try:
        with path.open(encoding="utf-8") as file:
            return [_action(entry, disk_cache) for entry in entries(file)]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        sys.exit(
            f"{path} is not what --execution_log_json_file writes ({error!r}). To write one:\n"
            "    ./bazelw build --config=report //..."
        )


def elapsed(actions: Sequence[Action]) -> float:
    """Seconds from when a worker took the first action to the end of the last one.

    What a cache answers keeps the time at which it ran long ago.
    """
    known = [action for action in actions if action.started and not action.cached]
    ends = [action.started + action.total_seconds - action.queue_seconds for action in known]
    return max(ends, default=0.0) - min((action.started for action in known), default=0.0)


@dataclass(frozen=True)
class Profile:
    """What only the profile tells.

    Attributes:
      seconds: how long the command took.
      critical_path: Bazel's own view of it: names and seconds.
      peak_memory: most memory of all processes of the machine, in bytes; 0 if not recorded.
      peak_bazel_memory: most memory of the Bazel server.
    """

    seconds: float
    critical_path: tuple[tuple[str, float], ...]
    peak_memory: float
    peak_bazel_memory: float


def _peak(events: list[dict[str, Any]], name: str) -> float:
    """Largest value of a counter."""
    found = [
        float(value)
        for event in events
        if event.get("name") == name
        for value in event.get("args", {}).values()
    ]
    return max(found, default=0.0)


def read_profile(path: Path) -> Profile:
    """Reads a profile, compressed or not; exits if it is none, or none yet."""
    if not path.exists():
        sys.exit(f"no profile {path}. To write one:\n    ./bazelw build --config=report //...")
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        events: list[dict[str, Any]] = json.loads(text)["traceEvents"]
    except (EOFError, OSError, zlib.error, ValueError, KeyError, TypeError) as error:
        sys.exit(
            f"{path} is not what --profile writes ({error!r}), or its build has not ended. "
            "Wait for it, or write one:\n    ./bazelw build --config=report //..."
        )
    timed = [event for event in events if "dur" in event]
    start = min((event["ts"] for event in timed), default=0)
    end = max((event["ts"] + event["dur"] for event in timed), default=0)
    path_events = [e for e in timed if e.get("cat") == "critical path component"]
    megabyte = 1 << 20
    return Profile(
        seconds=(end - start) / 1e6,
        critical_path=tuple((e["name"], e["dur"] / 1e6) for e in path_events),
        peak_memory=_peak(events, "Memory usage (total)") * megabyte,
        peak_bazel_memory=_peak(events, "Memory usage (Bazel)") * megabyte,
    )
