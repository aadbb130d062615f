// SPDX-License-Identifier: Apache-2.0
#pragma once

// GraphBLAS's built-in semirings and accumulators, and what they are called here.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/interop/graphblas/support.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/operators.hpp>

namespace tropic::graphblas {

/// A built-in semiring of GraphBLAS that has a counterpart here. Positional ones take any types.
struct mapped_semiring {
  GrB_Semiring theirs;
  const char* their_name;
  std::string_view ours;
  type_code type;  // of both operands, unless positional
  bool positional;
};

/// All of them.
inline const std::vector<mapped_semiring>& mapped_semirings() {
#define TROPIC_GRAPHBLAS_SEMIRING(T, THEIRS, OURS) \
  list.push_back({THEIRS, #THEIRS, #OURS, builtin_code<T>(), false});
#define TROPIC_GRAPHBLAS_NUMERIC(T, NAME)                                  \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_PLUS_TIMES_SEMIRING_##NAME, plus_times) \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MIN_PLUS_SEMIRING_##NAME, min_plus)     \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MAX_PLUS_SEMIRING_##NAME, max_plus)     \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MIN_TIMES_SEMIRING_##NAME, min_times)   \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MAX_TIMES_SEMIRING_##NAME, max_times)   \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MIN_MAX_SEMIRING_##NAME, min_max)       \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MAX_MIN_SEMIRING_##NAME, max_min)       \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_PLUS_MIN_SEMIRING_##NAME, plus_min)     \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_PLUS_PAIR_##NAME, plus_pair)            \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MIN_FIRST_SEMIRING_##NAME, min_first)   \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MIN_SECOND_SEMIRING_##NAME, min_second) \
  TROPIC_GRAPHBLAS_SEMIRING(T, GrB_MAX_SECOND_SEMIRING_##NAME, max_second) \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_PLUS_FIRST_##NAME, plus_first)          \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_PLUS_SECOND_##NAME, plus_second)
#define TROPIC_GRAPHBLAS_ANY(T, NAME)                           \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_ANY_PAIR_##NAME, any_pair)   \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_ANY_FIRST_##NAME, any_first) \
  TROPIC_GRAPHBLAS_SEMIRING(T, GxB_ANY_SECOND_##NAME, any_second)
#define TROPIC_GRAPHBLAS_POSITIONAL(THEIRS, OURS) \
  list.push_back({THEIRS, #THEIRS, #OURS, type_code::int64, true});
  static const std::vector<mapped_semiring> all = [] {
    std::vector<mapped_semiring> list;
    TROPIC_GRAPHBLAS_NUMBERS(TROPIC_GRAPHBLAS_NUMERIC)
    TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_ANY)
    TROPIC_GRAPHBLAS_SEMIRING(bool, GrB_LOR_LAND_SEMIRING_BOOL, or_and)
    TROPIC_GRAPHBLAS_SEMIRING(bool, GrB_LAND_LOR_SEMIRING_BOOL, and_or)
    TROPIC_GRAPHBLAS_SEMIRING(bool, GrB_LXOR_LAND_SEMIRING_BOOL, xor_and)
    TROPIC_GRAPHBLAS_POSITIONAL(GxB_ANY_FIRSTJ_INT64, any_firstj)
    TROPIC_GRAPHBLAS_POSITIONAL(GxB_MIN_FIRSTJ_INT64, min_firstj)
    TROPIC_GRAPHBLAS_POSITIONAL(GxB_ANY_SECONDI_INT64, any_secondi)
    TROPIC_GRAPHBLAS_POSITIONAL(GxB_MIN_SECONDI_INT64, min_secondi)
    return list;
  }();
#undef TROPIC_GRAPHBLAS_SEMIRING
#undef TROPIC_GRAPHBLAS_NUMERIC
#undef TROPIC_GRAPHBLAS_ANY
#undef TROPIC_GRAPHBLAS_POSITIONAL
  return all;
}

namespace internal {

/// What GraphBLAS prints of an object.
template <class Print>
std::string printed(Print print) {
  std::string text;
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return text;
  if (print(file) == GrB_SUCCESS) {
    std::rewind(file);
    char part[256];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
  }
  std::fclose(file);
  return text;
}
inline std::string between(const std::string& text, const char* before, const char* after,
                           std::size_t from = 0) {
  const std::size_t found = text.find(before, from);
  if (found == std::string::npos) return {};
  const std::size_t begin = found + std::string_view(before).size();
  const std::size_t end = text.find_first_of(after, begin);
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}
/// "GxB_PLUS_DIV_FP32", "plus_div over float" where GraphBLAS knows no name.
inline std::string name_of(GrB_Semiring semiring) {
  for (const mapped_semiring& known : mapped_semirings())
    if (known.theirs == semiring) return known.their_name;
  const std::string text = printed(
      [semiring](std::FILE* file) { return GxB_Semiring_fprint(semiring, "", GxB_SHORT, file); });
  if (std::string given = between(text, "Semiring given name: [", "]"); !given.empty())
    return given;
  const std::size_t multiply = text.find("semiring->multiply");
  if (multiply == std::string::npos) return "that GraphBLAS cannot print";
  return between(text, " z=", "(") + "_" + between(text, " z=", "(", multiply) + " over " +
         between(text, "xtype ", " ", multiply);
}
inline std::string name_of(GrB_BinaryOp op) {
  const std::string text =
      printed([op](std::FILE* file) { return GxB_BinaryOp_fprint(op, "", GxB_SHORT, file); });
  if (std::string given = between(text, "BinaryOp given name: [", "]"); !given.empty())
    return given;
  const std::string word = between(text, " z=", "(");
  return word.empty() ? "that GraphBLAS cannot print"
                      : word + " over " + between(text, "xtype ", " ");
}

/// `call` begins the messages of errors.
inline const mapped_semiring& find_semiring(GrB_Semiring semiring, const char* call) {
  if (semiring == nullptr) throw usage_error(std::string(call) + ": the semiring is GrB_NULL");
  for (const mapped_semiring& known : mapped_semirings())
    if (known.theirs == semiring) return known;
  throw usage_error(std::string(call) + ": Tropic has no counterpart of the semiring " +
                    name_of(semiring));
}

template <class T, class Op>
operator_description over(const Op& op) {
  return describe_operator<T, T, T>(op);
}

/// The accumulator over `type` that is GraphBLAS's `op`. Throws usage_error that names it where
/// it is none of the built-in ones over that type.
inline operator_description find_accumulator(GrB_BinaryOp op, const type_description& type,
                                             const char* call) {
  std::optional<operator_description> found;
#define TROPIC_GRAPHBLAS_IS(T, THEIRS, OURS) \
  if (!found && op == THEIRS) found = over<T>(OURS{});
#define TROPIC_GRAPHBLAS_ACCUMULATORS(T, NAME)           \
  if (type.code == builtin_code<T>()) {                  \
    TROPIC_GRAPHBLAS_IS(T, GrB_PLUS_##NAME, plus)        \
    TROPIC_GRAPHBLAS_IS(T, GrB_MINUS_##NAME, minus)      \
    TROPIC_GRAPHBLAS_IS(T, GrB_TIMES_##NAME, times)      \
    TROPIC_GRAPHBLAS_IS(T, GrB_DIV_##NAME, divide)       \
    TROPIC_GRAPHBLAS_IS(T, GrB_MIN_##NAME, minimum)      \
    TROPIC_GRAPHBLAS_IS(T, GrB_MAX_##NAME, maximum)      \
    TROPIC_GRAPHBLAS_IS(T, GrB_FIRST_##NAME, first)      \
    TROPIC_GRAPHBLAS_IS(T, GrB_SECOND_##NAME, second)    \
    TROPIC_GRAPHBLAS_IS(T, GrB_ONEB_##NAME, pair)        \
    TROPIC_GRAPHBLAS_IS(T, GxB_PAIR_##NAME, pair)        \
    TROPIC_GRAPHBLAS_IS(T, GxB_ANY_##NAME, any)          \
    TROPIC_GRAPHBLAS_IS(T, GxB_LOR_##NAME, logical_or)   \
    TROPIC_GRAPHBLAS_IS(T, GxB_LAND_##NAME, logical_and) \
    TROPIC_GRAPHBLAS_IS(T, GxB_LXOR_##NAME, logical_xor) \
    TROPIC_GRAPHBLAS_IS(T, GxB_ISEQ_##NAME, equal)       \
    TROPIC_GRAPHBLAS_IS(T, GxB_ISNE_##NAME, not_equal)   \
  }
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_ACCUMULATORS)
#undef TROPIC_GRAPHBLAS_ACCUMULATORS
#define TROPIC_GRAPHBLAS_BITS(T, NAME)               \
  if (type.code == builtin_code<T>()) {              \
    TROPIC_GRAPHBLAS_IS(T, GrB_BOR_##NAME, bit_or)   \
    TROPIC_GRAPHBLAS_IS(T, GrB_BAND_##NAME, bit_and) \
    TROPIC_GRAPHBLAS_IS(T, GrB_BXOR_##NAME, bit_xor) \
  }
  TROPIC_GRAPHBLAS_BITS(std::int8_t, INT8)
  TROPIC_GRAPHBLAS_BITS(std::int16_t, INT16)
  TROPIC_GRAPHBLAS_BITS(std::int32_t, INT32)
  TROPIC_GRAPHBLAS_BITS(std::int64_t, INT64)
  TROPIC_GRAPHBLAS_BITS(std::uint8_t, UINT8)
  TROPIC_GRAPHBLAS_BITS(std::uint16_t, UINT16)
  TROPIC_GRAPHBLAS_BITS(std::uint32_t, UINT32)
  TROPIC_GRAPHBLAS_BITS(std::uint64_t, UINT64)
#undef TROPIC_GRAPHBLAS_BITS
  if (type.code == type_code::boolean) {
    TROPIC_GRAPHBLAS_IS(bool, GrB_LOR, logical_or)
    TROPIC_GRAPHBLAS_IS(bool, GrB_LAND, logical_and)
    TROPIC_GRAPHBLAS_IS(bool, GrB_LXOR, logical_xor)
    TROPIC_GRAPHBLAS_IS(bool, GrB_LXNOR, equal)
    TROPIC_GRAPHBLAS_IS(bool, GrB_EQ_BOOL, equal)
  }
#undef TROPIC_GRAPHBLAS_IS
  if (found) return *found;
  throw usage_error(std::string(call) + ": Tropic has no accumulator over " +
                    std::string(type.name) + " like " + name_of(op));
}

}  // namespace internal
}  // namespace tropic::graphblas
