"""What holds for every entry of the list of options."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//config:backends.bzl", "OPTIONAL_BACKENDS", "backend_setting")
load("//config:options.bzl", "EXCLUSIVE", "MAX_OPTIONS", "OPTIONS")
load("//config/private:reference.bzl", "flags_bazelrc", "options_markdown")

def _few_impl(ctx):
    env = unittest.begin(ctx)
    asserts.true(env, len(OPTIONS) <= MAX_OPTIONS, "%d options; at most %d are public" % (len(OPTIONS), MAX_OPTIONS))
    return unittest.end(env)

_few_test = unittest.make(_few_impl)

def _distinct_impl(ctx):
    env = unittest.begin(ctx)
    for facet in ["name", "label"]:
        seen = {getattr(option, facet): None for option in OPTIONS}
        asserts.equals(env, len(OPTIONS), len(seen), "two options share a " + facet)
    return unittest.end(env)

_distinct_test = unittest.make(_distinct_impl)

def _complete_impl(ctx):
    env = unittest.begin(ctx)
    switches = [option.name for option in OPTIONS if option.kind == "switch"]
    for option in OPTIONS:
        asserts.true(env, option.doc.endswith("."), option.name + " has no sentence of documentation")
        for name in option.requires:
            asserts.true(env, name in switches, "%s needs %s, which is no switch" % (option.name, name))
        if option.kind == "choice":
            known = [value.name for value in option.values]
            asserts.true(env, option.default in known, "%s defaults to an unknown value" % option.name)
        if option.missing:
            asserts.false(env, option.default, option.name + " is on by default and cannot work")
    for group in EXCLUSIVE:
        for name in group:
            asserts.true(env, name in switches, name + " excludes others and is no switch")
    return unittest.end(env)

_complete_test = unittest.make(_complete_impl)

def _derived_impl(ctx):
    env = unittest.begin(ctx)
    flags = flags_bazelrc(OPTIONS)
    reference = "\n".join(options_markdown(OPTIONS))
    for name in OPTIONAL_BACKENDS:
        line = "build:{} --{}=True".format(name, backend_setting(name))
        asserts.true(env, line in flags, "no --config=" + name)
    for option in OPTIONS:
        line = "build --flag_alias={}={}".format(option.name, option.label)
        asserts.true(env, line in flags, "no short flag for " + option.name)
        row = "* `--%s`: " if option.missing else "`--%s"
        asserts.true(env, row % option.name in reference, "no reference for " + option.name)
        for value in option.values:
            asserts.true(env, "* `%s`: " % value.name in reference, "no reference for " + value.name)
    return unittest.end(env)

_derived_test = unittest.make(_derived_impl)

def declared_test_suite(name):
    """Declares the tests of this file.

    Args:
      name: prefix of their names.
    """
    unittest.suite(name, _few_test, _distinct_test, _complete_test, _derived_test)
