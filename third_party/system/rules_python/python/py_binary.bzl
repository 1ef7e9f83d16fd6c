"""py_binary: a Python program."""

load(":program.bzl", "PROGRAM_RULE", "program")

py_binary = rule(
    implementation = program,
    doc = "A Python program.",
    executable = True,
    **PROGRAM_RULE
)
