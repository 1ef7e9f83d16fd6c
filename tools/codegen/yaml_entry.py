"""One entry of native_functions.yaml: every key it may have, and every mistake in one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tools.codegen import dtypes
from tools.codegen.model import (
    Argument,
    BackendMetadata,
    DeviceCheckType,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    OperatorName,
    Precompute,
    SchemaKind,
    UfuncInnerLoop,
    UfuncKey,
    Variant,
)
from tools.codegen.problems import Problems
from tools.codegen.schema import is_name
from tools.codegen.schema_error import SchemaError, nearest
from tools.codegen.yaml_source import YamlEntry, YamlList

KNOWN_KEYS = frozenset(
    {
        "autogen",
        "category_override",
        "cpp_no_default_args",
        "device_check",
        "device_guard",
        "dispatch",
        "func",
        "manual_cpp_binding",
        "manual_kernel_registration",
        "precomputed",
        "python_module",
        "structured",
        "structured_delegate",
        "structured_inherits",
        "tags",
        "ufunc_inner_loop",
        "use_const_ref_for_mutable_tensors",
        "variants",
    }
)

# The modules of Python that a function can be in besides torch, and the class that a meta function
# can have as its base besides at::impl::MetaBase.
PYTHON_MODULES = frozenset({"fft", "linalg", "nested", "nn", "sparse", "special"})
STRUCTURED_BASES = frozenset({"TensorIteratorBase"})

# A file's name has at most 255 characters. The longest suffix of a header is
# `_compositeexplicitautogradnonfunctional_dispatch.h`.
LONGEST_NAME = 200

_DISPATCH_KEYS: Mapping[str, DispatchKey] = {key.value: key for key in DispatchKey}
_UFUNC_KEYS: Mapping[str, UfuncKey] = {key.value: key for key in UfuncKey}
_UFUNC_LOOP = re.compile(r"(\w+) \(([\w, ]+)\)")


class Entry(YamlEntry):
    """Parses one entry; every method notes problems and returns what it could read."""

    def __init__(
        self,
        source: YamlList,
        index: int,
        problems: Problems,
        tags: frozenset[str],
        *,
        check_tags: bool = True,
    ) -> None:
        super().__init__(source, index, problems)
        self.tags = tags
        self.check_tags = check_tags

    def parse(self) -> NativeFunction | None:
        entry = self.entry
        if not isinstance(entry, dict) or not isinstance(entry.get("func"), str):
            self.problem("expected an entry that starts with '- func: name(arguments) -> returns'")
            return None
        func_text: str = entry["func"]
        namespace, colons, schema_text = func_text.partition("::")
        if not colons:
            namespace, schema_text = "aten", func_text
        self.operator = schema_text.partition("(")[0] or schema_text
        if not is_name(namespace):
            self.problem(f"expected a namespace before '::', got '{namespace}'", "func")
        self.check_values()
        for key in entry:
            if key not in KNOWN_KEYS:
                self.problem(f"unknown key '{key}'{nearest(str(key), KNOWN_KEYS)}", str(key))
        try:
            func = FunctionSchema.parse(schema_text)
        except SchemaError as error:
            self.problem(f"{error.message}\n{error.caret(func_text)}", "func")
            return None
        if len(func.name.name.base) > LONGEST_NAME or len(self.operator) > LONGEST_NAME:
            self.problem(
                f"the name has {len(self.operator)} characters; headers are named after it, so at most {LONGEST_NAME} are possible",
                "func",
            )
            return None

        structured = self.boolean("structured", False)
        if structured and func.kind() is not SchemaKind.out:
            self.problem("'structured: True' belongs to an out= variant", "structured")
        delegate = self.delegate()
        return NativeFunction(
            func=func,
            loc=self.source.location(self.index),
            namespace=namespace,
            variants=self.variants(func),
            dispatch=self.dispatch(func, structured, delegate),
            tags=self.tag_set(func, namespace),
            structured=structured,
            structured_delegate=delegate,
            structured_inherits=self.inherits(structured),
            precomputed=self.precomputed(func, structured),
            ufunc_inner_loop=self.ufunc(),
            autogen=self.autogen(),
            device_guard=self.boolean("device_guard", True),
            device_check=self.device_check(),
            python_module=self.one_of("python_module", PYTHON_MODULES),
            category_override=self.string("category_override"),
            cpp_no_default_args=self.no_default_args(func),
            use_const_ref_for_mutable_tensors=self.boolean(
                "use_const_ref_for_mutable_tensors", False
            ),
            manual_kernel_registration=self.boolean("manual_kernel_registration", False),
            manual_cpp_binding=self.boolean("manual_cpp_binding", False),
        )

    def boolean(self, key: str, default: bool) -> bool:
        value = self.entry.get(key, default)
        if not isinstance(value, bool):
            self.problem(f"'{key}' is True or False, not {value!r}", key)
            return default
        return value

    def string(self, key: str) -> str | None:
        value = self.entry.get(key)
        if value is not None and not isinstance(value, str):
            self.problem(f"'{key}' is a word, not {value!r}", key)
            return None
        return value

    def one_of(self, key: str, known: Collection[str]) -> str | None:
        value = self.string(key)
        if value is not None and value not in known:
            names = ", ".join(sorted(known))
            self.problem(f"unknown {key} '{value}' (known: {names}){nearest(value, known)}", key)
            return None
        return value

    def words(self, key: str) -> list[str]:
        value = self.entry.get(key)
        if value is None:
            return []
        if isinstance(value, str):
            return [word.strip() for word in value.split(",")]
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return value
        self.problem(f"'{key}' is a word or a list of words, not {value!r}", key)
        return []

    def variants(self, func: FunctionSchema) -> frozenset[Variant]:
        found: set[Variant] = set()
        for word in self.words("variants") or ["function"]:
            if word not in Variant.__members__:
                known = ", ".join(Variant.__members__)
                hint = nearest(word, Variant.__members__)
                self.problem(f"unknown variant '{word}' (known: {known}){hint}", "variants")
                continue
            found.add(Variant[word])
        if Variant.method in found and func.arguments.self_arg is None:
            self.problem("a method variant needs an argument named 'self'", "variants")
        return frozenset(found)

    def tag_set(self, func: FunctionSchema, namespace: str) -> frozenset[str]:
        words = self.words("tags")
        for word in words if self.check_tags else ():
            if word not in self.tags:
                self.problem(f"unknown tag '{word}'{nearest(word, self.tags)}", "tags")
        implied = set()
        if namespace == "aten":
            implied.add("pt2_compliant_tag")
        if func.is_out_fn():
            implied.add("out")
        if func.name.name.inplace:
            implied.add("inplace")
        return frozenset(words) | (implied & self.tags)

    def delegate(self) -> OperatorName | None:
        text = self.string("structured_delegate")
        if text is None:
            return None
        try:
            return OperatorName.parse(text)
        except SchemaError as error:
            self.problem(error.message, "structured_delegate")
            return None

    def inherits(self, structured: bool) -> str | None:
        text = self.one_of("structured_inherits", STRUCTURED_BASES)
        if text is not None and not structured:
            self.problem("'structured_inherits' needs 'structured: True'", "structured_inherits")
        return text

    def autogen(self) -> tuple[OperatorName, ...]:
        names = []
        for word in self.words("autogen"):
            try:
                names.append(OperatorName.parse(word))
            except SchemaError as error:
                self.problem(error.message, "autogen")
        return tuple(names)

    def device_check(self) -> DeviceCheckType:
        word = self.string("device_check")
        if word is None:
            return DeviceCheckType.ExactSame
        if word not in DeviceCheckType.__members__:
            hint = nearest(word, DeviceCheckType.__members__)
            self.problem(
                f"unknown device_check '{word}' (known: NoCheck, ExactSame){hint}", "device_check"
            )
            return DeviceCheckType.ExactSame
        return DeviceCheckType[word]

    def no_default_args(self, func: FunctionSchema) -> frozenset[str]:
        words = self.words("cpp_no_default_args")
        names = {a.name for a in func.arguments.flat_all}
        for word in words:
            if word not in names:
                self.problem(
                    f"cpp_no_default_args names '{word}', which is not an argument{nearest(word, names)}",
                    "cpp_no_default_args",
                )
        return frozenset(words)

    def precomputed(self, func: FunctionSchema, structured: bool) -> Precompute | None:
        lines = self.entry.get("precomputed")
        if lines is None:
            return None
        if not isinstance(lines, list) or not structured:
            self.problem("'precomputed' is a list and needs 'structured: True'", "precomputed")
            return None
        names = {a.name for a in func.arguments.flat_all}
        replaced: dict[str, tuple[Argument, ...]] = {}
        added: tuple[Argument, ...] = ()
        for line in lines:
            before, arrow, after = str(line).partition(" -> ")
            try:
                if not arrow:
                    added = tuple(Argument.parse(a) for a in before.split(", "))
                    continue
                if before not in names:
                    self.problem(
                        f"precomputed replaces '{before}', which is not an argument{nearest(before, names)}",
                        "precomputed",
                    )
                replaced[before] = tuple(Argument.parse(a) for a in after.split(", "))
            except SchemaError as error:
                self.problem(f"{error.message}\n{error.caret(str(line))}", "precomputed")
        return Precompute(replaced, added)

    def ufunc(self) -> dict[UfuncKey, UfuncInnerLoop]:
        table = self.entry.get("ufunc_inner_loop")
        loops: dict[UfuncKey, UfuncInnerLoop] = {}
        if table is None:
            return loops
        if isinstance(table, str):
            table = {"Generic": table}
        if not isinstance(table, dict):
            self.problem(
                f"'ufunc_inner_loop' is 'name (Type, Type)', or a table of lines 'Generic: name (Type, Type)', not {table!r}",
                "ufunc_inner_loop",
            )
            return loops
        for word, text in table.items():
            key = _UFUNC_KEYS.get(word)
            if key is None:
                self.problem(f"unknown ufunc key '{word}'{nearest(str(word), _UFUNC_KEYS)}", word)
                continue
            match = _UFUNC_LOOP.fullmatch(str(text))
            if match is None:
                self.problem(f"expected 'name (Type, Type)', got '{text}'", "ufunc_inner_loop")
                continue
            types = tuple(d.strip() for d in match[2].split(","))
            for unknown in [t for t in types if t not in dtypes.SETS]:
                self.problem(f"unknown dtype '{unknown}'{nearest(unknown, dtypes.SETS)}", word)
            loops[key] = UfuncInnerLoop(match[1], key, types)
        return loops

    def dispatch(
        self, func: FunctionSchema, structured: bool, delegate: OperatorName | None
    ) -> dict[DispatchKey, BackendMetadata]:
        table = self.entry.get("dispatch")
        kernels: dict[DispatchKey, BackendMetadata] = {}
        if table is None and structured and "ufunc_inner_loop" in self.entry:
            table = {}  # All kernels are generated.
        if table is None:
            if not structured and delegate is None:
                kernels[DispatchKey.CompositeImplicitAutograd] = BackendMetadata(kernel_name(func))
            return kernels
        if not isinstance(table, dict):
            self.problem("'dispatch' is a table of lines 'CPU: kernel_name'", "dispatch")
            return kernels
        for keys, value in table.items():
            kernel = value if isinstance(value, str) else ""
            namespace, colons, kernel = kernel.rpartition("::")
            if not all(map(is_name, [kernel, *(namespace.split("::") if colons else ())])):
                self.problem(
                    f"the kernel of {keys} is a C++ function name, not {value!r}", str(keys)
                )
                continue
            for word in str(keys).split(","):
                word = word.strip()
                key = _DISPATCH_KEYS.get(word)
                if key is None:
                    hint = nearest(word, _DISPATCH_KEYS)
                    self.problem(f"unknown dispatch key '{word}'{hint}", word)
                    continue
                if key in kernels:
                    self.problem(f"dispatch key '{word}' has two kernels", keys)
                kernels[key] = BackendMetadata(
                    kernel,
                    structured=structured and key.is_structured,
                    cpp_namespace=namespace if colons else "at::native",
                )
        if structured and "ufunc_inner_loop" in self.entry:
            # These kernels are generated from the loops.
            for key in (DispatchKey.CPU, DispatchKey.CUDA):
                if key in kernels:
                    self.problem(
                        f"dispatch key '{key}' has two kernels: 'ufunc_inner_loop' makes one",
                        "ufunc_inner_loop",
                    )
                kernels[key] = BackendMetadata(f"ufunc_{func.name.name}_{key}", structured=True)
        implicit = kernels.get(DispatchKey.CompositeImplicitAutograd)
        if implicit is not None and len(kernels) == 1 and implicit.kernel == kernel_name(func):
            self.problem(
                f"this 'dispatch' says what is meant without it (CompositeImplicitAutograd: {implicit.kernel}); remove it",
                "dispatch",
            )
        return kernels


def kernel_name(func: FunctionSchema) -> str:
    """The native function an entry without 'dispatch' calls: the name, `_out` for out variants."""
    name = str(func.name.name)
    if func.is_out_fn():
        return f"{name}_out"
    return name
