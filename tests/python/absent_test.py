"""What is not here says so where a program uses it, and nothing else."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import operator
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import _absent, _absent_names, nn
from torch.distributed._modules import MODULES

OWNERS = {
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.nn": nn,
    "torch.optim": torch.optim,
    "torch.autograd": torch.autograd,
    "torch.cuda": torch.cuda,
}


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program in a fresh interpreter."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, check=False, env=env, text=True)


@pytest.mark.parametrize("name", sorted(_absent_names.SCHEMAS))
def test_an_operator_without_kernels_can_be_named(name: str) -> None:
    operator_ = getattr(torch.ops.aten, name).default
    assert operator_ is getattr(torch.ops.aten, name).default
    assert str(operator_) == f"aten.{name}.default"
    x = torch.ones(2, 2)
    arguments = {"_pin_memory": (x,), "_sparse_addmm": (x, x, x)}.get(name, (x, x, "sum"))
    with pytest.raises(NotImplementedError, match=f"Could not run 'aten::{name}'"):
        operator_(*arguments)
    assert not hasattr(torch.ops.aten, "_no_such_operator")


def test_every_owner_is_tested() -> None:
    assert set(OWNERS) == set(_absent.ABSENT)


@pytest.mark.parametrize("owner", OWNERS)
def test_what_is_called_absent_is(owner: str) -> None:
    value = OWNERS[owner]
    assert [name for name in _absent.names(owner) if hasattr(value, name)] == []
    words = [w for text in _absent.ABSENT[owner].values() for w in text.split()]
    assert sorted(words) == sorted(set(words)), "a name belongs to one part"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda: torch.sparse_coo_tensor,
            "module 'torch' has no attribute 'sparse_coo_tensor': this release is without sparse "
            "tensors; use dense tensors, with index_add_ or scatter_add_ for sums by index",
        ),
        (
            lambda: torch.ones(2).to_sparse(),
            "'Tensor' object has no attribute 'to_sparse': this release is without sparse tensors; "
            "use dense tensors, with index_add_ or scatter_add_ for sums by index",
        ),
        (
            lambda: torch.optim.SparseAdam,
            "module 'torch.optim' has no attribute 'SparseAdam': this release is without sparse "
            "tensors; use dense tensors, with index_add_ or scatter_add_ for sums by index",
        ),
        (
            lambda: torch.distributed.no_such_name,
            "module 'torch.distributed' has no attribute 'no_such_name': this release is without "
            "torch.distributed; use one process; torch.distributed.is_available() is False",
        ),
        (lambda: torch.no_such_name, "module 'torch' has no attribute 'no_such_name'"),
        (lambda: nn.no_such_name, "module 'torch.nn' has no attribute 'no_such_name'"),
        (lambda: torch.ones(2).no_such_name, "'Tensor' object has no attribute 'no_such_name'"),
    ],
)
def test_a_name_that_is_absent(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(AttributeError) as caught:
        use()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda: torch.onnx.export(nn.Linear(1, 1), (), "x.onnx"),
            "torch.onnx.export: this release is without the export to ONNX; save the state dict "
            "with torch.save, and export it with PyTorch",
        ),
        (
            lambda: torch.fx.symbolic_trace(nn.Linear(1, 1)),
            "torch.fx.symbolic_trace: this release is without torch.fx, which records programs as "
            "graphs; use hooks of nn.Module",
        ),
        (
            lambda: torch.fx.Graph(),
            "torch.fx.Graph: this release is without torch.fx, which records programs as graphs; "
            "use hooks of nn.Module",
        ),
        (
            lambda: torch.jit.save(nn.Linear(1, 1), "x.pt"),
            "torch.jit.save: this release is without TorchScript's compiler; call the Python "
            "function or module itself",
        ),
        (
            lambda: torch.distributed.init_process_group("gloo"),
            "torch.distributed.init_process_group: this release is without torch.distributed; use "
            "one process; torch.distributed.is_available() is False",
        ),
        (
            lambda: torch.hub.load("owner/repository", "model"),
            "torch.hub.load: this release is without torch.hub's download of repositories; clone "
            'the repository, and call it with source="local" and the directory',
        ),
    ],
)
def test_a_use_that_is_refused(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(NotImplementedError) as caught:
        use()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "module",
    [
        "export",
        "fx",
        "jit",
        "mps",
        "mtia",
        "nested",
        "onnx",
        "package",
        "sparse",
        "xpu",
        "distributed",
        "nn.attention.flex_attention",
        "ao.quantization",
        "compiler",
    ],
)
def test_each_function_and_class_refuses(module: str) -> None:
    """Read from the module's own list, so that a name misspelt there is seen."""
    found = importlib.import_module(f"torch.{module}")
    source = inspect.getsource(found)
    lists = dict(re.findall(r"(classes|functions)=((?:\"[^\"]*\"\s*)+)", source))
    named = [word for text in lists.values() for word in re.sub(r'["\s]+', " ", text).split()]
    assert named
    for name in named:
        value = getattr(found, name)
        assert getattr(found, name) is value
        assert not isinstance(3, value) if isinstance(value, type) else True
        with pytest.raises(NotImplementedError, match=re.escape(f"torch.{module}.{name}: ")):
            value()


@pytest.mark.parametrize("owner", sorted(_absent_names.NAMES))
def test_each_further_name_is_explained(owner: str) -> None:
    module = torch.Tensor if owner == "torch.Tensor" else importlib.import_module(owner)
    assert _absent_names.NAMES[owner].split()
    for name in _absent_names.NAMES[owner].split():
        found = getattr(module, name, None)
        assert found is None, f"{owner}.{name} is here: remove it from torch/_absent_names.py"
        with pytest.raises(AttributeError, match=f"no attribute '{name}': this release is without"):
            getattr(module, name)
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'$"):
        module.no_such_name  # noqa: B018


def test_import_of_a_name_says_why_it_is_absent() -> None:
    with pytest.raises(ImportError) as caught:
        from torch import sparse_coo_tensor  # noqa: F401
    assert str(caught.value) == (
        "cannot import name 'sparse_coo_tensor' from 'torch': this release is without sparse "
        "tensors; use dense tensors, with index_add_ or scatter_add_ for sums by index"
    )
    # The same by a __getattr__ of the module's own, and by that of a module that refuses.
    with pytest.raises(
        ImportError, match="'graph_pool_handle' from 'torch.cuda'.*torch.cuda.graph"
    ):
        from torch.cuda import graph_pool_handle  # noqa: F401
    with pytest.raises(ImportError, match="'nothing' from 'torch.fx': this release is without"):
        from torch.fx import nothing  # noqa: F401
    with pytest.raises(ImportError, match="'hipify' from 'torch.utils': .*use device"):
        from torch.utils import hipify  # noqa: F401
    with pytest.raises(ImportError, match=r"cannot import name 'no_such_name' from 'torch' \("):
        from torch import no_such_name  # noqa: F401
    assert not hasattr(torch, "sparse_coo_tensor")
    assert getattr(torch.fx, "nothing", None) is None


@pytest.mark.parametrize("part", sorted(_absent_names.MISSING))
def test_import_of_a_module_says_why_it_is_absent(part: str) -> None:
    text = getattr(_absent, part).message("")
    for name in _absent_names.MISSING[part].split():
        module = f"torch.{name}"
        if importlib.util.find_spec(module):
            module += ".no_such_module"
        with pytest.raises(ModuleNotFoundError, match=re.escape(f"'{module}'{text}")) as caught:
            importlib.import_module(module)
        assert caught.value.name == module
        assert importlib.util.find_spec(module) is None, "who only asks is not told by an error"


def test_private_modules_that_are_here_are_attributes() -> None:
    for name in ("_tensor_str", "_VF", "nn._reduction", "utils._python_dispatch"):
        assert inspect.ismodule(operator.attrgetter(name)(torch)), name
    assert torch._VF.split(torch.arange(4), 2)[1].tolist() == [2, 3]
    with pytest.raises(AttributeError, match="this release is without sparse tensors"):
        torch._VF.sparse_coo_tensor  # noqa: B018
    assert not hasattr(torch, "_inductor") and not hasattr(torch.utils, "_stats")


def test_a_module_that_nobody_has() -> None:
    for module in ("torch.no_such_module", "torch.nn.no_such_module"):
        with pytest.raises(ModuleNotFoundError, match=f"No module named '{module}'$"):
            importlib.import_module(module)
    # Finders that come later than import torch are asked.
    assert importlib.import_module("torch.distributed.fsdp").__doc__


def test_what_to_use_instead_exists() -> None:
    parts = [part for part in vars(_absent).values() if isinstance(part, _absent.Part)]
    texts = [part.instead for part in parts] + list(_absent_names.INSTEAD)
    named = {name for text in texts for name in re.findall(r"\btorch((?:\.\w+)+)", text)}
    assert len(named) > 60
    for name in named:
        operator.attrgetter(name.removeprefix("."))(torch)


def test_each_replacement_belongs_to_a_name() -> None:
    replaced = [name for names in _absent_names.INSTEAD.values() for name in names.split()]
    assert sorted(replaced) == sorted(set(replaced)), "a name has one replacement"
    known = {name for names in _absent_names.NAMES.values() for name in names.split()}
    assert set(replaced) <= known


@pytest.mark.parametrize("part", sorted(_absent_names.MODULES))
def test_each_further_module_refuses(part: str) -> None:
    what = getattr(_absent, part).what
    for name, words in _absent_names.MODULES[part].items():
        module = importlib.import_module(f"torch.{name}")
        assert words.split()
        for word in words.split():
            if word.startswith("is_"):
                assert getattr(module, word)() is False
                continue
            with pytest.raises(NotImplementedError, match=f"this release is without {what}"):
                getattr(module, word)()


@pytest.mark.parametrize("name", sorted(_absent_names.ELSEWHERE))
def test_each_module_that_stands_elsewhere(name: str) -> None:
    module = importlib.import_module(name)
    source = importlib.import_module(_absent_names.ELSEWHERE[name])
    assert module.__all__ and all(getattr(module, n) is getattr(source, n) for n in module.__all__)


def test_data_pipes_can_be_asked_for() -> None:
    assert not isinstance(3, torch.utils.data.IterDataPipe)
    with pytest.raises(NotImplementedError, match="without data pipes; use torch.utils.data.Data"):
        torch.utils.data.MapDataPipe()


def test_a_class_that_is_absent_can_be_derived_from() -> None:
    class Tracer(torch.fx.Tracer):
        pass

    assert not isinstance(nn.Linear(1, 1), torch.fx.GraphModule)
    with pytest.raises(NotImplementedError, match="this release is without torch.fx"):
        Tracer()


def test_a_recorded_module_is_a_module() -> None:
    """Programs derive from it, and ask isinstance with it where they take an nn.Module."""
    from torch.fx.graph_module import GraphModule

    assert GraphModule is torch.fx.GraphModule and issubclass(GraphModule, nn.Module)
    with pytest.raises(NotImplementedError, match="torch.fx.GraphModule: this release is without"):
        GraphModule(nn.Linear(1, 1))


@pytest.mark.parametrize("name", sorted(MODULES))
def test_each_name_below_distributed_refuses(name: str) -> None:
    module = importlib.import_module(f"torch.distributed.{name}")
    assert operator.attrgetter(name)(torch.distributed) is module
    for public in MODULES[name].split():
        if public.startswith("is_"):
            assert getattr(module, public)() is False
            continue
        with pytest.raises(NotImplementedError, match="this release is without torch.distributed"):
            getattr(module, public)()
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        module.no_such_name  # noqa: B018


def test_a_class_of_several_modules_is_one() -> None:
    from torch.distributed._tensor import DTensor
    from torch.distributed.tensor import DTensor as same

    assert DTensor is same


def test_quantized_dtypes_have_no_sign() -> None:
    for dtype in (torch.qint8, torch.qint32, torch.quint8, torch.quint4x2, torch.quint2x4):
        assert not dtype.is_floating_point
        with pytest.raises(RuntimeError, match="isSignedType not supported for quantized types"):
            _ = dtype.is_signed


@pytest.mark.parametrize(
    ("name", "kind", "size"),
    [
        ("float8_e4m3fn", "is_floating_point", 1),
        ("complex32", "is_complex", 4),
        ("int4", "is_signed", 1),
        ("bits16", None, 2),
    ],
)
def test_a_dtype_that_no_tensor_has(name: str, kind: str | None, size: int) -> None:
    """Programs name it, compare with it and store it; as an argument it refuses."""
    dtype = getattr(torch, name)
    assert isinstance(dtype, torch.dtype)
    assert str(dtype) == f"torch.{name}"
    assert dtype.itemsize == size
    kinds = ("is_floating_point", "is_complex", "is_signed")
    assert kind is None or getattr(dtype, kind)
    assert sum(getattr(dtype, one) for one in kinds) == {
        "is_floating_point": 2, "is_complex": 2, "is_signed": 1, None: 0
    }[kind]  # fmt: skip
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert torch.ones(1).dtype != dtype
    uses: list[Callable[[], Any]] = [
        lambda: torch.zeros(2, dtype=dtype),
        lambda: torch.tensor([1], dtype=dtype),
        lambda: torch.ones(2).to(dtype),
        lambda: torch.ones(2).type(dtype),
        lambda: torch.ones(2).sum(dtype=dtype),
        lambda: torch.promote_types(dtype, torch.float32),
        lambda: torch.ops.aten.zeros([2], dtype=dtype),
        lambda: torch.set_default_dtype(dtype),
        lambda: torch.set_autocast_dtype("cpu", dtype),
        lambda: torch.UntypedStorage(4) and torch._C._tensor_from_storage(
            torch.UntypedStorage(4), dtype, 0, (1,), (1,)
        ),
        lambda: dtype.to_complex(),
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(NotImplementedError, match=f"torch.{name}: this release is without"):
            use()


def test_limits_of_types_of_eight_bits() -> None:
    # PyTorch 2.13's.
    assert torch.finfo(torch.float8_e4m3fn).max == 448
    assert torch.finfo(torch.float8_e5m2).smallest_normal == 2.0**-14
    with pytest.raises(NotImplementedError, match="torch.float8_e8m0fnu: this release is without"):
        torch.finfo(torch.float8_e8m0fnu)
    with pytest.raises(NotImplementedError, match="torch.int4: this release is without"):
        torch.iinfo(torch.int4)


def test_members_that_name_a_device() -> None:
    x = torch.ones(1)
    assert (x.is_mps, x.is_vulkan, x.is_xpu) == (False, False, False)


def test_sizes_are_numbers() -> None:
    assert not isinstance(torch.ones(2).shape[0], torch.SymInt)
    assert torch.sym_max(2, 3.0) == 3.0
    assert torch.sym_min(2, 3.0) == 2.0
    assert torch.sym_int(2.7) == 2
    assert torch.sym_not(0)
    assert torch.sym_sum([1, 2, 3]) == 6


def test_nothing_is_traced() -> None:
    from torch._subclasses.fake_tensor import is_fake
    from torch.fx.experimental.proxy_tensor import get_proxy_mode

    assert not is_fake(torch.ones(1))
    assert get_proxy_mode() is None


def test_autocast_of_a_device_that_is_not_here() -> None:
    assert not any(torch.is_autocast_enabled(device) for device in ("mps", "xpu"))


@pytest.mark.parametrize("name", ["distributed", "mps", "xpu", "mtia"])
def test_what_is_not_available(name: str) -> None:
    assert getattr(torch, name).is_available() is False


def test_import_and_attribute_are_one_module() -> None:
    program = "import torch.distributed as d, torch; assert torch.distributed is d"
    assert run(program).returncode == 0
    assert run("import torch; torch.onnx.is_in_onnx_export()").returncode == 0


_ONCE = """
import torch
@torch.compile(fullgraph=True)
def f(x): return x + 1
g = torch.compile(f, mode="max-autotune")
m = torch.nn.Linear(1, 1)
assert torch.compile(m) is m and g is f
print(f(torch.ones(1)).item())
"""


def test_compile_runs_as_it_is_after_one_warning() -> None:
    done = run(_ONCE)
    assert done.stdout == "2.0\n", done.stderr
    assert done.stderr.count("torch.compile: this release is without a compiler of Python") == 1
    assert run(_ONCE, TORCH_COMPILE_DISABLE="1").stderr == ""
    with pytest.raises(RuntimeError, match="Either mode or options can be specified"):
        torch.compile(mode="default", options={})


_SCRIPT = """
from typing import Dict, List, Optional, Tuple
import torch
from torch import jit
@jit.script
def f(x: torch.Tensor, n: int = 2) -> torch.Tensor: return x * n
class M(jit.ScriptModule):
    @jit.script_method
    def forward(self, x): return f(x)
    @jit.ignore(drop=True)
    def g(self): pass
    @jit.ignore
    def h(self): pass
assert f(torch.ones(1)).item() == M()(torch.ones(1)).item() == 2
m = torch.nn.Linear(1, 1)
assert jit.trace(m, torch.ones(1)) is m and jit.script(m) is m
assert not jit.is_scripting() and not jit.is_tracing()
assert not isinstance(m, jit.ScriptModule) and not isinstance(f, jit.ScriptFunction)
assert jit.isinstance([1], List[int]) and not jit.isinstance(["a"], List[int])
assert jit.isinstance({"a": 1}, Dict[str, int]) and not jit.isinstance({"a": "b"}, Dict[str, int])
assert jit.isinstance((1, "a"), Tuple[int, str]) and not jit.isinstance((1, 2), Tuple[int, str])
assert jit.isinstance(3, int | None) and not jit.isinstance("a", int | None)
assert jit.isinstance(None, Optional[int]) and jit.isinstance(3, (str, int))
assert jit.wait(jit.fork(f, torch.ones(1))).item() == 2
"""


def test_script_and_trace_run_in_python() -> None:
    done = run(_SCRIPT)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("this release is without TorchScript's compiler; the program") == 2
    assert run(_SCRIPT, PYTORCH_JIT="0").stderr == ""


def test_the_processor_as_a_device() -> None:
    assert torch.cpu.is_available() and torch.cpu.device_count() == 1
    with torch.cpu.stream(torch.cpu.current_stream()):
        torch.cpu.synchronize()


@pytest.mark.skipif(torch.version.cuda is not None, reason="this build has CUDA")
def test_no_accelerator() -> None:
    assert torch.accelerator.is_available() is False
    assert torch.accelerator.device_count() == 0
    assert torch.accelerator.current_accelerator() is None
    with pytest.raises(RuntimeError, match="torch.accelerator: this build has none"):
        torch.accelerator.current_stream()


def test_futures() -> None:
    from torch.futures import Future, collect_all, wait_all

    future: Future[int] = Future()
    later = future.then(lambda done: done.value() + 1)
    failing = future.then(lambda done: done.value() // 0)
    both = collect_all([later, failing])
    assert not later.done() and not both.done()
    with pytest.raises(RuntimeError, match="that is not done"):
        future.value()
    future.set_result(2)
    assert later.wait() == 3 and both.done() and wait_all([future, later]) == [2, 3]
    with pytest.raises(
        RuntimeError, match="error when running the callback: ZeroDivisionError: "
    ) as caught:
        failing.wait()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(RuntimeError, match="Future can't be None"):
        collect_all([future, None])  # type: ignore[list-item]
    with pytest.raises(RuntimeError, match=r"Can not pickle torch.futures.Future"):
        pickle.dumps(future)
    with pytest.raises(RuntimeError, match="can only be marked completed once"):
        future.set_result(3)


def test_futures_callback_that_fails(capfd: pytest.CaptureFixture[str]) -> None:
    from torch.futures import Future

    future: Future[int] = Future()
    future.add_done_callback(lambda done: done.value() // 0)
    later = future.then(lambda done: done.value() + 1)
    future.set_result(1)
    assert later.done() and later.value() == 2
    future.add_done_callback(lambda done: done.value() // 0)
    assert capfd.readouterr().err.count("ZeroDivisionError") == 2
    with pytest.raises(TypeError, match="callback must be callable, not int"):
        future.then(3)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="x is of type <class 'str'>, not an Exception"):
        future.set_exception("x")  # type: ignore[arg-type]


def _fill(index: int, tensor: torch.Tensor, queue: Any) -> None:
    tensor.fill_(index)
    queue.put((index, tensor.sum().item()))


def _fail(index: int) -> None:
    if index == 1:
        raise ValueError("the second fails")


def _leave(index: int) -> None:
    os._exit(7)


def test_processes() -> None:
    from torch import multiprocessing as mp

    queue: Any = mp.get_context("spawn").Queue()
    mp.spawn(_fill, (torch.zeros(3), queue), nprocs=2)
    assert sorted(queue.get() for _ in range(2)) == [(0, 0.0), (1, 3.0)]
    with pytest.raises(mp.ProcessRaisedException, match="the second fails") as raised:
        mp.spawn(_fail, nprocs=2)
    assert raised.value.error_index == 1
    with pytest.raises(mp.ProcessExitedException, match="terminated with exit code 7") as exited:
        mp.start_processes(_leave, start_method="fork")
    assert exited.value.exit_code == 7
    with pytest.raises(ValueError, match="there are: file_descriptor, file_system"):
        mp.set_sharing_strategy("telepathy")


def test_hub(tmp_path: Any, capsys: Any) -> None:
    import hashlib

    from torch import hub

    (tmp_path / "hubconf.py").write_text(
        'dependencies = ["math"]\n\ndef net(n, bias=True):\n    "A layer."\n'
        "    import torch\n    return torch.nn.Linear(n, n, bias=bias)\n"
    )
    assert hub.load(str(tmp_path), "net", 2, source="local", bias=False).bias is None
    assert hub.list(str(tmp_path), source="local") == ["net"]
    assert hub.help(str(tmp_path), "net", source="local") == "A layer."
    with pytest.raises(RuntimeError, match="Cannot find callable other in hubconf"):
        hub.load(str(tmp_path), "other", source="local")
    with pytest.raises(ValueError, match="wanted a directory with a hubconf.py"):
        hub.load(str(tmp_path / "nowhere"), "net", source="local")
    with pytest.raises(ValueError, match='Allowed values: "github" | "local"'):
        hub.load(str(tmp_path), "net", source="elsewhere")

    torch.save({"w": torch.ones(2)}, tmp_path / "net.pt")
    data = (tmp_path / "net.pt").read_bytes()
    named = tmp_path / f"net-{hashlib.sha256(data).hexdigest()[:8]}.pt"
    named.write_bytes(data)
    kept = str(tmp_path / "kept")
    load = hub.load_state_dict_from_url
    loaded = load(named.as_uri(), model_dir=kept, progress=False, check_hash=True)
    assert loaded["w"].tolist() == [1, 1]
    wrong = tmp_path / "net-00000000.pt"
    wrong.write_bytes(data)
    with pytest.raises(RuntimeError, match='invalid hash value .expected "00000000"'):
        load(wrong.as_uri(), model_dir=kept, progress=False, check_hash=True)
    assert [p.name for p in (tmp_path / "kept").iterdir()] == [named.name]
    capsys.readouterr()
    hub.download_url_to_file(named.as_uri(), str(tmp_path / "again.pt"))
    assert "100" in capsys.readouterr().err
    with hub.tqdm(total=8) as bar:
        bar.update(2)
        bar.update(4)
    assert bar.n == 6
    assert "75" in capsys.readouterr().err
    with hub.tqdm(total=8, disable=True) as bar:
        bar.update(8)
    assert not capsys.readouterr().err


def test_old_names_of_mixed_precision_on_the_processor() -> None:
    with pytest.warns(FutureWarning, match=r"use `torch.amp.autocast\('cpu', args...\)`"):
        context = torch.cpu.amp.autocast()
    with context:
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.bfloat16


def test_warnings_name_the_line_of_the_program() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.compiler._warn.cache_clear()
        torch.compile(_leave)
    assert [warning.filename for warning in caught] == [__file__]


_PAGE = Path(os.environ["PAGE"]).read_text(encoding="utf-8")


def _rows(title: str) -> list[list[str]]:
    """The cells of a table of docs/python.md, by the title of its first column."""
    text = _PAGE.partition(f"| {title} |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    assert rows
    return rows


def test_the_table_of_modules_is_true() -> None:
    named: set[str] = set()
    for modules, state, _ in _rows("Module"):
        for name in re.findall(r"`torch\.([\w.]+)`", modules):
            spec = importlib.util.find_spec(f"torch.{name}")
            assert spec is not None and spec.origin is not None, name
            source = Path(spec.origin).read_text(encoding="utf-8")
            refuses = "_absent.names_of(" in source
            assert refuses == (state in ("refuses", "runs in Python")), f"{name}: {state}"
            named.add(f"torch.{name}".partition(".")[2].split(".")[0])
    package = Path(torch.__path__[0])
    written = {
        path.relative_to(package).parts[0].removesuffix(".py")
        for path in package.rglob("*.py")
        if "_absent.names_of(" in path.read_text(encoding="utf-8")
    }
    assert written <= named, f"docs/python.md has no row for {sorted(written - named)}"


def test_the_table_of_absent_names_is_true() -> None:
    for part, examples, _ in _rows("Absent"):
        names = re.findall(r"`([\w.]+)`", examples)
        assert names, part
        for name in names:
            owner, _, last = name.rpartition(".")
            owner = {"nn": "torch.nn", "Tensor": "torch.Tensor"}.get(owner, owner)
            assert last in _absent.names(owner), name


def test_streams_and_events_of_the_processor() -> None:
    assert issubclass(torch.cuda.Stream, torch.Stream)
    assert issubclass(torch.cuda.Event, torch.Event)
    stream = torch.Stream("cpu")
    event = torch.Event("cpu", enable_timing=True)
    assert str(stream) == "torch.Stream device_type=cpu, device_index=-1, stream_id=0"
    assert str(event) == "torch.Event device_type=cpu, device_index=-1, event_flag=1, event_id=0"
    assert stream.query() and event.query() and stream.device == event.device == torch.device("cpu")
    assert stream == torch.Stream("cpu") and hash(stream) == hash(torch.Stream("cpu"))
    with stream as entered:
        assert entered is stream
    stream.wait_event(event)
    for refused in (stream.record_event, event.record, lambda: event.elapsed_time(event)):
        with pytest.raises(RuntimeError, match="cpu backend doesn't support events"):
            refused()
    with pytest.raises(ValueError, match="'enable_timing=True'"):
        event.elapsed_time(torch.Event("cpu"))  # type: ignore[arg-type]
    for cls in (torch.Stream, torch.Event):
        with pytest.raises(RuntimeError, match="not linked with support for xpu devices"):
            cls("xpu")
        with pytest.raises(TypeError, match="'device' .* must be torch.device, not float"):
            cls(1.5)
        if not torch.accelerator.is_available():
            assert cls().device == torch.device("cpu")
            with pytest.raises(RuntimeError, match="Cannot access accelerator device"):
                cls(0)


def test_no_tracing_state() -> None:
    assert torch._C._get_tracing_state() is None  # type: ignore[attr-defined]
    assert torch._C._is_tracing() is False  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(_absent.TORCHSCRIPT_CLASSES))
def test_classes_of_torchscript_can_be_named(name: str) -> None:
    cls = getattr(torch, name)
    assert cls is getattr(torch._C, name)
    assert not isinstance(torch.ones(1), cls)
    with pytest.raises(NotImplementedError, match=f"torch.{name}: .* without TorchScript"):
        cls()


def test_a_name_that_the_extension_lacks() -> None:
    with pytest.raises(AttributeError, match="module 'torch._C' has no attribute 'NoSuchName'"):
        _ = torch._C.NoSuchName  # type: ignore[attr-defined]


def test_marks_of_the_compiler_take_its_arguments() -> None:
    x = torch.ones(2)
    for mark in (
        lambda: torch._dynamo.mark_dynamic(x, 0, min=1, max=4),
        lambda: torch._dynamo.maybe_mark_dynamic(x, 0),
        lambda: torch._dynamo.mark_static(x),
        lambda: torch._dynamo.mark_static_address(x, guard=True),
    ):
        mark()
    with pytest.raises(TypeError, match="mark_static_address expects a tensor but received"):
        torch._dynamo.mark_static_address(1)


def test_index_of_a_device() -> None:
    index = torch._utils._get_device_index
    assert [index(3), index("cuda:1"), index(torch.device("cuda", 2))] == [3, 1, 2]
    assert index("cpu", allow_cpu=True) == -1
    with pytest.raises(ValueError, match="Expected a non cpu device, but got: cpu"):
        index("cpu")
    with pytest.raises(ValueError, match="a specified index or an integer, but got:cuda"):
        index("cuda")


def test_modules_are_attributes_without_an_import() -> None:
    names = [
        "torch.autograd.profiler",
        "torch.cuda.amp.grad_scaler",
        "torch.fx.node",
        "torch.nn.attention",
        "torch.nn.modules.utils",
        "torch.optim.sparse_adam",
        "torch.utils.deterministic",
    ]
    code = f"import sys, torch; {'; '.join(names)}; print(all(n in sys.modules for n in {names}))"
    done = run(code)
    assert done.stdout.strip() == "True", done.stderr


def test_the_types_of_sizes_can_be_imported() -> None:
    from torch.nn import common_types

    assert common_types._size_2_t == int | tuple[int, int]
