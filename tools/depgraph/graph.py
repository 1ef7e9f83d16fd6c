"""The configured graph of targets, from `bazel cquery --output=jsonproto`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_SHARED_LIBRARY = "cc_shared_library"

# A layer of //tools/rules:cc.bzl is two targets: the public one, and the one that links it.
_PUBLIC, _LINKED = "interface_library", "_linked"

# What chooses between targets and is none to build.
_CONDITIONS = ("alias", "config_setting", "constraint_setting", "constraint_value")


@dataclass
class Target:
    """A rule target of the build.

    Attributes:
      label: as people type it, `//c10/core`.
      kind: its rule, such as `cc_library`.
      deps: labels of the targets that it depends on, sorted.
      dynamic_deps: of these, the shared libraries that it links.
      sources: paths of its source files, as labels.
      source_bytes: their sizes, together.
      seconds: how long its actions ran in a recorded build; None without a record.
    """

    label: str
    kind: str
    deps: list[str] = field(default_factory=list)
    dynamic_deps: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    source_bytes: int = 0
    seconds: float | None = None


Graph = dict[str, Target]


def short(label: str) -> str:
    """`//c10/core:core` as `//c10/core`, and `@@highway~//:hwy` as `@highway//:hwy`."""
    if label.startswith("@@"):
        repository, _, rest = label[2:].partition("//")
        name = repository.replace("+", "~").rstrip("~").split("~")[-1]
        return f"@{name}//{rest}" if name else f"//{rest}"
    package, _, name = label.partition(":")
    return package if name and package.rsplit("/", 1)[-1] == name else label


def read(answer: Mapping[str, Any], size: Callable[[str], int]) -> Graph:
    """The graph of rules; an alias is replaced by what it stands for.

    Args:
      answer: what cquery printed.
      size: the bytes of a source file, by its label.

    Returns:
      Each target by its label. A target of two configurations, as generators are for the host, is
      one target with the dependencies of both.
    """
    rules: dict[str, list[Mapping[str, Any]]] = {}
    generated: dict[str, str] = {}
    files: set[str] = set()
    for result in answer.get("results", ()):
        target = result["target"]
        if target["type"] == "RULE":
            rules.setdefault(target["rule"]["name"], []).append(target["rule"])
        elif target["type"] == "GENERATED_FILE":
            file = target["generatedFile"]
            generated[file["name"]] = file["generatingRule"]
        elif target["type"] == "SOURCE_FILE":
            files.add(target["sourceFile"]["name"])

    for name in [name for name, found in rules.items() if found[0]["ruleClass"] == _PUBLIC]:
        rules[name] = rules.pop(name + _LINKED, rules[name])

    def actual(label: str) -> str:
        """The rule behind an alias or a generated file."""
        for _ in range(20):
            if label in generated:
                label = generated[label]
            elif label in rules and rules[label][0]["ruleClass"] == "alias":
                inputs = rules[label][0].get("ruleInput", ())
                label = next((one for one in inputs if _is_choice(one, rules, generated)), label)
                if label not in rules and label not in generated:
                    return label
            else:
                return label
        return label

    graph: Graph = {}
    for name, found in rules.items():
        if found[0]["ruleClass"] in _CONDITIONS:
            continue
        node = graph.setdefault(short(name), Target(short(name), found[0]["ruleClass"]))
        deps: set[str] = set()
        for rule in found:
            for label in rule.get("ruleInput", ()):
                if label in files:
                    if label not in node.sources:
                        node.sources.append(label)
                        node.source_bytes += size(label)
                    continue
                target_label = actual(label)
                if target_label in rules and target_label != name:
                    deps.add(short(target_label))
            for attribute in rule.get("attribute", ()):
                if attribute["name"] == "dynamic_deps":
                    values = attribute.get("stringListValue", ())
                    node.dynamic_deps = [short(actual(label)) for label in values]
        node.deps = sorted(set(node.deps) | deps)
    for node in graph.values():
        node.deps = [label for label in node.deps if label in graph]
        node.sources.sort()
    return graph


def _is_choice(label: str, rules: Mapping[str, Any], generated: Mapping[str, str]) -> bool:
    """Whether an input of an alias is what it stands for, and not a condition of its select()."""
    if label in generated:
        return True
    kind = rules[label][0]["ruleClass"] if label in rules else ""
    return kind == "alias" or kind not in ("", *_CONDITIONS)


def path(graph: Graph, start: str, end: str) -> list[str]:
    """A shortest chain of dependencies from one target to another; empty where there is none."""
    before: dict[str, str | None] = {start: None}
    waiting = deque([start])
    while waiting:
        label = waiting.popleft()
        if label == end:
            result = []
            step: str | None = label
            while step is not None:
                result.append(step)
                step = before[step]
            return result[::-1]
        for dep in graph[label].deps:
            if dep not in before:
                before[dep] = label
                waiting.append(dep)
    return []


def reached(graph: Graph, roots: Iterable[str]) -> set[str]:
    """The targets, and everything that they depend on."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        label = waiting.pop()
        if label not in found:
            found.add(label)
            waiting += graph[label].deps
    return found


def layers(graph: Graph) -> list[list[str]]:
    """The shared libraries and what links them, by level: each level uses those before it.

    Returns:
      Labels, the lowest level first; targets with `dynamic_deps` alone, such as the extension
      module, come above what they link.
    """
    members = {
        label
        for label, target in graph.items()
        if target.kind == _SHARED_LIBRARY or target.dynamic_deps
    }
    level: dict[str, int] = {}

    def depth(label: str) -> int:
        if label not in level:
            below = [depth(dep) for dep in graph[label].dynamic_deps if dep in members]
            level[label] = 1 + max(below, default=-1)
        return level[label]

    result: list[list[str]] = []
    for label in sorted(members, key=lambda one: (depth(one), one)):
        while len(result) <= level[label]:
            result.append([])
        result[level[label]].append(label)
    return result


def add_seconds(graph: Graph, actions: Sequence[tuple[str, float]]) -> None:
    """Adds up the time of recorded actions, given as the label of their target and seconds."""
    for label, seconds in actions:
        name = short(label.removeprefix("@@") if label.startswith("@@//") else label)
        target = graph.get(name, graph.get(name.removesuffix(_LINKED)))
        if target is not None:
            target.seconds = (target.seconds or 0.0) + seconds
