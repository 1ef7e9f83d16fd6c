"""The command line: `python -m tools.codegen --source-path aten/src/ATen --install-dir out ...`.

Exit status 1 and a list of all problems on standard error if the input is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.codegen.backends import FLAGS, HOST, OUTPUTS
from tools.codegen.canonical import canonical_files, read_locations
from tools.codegen.check import check_callable, check_defined, definitions
from tools.codegen.context import Context, GeneratedFile, Options
from tools.codegen.groups import ALIASES, GROUPS, expand
from tools.codegen.includes import Operators, check_includes
from tools.codegen.memory import Memory, write_if_changed
from tools.codegen.model import DispatchKey, Location
from tools.codegen.output_list import output_list
from tools.codegen.parse import interpret, tag_names
from tools.codegen.problems import CodegenError, Problems
from tools.codegen.yaml_source import YamlList, read_yaml_list

DEFAULT_GROUPS = ("headers", "sources")
_GROUP_FLAGS = {"autograd": "autograd", "pyi": "pyi", "python_bindings": "python"}


def parser() -> argparse.ArgumentParser:
    """The options."""
    result = argparse.ArgumentParser(
        prog="python -m tools.codegen", description=__doc__, fromfile_prefix_chars="@"
    )
    result.add_argument(
        "--source-path",
        type=Path,
        default=Path("aten/src/ATen"),
        help="folder that holds native/native_functions.yaml, native/tags.yaml and templates/",
    )
    result.add_argument("--native-functions", type=Path, help="default: in --source-path")
    result.add_argument("--tags", type=Path, help="default: in --source-path")
    result.add_argument("--tensor-body-template", type=Path, help="default: in --source-path")
    result.add_argument("--derivatives", type=Path, help="derivatives.yaml")
    result.add_argument("--descriptions", type=Path, help="descriptions.yaml")
    result.add_argument("--dtypes", type=Path, help="dtypes.yaml")
    result.add_argument("--install-dir", type=Path, default=Path(), help="root of the outputs")
    result.add_argument(
        "--generate",
        action="extend",
        nargs="+",
        choices=sorted({*GROUPS, *ALIASES}),
        metavar="GROUP",
        help=f"groups of outputs: {', '.join(sorted({*GROUPS, *ALIASES}))}; "
        "default: headers and sources",
    )
    for flag, group in _GROUP_FLAGS.items():
        option = f"--{flag.replace('_', '-')}"
        result.add_argument(option, action="store_true", help=f"the same as --generate {group}")
    for flag in FLAGS:
        result.add_argument(f"--{flag}", action="store_true", help=f"also the {flag} backend")
    result.add_argument(
        "--per-operator-headers", action="store_true", help="accepted; this is always so"
    )
    result.add_argument("--ops", nargs="*", help="base names of the operators to keep")
    result.add_argument("--dry-run", action="store_true", help="render, but write nothing")
    result.add_argument(
        "--output-dependencies",
        type=Path,
        metavar="FILE",
        help="write the paths of the outputs to FILE, one a line, and render nothing",
    )
    result.add_argument(
        "--output-list",
        type=Path,
        metavar="FILE",
        help="write the outputs, and the operators each source uses, as Starlark to FILE",
    )
    result.add_argument("--only", nargs="*", help="paths of the outputs to write; default: all")
    result.add_argument(
        "--stamp",
        type=Path,
        help="check the inputs, and write this file where they are right",
    )
    result.add_argument(
        "--canonical",
        type=Path,
        metavar="FOLDER",
        help="check the inputs, write what they say as JSON, which the other options take as well",
    )
    result.add_argument(
        "--slices", type=int, default=1, help="how many slices --canonical writes the operators in"
    )
    result.add_argument(
        "--locations", type=Path, help="the file of --canonical that knows the operators' lines"
    )
    result.add_argument(
        "--require-kernels",
        metavar="KEY",
        help="every operator needs a kernel at this dispatch key or a composite one",
    )
    result.add_argument(
        "--kernel-sources", type=Path, nargs="*", help="sources that define kernels"
    )
    return result


def input_paths(args: argparse.Namespace) -> tuple[Path, Path]:
    """The operators and the tags, by option or in the source folder."""
    folder = args.source_path / "native"
    native = args.native_functions or folder / "native_functions.yaml"
    return native, args.tags or folder / "tags.yaml"


def make_context(args: argparse.Namespace, memory: Memory | None) -> Context:
    """Reads the inputs the options name; raises `CodegenError` with the problems of all of them."""
    problems = Problems()
    native, tags = input_paths(args)
    source = read_yaml_list(native, problems)
    tag_source = read_yaml_list(tags, problems)
    # If a file cannot be read, checks would report all of its contents as missing.
    problems.raise_if_any()
    parsed = interpret(source, tag_names(tag_source, problems), problems, memory)
    if args.locations:
        parsed = parsed.located(read_locations(args.locations))
    backends = tuple(flag for flag in FLAGS if getattr(args, flag))
    if args.require_kernels:
        check_callable(parsed.functions, DispatchKey[args.require_kernels], problems)
    if args.kernel_sources:
        keys = (*HOST, *(key for flag in backends for key in FLAGS[flag]))
        check_defined(parsed.functions, definitions(args.kernel_sources), problems, keys)
    if args.ops is not None:
        parsed = parsed.select(args.ops, problems)
    template = args.tensor_body_template or args.source_path / "templates" / "TensorBody.h"
    options = Options(
        backends=backends,
        derivatives=args.derivatives,
        descriptions=args.descriptions,
        dtypes=args.dtypes,
        tensor_body_template=template,
    )
    context = Context.make(parsed, options, memory)
    if args.kernel_sources:
        structured = frozenset(group.root_name for group in context.structured.values())
        operators = Operators(frozenset(context.roots), structured)
        for path in args.kernel_sources:
            check_includes(str(path), path.read_text(encoding="utf-8"), operators, problems)
    if (problems or args.stamp or args.canonical) and args.derivatives is not None:
        # For the problems alone: the groups that differentiate read the file themselves.
        from tools.codegen.autograd_parse import read_derivatives

        read_derivatives(args.derivatives, context.functions, problems, others=context.others)
    problems.raise_if_any()
    if args.canonical:
        derivatives = args.derivatives and read_yaml_list(args.derivatives, problems)
        files = canonical_files(source, parsed, derivatives or YamlList(""), args.slices)
        for name, text in files.items():
            write_if_changed(args.canonical / name, text)
    return context


def wanted_groups(args: argparse.Namespace, context: Context) -> tuple[str, ...]:
    """The groups of outputs that the options ask for."""
    names = [
        *(args.generate or ()),
        *(group for flag, group in _GROUP_FLAGS.items() if getattr(args, flag)),
    ]
    backends = context.options.backends
    problems = Problems()
    for name in names:
        flags = [f for f, outputs in OUTPUTS.items() if outputs == name.partition("_")[0]]
        if flags and not {*flags} & {*backends}:
            need = " or ".join(f"--{flag}" for flag in flags)
            problems.add(Location("<command line>", 0), None, f"the group '{name}' needs {need}")
    problems.raise_if_any()
    # Outputs that are named belong to the groups that are named.
    return expand(names or DEFAULT_GROUPS, backends if args.only is None else ())


def main(argv: Sequence[str] | None = None, memory: Memory | None = None) -> int:
    """Runs the generator; what `memory` holds of earlier runs is not done again."""
    args = parser().parse_args(argv)
    try:
        context = make_context(args, memory)
        if args.stamp:
            write_if_changed(args.stamp, "")
        if args.stamp or args.canonical:
            return 0
        groups = {g: list(GROUPS[g](context)) for g in wanted_groups(args, context)}
        files = [file for group in groups.values() for file in group]
        if args.output_dependencies:
            text = "".join(f"{path}\n" for path in sorted(f.path for f in files))
            write_if_changed(args.output_dependencies, text)
            return 0
        if args.output_list:
            write_if_changed(args.output_list, output_list(context, groups))
            return 0
        write = write_if_changed if memory is None else memory.write
        for file in _selected(files, args.only):
            text = _text(file, context.options, memory)
            if not args.dry_run:
                write(f"{args.install_dir}/{file.path}", text)
    except CodegenError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"{error.filename}: error: {error.strerror}. Give another path, by --install-dir or "
            "the option that names this file",
            file=sys.stderr,
        )
        return 1
    return 0


def _text(file: GeneratedFile, options: Options, memory: Memory | None) -> str:
    """What is in a file."""
    if memory is None or file.made_from is None:
        return file.render()
    return memory.recall(("text", file.path), (options, file.made_from), file.render)


def _selected(files: list[GeneratedFile], only: list[str] | None) -> list[GeneratedFile]:
    """The files that were asked for; all of them must exist."""
    if only is None:
        return files
    by_path = {file.path: file for file in files}
    problems = Problems()
    for path in only:
        if path not in by_path:
            problems.add(
                Location(path, 1),
                None,
                "is not an output of these operators. If the list of outputs is stale, run: "
                "./bazelw run //tools:update",
            )
    for path in by_path.keys() - set(only):
        if not any(path.rpartition("/")[0] == o.rpartition("/")[0] for o in only):
            continue
        problems.add(
            Location(path, 1),
            None,
            "is an output that the list of outputs lacks. Run: ./bazelw run //tools:update",
        )
    problems.raise_if_any()
    return [by_path[path] for path in only]
