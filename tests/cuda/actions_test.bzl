"""What an architecture adds to the action graph, and what a file declares of itself."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load(":configured.bzl", "CUDA_ON", "if_toolkit")

_ARCHS = str(Label("//config:cuda_archs"))

def _by_mnemonic(env):
    actions = {}
    for action in analysistest.target_actions(env):
        actions.setdefault(action.mnemonic, []).append(action)
    return actions

def _outputs(actions):
    return sorted([file.basename for action in actions for file in action.outputs.to_list() if file.extension == "cubin"])

def _two_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _by_mnemonic(env)
    asserts.equals(env, ["kernels.sm_80.cubin", "kernels.sm_90.cubin"], _outputs(actions["CudaDevice"]))
    asserts.equals(env, 1, len(actions["CudaHost"]))
    asserts.equals(env, 1, len(actions["CudaJoin"]))

    # PTX of the architecture that asked for it, and of no other.
    images = [word for word in actions["CudaJoin"][0].argv if word[:4] in ("elf:", "ptx:")]
    asserts.equals(env, ["elf:80", "elf:90", "ptx:90"], [":".join(image.split(":")[:2]) for image in images])
    return analysistest.end(env)

_two_test = analysistest.make(_two_impl, config_settings = CUDA_ON)

def _three_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _by_mnemonic(env)
    asserts.equals(
        env,
        ["kernels.sm_100a.cubin", "kernels.sm_80.cubin", "kernels.sm_90.cubin"],
        _outputs(actions["CudaDevice"]),
    )

    # Nothing but the join knows of all architectures, so that the others keep their cache entries.
    for action in actions["CudaHost"] + actions["CudaDevice"]:
        line = " ".join(action.argv)
        asserts.true(env, [arch for arch in ("80", "90", "100a") if "--arch " + arch in line] in ([], ["80"], ["90"], ["100a"]))
        names = [file.basename for file in action.inputs.to_list() if file.extension in ("cubin", "ptx")]
        asserts.equals(env, [], names)
    for action in actions["CudaHost"]:
        named = [word for word in action.argv if "sm_80" in word and not word.startswith("--prunable=")]
        asserts.equals(env, [], named, "the host compile names an architecture")
    return analysistest.end(env)

_three_test = analysistest.make(
    _three_impl,
    config_settings = CUDA_ON | {_ARCHS: "8.0;9.0+PTX;10.0a"},
)

def _extra_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _by_mnemonic(env)
    asserts.equals(
        env,
        ["kernels.sm_80.cubin", "kernels.sm_90.cubin", "kernels.sm_90a.cubin"],
        _outputs(actions["CudaDevice"]),
    )
    return analysistest.end(env)

_extra_test = analysistest.make(_extra_impl, config_settings = CUDA_ON)

# Without the generation that it extends, an extra architecture is none that anybody asked for.
def _extra_left_out_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["kernels.sm_80.cubin"], _outputs(_by_mnemonic(env)["CudaDevice"]))
    return analysistest.end(env)

_extra_left_out_test = analysistest.make(
    _extra_left_out_impl,
    config_settings = CUDA_ON | {_ARCHS: "8.0"},
)

# One that this nvcc cannot do matters only then.
def _extra_future_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["kernels.sm_80.cubin", "kernels.sm_90.cubin"], _outputs(_by_mnemonic(env)["CudaDevice"]))
    return analysistest.end(env)

_extra_future_test = analysistest.make(_extra_future_impl, config_settings = CUDA_ON)

def _one_name_impl(ctx):
    env = analysistest.begin(ctx)
    objects = [
        file.path
        for action in _by_mnemonic(env)["CudaHost"]
        for file in action.outputs.to_list()
        if file.extension == "o"
    ]
    asserts.equals(env, 2, len({path: None for path in objects}))
    return analysistest.end(env)

_one_name_test = analysistest.make(_one_name_impl, config_settings = CUDA_ON)

# An emulator runs intermediate code.
def _all_ptx_impl(ctx):
    env = analysistest.begin(ctx)
    images = [word for word in _by_mnemonic(env)["CudaJoin"][0].argv if word.startswith("ptx:")]
    asserts.equals(env, ["ptx:80", "ptx:90", "ptx:90a"], [":".join(image.split(":")[:2]) for image in images])
    return analysistest.end(env)

_all_ptx_test = analysistest.make(
    _all_ptx_impl,
    config_settings = CUDA_ON | {
        str(Label("//c10/cuda:runtime")): str(Label("//tools/cuda_emulator:runtime")),
    },
)

def _fails(message):
    def impl(ctx):
        env = analysistest.begin(ctx)
        asserts.expect_failure(env, message)
        return analysistest.end(env)

    return impl

_unknown_test = analysistest.make(
    _fails("--cuda_archs: '8.4' in '8.0;8.4' is nothing that nvcc"),
    config_settings = CUDA_ON | {_ARCHS: "8.0;8.4"},
    expect_failure = True,
)

_extra_wrong_test = analysistest.make(
    _fails("extra_archs of tests/cuda/kernels.cu in @@//tests/cuda:kernels_extra_wrong: 'sm_90a' is no architecture with a letter"),
    config_settings = CUDA_ON,
    expect_failure = True,
)

_heavy_test = analysistest.make(
    _fails("needs 9000 MiB to compile, more than the 8192 that a build may ask for: split the file"),
    config_settings = CUDA_ON,
    expect_failure = True,
)

_relocatable_test = analysistest.make(
    _fails("-rdc=true in copts of"),
    config_settings = CUDA_ON,
    expect_failure = True,
)

_other_cublas_test = analysistest.make(
    _fails("--cublas is on: cuBLAS 1.2 is for CUDA 99, but the toolkit is CUDA "),
    config_settings = CUDA_ON,
    expect_failure = True,
)

_other_cusparse_test = analysistest.make(
    _fails(": cuSPARSE 1.2 is for CUDA 99, but the toolkit is CUDA "),
    config_settings = CUDA_ON,
    expect_failure = True,
)

# A workspace that registers a toolchain of its own.
_two_toolkits_test = analysistest.make(
    _fails("two CUDA toolkits: the compiler of the toolchain other_nvcc is of CUDA 99.1, the headers of "),
    config_settings = CUDA_ON | {
        "//command_line_option:extra_toolchains": [str(Label("//tests/cuda:other_toolchain"))],
    },
    expect_failure = True,
)

# Where there is no toolkit.
_missing_test = analysistest.make(
    _fails("no CUDA toolkit that works was found. There is no nvcc."),
    expect_failure = True,
)

# rules_cuda's own runtime has two archives.
def _one_archive_impl(ctx):
    env = analysistest.begin(ctx)
    files = analysistest.target_under_test(env)[DefaultInfo].files.to_list()
    asserts.equals(env, ["libcudart_static.a"], [file.basename for file in files])
    return analysistest.end(env)

_one_archive_test = analysistest.make(_one_archive_impl)

_no_archive_test = analysistest.make(
    _fails("some_headers has 0 archives, wanted one: none. Name a runtime: --//c10/cuda:runtime=@cuda//:cuda_runtime_static"),
    expect_failure = True,
)

_emulated_test = analysistest.make(
    _fails("would hold an emulator instead of NVIDIA's runtime. Build it with --config=cuda, without --config=cuda-emulator"),
    config_settings = CUDA_ON | {
        str(Label("//c10/cuda:runtime")): str(Label("//tools/cuda_emulator:runtime")),
    },
    expect_failure = True,
)

def cuda_action_tests(name):
    """Declares the tests of this file.

    Args:
      name: of the suite; targets of the package are under test.
    """
    anywhere = {
        "missing": (_missing_test, ":no_toolkit"),
        "no_archive": (_no_archive_test, ":runtime_without_archive"),
        "one_archive": (_one_archive_test, ":runtime_with_two_archives"),
    }
    tests = anywhere | {
        "all_ptx": (_all_ptx_test, ":kernels_extra"),
        "emulated": (_emulated_test, ":installed_files"),
        "extra": (_extra_test, ":kernels_extra"),
        "extra_left_out": (_extra_left_out_test, ":kernels_extra"),
        "extra_future": (_extra_future_test, ":kernels_extra_future"),
        "extra_wrong": (_extra_wrong_test, ":kernels_extra_wrong"),
        "heavy": (_heavy_test, ":kernels_heavy"),
        "one_name": (_one_name_test, ":kernels_of_one_name"),
        "other_cublas": (_other_cublas_test, ":other_cublas"),
        "other_cusparse": (_other_cusparse_test, ":other_cusparse"),
        "relocatable": (_relocatable_test, ":kernels_relocatable"),
        "three": (_three_test, ":kernels"),
        "two": (_two_test, ":kernels"),
        "two_toolkits": (_two_toolkits_test, ":kernels"),
        "unknown": (_unknown_test, ":kernels"),
    }
    for test, (rule, target) in tests.items():
        rule(
            name = "{}_{}_test".format(name, test),
            target_compatible_with = [] if test in anywhere else if_toolkit(),
            target_under_test = target,
        )
    native.test_suite(
        name = name,
        tests = ["{}_{}_test".format(name, test) for test in tests],
    )
