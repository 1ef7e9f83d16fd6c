"""What a wheel of a build with --vulkan is made of."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _packaged_impl(ctx):
    env = analysistest.begin(ctx)
    inputs = [
        file.basename
        for action in analysistest.target_actions(env)
        for file in action.inputs.to_list()
    ]
    for library in ["libtorch_cpu.so", "libtorch_vulkan.so"]:
        asserts.true(env, library in inputs, library + " is not in the wheel")
    return analysistest.end(env)

packaged_test = analysistest.make(
    _packaged_impl,
    config_settings = {str(Label("//config:vulkan")): True},
    doc = "Analyses the wheel of a build with --vulkan: each library that it links has a licence, too.",
)
