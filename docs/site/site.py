"""Builds the site of docs/ with its references, or serves it.

./bazelw run //docs:site       # writes bazel-site/, a static folder
./bazelw run //docs:serve      # builds it, and shows it at http://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mkdocs.commands.build
import mkdocs.config
import yaml

from docs.site import pages

_PALETTE = [
    {
        "media": f"(prefers-color-scheme: {scheme})",
        "scheme": name,
        "primary": "deep orange" if scheme == "light" else "black",
        "accent": "deep orange",
        "toggle": {"icon": icon, "name": f"Use the {other} colours"},
    }
    for scheme, name, icon, other in (
        ("light", "default", "material/weather-night", "dark"),
        ("dark", "slate", "material/weather-sunny", "light"),
    )
]

# Names of options stay whole; a wide table scrolls.
_CSS = ".md-typeset td code { white-space: nowrap; }\n"


def _heading(text: str) -> str:
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def write_sources(root: Path, folder: Path) -> list[dict[str, Any]]:
    """Writes every page as Markdown; gives the menu."""
    written = pages.written(root)
    unlisted = set(written) - {name for names in pages.MENU.values() for name in names}
    if unlisted:
        sys.exit(f"no menu of docs/site/pages.py has {', '.join(sorted(unlisted))}. Add it to MENU")
    known = {path.resolve(): name for name, (path, _) in written.items()}
    for name, (path, text) in written.items():
        page = pages.linked(text, path, root.resolve(), known)
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    (folder / "site.css").write_text(_CSS, encoding="utf-8")
    for image in (root / "docs").glob("*.svg"):
        shutil.copy(image, folder)
    menu: list[dict[str, Any]] = [
        {title: [{_heading(written[name][1]): f"{name}.md"} for name in names]}
        for title, names in pages.MENU.items()
    ]
    reference: list[dict[str, Any]] = [{"Rules": "rules.md"}, {"Commands": "commands.md"}]
    (folder / "rules.md").write_text(pages.rules(root), encoding="utf-8")
    (folder / "commands.md").write_text(pages.commands(root), encoding="utf-8")
    for title, made in (
        ("Functions", pages.operators(root)),
        ("Python", pages.python_modules(root)),
    ):
        directory = folder / title.lower()
        directory.mkdir()
        for name, text in made.items():
            (directory / f"{name}.md").write_text(text, encoding="utf-8")
        entries = [{_heading(text): f"{title.lower()}/{name}.md"} for name, text in made.items()]
        reference.append({title: entries})
    return [*menu, {"Reference": reference}]


def build(root: Path, out: Path) -> None:
    """Builds the site; ends the program where a page has a link that leads nowhere."""
    with tempfile.TemporaryDirectory() as directory:
        sources = Path(directory, "pages")
        sources.mkdir()
        settings = {
            "site_name": "PyTorch, built by Bazel",
            "docs_dir": str(sources),
            "site_dir": str(out),
            "use_directory_urls": False,
            "strict": True,
            "nav": write_sources(root, sources),
            "theme": {
                "name": "material",
                "font": False,
                "palette": _PALETTE,
                "features": [
                    "content.code.copy",
                    "navigation.indexes",
                    "navigation.tabs",
                    "navigation.top",
                    "search.highlight",
                    "toc.follow",
                ],
            },
            "plugins": ["search"],
            "markdown_extensions": [
                "tables",
                "sane_lists",
                {"toc": {"permalink": True, "slugify": _slug}},
                {"pymdownx.highlight": {"pygments_lang_class": True}},
                "pymdownx.superfences",
            ],
            "extra": {"generator": False},
            "extra_css": ["site.css"],
            "validation": {"links": {"anchors": "warn"}},
        }
        file = Path(directory, "mkdocs.yml")
        file.write_text(
            yaml.dump({k: v for k, v in settings.items() if k != "markdown_extensions"})
        )
        config = mkdocs.config.load_config(
            str(file), markdown_extensions=settings["markdown_extensions"]
        )
        mkdocs.commands.build.build(config)


def _slug(text: str, separator: str) -> str:
    return pages.slug(text)


def main(words: Sequence[str] | None = None) -> None:
    """Builds; serves if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--serve", action="store_true", help="show it afterwards")
    parser.add_argument("--port", type=int, default=8000, help="of the server; 8000 by default")
    parser.add_argument("--out", type=Path, help="folder to write; bazel-site by default")
    arguments = parser.parse_args(words)
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    out = Path(
        os.environ.get("BUILD_WORKING_DIRECTORY", root), arguments.out or root / "bazel-site"
    )
    if not 0 <= arguments.port < 65536:
        parser.error(f"--port={arguments.port}: wanted a number below 65536. Type: --port=8000")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"cannot write {out} ({error.strerror}). Type: --out=/tmp/site")
    # mkdocs deletes what is there.
    if any(out.iterdir()) and not (out / "sitemap.xml").exists():
        parser.error(f"{out} has files that are no site. Name a new folder: --out=/tmp/site")
    server = None
    if arguments.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(out))
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), handler)
        except OSError as error:
            other = 8001 if arguments.port == 8000 else 8000
            parser.error(
                f"port {arguments.port} cannot be used ({error.strerror}). Type: --port={other}"
            )
    build(root, out)
    print(f"the site is in {out}: open {out}/index.html; its search needs //docs:serve")
    if server:
        print(f"http://127.0.0.1:{arguments.port}  (Ctrl-C ends it)", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
