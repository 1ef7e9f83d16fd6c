"""A string option that may be given several times."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _repeatable_string_flag_impl(ctx):
    return [BuildSettingInfo(value = [value for value in ctx.build_setting_value if value])]

repeatable_string_flag = rule(
    implementation = _repeatable_string_flag_impl,
    build_setting = config.string(flag = True, allow_multiple = True),
    doc = "A string option that may be given several times.",
)
