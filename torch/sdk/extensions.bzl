"""An installed torch for torch_extension, so that nothing of torch is compiled.

    torch = use_extension("@torch//torch/sdk:extensions.bzl", "torch")
    torch.prebuilt()                # that of python3; or path = "a wheel, or where one is installed"
    use_repo(torch, "torch_prebuilt")

and `build --@torch//torch/sdk=@torch_prebuilt//:torch` in .bazelrc.
"""

load("//toolchains/python:extensions.bzl", "find_python")

# Where python3 would import torch from, without importing it, and where it installs packages.
_FIND = """
from importlib.util import find_spec
from sysconfig import get_path
found = find_spec("torch")
print(found and found.origin or "")
print(get_path("purelib"))
"""

_NEEDED = [
    "include/torch/extension.h",
    "lib/libc10.so",
    "lib/libtorch_cpu.so",
    "lib/libtorch_python.so",
    "version.py",
]

_BUILD = """load("{rules}", "prebuilt_sdk")

prebuilt_sdk(
    name = "torch",
    facts = {facts},
)
"""

def _named(repository_ctx):
    """What the user named, or the installed package's place; and how messages call it."""
    path = repository_ctx.attr.path
    if path:
        if not path.startswith("/"):
            path = "{}/{}".format(repository_ctx.workspace_root, path)
        path = repository_ctx.path(path)
        repository_ctx.watch(path)
        wrong = None
        if not path.exists:
            wrong = "does not exist"
        elif not path.is_dir and not path.basename.endswith(".whl"):
            wrong = "is no wheel"
        if wrong:
            fail("torch.prebuilt: {} {}. Wanted a wheel of this torch, a directory with one, or the directory that it is installed in. For that of python3 leave `path` out".format(path, wrong))
        return path
    python = find_python(repository_ctx)
    result = repository_ctx.execute([python, "-c", _FIND])
    if result.return_code != 0:
        fail("torch.prebuilt: {} cannot say where its torch is:\n{}".format(python, result.stderr))
    origin, site = result.stdout.rstrip("\n").split("\n")[-2:]

    # What is installed later is seen.
    site = repository_ctx.path(site)
    if site.exists:
        site.readdir()
    if not origin:
        fail("torch.prebuilt: {} has no torch. Make a wheel in a checkout, ./bazelw build //torch:wheel, and name or install it: torch.prebuilt(path = \"/path/to/checkout/bazel-bin/torch/wheel\")".format(python))
    return repository_ctx.path(origin).dirname.dirname

def _unpack(repository_ctx, named):
    """The directory that has the package `torch`: a wheel's is this repository."""
    if named.basename.endswith(".whl"):
        wheels = [named]
    else:
        wheels = [path for path in named.readdir() if path.basename.endswith(".whl")]
    if len(wheels) > 1:
        fail("torch.prebuilt: {} holds {} wheels. Name one: torch.prebuilt(path = \"{}\")".format(named, len(wheels), wheels[0]))
    if wheels:
        repository_ctx.watch(wheels[0])
        repository_ctx.symlink(wheels[0], "wheel.zip")
        repository_ctx.extract("wheel.zip")
        return repository_ctx.path(".")
    repository_ctx.symlink(named.get_child("torch"), "torch")
    return named

def _value(text, name):
    """A string of version.py; empty for None."""
    for line in text.split("\n"):
        if line.startswith(name + " ") or line.startswith(name + ":"):
            return line.split(" = ")[1].strip("\"").removeprefix("None")
    return ""

def _prebuilt_impl(repository_ctx):
    named = _named(repository_ctx)
    root = _unpack(repository_ctx, named)
    if not [path for path in root.readdir() if path.basename.startswith("torch-") and "+bazel." in path.basename]:
        fail("torch.prebuilt: {} is no installed wheel of this torch: it has no torch-*+bazel.*.dist-info. PyTorch's own wheels and editable installations will not do. Make a wheel: ./bazelw build //torch:wheel, in a checkout".format(named))
    package = root.get_child("torch")
    missing = [name for name in _NEEDED if not package.get_child(name).exists]
    if missing:
        fail("torch.prebuilt: {} is not complete: torch/{} is missing. Install its wheel again: pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl, in the checkout that made it".format(named, missing[0]))
    modules = [path.basename for path in package.readdir() if path.basename.startswith("_C.cpython-")]
    abis = [name.removeprefix("_C.cpython-").removesuffix(".so").split("-") for name in modules]
    if len(abis) != 1 or len(abis[0]) < 3:
        fail("torch.prebuilt: {} has {} as extension modules, wanted one of Linux, as _C.cpython-311-x86_64-linux-gnu.so. Take another wheel".format(named, modules))
    version = repository_ctx.read(package.get_child("version.py"))
    facts = {
        "cuda": _value(version, "cuda"),
        "platform": "{}-{}".format(abis[0][1], abis[0][2]),
        "python": "3." + abis[0][0].removeprefix("3"),
        "version": _value(version, "__version__"),
        "where": str(named),
    }
    repository_ctx.file("BUILD.bazel", _BUILD.format(
        facts = json.encode_indent(facts),
        rules = Label("//tools/rules:sdk.bzl"),
    ))

_prebuilt = repository_rule(
    implementation = _prebuilt_impl,
    attrs = {"path": attr.string(doc = "As of the tag.")},
    doc = "The package `torch` and a torch_sdk of it.",
    environ = ["PATH", "PYTHON_BIN_PATH"],
)

_PREBUILT_TAG = tag_class(
    attrs = {
        "name": attr.string(default = "torch_prebuilt", doc = "Name of the repository, whose target is `torch`."),
        "path": attr.string(doc = "A wheel, a directory that holds one, or the directory that it is installed in; relative to the workspace. Empty: where python3 has it."),
    },
    doc = "A torch that is there already, of this module's version.",
)

def _torch_impl(module_ctx):
    # Paths are of the machine that builds, which only the main module can know.
    for module in module_ctx.modules:
        for tag in module.tags.prebuilt if module.is_root else []:
            _prebuilt(name = tag.name, path = tag.path)
    return module_ctx.extension_metadata(reproducible = True)

torch = module_extension(
    implementation = _torch_impl,
    doc = "Installed torches.",
    tag_classes = {"prebuilt": _PREBUILT_TAG},
)
