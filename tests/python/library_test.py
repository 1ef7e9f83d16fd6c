"""torch.library: operators, kernels and derivatives that Python registers."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import copy
import doctest
from collections.abc import Sequence
from typing import Any, Optional

import pytest
import torch
from torch import Tensor
from torch.library import Library, custom_op, infer_schema, opcheck


def make_cube(name: str) -> Any:
    @custom_op(name, mutates_args=())
    def cube(x: Tensor, times: float = 1.0) -> Tensor:
        return x**3 * times

    @cube.register_fake
    def _(x: Tensor, times: float = 1.0) -> Tensor:
        return torch.empty_like(x)

    def keep(ctx: Any, inputs: Any, output: Tensor) -> None:
        x, ctx.times = inputs
        ctx.save_for_backward(x)

    def backward(ctx: Any, grad: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2 * ctx.times, None

    cube.register_autograd(backward, setup_context=keep)
    return cube


def test_schemas_are_objects() -> None:
    op = torch.ops.aten.sum.dim_IntList
    schema = op._schema
    assert str(schema).startswith("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim")
    assert (schema.name, schema.overload_name) == ("aten::sum", "dim_IntList")
    assert [(a.name, str(a.type), a.kwarg_only) for a in schema.arguments] == [
        ("self", "Tensor", False),
        ("dim", "Optional[List[int]]", False),
        ("keepdim", "bool", False),
        ("dtype", "Optional[int]", True),
    ]
    _, dim, keepdim, dtype = schema.arguments
    assert (dim.N, dim.has_default_value(), dim.type.kind()) == (1, False, "OptionalType")
    assert dim.type.getElementType().kind() == "ListType"
    assert (keepdim.has_default_value(), keepdim.default_value) == (True, False)
    assert (str(dtype.real_type), dtype.has_default_value()) == ("Optional[ScalarType]", True)
    assert [str(r.type) for r in schema.returns] == ["Tensor"]
    assert not schema.is_mutable
    assert schema == op._schema
    assert hash(schema) == hash(op._schema)
    with pytest.raises(RuntimeError, match="contains no other type"):
        keepdim.type.getElementType()


def test_what_operators_are_called() -> None:
    op = torch.ops.aten.add.Tensor
    assert (op.name(), op.namespace, op.__name__) == ("aten::add.Tensor", "aten", "add.Tensor")
    assert op.overloadpacket is torch.ops.aten.add
    assert torch.ops.aten.relu.default.name() == "aten::relu"
    assert repr(op) == "<OpOverload(op='aten.add', overload='Tensor')>"
    assert repr(op.overloadpacket) == "<OpOverloadPacket(op='aten.add')>"
    assert "Tensor" in list(torch.ops.aten.add)
    assert copy.deepcopy(op) is op


def test_schemas_say_what_is_shared() -> None:
    out = torch.ops.aten.add.out
    assert out._schema.is_mutable
    assert [a.name for a in out._schema.arguments if a.is_out] == ["out"]
    split = torch.ops.aten.split.Tensor
    info = split._schema.arguments[0].alias_info
    assert (info.is_write, info.before_set, info.after_set) == (False, {"a"}, {"*"})
    assert split._schema.returns[0].alias_info is not None
    assert split.is_view
    assert not out.is_view
    assert not torch.ops.aten.relu.default.is_view
    padding = torch.ops.aten.avg_pool2d.default._schema.arguments[3]
    assert (padding.default_value, padding.N) == ([0, 0], 2)
    named = torch.ops.aten.max.dim._schema.returns
    assert [r.name for r in named] == ["values", "indices"]


def test_changed_arguments_after_a_default_list() -> None:
    library = Library("library_test_defaults", "FRAGMENT")
    library.define("put(int[2] n=[1, 1], *, Tensor(a!) out) -> ()")
    op = torch.ops.library_test_defaults.put.default
    assert [a.name for a in op._schema.arguments] == ["n", "out"]
    assert [a.is_write for a in op._schema.arguments] == [False, True]


def test_an_operator_of_a_function() -> None:
    cube = make_cube("library_test::cube")
    x = torch.randn(3, dtype=torch.float64)
    torch.testing.assert_close(cube(x, 2.0), 2 * x**3)
    torch.testing.assert_close(cube(x), x**3)
    torch.testing.assert_close(torch.ops.library_test.cube(x, times=2.0), 2 * x**3)
    torch.testing.assert_close(torch.ops.library_test.cube.default(x), x**3)
    assert torch.ops.library_test.cube.default is torch.ops.library_test.cube.default
    assert cube(torch.empty(4, device="meta")).shape == (4,)
    assert torch.autograd.gradcheck(cube, (x.clone().requires_grad_(), 3.0))
    assert torch.autograd.gradgradcheck(cube, (x.clone().requires_grad_(), 3.0))
    assert not cube(x).requires_grad
    with torch.no_grad():
        assert not cube(x.clone().requires_grad_()).requires_grad
    assert opcheck(cube, (x.clone().requires_grad_(), 2.0)) == {
        "test_schema": "SUCCESS",
        "test_autograd_registration": "SUCCESS",
        "test_faketensor": "SUCCESS",
    }
    with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor'"):
        cube(1)


def test_tags() -> None:
    lib = Library("library_tags", "DEF")
    lib.define("one(Tensor x) -> Tensor", tags=torch.Tag.core)
    lib.define("two(Tensor x) -> Tensor", tags=[torch.Tag.view_copy, torch.Tag.pointwise])
    lib.define("none(Tensor x) -> Tensor")
    torch.library.define("library_tags::three", "(Tensor x) -> Tensor", tags=(torch.Tag.core,))
    ops = torch.ops.library_tags
    assert ops.one.default.tags == [torch.Tag.core]
    assert ops.two.default.tags == [torch.Tag.view_copy, torch.Tag.pointwise]
    assert ops.none.default.tags == []
    assert ops.three.default.tags == [torch.Tag.core]
    for wrong in ("core", ["core"], [16]):
        with pytest.raises(TypeError, match="tags must be a torch.Tag or a sequence of them"):
            lib.define("four(Tensor x) -> Tensor", tags=wrong)

    @custom_op("library_tags::five", mutates_args=(), tags=torch.Tag.reduction)
    def five(x: Tensor) -> Tensor:
        return x.sum()

    assert ops.five.default.tags == [torch.Tag.pt2_compliant_tag, torch.Tag.reduction]
    assert torch.Tag.pointwise in torch.ops.aten.add.Tensor.tags
    assert torch.Tag.nondeterministic_seeded in torch.ops.aten.bernoulli.default.tags
    # The numbers are PyTorch's: extensions of the stable C interface pass them.
    assert [int(torch.Tag[name]) for name in ("core", "pointwise", "view_copy")] == [0, 16, 19]
    assert (repr(torch.Tag.core), str(torch.Tag.core)) == ("<Tag.core: 0>", "Tag.core")


def test_lists_several_results_and_words() -> None:
    @custom_op("library_test::sums", mutates_args=())
    def sums(xs: Sequence[Tensor], scale: int, *, name: str = "a") -> tuple[Tensor, Tensor]:
        assert name in ("a", "b")
        total = torch.stack(list(xs)).sum(0)
        return total * scale, total.abs()

    def keep(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
        ctx.count, ctx.scale = len(inputs[0]), inputs[1]
        assert keyword_only_inputs == {"name": "b"}

    def backward(ctx: Any, first: Tensor, second: Tensor) -> Any:
        return [first * ctx.scale] * ctx.count, None

    sums.register_autograd(backward, setup_context=keep)
    xs = [torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)]
    first, second = sums(xs, 3, name="b")
    assert first.tolist() == [6, 6]
    assert second.tolist() == [2, 2]
    first.sum().backward()
    assert [x.grad.tolist() for x in xs if x.grad is not None] == [[3, 3], [3, 3]]


def test_operators_that_change_inputs() -> None:
    @custom_op("library_test::add_one_", mutates_args={"x"})
    def add_one_(x: Tensor) -> None:
        x.add_(1)

    x = torch.zeros(2)
    version = x._version
    assert add_one_(x) is None
    assert x.tolist() == [1, 1]
    assert x._version > version
    with pytest.raises(RuntimeError, match="Cannot register autograd formula for non-functional"):
        add_one_.register_autograd(lambda ctx, grad: grad)


def test_what_is_wrong_is_said() -> None:
    @custom_op("library_test::same", mutates_args=())
    def same(x: Tensor) -> Tensor:
        return x

    with pytest.raises(RuntimeError, match="may not alias any inputs"):
        same(torch.ones(1))
    with pytest.raises(NotImplementedError, match="There was no fake impl registered"):
        same(torch.ones(1, device="meta"))

    @custom_op("library_test::bare", mutates_args=())
    def bare(x: Tensor) -> Tensor:
        return x * 2

    result = bare(torch.ones(1, requires_grad=True))
    with pytest.raises(RuntimeError, match="no autograd formula was registered"):
        result.backward()

    @custom_op("library_test::liar", mutates_args=())
    def liar(x: Tensor) -> Tensor:
        x.add_(1)
        return x.clone()

    with pytest.raises(torch.library.OpCheckError, match="not defined to mutate but was mutated"):
        opcheck(liar, (torch.ones(1),))

    @custom_op("library_test::two", mutates_args=(), schema="(Tensor x) -> (Tensor, Tensor)")
    def two(x):  # type: ignore[no-untyped-def]
        return x.clone()

    with pytest.raises(RuntimeError, match="has to return a tuple of 2"):
        two(torch.ones(1))
    with pytest.raises(ValueError, match="namespace::name"):
        custom_op("alone", mutates_args=())(lambda x: x)

    @custom_op("library_test::fails", mutates_args=())
    def fails(x: Tensor) -> Tensor:
        raise KeyError("from Python")

    with pytest.raises(KeyError, match="from Python"):
        fails(torch.ones(1))


def test_kernels_by_device() -> None:
    @custom_op("library_test::where", mutates_args=(), device_types="cpu")
    def where(x: Tensor) -> Tensor:
        return x + 1

    assert where(torch.zeros(1)).item() == 1

    @where.register_kernel("cpu")
    def _(x: Tensor) -> Tensor:
        return x + 2

    assert where(torch.zeros(1)).item() == 2


def test_a_kernel_is_turned_off_for_a_block() -> None:
    @custom_op("library_test::which", mutates_args=())
    def which(x: Tensor) -> Tensor:
        return x + 1

    which.register_kernel("cpu", lambda x: x + 2)
    x = torch.zeros(1)
    assert which(x).item() == 2
    with which.set_kernel_enabled("cpu", False):
        assert which(x).item() == 1
        with which.set_kernel_enabled("cpu"):
            assert which(x).item() == 2
        assert which(x).item() == 1
    assert which(x).item() == 2
    with (
        pytest.raises(ValueError, match="'tpu' is no device of kernels; choose of cpu"),
        which.set_kernel_enabled("tpu"),
    ):
        pass


def test_inputs_are_cast_where_autocast_is_on() -> None:
    cube = make_cube("library_test::cube_cast")
    cube.register_autocast("cpu", torch.bfloat16)
    x = torch.full((2,), 1.5, requires_grad=True)
    assert cube(x).dtype == torch.float32
    with torch.autocast("cpu"):
        found = cube(x, 2.0)
        assert cube(x.double()).dtype == torch.float64
    assert found.dtype == torch.bfloat16
    found.sum().backward()
    assert x.grad is not None
    assert (x.grad.dtype, x.grad.tolist()) == (torch.float32, [13.5, 13.5])
    with pytest.raises(ValueError, match="Unknown device type: tpu; choose cpu or cuda"):
        torch.library.register_autocast("library_test::cube_cast", "tpu", torch.bfloat16)

    lib = Library("library_test_cast", "FRAGMENT")
    lib.define("same(Tensor x) -> Tensor")
    lib.impl("same", lambda x: x.clone(), "CPU")
    torch.library.register_autocast("library_test_cast::same", "cpu", torch.float16)
    with torch.autocast("cpu"):
        assert torch.ops.library_test_cast.same(torch.ones(1)).dtype == torch.float16


def test_vmap_calls_an_operator_with_a_rule() -> None:
    cube = make_cube("library_test::cube_vmap")

    @cube.register_vmap
    def rule(info: Any, in_dims: Any, x: Tensor, times: float = 1.0) -> Any:
        return cube(x, times), in_dims[0]

    assert torch.library.register_vmap("library_test::cube_vmap", rule) is rule
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(torch.vmap(cube, in_dims=1, out_dims=1)(x), x**3)
    with pytest.raises(RuntimeError, match="library_test::nothing"):
        torch.library.register_vmap("library_test::nothing", rule)


def test_defining_again_replaces() -> None:
    for value in (1, 2):

        @custom_op("library_test::again", mutates_args=())
        def again(x: Tensor, value: int = value) -> Tensor:
            return x + value

        assert torch.ops.library_test.again(torch.zeros(1)).item() == value


def test_libraries() -> None:
    library = Library("library_test_plain", "DEF")
    assert library.define("mul_add(Tensor x, Tensor y, *, float z=2) -> Tensor") == "mul_add"
    library.impl("mul_add", lambda x, y, z: x * y + z, "CPU")
    x = torch.ones(2)
    assert torch.ops.library_test_plain.mul_add(x, 2 * x, z=5.0).tolist() == [7, 7]
    with pytest.raises(RuntimeError, match="already a kernel registered from python"):
        library.impl("mul_add", lambda x, y, z: x, "CPU")
    with pytest.raises(TypeError, match="required to be a callable"):
        library.impl("mul_add", 3, "CUDA")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Unsupported kind"):
        Library("library_test_plain", "OTHER")
    with pytest.raises(ValueError, match="reserved namespace"):
        Library("prim", "DEF")
    with pytest.raises(RuntimeError, match="library_test_plain"):
        Library("library_test_plain", "DEF")
    # CompositeImplicitAutograd is what a kernel without a key is: autograd sees what it calls.
    library.define("square_all(Tensor[] xs) -> Tensor[]")
    library.impl("square_all", lambda xs: [x * x for x in xs])
    y = torch.full((1,), 3.0, requires_grad=True)
    torch.ops.library_test_plain.square_all([y])[0].backward()
    assert y.grad is not None
    assert y.grad.item() == 6
    library._destroy()
    with pytest.raises(AttributeError, match="mul_add"):
        _ = torch.ops.library_test_plain.mul_add
    Library("library_test_plain", "DEF")


def test_functions_for_operators_of_any_origin() -> None:
    torch.library.define("library_test_any::sin2", "(Tensor x) -> Tensor")

    @torch.library.impl("library_test_any::sin2", "cpu")
    def sin2(x: Tensor) -> Tensor:
        return (2 * x).sin()

    @torch.library.register_fake("library_test_any::sin2")
    def _(x: Tensor) -> Tensor:
        return torch.empty_like(x)

    torch.library.register_autograd(
        "library_test_any::sin2",
        lambda ctx, grad: 2 * grad * (2 * ctx.saved_tensors[0]).cos(),
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
    )
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    op = torch.ops.library_test_any.sin2
    assert torch.autograd.gradcheck(op, x)
    assert op(torch.empty(2, device="meta")).shape == (2,)
    opcheck(op.default, (x,))


def test_schemas_of_annotations() -> None:
    def f(
        x: Tensor,
        xs: list[Tensor],
        n: int,
        s: Optional[float] = None,  # noqa: UP045
        t: Tensor | None = None,
        b: bool = True,
        *,
        name: str = "a",
        d: torch.dtype = torch.float32,
    ) -> tuple[Tensor, int]:
        raise AssertionError

    assert infer_schema(f, mutates_args={"x"}) == (
        "(Tensor(a0!) x, Tensor[] xs, SymInt n, float? s=None, Tensor? t=None, bool b=True, *, "
        'str name="a", ScalarType d=float32) -> (Tensor, SymInt)'
    )

    def g(x: Tensor, y: dict[str, int]) -> None: ...

    with pytest.raises(ValueError, match="Parameter y has the type"):
        infer_schema(g, mutates_args=())

    def h(x) -> None:  # type: ignore[no-untyped-def]
        ...

    with pytest.raises(ValueError, match="must have a type annotation"):
        infer_schema(h, mutates_args=())


def test_doctests_of_the_module() -> None:
    results = doctest.testmod(torch.library, extraglobs={"torch": torch})
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("mutates_args", [("x", "y", "z"), "unknown"])
def test_all_kinds_of_changed_tensors_have_a_new_version(mutates_args: Any) -> None:
    name = f"library_test::change_{len(mutates_args)}"

    @torch.library.custom_op(name, mutates_args=mutates_args)
    def change(x: torch.Tensor, y: torch.Tensor | None, z: list[torch.Tensor]) -> None:
        x.numpy()[:] = 0  # Nothing but the schema says that it changes.

    tensors = [torch.ones(1) for _ in range(3)]
    change(tensors[0], tensors[1], [tensors[2]])
    assert tensors[0].item() == 0
    assert [t._version for t in tensors] == [1, 1, 1]
    arguments = change._opoverload._schema.arguments
    assert all(a.is_write for a in arguments)
    w = torch.ones(1, requires_grad=True)
    product = w * tensors[0]
    change(tensors[0], None, [])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_tensors_that_only_a_name_gives_are_refused() -> None:
    # `backward` returns gradients by position: theirs would be lost.
    def scale(x: Tensor, *, by: Tensor) -> Tensor:
        return x * by

    with pytest.raises(
        NotImplementedError,
        match=r"custom_op with kwarg-only.*Got: scale\(Tensor x, \*, Tensor by\)",
    ):
        custom_op("library_test::scale", scale, mutates_args=())
    torch.library.define("library_test::scale", "(Tensor x, *, Tensor? by=None) -> Tensor")
    for register in (torch.library.register_autograd, torch.library.register_vmap):
        with pytest.raises(
            NotImplementedError, match=f"{register.__name__} with kwarg-only Tensor"
        ):
            register("library_test::scale", lambda *_: None)


def test_decompositions() -> None:
    aten = torch.ops.aten
    x = torch.randn(3, requires_grad=True)
    square = aten.square.default
    assert square.has_kernel_for_dispatch_key("CompositeImplicitAutograd")
    assert torch.equal(square.decompose(x), x * x)
    assert aten.mul.Tensor.decompose(x, x) is NotImplemented
    assert aten.mul.Tensor.has_kernel_for_dispatch_key("CPU")


def test_what_a_custom_operator_changes_must_agree_with_its_schema() -> None:
    def change(x: Tensor) -> None:
        x.add_(1)

    with pytest.raises(ValueError, match="must either be a sequence of the names"):
        custom_op("library_test::change", change, mutates_args="x")
    with pytest.raises(ValueError, match="{'y'} in mutates_args were not found"):
        custom_op("library_test::change", change, mutates_args={"y"})
    for names, schema, said in (
        ({"x"}, "(Tensor x) -> ()", r"set\(\)"),
        ((), "(Tensor(a!) x) -> ()", "{'x'}"),
    ):
        with pytest.raises(ValueError, match=f"The schema suggests that the op mutates {said}"):
            custom_op("library_test::change", change, mutates_args=names, schema=schema)


def test_names_and_devices_of_library_functions_are_checked() -> None:
    with pytest.raises(ValueError, match="expected schema to look like"):
        torch.library.define("library_test::named", "named(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        torch.library.impl("library_test::named", "somethingsomething")

    def silent(x: Tensor):  # type: ignore[no-untyped-def]
        return x

    with pytest.raises(ValueError, match="No return type annotation was provided"):
        torch.library.infer_schema(silent)


def test_operators_without_tensors_run_on_the_device_that_they_name() -> None:
    @custom_op("library_test::made", mutates_args=(), device_types="cpu")
    def made(size: int, device: torch.device) -> Tensor:
        return torch.ones(size, device=device)

    assert made(2, "cpu").tolist() == [1, 1]
    assert made(device=torch.device("cpu"), size=2).tolist() == [1, 1]
    made.register_fake(lambda size, device: torch.empty(size, device="meta"))
    assert made(3, "meta").shape == (3,)
    with pytest.raises(RuntimeError, match="made does not have a kernel registered for cuda"):
        made(2, "cuda")

    @custom_op("library_test::number", mutates_args=())
    def number(device: torch.device) -> Tensor:
        return torch.zeros(())

    number.register_kernel("cpu", lambda device: torch.ones(()))
    assert number("cpu") == 1 and number("cuda") == 0
    with number.set_kernel_enabled("cpu", False):
        assert number("cpu") == 0

    @custom_op("library_test::nothing", mutates_args=())
    def nothing() -> Tensor:
        return torch.ones(())

    assert nothing() == 1
    with pytest.raises(ValueError, match="have a `device: torch.device` argument"):
        nothing.register_kernel("cpu", lambda: torch.zeros(()))


def test_checks_of_registrations() -> None:
    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Any:
            return grad * 0.5

    lib = Library("library_registrations_test", "DEF")
    lib.define("low(Tensor x) -> Tensor")
    lib.impl("low", Half.apply, "CPU")
    lib.impl("low", lambda x: x.clone(), "Meta")
    low = torch.ops.library_registrations_test.low.default
    with pytest.raises(Exception, match="does not have an autograd kernel"):
        opcheck(low, (torch.ones(2, requires_grad=True),))
    lib.define("made(Tensor x) -> Tensor")
    lib.impl("made", lambda x: x.sin(), "CompositeImplicitAutograd")
    with pytest.raises(RuntimeError, match="CompositeImplicitAutograd operators do not need a fa"):
        torch.library.register_fake("library_registrations_test::made", lambda x: x, lib=lib)
    lib._destroy()


def test_operators_of_triton_kernels() -> None:
    class Kernel:
        """As triton.jit makes them."""

        def run(self, x: Tensor, out: Tensor) -> None:
            out.copy_(x * 3)

    kernel = Kernel()

    @torch.library.triton_op("library_triton::thrice", mutates_args=())
    def thrice(x: Tensor) -> Tensor:
        out = torch.empty_like(x)
        torch.library.wrap_triton(kernel).run(x, out)
        return out

    thrice.register_autograd(lambda ctx, grad: grad * 3)
    x = torch.ones(2, requires_grad=True)
    torch.ops.library_triton.thrice(x).sum().backward()
    assert thrice(x).tolist() == [3, 3] and x.grad is not None and x.grad.tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="annotated with triton.jit or triton.autotune"):
        torch.library.wrap_triton(lambda x: x)
