"""Draws what targets depend on: a page to browse, and the layers of shared libraries as SVG.

./bazelw run //tools:depgraph                                   # of //torch:_C
./bazelw run //tools:depgraph -- //... --config=cuda            # of another set and configuration
./bazelw run //tools:depgraph -- --why //torch:_C.so //c10/util # a path between two, as text
./bazelw run //tools:depgraph -- --log=bazel-report.json        # with times of a recorded build

The graph is the configured one (`bazel cquery`): only what this configuration builds. Times come
from a build with --config=report; names of loaded libraries from files that are built.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

from tools.depgraph.graph import Graph, add_seconds, layers, path, read
from tools.depgraph.picture import svg
from tools.report.execution_log import read_log
from tools.workspace import (
    bazel,
    expression,
    from_here,
    only_built,
    split,
    workspace,
    writing,
)

_TEMPLATE = Path(__file__).parent / "page.html"
_DEFAULT = ["//torch:_C"]


def _size(label: str) -> int:
    """The bytes of a source file of this tree; 0 of another module's."""
    if not label.startswith("//"):
        return 0
    file = workspace() / label.removeprefix("//").replace(":", "/")
    return file.stat().st_size if file.is_file() else 0


def _loads(label: str) -> list[str]:
    """Names of the system's libraries that a built library loads; none where it is not built."""
    package, _, name = label.removeprefix("//").partition(":")
    for file in (workspace() / "bazel-bin" / package / one for one in (name, f"{name}.so")):
        if file.is_file():
            done = subprocess.run(
                ["objdump", "-p", str(file)], capture_output=True, text=True, check=False
            )
            words = (line.split() for line in done.stdout.splitlines())
            needed = [word[1] for word in words if len(word) == 2 and word[0] == "NEEDED"]
            return [name for name in needed if not name.startswith(("libtorch", "libc10"))]
    return []


def page(graph: Graph, picture: str, root: str) -> str:
    """The page, one file with everything in it."""
    data = json.dumps([dataclasses.asdict(graph[label]) for label in sorted(graph)])
    text = _TEMPLATE.read_text(encoding="utf-8")
    # In a script element only its end could end the data early.
    for name, value in (("ROOT", root), ("LAYERS", picture), ("DATA", data.replace("</", "<\\/"))):
        text = text.replace(f"@{name}@", value)
    return text


def explain(graph: Graph, start: str, end: str) -> str:
    """A path from one target to another, a step a line. Ends the program where there is none."""
    for label in (start, end):
        if label not in graph:
            name = re.split("[/:]", label)[-1]
            close = sorted(one for one in graph if re.split("[/:]", one)[-1] == name)[:5]
            hint = f" There are {', '.join(close)}." if close else ""
            sys.exit(
                f"depgraph: no target of this graph is called {label}.{hint} All of them: "
                "./bazelw query 'kind(rule, deps(//torch:_C))'"
            )
    steps = path(graph, start, end)
    if not steps:
        sys.exit(f"depgraph: {start} does not depend on {end} in this configuration.")
    return "\n".join("  " * number + step for number, step in enumerate(steps))


def main() -> None:
    """Asks Bazel for the graph, and writes depgraph.html and layers.svg."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog="Targets and options of Bazel, such as --config=cuda, may follow.",
    )
    parser.add_argument(
        "--output", type=Path, help="the folder of the files; bazel-depgraph by default"
    )
    parser.add_argument(
        "--log", type=Path, help="bazel-report.json of a build with --config=report"
    )
    parser.add_argument(
        "--why", nargs=2, metavar=("TARGET", "DEPENDENCY"), help="print a path and stop"
    )
    arguments, rest = parser.parse_known_args()
    targets, options = split(rest, _DEFAULT)

    query = f"deps({expression(targets)})"
    flags = ["--notool_deps", "--noimplicit_deps", "--output=jsonproto", "--keep_going"]
    answer = json.loads(
        # A target that needs what this machine lacks hides no other; Bazel says which it is.
        bazel("cquery", *flags, *only_built(targets), *options, query, partial=True) or "{}"
    )
    graph = read(answer, lambda label: _size(label))
    if not graph:
        sys.exit(f"depgraph: {' '.join(targets)} names no target; nothing is written.")
    if arguments.why:
        print(explain(graph, *arguments.why))
        return
    if arguments.log:
        actions = read_log(from_here(arguments.log))
        add_seconds(graph, [(action.target, action.seconds) for action in actions])
    levels = layers(graph)
    links = {label: graph[label].dynamic_deps for level in levels for label in level}
    picture = svg(levels, links, {label: _loads(label) for label in links})
    output = from_here(arguments.output or workspace() / "bazel-depgraph")
    root = levels[-1][0] if levels else min(graph)
    with writing(output, "--output=/tmp/depgraph"):
        output.mkdir(parents=True, exist_ok=True)
        (output / "layers.svg").write_text(picture, encoding="utf-8")
        (output / "depgraph.html").write_text(page(graph, picture, root), encoding="utf-8")
    print(f"{len(graph)} targets: {output / 'depgraph.html'}, {output / 'layers.svg'}")


if __name__ == "__main__":
    main()
