"""PyRuntimeInfo: one Python interpreter."""

PyRuntimeInfo = provider(
    doc = "The interpreter that runs Python targets.",
    fields = {
        "files": "Depset of files that the interpreter needs at run time.",
        "interpreter": "The interpreter as a file of the build, or None.",
        "interpreter_path": "The interpreter's absolute path on the machine, or None.",
        "interpreter_version_info": "Struct of its version: major, minor, micro.",
        "python_version": "PY3.",
        "stub_shebang": "First line of programs that it runs.",
    },
)
