#!/bin/sh
# Stands where Apple's compiler would, on machines that have none.
{
  echo "Linux can only analyse a build for macOS (--nobuild): Apple's compilers run on a Mac."
  echo "There, with Xcode: ./bazelw build //torch:_C --config=mps"
} >&2
exit 1
