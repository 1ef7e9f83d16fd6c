"""Finds Highway."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "highway_system",
        headers = ["hwy"],
        library = "highway",
        libs = ["hwy"],
        probe = """
#include <hwy/highway.h>
#include <hwy/targets.h>
int main() {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  return hn::GetLane(hn::Zero(d)) == 0.0f && hwy::SupportedTargets() != 0 ? 0 : 1;
}
""",
    )

system = module_extension(implementation = _system_impl)
