"""sh_test under its rules_shell label."""

# buildifier: disable=native-sh-test
sh_test = native.sh_test
