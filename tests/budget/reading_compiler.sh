#!/bin/sh
# Stands in for the compiler where only what is compiled counts, not what comes out: a compilation
# reads the headers that it would read, and fails where one is missing, but makes no code. A hundred
# times cheaper, and Bazel sees the same files. What is no action of a build, such as its questions
# about the compiler, the compiler answers itself.
set -eu
compiler=${READING_COMPILER:-$(command -v c++ || command -v g++)}

output=
dependencies=
compiles=
previous=
for word in "$@"; do
  case $previous in
    -o) output=$word ;;
    -MF) dependencies=$word ;;
  esac
  case $word in
    -c) compiles=1 ;;
    @*) # Parameters of a link, one a line.
      named=$(sed -n '/^-o$/{n;p;}' "${word#@}")
      output=${named:-$output}
      ;;
  esac
  previous=$word
done

if [ -n "$compiles" ] && [ -n "$dependencies" ]; then
  "$compiler" "$@" -M
  : > "$output"
  exit
fi
case $output in
  bazel-out/*) : > "$output" ;;
  *) exec "$compiler" "$@" ;;
esac
