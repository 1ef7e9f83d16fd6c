"""What each architecture list means, and what is said of those that mean nothing."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//config:cuda_archs.bzl", "extra_cuda_archs", "parse_cuda_archs")
load("//tools/rules:cuda_archs.bzl", "CudaArchsInfo")

# (list, version of CUDA, architectures)
_TABLE = [
    ("8.0", "13.0", ["80"]),
    ("7.5;8.0;9.0+PTX", "13.0", ["75", "80", "90+PTX"]),
    ("8.0,9.0", "13.0", ["80", "90"]),
    ("8.0 9.0", "13.0", ["80", "90"]),
    ("8.0;", "13.0", ["80"]),
    ("9.0a", "13.0", ["90a"]),
    ("10.0f+PTX", "13.0", ["100f+PTX"]),
    ("Ampere", "13.0", ["80", "86+PTX"]),
    ("Hopper+PTX", "13.0", ["90+PTX"]),
    ("Turing;8.0", "13.0", ["75+PTX", "80"]),
    ("Common", "12.4", ["50", "60", "70", "75", "80", "86", "89", "90+PTX"]),
    ("Common", "13.2", ["75", "80", "86", "89", "90", "100", "120+PTX"]),
    ("Pascal", "12.8", ["60", "61+PTX"]),
]

# (list, version of CUDA, part of the message)
_WRONG = [
    ("", "13.0", "'' names no architecture"),
    (" ; ", "13.0", "names no architecture"),
    ("8.4", "13.0", "'8.4' in '8.4' is nothing that nvcc 13.0 compiles for. Architectures that it can do: 7.5, 8.0"),
    ("sm_80", "13.0", "'sm_80' in 'sm_80' is nothing that nvcc 13.0 compiles for"),
    ("Volta", "13.0", "'7.0' in 'Volta' is nothing that nvcc 13.0 compiles for"),
    ("12.0", "12.4", "'12.0' in '12.0' is nothing that nvcc 12.4 compiles for"),
    ("8.0;8.0", "13.0", "'8.0' stands twice in '8.0;8.0': leave one out"),
    ("8.0;Ampere", "13.0", "'8.0' stands twice"),
    ("9.0;9.0+PTX", "13.0", "'9.0' stands twice"),
    ("ampere", "13.0", "Names: All, Common, Turing, Ampere"),
    ("8.0", "11.8", "CUDA 11.8 is older than 12.0"),
]

def _table_impl(ctx):
    env = unittest.begin(ctx)
    for text, version, wanted in _TABLE:
        parsed = parse_cuda_archs(text, version)
        asserts.equals(env, [], parsed.errors)
        asserts.equals(env, wanted, [arch.code + ("+PTX" if arch.ptx else "") for arch in parsed.archs], text)
    return unittest.end(env)

_table_test = unittest.make(_table_impl)

def _all_impl(ctx):
    env = unittest.begin(ctx)
    archs = parse_cuda_archs("All", "13.0").archs
    asserts.equals(env, ["75", "121"], [archs[0].code, archs[-1].code])
    asserts.equals(env, [archs[-1]], [arch for arch in archs if arch.ptx])
    asserts.equals(env, [], [arch.code for arch in archs if not arch.code[-1].isdigit()], "architecture-specific code is for one GPU")
    return unittest.end(env)

_all_test = unittest.make(_all_impl)

def _wrong_impl(ctx):
    env = unittest.begin(ctx)
    for text, version, message in _WRONG:
        parsed = parse_cuda_archs(text, version)
        asserts.equals(env, [], parsed.archs)
        asserts.true(env, message in "\n".join(parsed.errors), "'{}' gives {}".format(text, parsed.errors))
        asserts.true(env, "older" in message or "Type for example: --cuda_archs=" in parsed.errors[0])
    return unittest.end(env)

_wrong_test = unittest.make(_wrong_impl)

# (entries, list, version of CUDA, what is added or part of the message)
_EXTRA = [
    (["9.0a"], "8.0;9.0", "13.0", ["90a"]),
    (["9.0a"], "8.0", "13.0", []),
    (["9.0a"], "9.0;9.0a", "13.0", []),
    (["10.0f", "9.0a"], "9.0", "12.0", ["90a"]),
    (["10.0f"], "10.0", "12.8", "x.cu: '10.0f' is nothing that nvcc 12.8 compiles for; with a letter it can do 10.0a"),
    (["8.0a"], "8.0", "13.0", "x.cu: '8.0a' is nothing that nvcc 13.0 compiles for; with a letter it can do none of 8.0"),
    (["9.0"], "8.0", "13.0", "x.cu: '9.0' is no architecture with a letter, such as 9.0a or 10.0f"),
    (["sm_90a"], "8.0", "13.0", "x.cu: 'sm_90a' is no architecture with a letter"),
    ([""], "8.0", "13.0", "x.cu: '' is no architecture with a letter"),
]

def _extra_impl(ctx):
    env = unittest.begin(ctx)
    for entries, text, version, wanted in _EXTRA:
        found = extra_cuda_archs(entries, parse_cuda_archs(text, version).archs, version, "x.cu")
        if type(wanted) == "list":
            asserts.equals(env, [], found.errors)
            asserts.equals(env, wanted, [arch.code for arch in found.archs])
        else:
            asserts.equals(env, [], found.archs)
            asserts.true(env, found.errors[0].startswith(wanted), found.errors[0])
    return unittest.end(env)

_extra_test = unittest.make(_extra_impl)

def _off_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, [], analysistest.target_under_test(env)[CudaArchsInfo].archs)
    return analysistest.end(env)

# Another error than a traceback for --rocm, whose libraries take the place of CUDA's.
_off_test = analysistest.make(
    _off_impl,
    config_settings = {str(Label("@rules_cuda//cuda:enable")): False},
)

def cuda_archs_tests(name):
    """Declares the tests of this file.

    Args:
      name: prefix of their names.
    """
    _table_test(name = name + "_table_test")
    _all_test(name = name + "_all_test")
    _extra_test(name = name + "_extra_test")
    _off_test(
        name = name + "_off_test",
        target_under_test = "//tools/rules:cuda_archs",
    )
    _wrong_test(name = name + "_wrong_test")
