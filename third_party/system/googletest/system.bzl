"""Finds GoogleTest."""

load("@system_library//:system_library.bzl", "system_library")

def _system_impl(_module_ctx):
    system_library(
        name = "googletest_system",
        headers = ["gtest", "gmock"],
        lib_deps = {
            "gmock": ["gtest"],
            "gmock_main": ["gmock"],
            "gtest_main": ["gtest"],
        },
        library = "googletest",
        libs = ["gtest", "gmock", "gtest_main", "gmock_main"],
        probe = """
#include <gmock/gmock.h>
TEST(Probe, Links) { EXPECT_EQ(1, 1); }
int main(int argc, char** argv) { testing::InitGoogleMock(&argc, argv); return RUN_ALL_TESTS(); }
""",
    )

system = module_extension(implementation = _system_impl)
