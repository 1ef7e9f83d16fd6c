"""The GPU architectures that code is compiled for.

The syntax is one or more specs joined by `;`, each `[compute_XX:]ARCH[,ARCH]...`, where an ARCH is
`sm_XX` (machine code) or `compute_XX` (PTX kept in the program). Without `compute_XX:` the smallest
number of the spec's architectures is compiled from.
"""

CudaArchsInfo = provider(
    doc = "Architectures to compile for.",
    fields = {"arch_specs": "List of ArchSpecInfo."},
)

ArchSpecInfo = provider(
    doc = "One virtual architecture and what is made from it.",
    fields = {
        "stage1_arch": "Number of the virtual architecture, such as `80`.",
        "stage2_archs": "List of Stage2ArchInfo.",
    },
)

Stage2ArchInfo = provider(
    doc = "One result of a virtual architecture.",
    fields = {
        "arch": "Number, such as `86` or `90a`.",
        "gpu": "Whether it is machine code.",
        "lto": "Whether it is an intermediate for link-time optimisation.",
        "virtual": "Whether it is PTX.",
    },
)

def _fail_spec(text, why):
    fail("CUDA architectures '{}': {}. Write for example --@rules_cuda//cuda:archs=sm_80,sm_90 or compute_80:sm_80,sm_86".format(text, why))

def _number(text, arch, prefix):
    number = arch.removeprefix(prefix)
    if not number[:-1].isdigit() or not (number[-1].isdigit() or number[-1] in "af"):
        _fail_spec(text, "'{}' is not a number such as 80 or 90a".format(number))
    return number

def _stage2(text, arch):
    for prefix, kind in (("sm_", "gpu"), ("compute_", "virtual"), ("lto_", "lto")):
        if arch.startswith(prefix):
            return Stage2ArchInfo(
                arch = _number(text, arch, prefix),
                gpu = kind == "gpu",
                lto = kind == "lto",
                virtual = kind == "virtual",
            )
    return _fail_spec(text, "'{}' begins with neither sm_ nor compute_".format(arch))

def parse_archs(text):
    """Parses the syntax above.

    Args:
      text: the option's value.

    Returns:
      A list of ArchSpecInfo; empty if the text is.
    """
    specs = []
    for spec in [part.strip() for part in text.split(";") if part.strip()]:
        virtual, colon, archs = spec.rpartition(":")
        stage2 = [_stage2(text, arch.strip()) for arch in archs.split(",")]
        if colon:
            if not virtual.startswith("compute_"):
                _fail_spec(text, "'{}' before ':' does not begin with compute_".format(virtual))
            stage1 = _number(text, virtual, "compute_")
        else:
            stage1 = sorted([(int(info.arch.rstrip("af")), info.arch) for info in stage2])[0][1]
        specs.append(ArchSpecInfo(stage1_arch = stage1, stage2_archs = stage2))
    return specs

def gencode_flags(specs):
    """nvcc's options for some architectures.

    Args:
      specs: list of ArchSpecInfo.

    Returns:
      A list of words for its command line.
    """
    flags = []
    for spec in specs:
        for info in spec.stage2_archs:
            code = ("sm_" if info.gpu else "lto_" if info.lto else "compute_") + info.arch
            flags += ["-gencode", "arch=compute_{},code={}".format(spec.stage1_arch, code)]
    return flags

def _cuda_archs_flag_impl(ctx):
    return [CudaArchsInfo(arch_specs = parse_archs(ctx.build_setting_value))]

cuda_archs_flag = rule(
    implementation = _cuda_archs_flag_impl,
    build_setting = config.string(flag = True),
    doc = "Option for the architectures to compile for.",
)
