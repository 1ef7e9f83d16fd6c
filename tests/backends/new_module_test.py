"""A made-up module of Python and two made-up files of the wheel, which additions.py adds."""

from __future__ import annotations

import base64
import json
import re

from tests.budget.checkout import Checkout


def entries(checkout: Checkout, wheel: str) -> dict[str, str]:
    """What a wheel is packed of: the paths in it, each with the file that is packed."""
    query = f'mnemonic("FileWrite", //torch:{wheel})'
    actions = checkout.must("aquery", "--include_file_write_contents", query)
    found = re.findall(r"FileWriteContents: \[([^\]]+)\]", actions)
    manifests = [json.loads(base64.b64decode(text)) for text in found]
    return {path: file for manifest in manifests for path, file in manifest["entries"]}


def test_the_module_is_in_the_wheels(checkout: Checkout) -> None:
    for wheel in ("wheel", "thin_wheel"):
        assert entries(checkout, wheel)["torch/dice.py"] == "torch/dice.py"


def test_every_list_names_the_module(checkout: Checkout) -> None:
    """CONTRIBUTING's row names each file that lists modules such as torch.quasirandom."""
    listing = [
        path
        for folder, pattern in (("torch", "**/*.py"), ("tools", "**/*.py"), ("docs", "*.md"))
        for path in (checkout.root / folder).glob(pattern)
        if re.search(r"\bquasirandom\b", path.read_text(encoding="utf-8"))
    ]
    names = {str(path.relative_to(checkout.root)) for path in listing} - {"torch/quasirandom.py"}
    assert names == {"torch/__init__.py"}
    assert re.search(r"\bdice\b", (checkout.root / "torch/__init__.py").read_text(encoding="utf-8"))


def test_the_files_are_in_their_wheels(checkout: Checkout) -> None:
    whole, thin, libraries = (
        entries(checkout, wheel) for wheel in ("wheel", "thin_wheel", "libtorch_wheel")
    )
    assert whole["torch/dice.txt"] == "torch/dice.txt"
    assert "torch/dice.txt" in thin
    assert "torch/dice.txt" not in libraries
    installed = "lib/pkgconfig/dice.pc"
    (path,) = (path for path in whole if path.endswith(installed))
    assert whole[path] == "torch/dice.pc"
    assert path not in thin
    assert any(path.endswith(installed) for path in libraries)
