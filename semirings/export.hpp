// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exports of a shared library: it is built with hidden symbols, and TROPIC_API marks what programs
// call, throw or derive from. Templates and inline functions do not need it.

#if __cplusplus < 202002L
#error "Tropic needs C++20: compile with -std=c++20 or later"
#endif

#if defined(__GNUC__)
#define TROPIC_API __attribute__((visibility("default")))
#else
#define TROPIC_API
#endif
