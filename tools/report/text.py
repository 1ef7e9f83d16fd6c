"""The report of a build as text and as one page."""

from __future__ import annotations

import html
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.report.execution_log import Action, Profile, elapsed
from tools.report.graph import Node, critical_path, floors, graph_of, simulate

SHOWN = 15
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1000, 10_000)


@dataclass(frozen=True)
class Table:
    """A table whose last column is drawn as bars.

    Attributes:
      title: what it shows.
      columns: heads of the columns.
      rows: as many words as columns, and the length of the bar.
      note: a sentence below.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], float], ...]
    note: str = ""


def _size(count: float) -> str:
    """Bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _kinds(actions: Sequence[Action]) -> Table:
    by_kind: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        by_kind[action.mnemonic].append(action)
    rows = []
    for kind, group in sorted(by_kind.items(), key=lambda item: -sum(a.seconds for a in item[1])):
        hits = sum(action.cached for action in group)
        seconds = sum(action.seconds for action in group)
        size = _size(sum(action.output_bytes for action in group))
        words = (kind, str(len(group)), f"{100 * hits / len(group):.0f} %", size, f"{seconds:.1f}")
        rows.append((words, seconds))
    heads = ("kind", "actions", "cache hits", "outputs", "seconds")
    return Table("Actions by kind", heads, tuple(rows))


def _slowest(actions: Sequence[Action]) -> Table:
    ran = sorted((a for a in actions if a.seconds), key=lambda a: -a.seconds)[:SHOWN]
    rows = tuple(((a.mnemonic, a.name, f"{a.seconds:.2f}"), a.seconds) for a in ran)
    return Table("Slowest actions", ("kind", "makes", "seconds"), rows)


def _critical(nodes: Sequence[Node]) -> Table:
    path = critical_path(nodes)
    rows = tuple(((n.mnemonic, n.name, f"{n.seconds:.2f}"), n.seconds) for n in path)
    total = sum(node.seconds for node in path)
    note = f"{total:.1f} s: no number of workers builds this faster."
    return Table("Critical path", ("kind", "makes", "seconds"), rows, note)


def workers_table(nodes: Sequence[Node], overhead: float, bandwidth: float) -> Table:
    """How long so many workers take."""
    one = simulate(nodes, 1, overhead, bandwidth)
    rows = []
    for workers in WORKERS:
        seconds = simulate(nodes, workers, overhead, bandwidth)
        faster = one / seconds if seconds else 1.0
        words = (str(workers), f"{faster:.1f}", f"{seconds:.1f}")
        rows.append((words, seconds))
    floor = max(nodes, key=lambda node: node.seconds, default=None)
    note = f"{overhead} s for each action beside its command, {_size(bandwidth)}/s for a worker."
    if floor:
        note += f" The longest single action, {floor.name}, takes {floor.seconds:.1f} s."
    return Table(
        "Simulated on N workers", ("workers", "times faster", "seconds"), tuple(rows), note
    )


def clock_table(
    actions: Sequence[Action], workers: int, overhead: float, bandwidth: float
) -> Table:
    """The simulation of a build beside the clock.

    Args:
      actions: what ran, on workers that had nothing else to do.
      workers: how many there were.
      overhead: seconds of each action beside its command.
      bandwidth: bytes a second.
    """
    clock = elapsed(actions)
    ran = [action for action in actions if not action.cached]
    nodes = graph_of(ran)
    simulated = simulate(nodes, workers, overhead, bandwidth)
    rows = [
        ("first action taken to last one ended", f"{clock:.1f} s"),
        ("simulated", f"{simulated:.1f} s"),
        ("error", f"{100 * (simulated - clock) / clock:+.1f} %" if clock else "not recorded"),
    ]
    if workers == 1 and ran:
        # One worker never waits for anything but the next action.
        beside = clock - simulate(nodes, 1, 0.0, bandwidth)
        rows.append(("--overhead without an error", f"{beside / len(ran):.3f}"))
    title = f"Simulated and by the clock, workers: {workers}"
    return Table(title, ("", ""), tuple((words, 0.0) for words in rows))


def floors_table(nodes: Sequence[Node]) -> Table:
    """Which actions make the floor, and what splitting them would give."""
    rows = tuple(
        ((node.mnemonic, node.name, f"{node.seconds:.1f}", f"{floor:.1f}", f"{split:.1f}"), floor)
        for node, floor, split in floors(nodes)
    )
    heads = ("kind", "makes", "seconds", "floor", "floor, once split in 4")
    return Table("What makes the floor", heads, rows, "Each line has those above it split.")


def tables(
    actions: Sequence[Action], profile: Profile | None, overhead: float, bandwidth: float
) -> list[Table]:
    """Everything that the report says."""
    nodes = graph_of(actions)
    runners = Counter(action.runner for action in actions)
    facts = [
        ("actions", str(len(actions))),
        ("ran or were answered by", ", ".join(f"{r}: {n}" for r, n in runners.most_common())),
        ("seconds of commands", f"{sum(action.seconds for action in actions):.1f}"),
        (
            "seconds of waiting, transfer and setup",
            f"{sum(max(0.0, a.total_seconds - a.seconds) for a in actions):.1f}",
        ),
        ("bytes of outputs", _size(sum(action.output_bytes for action in actions))),
        (
            "of them from a cache",
            _size(sum(action.output_bytes for action in actions if action.cached)),
        ),
    ]
    if profile:
        facts.append(("seconds of the whole command", f"{profile.seconds:.1f}"))
        facts.append(("most memory in use on the machine", _size(profile.peak_memory)))
        facts.append(("most memory in use by Bazel", _size(profile.peak_bazel_memory)))
    return [
        Table("Build", ("", ""), tuple((fact, 0.0) for fact in facts)),
        _kinds(actions),
        _slowest(actions),
        _critical(nodes),
        floors_table(nodes),
        workers_table(nodes, overhead, bandwidth),
    ]


def as_text(made: Sequence[Table]) -> str:
    """For a terminal."""
    parts = []
    for table in made:
        lines = [table.columns, *(words for words, _ in table.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(table.columns))]
        parts.append(f"\n{table.title}\n{'-' * len(table.title)}")
        for line in lines:
            if any(line):
                cells = [
                    word.rjust(width) if column and column == len(widths) - 1 else word.ljust(width)
                    for column, (word, width) in enumerate(zip(line, widths, strict=True))
                ]
                parts.append("  ".join(cells).rstrip())
        if table.note:
            parts.append(table.note)
    return "\n".join(parts).lstrip("\n") + "\n"


_STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; }
td, th { padding: 0.15em 0.8em 0.15em 0; overflow-wrap: anywhere; vertical-align: top; }
td.bar { width: 30%; }
td.bar div { background: #3b7dd8; height: 0.9em; min-width: 1px; }
tr:hover { background: #f0f4fa; }
"""


def as_page(made: Sequence[Table]) -> str:
    """For a browser: one file that loads nothing."""
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8">',
        f"<title>Build report</title><style>{_STYLE}</style><h1>Build report</h1>",
    ]
    for table in made:
        longest = max((length for _, length in table.rows), default=0.0)
        heads = "".join(f"<th>{html.escape(head)}</th>" for head in table.columns)
        parts.append(f"<h2>{html.escape(table.title)}</h2><table><tr>{heads}<th></th></tr>")
        for words, length in table.rows:
            cells = "".join(f"<td>{html.escape(word)}</td>" for word in words)
            width = 100 * length / longest if longest else 0
            bar = f'<div style="width:{width:.1f}%"></div>' if length else ""
            parts.append(f'<tr>{cells}<td class="bar">{bar}</td></tr>')
        parts.append(f"</table><p>{html.escape(table.note)}</p>")
    return "\n".join(parts) + "</html>\n"
