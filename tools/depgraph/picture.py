"""The layers as SVG: each shared library above those that it links, with what else it loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH = 300
_GAP = 40
_ROW = 130
_LINE = 17

_STYLE = """
svg { --ink: #1f2933; --paper: #ffffff; --box: #eef4fb; --edge: #3d6ea5; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e4e9ef; --paper: #14181d; --box: #1f2a36; --edge: #7fb0e6; }
}
svg > rect { fill: var(--paper); }
rect.box { fill: var(--box); stroke: var(--edge); }
text { fill: var(--ink); font: 14px sans-serif; text-anchor: middle; }
text.more { font-size: 12px; opacity: .75; }
path { fill: none; stroke: var(--edge); stroke-width: 1.5; }
marker path { fill: var(--edge); stroke: none; }
"""


def _wrapped(names: Sequence[str], width: int = 42) -> list[str]:
    """The names in lines that fit a box."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= width:
            lines[-1] += ", " + name
        else:
            lines.append(name)
    return lines


def svg(
    levels: Sequence[Sequence[str]],
    links: Mapping[str, Sequence[str]],
    loads: Mapping[str, Sequence[str]],
) -> str:
    """The picture.

    Args:
      levels: labels, the lowest level first.
      links: for each label those that it links; an arrow that another path implies is left out.
      loads: for each label the system's libraries that it loads, where the file is built.

    Returns:
      An SVG document.
    """
    notes = {label: _wrapped(loads.get(label, ())) for level in levels for label in level}
    tallest = max((len(lines) for lines in notes.values()), default=0)
    row = _ROW + _LINE * tallest
    width = max((len(level) for level in levels), default=1) * (_WIDTH + _GAP) + _GAP
    height = len(levels) * row + _GAP
    place: dict[str, tuple[int, int, int]] = {}
    body: list[str] = []
    for number, level in enumerate(levels):
        top = height - (number + 1) * row
        left = (width - len(level) * (_WIDTH + _GAP) + _GAP) // 2
        for column, label in enumerate(level):
            x = left + column * (_WIDTH + _GAP)
            tall = 40 + _LINE * len(notes[label])
            place[label] = (x, top, tall)
            middle = x + _WIDTH // 2
            body.append(
                f'<rect class="box" x="{x}" y="{top}" width="{_WIDTH}" height="{tall}" rx="6"/>'
            )
            body.append(f'<text x="{middle}" y="{top + 25}">{escape(label)}</text>')
            for line, text in enumerate(notes[label]):
                y = top + 44 + _LINE * line
                body.append(f'<text class="more" x="{middle}" y="{y}">{escape(text)}</text>')
    for label, (x, top, tall) in place.items():
        for other in _direct(label, links):
            if other in place:
                x2, top2, _ = place[other]
                start, end = x + _WIDTH // 2, x2 + _WIDTH // 2
                bottom, bend = top + tall, (top2 - top - tall) // 2
                body.append(
                    f'<path marker-end="url(#tip)" d="M{start},{bottom} C{start},{bottom + bend} '
                    f'{end},{top2 - bend} {end},{top2 - 8}"/>'
                )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label="shared libraries">',
            f"<style>{_STYLE}</style>",
            '<marker id="tip" markerWidth="8" markerHeight="8" refX="1" refY="4" orient="auto">'
            '<path d="M0,0 L8,4 L0,8 z"/></marker>',
            f'<rect width="{width}" height="{height}"/>',
            *body,
            "</svg>",
            "",
        ]
    )


def _direct(label: str, links: Mapping[str, Sequence[str]]) -> list[str]:
    """What a target links and none of the others that it links does."""
    own = links.get(label, ())
    implied: set[str] = set()
    waiting = [deeper for other in own for deeper in links.get(other, ())]
    while waiting:
        other = waiting.pop()
        if other not in implied:
            implied.add(other)
            waiting += links.get(other, ())
    return [other for other in own if other not in implied]
