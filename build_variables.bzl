"""Every source list of the tree, by directory.

Plain lists of paths from the repository root, so that the file evaluates both as Starlark and with
Python's `exec`. A test proves that every source on disk is listed exactly once. Headers are not
listed: packages glob them.
"""
