from typing import NamedTuple

class _Arch(NamedTuple):
    code: str
    ptx: bool

class _Parsed(NamedTuple):
    archs: list[_Arch]
    errors: list[str]

def parse_cuda_archs(text: str, cuda_version: str, option: str = ...) -> _Parsed: ...
