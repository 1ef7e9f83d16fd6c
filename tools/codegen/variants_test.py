"""What `autogen` derives: schemas, tags, and kernels that call what exists."""

from __future__ import annotations

from tools.codegen.composite_kernels import body, called_by
from tools.codegen.model import DispatchKey, FunctionSchema, NativeFunction
from tools.codegen.parse import ParsedYaml, parse_native_yaml
from tools.codegen.python_signatures import has_python_binding
from tools.codegen.variants import functional_schema, out_schema

TAGS = "- tag: core\n- tag: generated\n- tag: nondeterministic_seeded\n- tag: view_copy\n"


def parse(text: str) -> ParsedYaml:
    return parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text=TAGS)


def derived(text: str) -> dict[str, NativeFunction]:
    return {str(f.func.name): f for f in parse(text).derived}


def kernel(text: str, name: str, key: str = "CompositeExplicitAutograd") -> str:
    """The body of a generated kernel."""
    parsed = parse(text)
    by_name = {f.func.name: f for f in (*parsed.functions, *parsed.derived)}
    (f,) = (f for f in by_name.values() if str(f.func.name) == name)
    calls = called_by(f, DispatchKey(key), by_name)
    assert calls is not None
    return body(f, calls)


def test_out_schema_of_a_functional_one() -> None:
    factory = FunctionSchema.parse(
        "f.x(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
        "bool? pin_memory=None, int n=1) -> Tensor"
    )
    assert str(out_schema(factory)) == (
        "f.x_out(int[] size, *, int n=1, Tensor(a!) out) -> Tensor(a!)"
    )
    several = FunctionSchema.parse("f(Tensor(a) self) -> (Tensor, Tensor[], int)")
    assert str(out_schema(several)) == (
        "f.out(Tensor self, *, Tensor(b!) out0, Tensor(c!)[] out1) -> int"
    )


def test_schemas_of_functions_that_write() -> None:
    inplace = FunctionSchema.parse("f_(Tensor(a!) self, int n=1) -> Tensor(a!)")
    assert str(functional_schema(inplace)) == "f(Tensor self, int n=1) -> Tensor"
    assert str(out_schema(inplace)) == (
        "f.out(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)"
    )
    mutable = FunctionSchema.parse("f(Tensor self, Tensor(a!) count) -> Tensor")
    assert str(functional_schema(mutable)) == (
        "f_functional(Tensor self, Tensor count) -> (Tensor, Tensor count_out)"
    )
    assert str(out_schema(mutable)) == (
        "f.out(Tensor self, Tensor(a!) count, *, Tensor(b!) out) -> Tensor(b!)"
    )


def test_only_what_is_missing_is_derived() -> None:
    inplace = "- func: f_(Tensor(a!) self) -> Tensor(a!)\n  dispatch: {CPU: f_}\n"
    functional = "- func: f(Tensor self) -> Tensor\n  dispatch: {CPU: f}\n"
    assert set(derived(inplace + "  autogen: f, f.out\n")) == {"f", "f.out"}
    assert set(derived(inplace + "  autogen: f.out\n" + functional)) == {"f.out"}
    assert derived(inplace + functional) == {}
    assert derived(inplace) == {}
    # Nobody needs variants of what consists of other operators.
    assert derived("- func: f(Tensor self) -> Tensor\n  autogen: f.out\n") == {}


def test_derived_functions_are_marked() -> None:
    text = (
        "- func: f(Tensor self) -> Tensor\n  variants: function, method\n  dispatch: {CPU: f}\n"
        "  tags: [core, nondeterministic_seeded]\n  autogen: f.out\n"
    )
    f = derived(text)["f.out"]
    assert f.tags == {"generated", "nondeterministic_seeded", "out"}
    assert [v.value for v in f.variants] == ["function"]
    assert f.loc == parse(text).functions[0].loc


def test_kernels_of_an_in_place_operator() -> None:
    text = (
        "- func: f_(Tensor(a!) self, int n) -> Tensor(a!)\n  dispatch: {CPU: f_}\n"
        "  autogen: f, f.out\n"
    )
    assert kernel(text, "f") == (
        "  auto self_clone = at::impl::clone_argument(self);\n"
        "  at::_ops::f_::call(self_clone, n);\n"
        "  return self_clone;\n"
    )
    assert kernel(text, "f.out") == (
        "  auto result = at::_ops::f::call(self, n);\n"
        "  at::impl::copy_to_out(out, result);\n"
        "  return out;\n"
    )


def test_kernels_of_a_mutable_operator() -> None:
    text = (
        "- func: f(Tensor self, Tensor(a!) count) -> (Tensor, int)\n  dispatch: {CPU: f}\n"
        "  autogen: f_functional, f.out\n"
    )
    assert kernel(text, "f_functional") == (
        "  auto count_clone = at::impl::clone_argument(count);\n"
        "  auto result = at::_ops::f::call(self, count_clone);\n"
        "  return ::std::tuple<at::Tensor,int64_t,at::Tensor>"
        "(std::get<0>(result), std::get<1>(result), count_clone);\n"
    )
    # The given argument is written to, not a clone.
    assert kernel(text, "f.out") == (
        "  auto result = at::_ops::f::call(self, count);\n"
        "  at::impl::copy_to_out(out0, std::get<0>(result));\n"
        "  return std::get<1>(result);\n"
    )


def test_out_takes_the_options_of_the_given_tensor() -> None:
    text = (
        "- func: f(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
        "bool? pin_memory=None) -> Tensor\n  dispatch: {CPU: f}\n  autogen: f.out\n"
    )
    call = "f::call(n, out.scalar_type(), out.layout(), out.device(), ::std::nullopt);"
    assert call in kernel(text, "f.out")


def test_out_of_another_name_copies_what_the_functional_one_returns() -> None:
    text = (
        "- func: f(Tensor x, int n) -> (Tensor a, Tensor b)\n  dispatch: {CPU: f}\n"
        "- func: f.a(Tensor x, int n, *, Tensor(a!) result, Tensor(b!) b) -> (Tensor(a!) result, Tensor(b!) b)\n"
        "  dispatch: {CompositeExplicitAutograd: functional_result}\n"
    )
    assert kernel(text, "f.a") == (
        "  auto results = at::_ops::f::call(x, n);\n"
        "  at::impl::write_to_out(result, std::get<0>(results));\n"
        "  at::impl::write_to_out(b, std::get<1>(results));\n"
        "  return ::std::tuple<at::Tensor &,at::Tensor &>(result, b);\n"
    )
    (f,) = (f for f in parse(text).functions if str(f.func.name) == "f.a")
    # Unlike a derived variant it is for people.
    assert "generated" not in f.tags
    assert has_python_binding(f)


def test_copies_of_views() -> None:
    text = """\
- func: {name}.int(Tensor(a) self, int n) -> {returns}
  dispatch:
    CompositeExplicitAutograd: {name}
- func: {name}_copy.int(Tensor self, int n) -> {plain}
  dispatch:
    CompositeExplicitAutogradNonFunctional: {name}_copy
  tags: view_copy
"""
    key = "CompositeExplicitAutogradNonFunctional"
    one = text.format(name="part", returns="Tensor(a)", plain="Tensor")
    assert kernel(one, "part_copy.int", key) == (
        "  return at::impl::contiguous_copy(at::_ops::part_int::call(self, n));\n"
    )
    several = text.format(name="halves", returns="(Tensor(a), Tensor(a))", plain="(Tensor, Tensor)")
    assert "contiguous_copy(std::get<1>(views))" in kernel(several, "halves_copy.int", key)
