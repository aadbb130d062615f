// SPDX-License-Identifier: Apache-2.0
#pragma once

// TROPIC_DETAIL_EACH(m, (a, b), (c, d), ...) expands to m(a, b) m(c, d) ..., up to 256 pairs;
// TROPIC_DETAIL_LIST puts commas between. Declarations by one-line macros need nothing more.

#define TROPIC_DETAIL_PARENS ()
#define TROPIC_DETAIL_EXPAND(...) \
  TROPIC_DETAIL_EXPAND3(TROPIC_DETAIL_EXPAND3(TROPIC_DETAIL_EXPAND3(__VA_ARGS__)))
#define TROPIC_DETAIL_EXPAND3(...) \
  TROPIC_DETAIL_EXPAND2(TROPIC_DETAIL_EXPAND2(TROPIC_DETAIL_EXPAND2(__VA_ARGS__)))
#define TROPIC_DETAIL_EXPAND2(...) \
  TROPIC_DETAIL_EXPAND1(TROPIC_DETAIL_EXPAND1(TROPIC_DETAIL_EXPAND1(__VA_ARGS__)))
#define TROPIC_DETAIL_EXPAND1(...) __VA_ARGS__

#define TROPIC_DETAIL_EACH(macro, ...) \
  __VA_OPT__(TROPIC_DETAIL_EXPAND(TROPIC_DETAIL_EACH_STEP(macro, __VA_ARGS__)))
#define TROPIC_DETAIL_EACH_STEP(macro, pair, ...) \
  macro pair __VA_OPT__(TROPIC_DETAIL_EACH_AGAIN TROPIC_DETAIL_PARENS(macro, __VA_ARGS__))
#define TROPIC_DETAIL_EACH_AGAIN() TROPIC_DETAIL_EACH_STEP

#define TROPIC_DETAIL_LIST(macro, ...) \
  __VA_OPT__(TROPIC_DETAIL_EXPAND(TROPIC_DETAIL_LIST_STEP(macro, __VA_ARGS__)))
#define TROPIC_DETAIL_LIST_STEP(macro, pair, ...) \
  macro pair __VA_OPT__(, TROPIC_DETAIL_LIST_AGAIN TROPIC_DETAIL_PARENS(macro, __VA_ARGS__))
#define TROPIC_DETAIL_LIST_AGAIN() TROPIC_DETAIL_LIST_STEP

// The same with a first argument that stays: m(owner, a, b), m(owner, c, d), ...
#define TROPIC_DETAIL_UNPACK(first, second) first, second
#define TROPIC_DETAIL_CALL(macro, ...) macro(__VA_ARGS__)
#define TROPIC_DETAIL_LIST_OF(macro, owner, ...) \
  __VA_OPT__(TROPIC_DETAIL_EXPAND(TROPIC_DETAIL_LIST_OF_STEP(macro, owner, __VA_ARGS__)))
#define TROPIC_DETAIL_LIST_OF_STEP(macro, owner, pair, ...)   \
  TROPIC_DETAIL_CALL(macro, owner, TROPIC_DETAIL_UNPACK pair) \
  __VA_OPT__(, TROPIC_DETAIL_LIST_OF_AGAIN TROPIC_DETAIL_PARENS(macro, owner, __VA_ARGS__))
#define TROPIC_DETAIL_LIST_OF_AGAIN() TROPIC_DETAIL_LIST_OF_STEP
