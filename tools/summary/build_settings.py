"""Writes torch/_build_settings.py from the report of //config: what torch.__config__ tells."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tools.summary.build_type import build_type, sanitizers


def module(report: dict[str, Any]) -> str:
    """The text of the module."""
    mode, copts = report["compilation_mode"], report["copts"]
    facts = {
        "ASSERTIONS": mode != "opt",
        "BUILD_TYPE": build_type(mode, copts),
        "CXX_FLAGS": " ".join(copts),
        "LAPACK": report["lapack"],
        "OPTIONS": {option["name"]: option["value"] for option in report["options"]},
        "SANITIZERS": sanitizers(copts),
    }
    lines = [f"{name} = {value!r}" for name, value in facts.items()]
    return '"""How this build was configured. Generated from //config:values."""\n\n' + "\n".join(
        [*lines, ""]
    )


if __name__ == "__main__":
    sys.stdout.write(module(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
