#pragma once
// No source includes this file: a change of it compiles nothing.
// c
// c
