"""sh_library under its rules_shell label."""

# buildifier: disable=native-sh-library
sh_library = native.sh_library
