"""The CUPTI that the build links and a wheel asks for."""

CUPTI_VERSION = "13.0.85"

# What its files are named after, and the toolkits that it belongs to.
CUPTI_MAJOR = 13
