"""The oneDNN that the build links and a wheel asks for."""

# The distribution of its library, built for the OpenMP of GCC, and of its headers.
ONEDNN_PACKAGE = "onednn_cpu_gomp"
ONEDNN_HEADERS_PACKAGE = "onednn_devel_cpu_gomp"
ONEDNN_VERSION = "2023.2.0"

ONEDNN_LIBRARY = "libdnnl.so.3"
