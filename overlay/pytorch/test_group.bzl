"""A test that runs others, of another repository too: a test_suite of tests there crashes Bazel 7.7."""

_SCRIPT = """#!/bin/sh
# Runs the programs of its shard; each says which of its cases failed.
[ -z "$TEST_SHARD_STATUS_FILE" ] || touch "$TEST_SHARD_STATUS_FILE"
failed=""
number=0
for program in {programs}; do
    if [ $((number % ${{TEST_TOTAL_SHARDS:-1}})) -eq "${{TEST_SHARD_INDEX:-0}}" ]; then
        echo "== $program"
        env -u TEST_TOTAL_SHARDS -u TEST_SHARD_INDEX -u TEST_SHARD_STATUS_FILE -u XML_OUTPUT_FILE "./$program" || failed="$failed $program"
    fi
    number=$((number + 1))
done
[ -z "$failed" ] || {{ echo "FAILED:$failed"; exit 1; }}
"""

def _test_group_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    programs = [test[DefaultInfo].files_to_run.executable for test in ctx.attr.tests]
    ctx.actions.write(
        content = _SCRIPT.format(programs = " ".join([
            "'{}'".format(program.short_path)
            for program in programs
        ])),
        is_executable = True,
        output = script,
    )
    runfiles = ctx.runfiles(files = programs).merge_all([
        test[DefaultInfo].default_runfiles
        for test in ctx.attr.tests
    ])
    return [DefaultInfo(executable = script, runfiles = runfiles)]

test_group_test = rule(
    implementation = _test_group_impl,
    attrs = {
        "tests": attr.label_list(
            cfg = "target",
            doc = "Test programs.",
            mandatory = True,
        ),
    },
    doc = "Runs all of some test programs, spread over its shards; fails if one fails, and names it.",
    test = True,
)
