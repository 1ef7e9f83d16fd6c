"""Finds Google Benchmark."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "google_benchmark_system",
        headers = ["benchmark"],
        lib_deps = {"benchmark_main": ["benchmark"]},
        library = "google_benchmark",
        libs = ["benchmark", "benchmark_main"],
        probe = """
#include <benchmark/benchmark.h>
static void Nothing(benchmark::State& state) { for (auto _ : state) {} }
BENCHMARK(Nothing);
BENCHMARK_MAIN();
""",
    )

system = module_extension(implementation = _system_impl)
