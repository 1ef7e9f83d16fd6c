"""py_test: a Python program that is a test."""

load(":program.bzl", "PROGRAM_RULE", "program")

py_test = rule(
    implementation = program,
    doc = "A Python program that is a test.",
    test = True,
    **PROGRAM_RULE
)
