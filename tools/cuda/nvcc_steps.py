"""Runs nvcc's own steps one by one, so that each is an action with its own cache entry.

One call of nvcc compiles a source for the host and for every architecture. This program asks nvcc
for those steps (`nvcc --dryrun`) and runs some of them:

* `device`: one architecture: preprocess, cicc, ptxas. Writes machine code, PTX, the stubs through
  which the host launches kernels (the same text for every architecture), and the list of inputs
  that the source did not include.
* `host`: preprocess, cudafe++ and the host compiler, with the stubs of any one architecture.
  The object file refers to the device code by a symbol.
* `join`: fatbinary puts the device code of all architectures into the object file of that symbol.

Outputs do not depend on where and when they are made: temporary files have fixed names beside the
output, absolute names of the sandbox are taken out, and what nvcc makes from random numbers is made
from the source's path.

The steps and their options are described in NVIDIA's "CUDA Compiler Driver NVCC", section
"The CUDA Compilation Trajectory".
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

# A temporary file of nvcc, with or without its directory.
_TEMPORARY = re.compile(r"(?:[^\s\"'=]*/)?tmpxft_[0-9a-f]+_[0-9a-f]+-\d+_")
_VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)")


class StepError(Exception):
    """A step that nvcc did not print, or that failed."""


@dataclass(frozen=True)
class Steps:
    """What nvcc would run: command lines, with the environment they need."""

    environment: dict[str, str]
    commands: list[str]

    def find(self, *words: str) -> str:
        """The only command that contains all words."""
        found = [command for command in self.commands if all(word in command for word in words)]
        if len(found) != 1:
            raise StepError(
                f"nvcc --dryrun printed {len(found)} steps with {' and '.join(words)}, wanted one; it printed:\n"
                + "\n".join(self.commands)
            )
        return found[0]


def parse_dry_run(text: str) -> Steps:
    """Reads what `nvcc --dryrun` writes to its standard error."""
    environment: dict[str, str] = {}
    commands: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#$ "):
            continue
        body = line[len("#$ ") :]
        variable = _VARIABLE.fullmatch(body)
        if variable:
            environment[variable[1]] = variable[2].strip()
        elif not body.startswith("rm "):
            commands.append(body)
    return Steps(environment, commands)


def dry_run(nvcc: str, source: str, flags: list[str]) -> Steps:
    """Asks nvcc for its steps for a source."""
    result = subprocess.run(
        [nvcc, "--dryrun", "-x", "cu", "-c", source, "-o", "object.o", *flags],
        check=False,
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise StepError(f"{nvcc} refuses its options:\n{result.stderr}{result.stdout}")
    return parse_dry_run(result.stderr)


def run(command: str, steps: Steps) -> None:
    """Runs one step; its output is the compiler's own."""
    result = subprocess.run(
        ["/bin/sh", "-c", command], check=False, env=dict(os.environ) | steps.environment
    )
    if result.returncode:
        sys.exit(result.returncode)


def module_id(source: str) -> str:
    """Makes names of internal linkage unique in a program, from the path alone."""
    name = re.sub(r"\W", "_", Path(source).name)
    return f"_{zlib.crc32(source.encode()):08x}_{len(name)}_{name}"


def fat_binary_symbol(source: str) -> str:
    """Name of the symbol at which the device code of a source stands."""
    return "torch_fatbin" + module_id(source)


def in_directory(command: str, directory: Path) -> str:
    """The command with nvcc's temporary files in a directory, under names that do not change."""
    return _TEMPORARY.sub(f"{directory}/", command)


def without_working_directory(command: str) -> str:
    """The command with paths relative to where it runs."""
    return command.replace(os.getcwd() + "/", "")


def written_dependencies(depfile: str) -> set[str]:
    """Files named in a dependency file of make's."""
    _, _, names = depfile.replace("\\\n", " ").partition(": ")
    return set(shlex.split(names))


def same_stub(stub: str) -> str:
    """The stubs without what differs between architectures: line marks and parameters' names."""
    numbers: dict[str, str] = {}
    lines = [line for line in stub.splitlines() if not re.match(r"# \d+ ", line)]
    return re.sub(
        r"\b__T\d+\b",
        lambda name: numbers.setdefault(name[0], f"__T{len(numbers)}"),
        "\n".join(lines) + "\n",
    )


class Work:
    """A directory beside an output for what nvcc writes on the way."""

    def __init__(self, output: str, source: str) -> None:
        self.path = Path(output + ".steps")
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        self.module_id = self.path / "module_id"
        self.module_id.write_text(module_id(source))

    def step(self, command: str, *, stub: str, fatbin: str) -> str:
        """A step as nvcc prints it, made independent of place and time."""
        command = without_working_directory(in_directory(command, self.path))
        command = command.replace("--gen_module_id_file", "")
        command = self._option(command, "--module_id_file_name", str(self.module_id))
        command = self._option(command, "--stub_file_name", stub)
        return self._option(command, "--include_file_name", fatbin)

    @staticmethod
    def _option(command: str, name: str, value: str) -> str:
        return re.sub(rf'{name} "[^"]*"', f'{name} "{value}"', command)

    def close(self) -> None:
        """Removes the directory."""
        shutil.rmtree(self.path)


def compile_device(args: argparse.Namespace) -> None:
    """Compiles a source for one architecture."""
    steps = dry_run(
        args.nvcc,
        args.source,
        [*args.flags, f"-gencode=arch=compute_{args.arch},code=sm_{args.arch}"],
    )
    work = Work(args.cubin, args.source)
    depfile = work.path / "inputs.d"
    ptx = work.path / "device.ptx"

    preprocess = work.step(steps.find(" -E ", "-D__CUDA_ARCH__="), stub="", fatbin="")
    run(f"{preprocess} -MD -MF {depfile} -MT inputs", steps)
    stub = work.path / "stub.c"
    cicc = work.step(steps.find("/cicc"), stub=str(stub), fatbin="fatbin.c")
    run(re.sub(r'-o "[^"]*"\s*$', f'-o "{ptx}"', cicc), steps)
    Path(args.stub).write_text(same_stub(stub.read_text()))
    ptxas = work.step(steps.find("ptxas "), stub="", fatbin="")
    run(re.sub(r'"[^"]*"\s+-o "[^"]*"', f'"{ptx}" -o "{args.cubin}"', ptxas), steps)

    shutil.copyfile(ptx, args.ptx)
    used = written_dependencies(depfile.read_text())
    Path(args.unused).write_text("".join(f"{file}\n" for file in args.prunable if file not in used))
    work.close()


def compile_host(args: argparse.Namespace) -> None:
    """Compiles a source for the host."""
    known = subprocess.run(
        [args.nvcc, "--list-gpu-arch"], check=True, capture_output=True, text=True
    ).stdout.split()
    # What the host compiles must not depend on the architectures chosen: it is told all there are.
    numbers = sorted(int(arch.removeprefix("compute_")) for arch in known)
    steps = dry_run(
        args.nvcc,
        args.source,
        [*args.flags, f"-gencode=arch=compute_{numbers[0]},code=sm_{numbers[0]}"],
    )
    work = Work(args.object, args.source)
    symbol = fat_binary_symbol(args.source)
    (work.path / "fatbin.c").write_text(
        '#include "fatbinary_section.h"\n'
        '#define __CUDAFATBINSECTION ".nvFatBinSegment"\n'
        f'extern "C" __attribute__((visibility("hidden"))) const unsigned long long {symbol}[];\n'
        "static const __fatBinC_Wrapper_t __fatDeviceText"
        " __attribute__((aligned(8), section(__CUDAFATBINSECTION))) =\n"
        f"    {{0x466243b1, 1, {symbol}, 0}};\n"
    )
    shutil.copyfile(args.stub, work.path / "stub.c")

    def host(command: str) -> str:
        command = work.step(command, stub="stub.c", fatbin="fatbin.c")
        return re.sub(
            r"-D__CUDA_ARCH_LIST__=\S+",
            f"-D__CUDA_ARCH_LIST__={','.join(f'{n}0' for n in numbers)}",
            command,
        )

    # The compiler's own options stand last, so that they win.
    options = shlex.join(args.host_flags)
    depfile = work.path / "inputs.d"
    preprocess = [c for c in steps.commands if " -E " in c and "-D__CUDA_ARCH__=" not in c]
    if len(preprocess) != 1:
        raise StepError("nvcc --dryrun printed no step that preprocesses for the host")
    run(f"{host(preprocess[0])} {options} -MD -MF {depfile} -MT inputs", steps)
    run(host(steps.find("cudafe++")), steps)
    compiler = host(steps.find(" -c -x c++ "))
    compiler = re.sub(r'-o "[^"]*"\s*$', f'-o "{args.object}"', compiler)
    run(f"{compiler} {options} -I{work.path}", steps)

    used = written_dependencies(depfile.read_text())
    Path(args.unused).write_text("".join(f"{file}\n" for file in args.prunable if file not in used))
    work.close()


def join(args: argparse.Namespace) -> None:
    """Puts device code of several architectures into one object file."""
    steps = dry_run(args.nvcc, args.source, [*args.flags])
    work = Work(args.object, args.source)
    fatbin = work.path / "all.fatbin"
    command = work.step(steps.find("fatbinary "), stub="", fatbin="")
    command = re.sub(r'"--image3=[^"]*"', "", command)
    command = re.sub(r'--embedded-fatbin="[^"]*"', "", command)
    images = " ".join(
        f'"--image3=kind={kind},sm={arch},file={file}"' for kind, arch, file in args.image
    )
    run(f'{command} {images} --create="{fatbin}"', steps)

    symbol = fat_binary_symbol(args.source)
    assembly = work.path / "fatbin.S"
    assembly.write_text(
        '.section .nv_fatbin, "a"\n'
        ".balign 8\n"
        f".globl {symbol}\n"
        f".hidden {symbol}\n"
        f"{symbol}:\n"
        f'.incbin "{fatbin}"\n'
        '.section .note.GNU-stack, "", %progbits\n'
    )
    run(f'{shlex.quote(args.host_compiler)} -c "{assembly}" -o "{args.object}"', steps)
    work.close()


def _image(text: str) -> tuple[str, str, str]:
    kind, arch, file = text.split(":", 2)
    return kind, arch, file


def parser() -> argparse.ArgumentParser:
    """The command line, which only tools/rules/cuda.bzl writes."""
    result = argparse.ArgumentParser(
        description=__doc__, fromfile_prefix_chars="@", allow_abbrev=False
    )
    commands = result.add_subparsers(required=True)
    for name, function in (("device", compile_device), ("host", compile_host), ("join", join)):
        command = commands.add_parser(name, fromfile_prefix_chars="@", allow_abbrev=False)
        command.set_defaults(function=function)
        command.add_argument("--nvcc", required=True)
        command.add_argument("--source", required=True)
        command.add_argument("--flag", dest="flags", action="append", default=[], help="for nvcc")
        if name != "join":
            command.add_argument("--stub", required=True)
            command.add_argument("--unused", required=True, help="list of inputs not read")
            command.add_argument("--prunable", action="append", default=[], help="a header")
        if name == "device":
            command.add_argument("--arch", required=True, help="such as 90 or 90a")
            command.add_argument("--cubin", required=True)
            command.add_argument("--ptx", required=True)
        else:
            command.add_argument("--object", required=True)
        if name == "host":
            command.add_argument("--host-flag", dest="host_flags", action="append", default=[])
        if name == "join":
            command.add_argument("--host-compiler", required=True)
            command.add_argument(
                "--image", type=_image, action="append", required=True, help="elf|ptx:ARCH:FILE"
            )
    return result


def main(arguments: list[str]) -> int:
    """Runs the steps that the command line names."""
    args = parser().parse_args(arguments)
    try:
        args.function(args)
    except StepError as error:
        print(f"{args.source}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
