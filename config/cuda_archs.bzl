"""The GPU architectures of `--cuda_archs`, in the grammar of PyTorch's `TORCH_CUDA_ARCH_LIST`.

A list joined by `;`, `,` or blanks. An entry is a compute capability such as `8.0`, `9.0a` or `10.0f`,
or a name such as `Ampere`, `Common` or `All`; with `+PTX` the program also keeps the intermediate code
from which newer GPUs are served.

Python reads this file too, as torch._cuda_archs.
"""

# What each version of nvcc compiles for: its `--list-gpu-code`. The newest row at or below a version counts.
_CODES = {
    "12.0": ["5.0", "5.2", "5.3", "6.0", "6.1", "6.2", "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "9.0a"],
    "12.8": ["5.0", "5.2", "5.3", "6.0", "6.1", "6.2", "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "9.0a", "10.0", "10.0a", "10.1", "10.1a", "12.0", "12.0a"],
    "13.0": ["7.5", "8.0", "8.6", "8.7", "8.8", "8.9", "9.0", "9.0a", "10.0", "10.0a", "10.0f", "10.3", "10.3a", "10.3f", "11.0", "11.0a", "11.0f", "12.0", "12.0a", "12.0f", "12.1", "12.1a", "12.1f"],
}

# The generations and what they stand for.
_NAMES = {
    "Maxwell": ["5.0", "5.2+PTX"],
    "Pascal": ["6.0", "6.1+PTX"],
    "Volta": ["7.0+PTX"],
    "Turing": ["7.5+PTX"],
    "Ampere": ["8.0", "8.6+PTX"],
    "Ada": ["8.9+PTX"],
    "Hopper": ["9.0+PTX"],
    "Blackwell": ["10.0", "10.3", "12.0", "12.1+PTX"],
}

# The GPUs most people have; `Common` is those of them that nvcc can do, with PTX for newer ones.
_COMMON = ["5.0", "6.0", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"]

_PTX = "+PTX"

def _number(version):
    return [int(part) for part in version.split(".")[:2]]

def _codes(cuda_version):
    newest = None
    for version, codes in _CODES.items():
        if _number(version) <= _number(cuda_version):
            newest = codes
    if not newest:
        return None
    return newest

def _plain(codes):
    return [code for code in codes if code[-1].isdigit()]

def _with_ptx(codes):
    return codes[:-1] + [codes[-1] + _PTX]

def cuda_arch_errors(text, option = "--cuda_archs"):
    """What is wrong with an architecture list whatever the toolkit, which may not be known.

    Args:
      text: the list.
      option: what the list is the value of, for messages.

    Returns:
      The messages of the newest nvcc; none if any nvcc takes the list.
    """
    errors = []
    for version in _CODES:
        errors = parse_cuda_archs(text, version, option).errors
        if not errors:
            return []
    return errors

def _known(codes):
    return "Architectures that it can do: {}. Names: All, Common, {}.".format(
        ", ".join(codes),
        ", ".join([name for name, entries in _NAMES.items() if entries[0].removesuffix(_PTX) in codes]),
    )

def extra_cuda_archs(entries, archs, cuda_version, where):
    """Reads the architectures that one file has beside those asked for.

    Args:
      entries: architectures with a letter: `9.0a`, `10.0f`. One counts where its generation, `9.0`, was asked for;
        else it does not matter whether this nvcc knows it.
      archs: the architectures asked for, of `parse_cuda_archs`.
      cuda_version: of the toolkit.
      where: what the entries are written in, for messages.

    Returns:
      A struct of `archs` and `errors`, as of `parse_cuda_archs`.
    """
    asked = [arch.code for arch in archs]
    codes = _codes(cuda_version)
    extra = []
    errors = []
    for entry in entries:
        digits = entry[:-1].split(".")
        if entry[-1:] not in ("a", "f") or len(digits) != 2 or not (digits[0] + digits[1]).isdigit():
            errors.append("{}: '{}' is no architecture with a letter, such as 9.0a or 10.0f".format(where, entry))
            continue
        code = entry.replace(".", "")
        if code in asked or code[:-1] not in asked:
            continue
        if entry not in codes:
            can = [known for known in codes if known[:-1] == entry[:-1]]
            errors.append("{}: '{}' is nothing that nvcc {} compiles for; with a letter it can do {}".format(
                where,
                entry,
                cuda_version,
                ", ".join(can) if can else "none of " + entry[:-1],
            ))
            continue
        extra.append(struct(code = code, ptx = False))
    return struct(archs = [] if errors else extra, errors = errors)

def parse_cuda_archs(text, cuda_version, option = "--cuda_archs"):
    """Reads an architecture list.

    Args:
      text: the list.
      cuda_version: of the toolkit, such as `13.0`.
      option: what the list is the value of, for messages.

    Returns:
      A struct of `archs`, a list of structs of `code` (`80`, `90a`) and `ptx` (bool), in the order
      written, and `errors`, a list of messages; one of them is empty.
    """
    codes = _codes(cuda_version)
    if not codes:
        return struct(archs = [], errors = ["CUDA {} is older than {}, the oldest that this version builds with".format(cuda_version, list(_CODES)[0])])
    entries = []
    for word in text.replace(",", ";").replace(" ", ";").split(";"):
        name = word.removesuffix(_PTX)
        ptx = word.endswith(_PTX)
        if not word:
            continue
        elif name == "All":
            entries += _with_ptx(_plain(codes))
        elif name == "Common":
            entries += _with_ptx([code for code in _COMMON if code in codes])
        elif name in _NAMES:
            listed = _NAMES[name]
            entries += _with_ptx([entry.removesuffix(_PTX) for entry in listed]) if ptx else listed
        else:
            entries.append(word)

    archs = []
    errors = []
    seen = {}
    for entry in entries:
        version = entry.removesuffix(_PTX)
        if version in seen:
            errors.append("'{}' stands twice in '{}': leave one out".format(version, text))
        elif version not in codes:
            errors.append("'{}' in '{}' is nothing that nvcc {} compiles for".format(version, text, cuda_version))
        else:
            archs.append(struct(code = version.replace(".", ""), ptx = entry.endswith(_PTX)))
        seen[version] = True
    if not entries:
        errors.append("'{}' names no architecture".format(text))
    if errors:
        errors = ["{}: {}. {} Type for example: {}=\"8.0;9.0+PTX\"".format(option, error, _known(codes), option) for error in errors]
        archs = []
    return struct(archs = archs, errors = errors)
