"""The backends, and the devices that tensors can be on: one entry each.

Everything else derives from these tables: the option and its setting, `--config=<name>`, the environment
variable of `pip install .`, the flags, keys and groups of outputs of the generator, the dispatch keys of c10 and
what they mean to autograd and autocast, the devices, the shared libraries, and where they go. Python reads
them too, so this file has no `load`.

To add a backend, see CONTRIBUTING.md.
"""

# Every kind of device by its number, which is PyTorch's, in the order in which PyTorch's message names those that a
# string may name. A device of this tree alone goes to the end, with the next number.
DEVICE_TYPES = {
    "CPU": 0,
    "CUDA": 1,
    "IPU": 18,
    "XPU": 12,
    "MKLDNN": 2,
    "OPENGL": 3,
    "OPENCL": 4,
    "IDEEP": 5,
    "HIP": 6,
    "VE": 16,
    "FPGA": 7,
    "MAIA": 8,
    "XLA": 9,
    "Lazy": 17,
    "Vulkan": 10,
    "MPS": 13,
    "Meta": 14,
    "HPU": 15,
    "MTIA": 19,
    "Metal": 11,
    "PrivateUse1": 20,
}

# Devices that no string names: PrivateUse1 has the name that an extension gives it.
UNNAMED_DEVICE_TYPES = ["Metal", "PrivateUse1"]

def _backend(
        title,
        key,
        device = "",
        autograd = True,
        autocast = "",
        doc = "",
        excludes = [],
        flag = True,
        folder = "",
        in_c10 = True,
        kernels = "",
        libraries = {},
        loadable = False,
        missing = "",
        os = "",
        os_version = "",
        python = "",
        setting = "",
        shards = 4,
        variable = ""):
    """One backend.

    Args:
      title: its name, as messages write it.
      key: its dispatch key: `CUDA`.
      device: the device of its tensors, one of DEVICE_TYPES; none means the key's name.
      autograd: whether it has an autograd key of its own, `Autograd<key>`; AutogradOther serves it if not.
      autocast: the dispatch key of mixed precision, if it has that.
      doc: what its option does, a sentence for the reference; none if it has no option.
      excludes: backends that cannot be on together with it.
      flag: whether the generator writes for it only if a flag of its name is given.
      folder: the folder of `aten/src/ATen/native` that has its kernels, if it is not named like the backend.
      in_c10: whether c10 has its key; without, only YAML files of others name it.
      kernels: the backend whose kernels and generated files it has, if they are not its own.
      libraries: the shared libraries that hold it, by name, lowest layer first: `{"torch_cuda": label}`.
      loadable: whether every build makes its library, which any torch can load; its option has torch load it.
      missing: what this version lacks for it to work; whoever builds tensors with it on gets an error.
      os: the operating system of `//platforms` that alone has it; none means any.
      os_version: the oldest version of that system that it runs on.
      python: the library of its Python bindings, which libtorch_python holds.
      setting: the build setting, if another module has it; none means `//config:<name>`.
      shards: how many files its registrations are spread over.
      variable: PyTorch's environment variable; none means `USE_<NAME>`.

    Returns:
      The backend as a struct.
    """
    return struct(
        autocast = autocast,
        autograd = autograd,
        device = device or key,
        doc = doc,
        excludes = excludes,
        flag = flag,
        folder = folder,
        in_c10 = in_c10,
        kernels = kernels,
        key = key,
        libraries = libraries,
        loadable = loadable,
        missing = missing,
        os = os,
        os_version = os_version,
        python = python,
        setting = setting,
        shards = shards,
        title = title,
        variable = variable,
    )

# In the order of their dispatch keys. A backend of this tree alone goes before PrivateUse1.
BACKENDS = {
    "cpu": _backend(
        title = "CPU",
        autocast = "AutocastCPU",
        flag = False,
        key = "CPU",
        shards = 16,
    ),
    "cuda": _backend(
        title = "CUDA",
        autocast = "AutocastCUDA",
        doc = "Build the CUDA backend. The setting is rules_cuda's own.",
        key = "CUDA",
        libraries = {
            "c10_cuda": "//c10/cuda:libc10_cuda",
            "torch_cuda": "//aten:libtorch_cuda",
        },
        python = "//torch/csrc/cuda:python",
        setting = "@rules_cuda//cuda:enable",
        shards = 16,
    ),
    "rocm": _backend(
        title = "ROCm",
        autocast = "AutocastCUDA",
        doc = "Build the ROCm backend.",
        excludes = ["cuda"],
        kernels = "cuda",
        key = "HIP",
        missing = "HIP kernels",
    ),
    "xpu": _backend(
        title = "XPU",
        autocast = "AutocastXPU",
        doc = "Build the SYCL backend.",
        excludes = ["cuda", "rocm"],
        key = "XPU",
        missing = "SYCL kernels",
    ),
    "mps": _backend(
        title = "MPS",
        autocast = "AutocastMPS",
        doc = "Build the Metal backend, which needs macOS 12.3 or later.",
        folder = "shaders",
        key = "MPS",
        libraries = {"torch_mps": "//aten:libtorch_mps"},
        os = "macos",
        os_version = "12.3",
        shards = 8,
    ),
    "vulkan": _backend(
        title = "Vulkan",
        autograd = False,
        doc = "Load the Vulkan backend with torch; its library can be loaded into other builds.",
        folder = "shaders",
        key = "Vulkan",
        libraries = {"torch_vulkan": "//aten:libtorch_vulkan"},
        loadable = True,
        shards = 8,
    ),
    "mtia": _backend(
        title = "MTIA",
        in_c10 = False,
        key = "MTIA",
    ),
    "meta": _backend(
        title = "meta",
        flag = False,
        key = "Meta",
        shards = 8,
    ),
    "privateuse1": _backend(
        title = "PrivateUse1",
        autocast = "AutocastPrivateUse1",
        flag = False,
        key = "PrivateUse1",
    ),
}

# Those that an option turns on.
OPTIONAL_BACKENDS = {name: backend for name, backend in BACKENDS.items() if backend.doc}

# Those whose kernels are compiled, each into libraries of its own.
BUILT_BACKENDS = {
    name: backend
    for name, backend in OPTIONAL_BACKENDS.items()
    if backend.libraries and not backend.kernels
}

# The folders of `aten/src/ATen/native` that have their kernels.
KERNEL_FOLDERS = {backend.folder or name: None for name, backend in BUILT_BACKENDS.items()}.keys()

# Those whose kernels are the shaders.
SHADER_BACKENDS = [name for name, backend in BUILT_BACKENDS.items() if backend.folder == "shaders"]

def backend_setting(name):
    """The build setting of a backend that is optional.

    Args:
      name: its name in BACKENDS.

    Returns:
      A label.
    """
    return BACKENDS[name].setting or "//config:" + name

def backends_with_kernels_of(name):
    """The optional backends that compile the kernels of one, itself among them.

    Args:
      name: its name in BACKENDS.

    Returns:
      A list of names.
    """
    return [other for other, backend in OPTIONAL_BACKENDS.items() if (backend.kernels or other) == name]
