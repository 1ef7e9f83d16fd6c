#!/bin/sh
# Stands where Apple's compiler would, on machines that have none.
{
  echo "This machine can analyse what is built for macOS (--nobuild), and not compile it: Apple's compilers run on a Mac."
  echo "There, with Xcode: ./bazelw build //torch:_C --config=mps"
} >&2
exit 1
