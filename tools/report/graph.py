"""The graph of a build's actions, and how long other machines would take for it."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.report.execution_log import Action


@dataclass(frozen=True)
class Node:
    """An action in the graph.

    Attributes:
      name: what it makes.
      mnemonic: its kind.
      seconds: how long its command runs.
      moved_bytes: what a remote worker sends and gets for it.
      needs: indices of the actions that must end before it starts.
    """

    name: str
    mnemonic: str
    seconds: float
    moved_bytes: int
    needs: tuple[int, ...]


def graph_of(actions: Sequence[Action]) -> list[Node]:
    """The graph of recorded actions.

    An action needs those that make its inputs. What Bazel makes itself (links to libraries, lists
    of files) is in no log; such an input is known by what it holds.
    """
    by_path: dict[str, int] = {}
    by_digest: dict[str, int] = {}
    for index, action in enumerate(actions):
        for path, digest in action.outputs.items():
            by_path[path] = index
            by_digest.setdefault(digest, index)
    nodes = []
    for index, action in enumerate(actions):
        makers = {
            by_path[path] if path in by_path else by_digest.get(digest, index)
            for path, digest in action.inputs.items()
            if path in by_path or path.startswith("bazel-out/")
        }
        needs = tuple(sorted(makers - {index}))
        nodes.append(Node(action.name, action.mnemonic, action.seconds, action.output_bytes, needs))
    return _in_order(nodes)


def _in_order(nodes: Sequence[Node]) -> list[Node]:
    """The same graph with every action after those that it needs; a cycle loses an edge."""
    waiting = [len(node.needs) for node in nodes]
    users = _users(nodes)
    ready = deque(index for index, count in enumerate(waiting) if count == 0)
    order: list[int] = []
    placed: set[int] = set()
    while len(order) < len(nodes):
        if not ready:
            ready.append(min(set(range(len(nodes))) - placed, key=lambda i: (waiting[i], i)))
        index = ready.popleft()
        if index in placed:
            continue
        placed.add(index)
        order.append(index)
        for user in users[index]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    position = {index: place for place, index in enumerate(order)}
    return [
        Node(
            node.name,
            node.mnemonic,
            node.seconds,
            node.moved_bytes,
            tuple(sorted(position[n] for n in node.needs if position[n] < position[index])),
        )
        for index, node in ((index, nodes[index]) for index in order)
    ]


def _users(nodes: Sequence[Node]) -> list[list[int]]:
    """For each action those that need it."""
    users: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        for need in node.needs:
            users[need].append(index)
    return users


def critical_path(nodes: Sequence[Node], overhead: float = 0.0) -> list[Node]:
    """The chain of actions that no number of workers makes shorter, first to last."""
    if not nodes:
        return []
    ends: list[float] = []
    before: list[int | None] = []
    for node in nodes:
        last = max(node.needs, key=lambda n: ends[n], default=None)
        before.append(last)
        ends.append((ends[last] if last is not None else 0.0) + node.seconds + overhead)
    at: int | None = max(range(len(nodes)), key=lambda n: ends[n])
    path = []
    while at is not None:
        path.append(nodes[at])
        at = before[at]
    return path[::-1]


def floors(
    nodes: Sequence[Node], count: int = 5, parts: int = 4
) -> list[tuple[Node, float, float]]:
    """What makes the floor, one action after another.

    Args:
      nodes: the graph.
      count: how many actions.
      parts: into how many that run at once the longest action of the chain is split, in thought,
        before the next one is looked for.

    Returns:
      Each action, the floor in seconds, and the floor once it is split.
    """
    nodes = list(nodes)
    found: list[tuple[Node, float, float]] = []
    path = critical_path(nodes)
    while path and len(found) < count:
        floor = sum(node.seconds for node in path)
        longest = max(path, key=lambda node: node.seconds)
        nodes[nodes.index(longest)] = replace(longest, seconds=longest.seconds / parts)
        path = critical_path(nodes)
        found.append((longest, floor, sum(node.seconds for node in path)))
    return found


def simulate(
    nodes: Sequence[Node], workers: int, overhead: float = 0.0, bandwidth: float = float("inf")
) -> float:
    """How long a build takes on so many workers.

    Args:
      nodes: the graph, each action after those that it needs.
      workers: how many actions run at once.
      overhead: seconds that each action costs a worker beside its command.
      bandwidth: bytes a second of a worker's network.

    Returns:
      Seconds. Actions start in the order in which they become ready, as Bazel starts them.
    """
    users = _users(nodes)
    waiting = [len(node.needs) for node in nodes]
    ready = deque(index for index, count in enumerate(waiting) if count == 0)
    running: list[tuple[float, int]] = []
    now = 0.0
    while ready or running:
        while ready and len(running) < workers:
            index = ready.popleft()
            node = nodes[index]
            cost = node.seconds + overhead + node.moved_bytes / bandwidth
            heapq.heappush(running, (now + cost, index))
        now, index = heapq.heappop(running)
        for user in users[index]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return now


def synthetic_pytorch(seed: int = 0) -> list[Node]:
    """A graph of the size of PyTorch's CUDA build.

    Published figures (pytorch/pytorch issue 189455): 1,208 files of torch_cpu take 556 minutes of
    processor time, 379 of torch_cuda 397, 189 of torch_python 132; the slowest file takes 13.5
    minutes, the next 8.8 and 7.1. Generated by one action; one link a library, each after the one
    below. Times are drawn log-normally, then scaled to those sums below those maxima.
    """
    random_numbers = random.Random(seed)
    nodes = [Node("codegen", "TorchCodegen", 30.0, 40 << 20, ())]
    slowest = {
        "torch_cpu": {"RegisterCompositeExplicitAutograd_0.cpp": 427.0},
        "torch_cuda": {"RowwiseScaledMM.cu": 810.0, "ReduceNormKernel.cu": 527.0},
        "torch_python": {},
    }
    below: tuple[int, ...] = ()
    for library, files, minutes in (
        ("torch_cpu", 1208, 556),
        ("torch_cuda", 379, 397),
        ("torch_python", 189, 132),
    ):
        known = slowest[library]
        most = min(known.values(), default=400.0)
        drawn = [random_numbers.lognormvariate(0.0, 0.9) for _ in range(files - len(known))]
        scale = (minutes * 60 - sum(known.values())) / sum(drawn)
        times = known | {f"{n}.cpp": min(value * scale, most) for n, value in enumerate(drawn)}
        first = len(nodes)
        nodes += [
            Node(f"{library}/{name}", "CppCompile", time, 2 << 20, (0,))
            for name, time in times.items()
        ]
        objects = tuple(range(first, len(nodes)))
        nodes.append(Node(f"lib{library}.so", "CppLink", 20.0, 300 << 20, objects + below))
        below = (len(nodes) - 1,)
    return nodes
