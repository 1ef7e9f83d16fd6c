"""Why two builds of the same sources differ: the first action that is not the same in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tools.report.execution_log import Action


def _keyed(actions: Sequence[Action]) -> dict[tuple[str, str, str], Action]:
    """Actions by what tells them apart."""
    return {(action.target, action.mnemonic, action.name): action for action in actions}


def _changes(what: str, left: Mapping[str, str], right: Mapping[str, str]) -> list[str]:
    """A line for each key whose value is not the same."""
    lines = []
    for key in sorted(left.keys() | right.keys()):
        if left.get(key) != right.get(key):
            lines.append(f"  {what} {key}: {left.get(key, 'none')} | {right.get(key, 'none')}")
    return lines


def differences(left: Action, right: Action) -> list[str]:
    """What is not the same in an action: command, environment, inputs, outputs."""
    lines = []
    if left.arguments != right.arguments:
        only_left = [word for word in left.arguments if word not in right.arguments]
        only_right = [word for word in right.arguments if word not in left.arguments]
        lines.append(f"  command: {' '.join(only_left)} | {' '.join(only_right)}")
        if not only_left and not only_right:
            lines[-1] = "  command: the same words in another order"
    lines += _changes("environment", left.environment, right.environment)
    lines += _changes("input", left.inputs, right.inputs)
    if not lines and left.outputs != right.outputs:
        lines.append("  the same command and inputs made something else: it is not reproducible")
    lines += _changes("output", left.outputs, right.outputs)
    return lines


def first_difference(left: Sequence[Action], right: Sequence[Action]) -> str | None:
    """The first action that differs by itself, not because of one before it.

    Args:
      left: actions of one build.
      right: actions of another.

    Returns:
      Its name and what differs, or None if both builds did the same.
    """
    lefts, rights = _keyed(left), _keyed(right)
    differing = {}
    for key in lefts.keys() & rights.keys():
        found = differences(lefts[key], rights[key])
        if found:
            differing[key] = found
    spoilt = {
        path
        for key in differing
        for path, digest in lefts[key].outputs.items()
        if rights[key].outputs.get(path) != digest
    }
    # Actions whose inputs are the same, or differ in files that no other differing action made.
    roots = [
        key
        for key in differing
        if not any(
            path in spoilt and path not in lefts[key].outputs
            for path, digest in lefts[key].inputs.items()
            if rights[key].inputs.get(path) != digest
        )
    ]
    order = {key: place for place, key in enumerate(lefts)}
    for key in sorted(roots or differing, key=lambda key: order[key]):
        target, mnemonic, name = key
        title = f"{mnemonic} of {target} makes {name}, and differs:"
        return "\n".join([title, *differing[key]])
    for one, other, side in ((lefts, rights, "first"), (rights, lefts, "second")):
        for target, mnemonic, name in one.keys() - other.keys():
            return f"{mnemonic} of {target}, which makes {name}, is in the {side} build alone"
    return None
