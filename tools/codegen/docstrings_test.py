"""Docstrings: what descriptions.yaml may say, and what the generator adds to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.codegen.context import Context, Options
from tools.codegen.docstrings import docstrings, read_descriptions
from tools.codegen.parse import parse_native_yaml
from tools.codegen.problems import CodegenError, Problems

_NATIVE = Path("aten/src/ATen/native")
_DERIVATIVES = Path("tools/autograd/derivatives.yaml")

_OPERATORS = """
- func: twice(Tensor self, *, Scalar by=2) -> Tensor
  variants: function, method
  dispatch:
    CPU: twice
    CUDA: twice_cuda
- func: twice_(Tensor(a!) self, *, Scalar by=2) -> Tensor(a!)
  variants: method
  dispatch:
    CPU: twice_
- func: twice.out(Tensor self, *, Scalar by=2, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: twice_out
- func: whole(Tensor(a) self) -> Tensor(a)
  variants: function, method
- func: ends(Tensor self) -> (Tensor first, Tensor last)
  dispatch:
    CPU: ends
"""


def made(tmp_path: Path, descriptions: str, dtypes: str = "") -> dict[str, str]:
    """The docstrings of the operators above, by public name."""
    parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=_OPERATORS, tags_text="[]")
    formulas, sentences = tmp_path / "derivatives.yaml", tmp_path / "descriptions.yaml"
    formulas.write_text("- name: twice(Tensor self, *, Scalar by=2) -> Tensor\n  self: grad * by\n")
    sentences.write_text(descriptions)
    table = tmp_path / "dtypes.yaml" if dtypes else None
    if table:
        table.write_text(dtypes)
    options = Options(derivatives=formulas, descriptions=sentences, dtypes=table)
    context = Context.make(parsed, options)
    return {doc.public: doc.text for doc in docstrings(context)}


def test_a_docstring_has_signature_sentence_facts_and_schemas(tmp_path: Path) -> None:
    docs = made(tmp_path, '- twice: "The tensor times `by`: x * by."\n')
    assert docs["torch.twice"] == (
        "twice(input: Tensor, *, by: Number = 2, out: Tensor | None = None) -> Tensor\n\n"
        "The tensor times `by`: x * by. Here x is `input`.\n\n"
        "Also: Tensor.twice, Tensor.twice_\n"
        "Kernels: CPU, CUDA\n"
        "Derivative: with respect to `input`\n\n"
        "Schemas:\n"
        "  aten::twice(Tensor self, *, Scalar by=2) -> Tensor\n"
        "  aten::twice.out(Tensor self, *, Scalar by=2, Tensor(a!) out) -> Tensor(a!)\n"
    )


def test_dtypes_are_told_where_the_table_has_them(tmp_path: Path) -> None:
    table = '- torch.twice: "floating int64"\n- Tensor.twice: "all"\n- torch.gone: "bool"\n'
    docs = made(tmp_path, '- twice: "Twice x."\n', table)
    assert "\nDtypes: floating point, int64, of `input` on the CPU\n" in docs["torch.twice"]
    assert "\nDtypes: all, of the tensor on the CPU\n" in docs["Tensor.twice"]
    assert "Dtypes" not in docs["torch.whole"]


@pytest.mark.parametrize("entry", ['- f: "float33"', '- f: ""\n- g: 1', "- f: [all]", "- all"])
def test_a_dtype_that_is_none_is_told_with_its_line(tmp_path: Path, entry: str) -> None:
    with pytest.raises(CodegenError) as error:
        made(tmp_path, '- twice: "Twice x."\n', entry + "\n")
    assert re.search(r"dtypes\.yaml:\d+: error", str(error.value))
    assert "Type: ./bazelw run //tests/python:dtypes" in str(error.value)


def test_sections_follow_the_sentence(tmp_path: Path) -> None:
    docs = made(
        tmp_path, "- twice: |-\n    Twice x.\n\n    Args:\n        by: how often.\n- whole: twice\n"
    )
    args = "\n\nArgs:\n    by: how often.\n\n"
    assert f"\n\nTwice x. Here x is `input`.{args}Also: " in docs["torch.twice"]
    assert f"\n\nThe same as twice. Twice x. Here x is `input`.{args}" in docs["torch.whole"]


def test_a_method_in_place_says_what_it_writes(tmp_path: Path) -> None:
    text = made(tmp_path, '- twice: "Twice x."\n')["Tensor.twice_"]
    assert text.startswith("twice_(*, by: Number = 2) -> Tensor\n\ntwice in place. Twice x.")
    assert "Here x is the tensor." in text
    assert "\nMemory: writes to the tensor and returns it\n" in text


def test_views_composites_and_absent_derivatives_are_told(tmp_path: Path) -> None:
    docs = made(tmp_path, '- whole: "All of it."\n')
    assert "\nMemory: the result may share that of the input\n" in docs["torch.whole"]
    assert "\nKernels: every backend, by the operators that it calls\n" in docs["torch.whole"]
    assert "\nDerivative: by the operators that it calls\n" in docs["torch.whole"]
    head = "ends(input: Tensor) -> torch.return_types.ends\n\nKernels"
    assert docs["torch.ends"].startswith(head)
    assert "\nDerivative: none\n" in docs["torch.ends"]


def test_another_name_says_what_the_first_says(tmp_path: Path) -> None:
    text = made(tmp_path, '- twice: "Twice x."\n- whole: twice\n')["torch.whole"]
    assert "\nThe same as twice. Twice x. Here x is `input`.\n" in text


def test_what_is_written_by_hand_brings_its_signature(tmp_path: Path) -> None:
    docs = made(tmp_path, '- "torch.f(x) -> int": "The f."\n- Tensor.shape: "The sizes."\n')
    assert docs["torch.f"] == "f(x) -> int\n\nThe f.\n"
    assert docs["Tensor.shape"] == "The sizes.\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('- twic: "a"\n', "is no function that is generated for Python; did you mean 'twice'?"),
        ('- unlike: "a"\n', "is no function that is generated for Python\n"),
        ('- twice: "a"\n- twice: "b"\n', "is described twice"),
        ('- torch.f: "a"\n- "torch.f(x)": "b"\n', "is described twice"),
        ('- nn.f: "a"\n', "is of 'nn'; expected torch or Tensor"),
        ("- twice: 1\n", 'expected a sentence in quotation marks: "The sum ..."'),
        ('- twice: "a"\n  whole: "b"\n', 'one name and its sentence: - add: "The sum ..."'),
        ("- twice: whole\n", "is said to be 'whole', which no sentence describes"),
        ("- twice: whole\n- whole: twice\n", "is said to be 'whole', which no sentence describes"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CodegenError) as error:
        made(tmp_path, text)
    assert re.search(r"descriptions\.yaml:\d+: error", str(error.value))
    assert message in f"{error.value}\n"


def test_descriptions_of_operators_that_were_left_out_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "descriptions.yaml"
    path.write_text('- other: "Gone."\n- twice: "Twice x."\n')
    problems = Problems()
    found = read_descriptions(path, {"twice"}, problems, {"other"})
    problems.raise_if_any()
    assert found.operators == {"twice": "Twice x."}


def test_without_descriptions_there_is_a_message() -> None:
    parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=_OPERATORS, tags_text="[]")
    with pytest.raises(CodegenError, match=r"needs descriptions\.yaml; pass --descriptions=FILE"):
        docstrings(Context.make(parsed, Options()))


def test_every_public_function_has_a_sentence() -> None:
    parsed = parse_native_yaml(_NATIVE / "native_functions.yaml", _NATIVE / "tags.yaml")
    options = Options(derivatives=_DERIVATIVES, descriptions=_NATIVE / "descriptions.yaml")
    docs = docstrings(Context.make(parsed, options))
    assert len(docs) > 1000
    silent = [d.public for d in docs if not d.sentence and not d.name.startswith("_")]
    assert silent == [], "add a line to aten/src/ATen/native/descriptions.yaml"
