"""How schemas are spelled in C++.

* `types`: C++ types of arguments and returns, default values, `Binding`.
* `cpp`: `at::` functions and `Tensor` methods: `CppSignature`, `signatures(f)`, `name(func)`.
* `dispatcher`: what the dispatcher calls, the signature of `at::_ops::X::call` and of every
  registered wrapper: `DispatcherSignature.from_schema(func)`.
* `native`: kernels in `at::native`: `NativeSignature.from_schema(func)`.
* `structured`: `impl` and `meta` of structured operators.
"""
