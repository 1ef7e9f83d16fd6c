#pragma once

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <string>
#include <typeinfo>

/// Expects that a statement throws exactly `error_t`, with this message (backtrace left out).
#define EXPECT_THROW_MESSAGE(statement, error_t, message)                             \
  do {                                                                                \
    bool threw = false;                                                               \
    try {                                                                             \
      statement;                                                                      \
    } catch (const ::c10::Error& e) {                                                 \
      threw = true;                                                                   \
      EXPECT_TRUE(typeid(e) == typeid(error_t)) << "thrown was " << typeid(e).name(); \
      EXPECT_EQ(std::string(e.what_without_backtrace()), std::string(message));       \
    }                                                                                 \
    EXPECT_TRUE(threw) << #statement " did not throw";                                \
  } while (false)

/// Expects that it throws `error_t` with a message that has this part.
#define EXPECT_THROW_CONTAINS(statement, error_t, part)                                \
  do {                                                                                 \
    bool threw = false;                                                                \
    try {                                                                              \
      statement;                                                                       \
    } catch (const ::c10::Error& e) {                                                  \
      threw = true;                                                                    \
      EXPECT_TRUE(typeid(e) == typeid(error_t)) << "thrown was " << typeid(e).name();  \
      EXPECT_NE(std::string(e.what_without_backtrace()).find(part), std::string::npos) \
          << "the message is: " << e.what_without_backtrace();                         \
    }                                                                                  \
    EXPECT_TRUE(threw) << #statement " did not throw";                                 \
  } while (false)
