ASSERTIONS: bool
BUILD_TYPE: str
CXX_FLAGS: str
LAPACK: str
OPTIONS: dict[str, str]
SANITIZERS: str
