"""sh_binary under its rules_shell label."""

# buildifier: disable=native-sh-binary
sh_binary = native.sh_binary
