"""Stand-ins for what this torch does not have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HELPER = """
import torch
import torch.no_such_module as gone
from functorch import make_fx
from torch.no_such_module import Missing, function

EXISTS = torch.ones
LATER = torch.no_such_function
CLASS = torch.classes.nobody.NoClass
DISPATCHED = torch._C._VariableFunctions.no_such_function
NOTHING = [name for name in torch.no_such_namespace.__all__]
HALF = torch.complex32 if not hasattr(torch, "complex32") else torch.float16

class Derived(Missing):
    pass

@torch._dynamo.config.patch(cache_size_limit=1)
def patched():
    return 6

@function
def decorated():
    return 5
"""
PROGRAM = """
import sys
from pathlib import Path
import stand_ins
stand_ins.install(Path(sys.argv[1]))
import torch
from torch.testing._internal import made
stand_ins.refuse_from_now_on()
assert made.EXISTS is torch.ones
assert made.decorated() == 5
assert made.patched() == 6
assert not isinstance(5, made.Missing)
for call in (made.LATER, made.Missing, made.gone.anything):
    try:
        call()
    except stand_ins.AbsentError as error:
        print(error)
assert not hasattr(torch, "another_function_of_nobody")
"""


def test_names_are_there_until_they_are_used(tmp_path: Path) -> None:
    package = tmp_path / "torch/testing/_internal"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "made.py").write_text(HELPER)
    (tmp_path / "torch/no_such_module.py").touch()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path / "torch")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "torch.no_such_function is not there",
        "torch.no_such_module.Missing is not there",
        "torch.no_such_module.anything is not there",
    ]
