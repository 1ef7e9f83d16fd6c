"""The memory that an action asks Bazel for, so that heavy compiles queue and light ones do not."""

def _memory_512(_os, _inputs):
    return {"cpu": 1, "memory": 512}

def _memory_1024(_os, _inputs):
    return {"cpu": 1, "memory": 1024}

def _memory_2048(_os, _inputs):
    return {"cpu": 1, "memory": 2048}

def _memory_4096(_os, _inputs):
    return {"cpu": 1, "memory": 4096}

def _memory_8192(_os, _inputs):
    return {"cpu": 1, "memory": 8192}

# Bazel takes a function, not a number.
_RESOURCE_SETS = [
    (512, _memory_512),
    (1024, _memory_1024),
    (2048, _memory_2048),
    (4096, _memory_4096),
    (8192, _memory_8192),
]

def resource_set(source, memory):
    """The smallest declared size that a compile fits in, with a quarter to spare.

    Args:
      source: the file that is compiled, for the message.
      memory: MiB that its compile needs.

    Returns:
      A function for `resource_set` of an action.
    """
    for size, function in _RESOURCE_SETS:
        if memory + memory // 4 <= size:
            return function
    fail("{} needs {} MiB to compile, more than the {} that a build may ask for: split the file".format(
        source.short_path,
        memory,
        _RESOURCE_SETS[-1][0],
    ))
