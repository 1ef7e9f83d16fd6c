"""The operating systems and processors that the tree knows."""

OSES = [
    "linux",
    "macos",
    "windows",
]

CPUS = [
    "aarch64",
    "ppc64le",
    "riscv64",
    "x86_64",
]
