"""OpenBLAS, from the distribution's package; looked for only when an option chooses it."""

load("@system_library//:system_library.bzl", "system_library")

def _openblas_impl(module_ctx):
    system_library(
        name = "openblas",
        headers = ["cblas.h", "openblas_config.h"],
        library = "openblas",
        libs = ["openblas"],
        prefer_shared = True,
        probe = """
#include <cblas.h>
int main() {
  float a = 2, b = 3, c = 0;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, &a, 1, &b, 1, 0, &c, 1);
  return c == 6 ? 0 : 1;
}
""",
    )
    return module_ctx.extension_metadata(reproducible = True)

openblas = module_extension(
    implementation = _openblas_impl,
    doc = "Makes @openblas.",
)
