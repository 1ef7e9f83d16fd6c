"""derivatives.yaml: what is read, what is refused, what is generated."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tools.codegen.autograd import files
from tools.codegen.autograd_functions import node_apply, node_class
from tools.codegen.autograd_model import (
    Derivatives,
    NodeInfo,
    called_functions,
    identifiers,
    node_prefix,
    unbalanced,
)
from tools.codegen.autograd_parse import load_derivatives
from tools.codegen.autograd_variable_type import variable_type_cpp
from tools.codegen.autograd_views import ad_inplace_or_view_cpp
from tools.codegen.context import Context, Options
from tools.codegen.parse import ParsedYaml, parse_native_yaml
from tools.codegen.problems import CodegenError

OPS = """\
- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  dispatch: {CPU: add}
- func: add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  dispatch: {CPU: add_}
- func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  dispatch: {CPU: add_out}
- func: pow(Tensor self, Scalar exponent) -> Tensor
  dispatch: {CPU: pow}
- func: pow_(Tensor(a!) self, Scalar exponent) -> Tensor(a!)
  dispatch: {CPU: pow_}
- func: exp(Tensor self) -> Tensor
  dispatch: {CPU: exp}
- func: exp_(Tensor(a!) self) -> Tensor(a!)
  dispatch: {CPU: exp_}
- func: cat(Tensor[] tensors, int dim=0) -> Tensor
  dispatch: {CPU: cat}
- func: max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)
  dispatch: {CPU: max}
- func: select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)
  dispatch: {CPU: select}
- func: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  dispatch: {CPU: unbind}
- func: eq.Tensor(Tensor self, Tensor other) -> Tensor
  dispatch: {CPU: eq}
- func: erf(Tensor self) -> Tensor
  dispatch: {CPU: erf}
- func: matmul(Tensor self, Tensor other) -> Tensor
- func: gather(Tensor self, int dim, Tensor index) -> Tensor
  dispatch: {CPU: gather}
"""

ENTRIES = """\
- name: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  self: grad
  other: maybe_multiply(grad, alpha)
  result: self_t + other_t
- name: pow(Tensor self, Scalar exponent) -> Tensor
  self: pow_backward(grad, self, exponent)
- name: exp(Tensor self) -> Tensor
  self: grad * result
- name: cat(Tensor[] tensors, int dim=0) -> Tensor
  tensors: cat_tensors_backward(grad, to_args_sizes_symint(tensors), dim)
- name: max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)
  self: max_backward(grad, dim, indices, self.sym_sizes(), self.size(0))
- name: select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)
  self: select_backward(grad, self.sizes(), dim, index)
- name: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  dispatch:
    Default:
      self: unbind_backward(grads, dim)
    AutogradNestedTensor:
      self: nested(grads)
- name: eq.Tensor(Tensor self, Tensor other) -> Tensor
  output_differentiability: [False]
"""


def ops() -> ParsedYaml:
    return parse_native_yaml("ops.yaml", "tags.yaml", text=OPS, tags_text="[]")


def load(text: str) -> Derivatives:
    return load_derivatives("derivatives.yaml", ops().functions, text)


def error(text: str) -> str:
    with pytest.raises(CodegenError) as caught:
        load(text)
    return str(caught.value)


def info(name: str, text: str = ENTRIES) -> NodeInfo:
    return next(i for i in load(text).infos if str(i.schema.name) == name)


def kernels(text: str = ENTRIES) -> str:
    return variable_type_cpp(load(text), 0, ops().functions)


def kernel(name: str, text: str = ENTRIES) -> str:
    """The text of one kernel."""
    match = re.search(rf"^[^\n]* {name}\(c10::DispatchKeySet ks.*?^}}", kernels(text), re.M | re.S)
    assert match is not None, name
    return match.group(0)


# ---- reading ----


def test_nodes_are_numbered_by_base_name_in_file_order() -> None:
    assert [i.op for i in load(ENTRIES).infos] == [
        "AddBackward0",
        "PowBackward0",
        "ExpBackward0",
        "CatBackward0",
        "MaxBackward0",
        "SelectBackward0",
        "UnbindBackward0",
        None,
    ]


def test_node_names() -> None:
    assert node_prefix("nll_loss_forward") == "NllLossBackward"
    assert node_prefix("_log_softmax") == "LogSoftmaxBackward"
    assert node_prefix("mse_loss") == "MseLossBackward"


def test_facts_are_saved_instead_of_tensors() -> None:
    node = info("max.dim")
    assert [(s.name, s.cpp_type) for s in node.saved] == [
        ("self_size_0", "int64_t"),
        ("self_sizes", "std::vector<int64_t>"),
        ("dim", "int64_t"),
        ("indices", "SavedVariable"),
    ]
    formula = node.derivatives[0].formula
    assert formula == "max_backward(grad, dim, indices, self_sizes, self_size_0)"


def test_grad_means_the_first_output() -> None:
    assert info("max.dim").outputs == (0,)
    both = ENTRIES.replace("max_backward(grad,", "max_backward(grads[0], grads[1],")
    assert info("max.dim", both).outputs == (0, 1)


def test_output_differentiability() -> None:
    assert info("eq.Tensor").outputs == ()
    assert info("eq.Tensor").output_differentiability == (False,)


def test_inplace_uses_the_functional_entry() -> None:
    derivatives = load(ENTRIES)
    inplace = next(f for f in ops().functions if str(f.func.name) == "add_.Tensor")
    found = derivatives.of(inplace)
    assert found is not None and found.op == "AddBackward0"


def test_names_in_formulas() -> None:
    formula = 'at::foo(grad, self.exp(), c10::bar::x, "text self", /* note */ n) * std::sqrt(2)'
    assert identifiers(formula) == ["grad", "self", "n"]
    assert called_functions(formula) == {"foo"}
    assert unbalanced("f(a[1], {2})") is None
    assert unbalanced('f("(")') is None


def test_derivative_of_a_derived_variant() -> None:
    parsed = parse_native_yaml(
        "ops.yaml",
        "tags.yaml",
        text="- func: f(Tensor self, Tensor(a!) x) -> Tensor\n  dispatch: {CPU: f}\n"
        "  autogen: f_functional, f.out\n",
        tags_text="[]",
    )
    text = "- name: f_functional(Tensor self, Tensor x) -> (Tensor, Tensor x_out)\n  self: grad\n"
    (info,) = load_derivatives("d.yaml", (*parsed.functions, *parsed.derived), text).infos
    assert str(info.schema.name) == "f_functional"


def test_derivatives_of_operators_that_are_left_out() -> None:
    parsed = parse_native_yaml(
        "ops.yaml", "tags.yaml", text="- func: f(Tensor self) -> Tensor\n", tags_text="[]"
    )
    text = "- name: g(Tensor self) -> Tensor\n  self: grad\n"
    derivatives = load_derivatives("d.yaml", parsed.functions, text, others=frozenset({"g"}))
    assert derivatives.infos == ()


# ---- refusing ----


def test_unknown_operator() -> None:
    text = error("- name: expp(Tensor self) -> Tensor\n  self: grad\n")
    assert "derivatives.yaml:1: error in 'expp': no operator of this name" in text
    assert "did you mean 'exp'?" in text


def test_changed_schema() -> None:
    text = error("- name: exp(Tensor self, int n) -> Tensor\n  self: grad\n")
    assert "the schema differs from native_functions.yaml" in text
    assert "there: exp(Tensor self) -> Tensor (ops.yaml:" in text


def test_composite() -> None:
    text = error("- name: matmul(Tensor self, Tensor other) -> Tensor\n  self: grad\n")
    assert "error in 'matmul': is a composite" in text
    assert "remove this entry" in text


def test_unreadable_schema() -> None:
    text = error("- name: exp(Tensr self) -> Tensor\n  self: grad\n")
    assert "unknown type 'Tensr'; did you mean 'Tensor'?" in text
    assert "^" in text


def test_unknown_argument() -> None:
    text = error("\n- name: exp(Tensor self) -> Tensor\n  sefl: grad\n")
    assert "derivatives.yaml:3: error in 'exp': no argument 'sefl'; did you mean 'self'?" in text


def test_argument_without_gradient() -> None:
    text = error("- name: pow(Tensor self, Scalar exponent) -> Tensor\n  exponent: grad\n")
    assert "'exponent' is of type Scalar; only tensors have gradients" in text


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("grad * (result", "'(' is never closed"),
        ("grad * result)", "')' without '('"),
        ("grad[0)", "')' without '('"),
        ('f(grad, "x)', "a string without its closing"),
        ("''", "it is empty"),
    ],
)
def test_formula_that_does_not_parse(formula: str, message: str) -> None:
    quoted = formula if formula == "''" else "'" + formula + "'"
    text = error(f"- name: exp(Tensor self) -> Tensor\n  self: {quoted}\n")
    assert "derivatives.yaml:2: error in 'exp': the formula of 'self' does not parse" in text
    assert message in text


def test_unknown_name_in_a_formula() -> None:
    text = error("- name: exp(Tensor self) -> Tensor\n  self: grad * selff\n")
    assert "uses unknown name 'selff'; did you mean 'self'?" in text


def test_formula_that_is_no_text() -> None:
    assert "expected a formula for 'self', got 3" in error(
        "- name: exp(Tensor self) -> Tensor\n  self: 3\n"
    )


def test_two_entries_for_one_operator() -> None:
    entry = "- name: exp(Tensor self) -> Tensor\n  self: grad * result\n"
    assert "has derivatives already, at derivatives.yaml:1" in error(entry + entry)


def test_output_differentiability_of_the_wrong_length() -> None:
    text = error("- name: exp(Tensor self) -> Tensor\n  output_differentiability: [True, False]\n")
    assert "expected a list of 1 values, one an output" in text


def test_all_mistakes_in_one_run() -> None:
    text = error(
        "- name: expp(Tensor self) -> Tensor\n  self: grad\n"
        "- name: exp(Tensor self) -> Tensor\n  sefl: grad\n"
    )
    assert text.endswith("2 errors")


def test_missing_file_option() -> None:
    context = Context.make(ops(), Options())
    with pytest.raises(CodegenError, match="pass --derivatives=FILE"):
        list(files(context))


# ---- generating ----


def test_node_releases_what_it_saved() -> None:
    text = node_class(info("pow"))
    assert "SavedVariable self_;" in text
    assert "self_.reset_data();" in text
    assert "at::Scalar exponent_{};" in text
    assert "release_variables" not in node_class(info("add.Tensor"))


def test_apply_computes_only_what_is_wanted() -> None:
    text = node_apply(info("add.Tensor"))
    assert "if (task_should_compute_output({other_ix})) {" in text
    assert "copy_range(grad_inputs, other_ix, maybe_multiply(grad, alpha));" in text


def test_apply_unpacks_outputs_with_their_node() -> None:
    assert "result_.unpack(shared_from_this())" in node_apply(info("exp"))
    assert "self_.unpack()" in node_apply(info("pow"))


def test_list_arguments_take_one_edge_a_tensor() -> None:
    assert "gen.range(tensors_size_)" in node_apply(info("cat"))
    assert "grad_fn->tensors_size_ = tensors.size();" in kernel("cat")


def test_kernel_saves_inputs_before_and_outputs_after() -> None:
    text = kernel("exp")
    assert text.index("redispatch") < text.index("set_history(result, grad_fn)")
    assert text.index("set_history") < text.index("SavedVariable(result, true)")
    assert kernel("pow").index("SavedVariable(self, false)") < kernel("pow").index("redispatch")


def test_an_argument_that_is_written_to_is_saved_afterwards() -> None:
    operators = (
        "- func: drop(Tensor self, Tensor(b!) noise, bool train) -> Tensor\n"
        "  dispatch: {CPU: drop}\n"
        "- func: fill_noise(Tensor(a!) noise) -> ()\n  dispatch: {CPU: fill_noise}\n"
    )
    entry = (
        "- name: drop(Tensor self, Tensor(b!) noise, bool train) -> Tensor\n"
        "  self: grad * noise * train\n"
    )
    parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=operators, tags_text="[]")
    derivatives = load_derivatives("derivatives.yaml", parsed.functions, text=entry)
    text = variable_type_cpp(derivatives, 0, parsed.functions)
    assert text.index("grad_fn->train_ = train") < text.index("redispatch")
    assert text.index("redispatch") < text.index("SavedVariable(noise, false)")
    assert text.count("SavedVariable(noise, false)") == 1
    # There is nothing to record of an operator that only writes.
    assert "fill_noise" not in text


def test_inplace_kernel_saves_the_overwritten_value() -> None:
    text = kernel("pow_")
    assert "original_self = self.clone();" in text
    assert "check_inplace_allowed(self, any_requires_grad);" in text
    assert "rebase_history(self, grad_fn);" in text
    assert "original_self" not in kernel("exp_")
    assert "SavedVariable(self, true, self.is_view())" in kernel("exp_")


def test_operator_without_derivative_records_a_refusal() -> None:
    assert 'new NotImplemented("aten::erf")' in kernel("erf")


def test_argument_without_derivative_may_not_require_grad() -> None:
    entry = "- name: gather(Tensor self, int dim, Tensor index) -> Tensor\n  self: f(grad, index)\n"
    check = 'check_no_requires_grad(index, "index", "gather");'
    assert check in kernel("gather", entry)
    assert check not in kernel("gather", entry + "  index: non_differentiable\n")


def test_out_kernel_refuses_to_record() -> None:
    text = kernel("add_out")
    assert "compute_requires_grad(self, other)" in text
    assert 'throw_error_out_requires_grad("add");' in text
    text = ad_inplace_or_view_cpp(ops().functions)
    assert "if (c10::GradMode::is_enabled() && out.requires_grad()) {" in text
    assert 'throw_error_out_requires_grad("add");' in text


def test_composites_and_logic_have_no_kernel() -> None:
    assert "matmul" not in kernels()
    assert '"eq.Tensor"' not in kernels()


def test_views_and_versions() -> None:
    text = ad_inplace_or_view_cpp(ops().functions)
    assert "as_view(self, std::move(tmp), /*is_differentiable=*/true, view_creation_meta(" in text
    assert "view_creation_meta(/*multiple_outputs=*/true)" in text
    assert "increment_version(self);" in text
    assert "increment_version(out);" in text
    assert '"exp"' not in text


def test_a_shard_includes_its_own_operators_only(tmp_path: Path) -> None:
    path = tmp_path / "derivatives.yaml"
    path.write_text(ENTRIES, encoding="utf-8")
    context = Context.make(ops(), replace(Options(), derivatives=path))
    texts = {f.path: f.render() for f in files(context)}
    assert "torch/csrc/autograd/generated/Functions.h" in texts
    for name, text in texts.items():
        if "VariableType_" in name:
            called = set(re.findall(r"at::_ops::(\w+)::redispatch", text))
            included = set(re.findall(r"ATen/ops/(\w+)_ops\.h", text))
            assert {c.split("_")[0] for c in called} == included


def test_the_tree_has_a_formula_or_a_reason_for_every_operator() -> None:
    """Every operator that needs a derivative has one: only these record NotImplemented."""
    root = Path("aten/src/ATen/native")
    parsed = parse_native_yaml(root / "native_functions.yaml", root / "tags.yaml")
    derivatives = load_derivatives("tools/autograd/derivatives.yaml", parsed.functions)
    text = variable_type_cpp(derivatives, 0, parsed.functions)
    missing = sorted(set(re.findall(r'new NotImplemented\("aten::(\w+)"\)', text)))
    # Steps and functions of integers and LDL factors, which PyTorch refuses too, what
    # SparseSemiStructuredTensor differentiates, what linalg.eigvals calls where
    # no gradient is wanted, and backward formulas that are not differentiated again.
    assert missing == [
        "__ilshift__",
        "__irshift__",
        "__lshift__",
        "__rshift__",
        "_addmm_activation",
        "_amp_update_scale_",
        "_convolution",
        "_cslt_compress",
        "_cslt_sparse_mm",
        "_ctc_loss_backward",
        "_dirichlet_grad",
        "_fused_rms_norm_backward",
        "_linalg_eigvals",
        "_sample_dirichlet",
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        "_standard_gamma_grad",
        "_thnn_fused_lstm_cell_backward_impl",
        "binomial",
        "bitwise_left_shift",
        "bitwise_left_shift_",
        "bitwise_right_shift",
        "bitwise_right_shift_",
        "floor_divide",
        "floor_divide_",
        "gcd",
        "gcd_",
        "lcm",
        "lcm_",
        "linalg_ldl_factor_ex",
        "linalg_ldl_solve",
        "logit_backward",
        "mish_backward",
        "multi_margin_loss_backward",
        "native_batch_norm_backward",
        "native_group_norm_backward",
        "native_layer_norm_backward",
        "silu_backward",
    ]


def test_every_node_is_compared_with_finite_differences() -> None:
    root = Path("aten/src/ATen/native")
    parsed = parse_native_yaml(root / "native_functions.yaml", root / "tags.yaml")
    derivatives = load_derivatives("tools/autograd/derivatives.yaml", parsed.functions)
    tests = "".join(
        Path(test).read_text(encoding="utf-8")
        for test in (
            "torch/csrc/autograd/derivatives_test.cpp",
            "tests/ops/derivatives_test.py",
            "tests/ops/linalg_test.py",
            "tests/ops/nn_derivatives_test.py",
        )
    )
    missing = [
        info.op
        for info in derivatives.infos
        if info.op is not None
        and info.op not in tests
        and not all(formula.is_not_implemented for formula in info.derivatives)
    ]
    assert missing == [], "compare them in tests/ops/derivatives_test.py"
