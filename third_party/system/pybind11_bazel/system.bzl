"""Finds pybind11."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "pybind11_system",
        headers = ["pybind11"],
        library = "pybind11",
    )

system = module_extension(implementation = _system_impl)
