"""What a wrong source of PyTorch is told."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load(":blas.bzl", "unavailable_blas")
load(":libraries.bzl", "OPTIONAL")
load(":not_covered.bzl", "NOT_COVERED", "not_covered_message")
load(":source.bzl", "absent_build", "checkout_problem", "missing_lists", "missing_templates", "unknown_version")
load(":submodule.bzl", "missing_submodule")
load(":versions.bzl", "KNOWN", "LISTS", "facts_of")

_ALL = ["version.txt", "build_variables.bzl", "aten/src/ATen/native/native_functions.yaml", "torchgen/gen.py"]

def _messages_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, checkout_problem("/src/pytorch", _ALL, "PYTORCH_SOURCE"))
    asserts.true(env, "--repo_env=PYTORCH_SOURCE=$PWD/pytorch" in checkout_problem("pytorch", None, "PYTORCH_SOURCE"))
    gone = checkout_problem("/src/pytorch", None, "path of pytorch_source")
    asserts.true(env, gone.startswith("path of pytorch_source is /src/pytorch, and there is no such folder"))
    other = checkout_problem("/src/other", ["version.txt"], "PYTORCH_SOURCE")
    asserts.true(env, "which lacks build_variables.bzl, aten/src" in other)
    asserts.true(env, "version.txt" not in other.split("which lacks")[1].split(":")[0])
    asserts.true(env, "\n    git submodule update --init third_party/kineto\n" in missing_submodule("kineto"))
    asserts.true(env, "--blas=mkl is not among" in unavailable_blas()["mkl"])
    asserts.true(env, "Type: --blas=atlas, blis, flexiblas, openblas (or leave it out" in unavailable_blas()["nvpl"])
    said = not_covered_message("gloo")
    asserts.true(env, said.startswith("--//overlay/pytorch:gloo=on: the BUILD files of overlay/pytorch do not cover USE_GLOO"))
    asserts.true(env, "torch.distributed.is_available() is False" in said)
    asserts.true(env, "type --//overlay/pytorch:onednn=on" in not_covered_message("mkldnn"))
    asserts.equals(env, [], [name for name in OPTIONAL if name in NOT_COVERED])
    return unittest.end(env)

messages_test = unittest.make(_messages_test_impl)

def _lists_test_impl(ctx):
    env = unittest.begin(ctx)
    text = "\n".join(["{} = [".format(name) for name in LISTS])
    asserts.equals(env, [], missing_lists(text))
    asserts.equals(env, ["torch_cpp_srcs"], missing_lists(text.replace("torch_cpp_srcs", "torch_cpp_sources")))
    asserts.equals(env, LISTS, missing_lists("# nothing"))
    asserts.equals(env, None, missing_templates("2.99.0a0", "/src/pytorch", []))
    moved = missing_templates("2.99.0a0", "/src/pytorch", ["c10/macros/cmake_macros.h.in"])
    asserts.true(env, moved.startswith("this checkout of PyTorch 2.99.0a0 has no c10/macros/cmake_macros.h.in, which"))
    asserts.true(env, "//overlay/pytorch:report -- /src/pytorch\n" in moved)
    said = unknown_version("2.99.0a0", "/src/pytorch")
    asserts.true(env, "//overlay/pytorch:report -- /src/pytorch\n" in said)
    asserts.true(env, "It is built as {} would be.".format(KNOWN[-1]) in said)
    for version in KNOWN:
        generated = facts_of(version).generated
        asserts.equals(env, sorted(generated), sorted({path: None for path in generated}.keys()))
    return unittest.end(env)

lists_test = unittest.make(_lists_test_impl)

def _absent_test_impl(ctx):
    env = unittest.begin(ctx)
    text = absent_build("no network\nat all")
    asserts.true(env, "# No source: no network at all\n" in text)
    asserts.true(env, '"c10_tests"' in text and '"libtorch_cpu"' in text)
    asserts.equals(env, 2, text.count("@platforms//:incompatible"))
    return unittest.end(env)

absent_test = unittest.make(_absent_test_impl)
