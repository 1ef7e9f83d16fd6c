"""Declares the build settings and config_settings of a list of options."""

load("@bazel_skylib//rules:common_settings.bzl", "bool_flag", "string_flag")
load(":checks.bzl", "checked_options")

def declare_options(name, options, visibility):
    """Declares every option.

    A switch `x` gets the setting `:x` (unless another module owns it) and the condition `:x_on`;
    a choice `y` gets the setting `:y` and one condition `:y_<value>` for each value.

    Args:
      name: of the target that fails when options cannot work together; `<name>_complete` fails
        also when this version has nothing for an option.
      options: the list of `//config:options.bzl`.
      visibility: of every target declared.
    """
    for option in options:
        if option.kind == "switch":
            if option.label.startswith("//"):
                bool_flag(
                    name = option.name,
                    build_setting_default = option.default,
                    visibility = visibility,
                )
            native.config_setting(
                name = option.name + "_on",
                flag_values = {option.label: "True"},
                visibility = visibility,
            )
        elif option.kind == "choice":
            string_flag(
                name = option.name,
                build_setting_default = option.default,
                values = [value.name for value in option.values],
                visibility = visibility,
            )
            for value in option.values:
                native.config_setting(
                    name = option.name + "_" + value.name,
                    flag_values = {option.label: value.name},
                    visibility = visibility,
                )
        elif option.kind == "text":
            string_flag(
                name = option.name,
                build_setting_default = option.default,
                visibility = visibility,
            )
    for suffix, complete in [("", False), ("_complete", True)]:
        checked_options(
            name = name + suffix,
            choices = [option.label for option in options if option.kind == "choice"],
            complete = complete,
            cuda_archs = "//config:cuda_archs",
            switches = {option.label: option.name for option in options if option.kind == "switch"},
            visibility = visibility,
        )
