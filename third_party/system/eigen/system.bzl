"""Finds Eigen."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "eigen_system",
        headers = ["Eigen", "unsupported"],
        library = "eigen",
        probe = """
#include <Eigen/Core>
int main() { return Eigen::Matrix2f::Identity().sum() == 2.0f ? 0 : 1; }
""",
    )

system = module_extension(implementation = _system_impl)
