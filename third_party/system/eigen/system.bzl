"""Finds Eigen."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "eigen_system",
        headers = ["Eigen", "unsupported"],
        library = "eigen",
        probe = """
#include <Eigen/Core>
int main() { return EIGEN_VERSION_AT_LEAST(3, 4, 0) ? 0 : 1; }
""",
    )

system = module_extension(implementation = _system_impl)
