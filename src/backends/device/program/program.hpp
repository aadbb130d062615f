// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device program: tuning constants + dialect + prelude + kernel texts, ready for a compiler.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tropic/semirings/semiring.hpp>

#include "backends/device/program/prelude.hpp"

namespace tropic::detail {

/// How t(i) is made of u(i) and v(i); the numbers are those of elements.kernel.
enum class element_kind { copy, value, apply, select, set_union, set_intersection };

/// An operation on vectors, one position at a time (elements.kernel).
struct element_request {
  element_kind kind = element_kind::copy;
  const operator_description* op = nullptr;  // apply, select, and those of u and v
  bool bound_first = false, bound_second = false;
  scalar_bytes bound{};                 // that operand of op, or the one value; not in the text
  const type_description* u = nullptr;  // null where there is none
  const type_description* v = nullptr;
  const type_description* z = nullptr;  // of t and w
};

/// That of a function of one operand, of type `u`.
element_request one_operand(element_kind, const unary_description&, const type_description& u,
                            const type_description* z);

/// What a round of iterate_until asks of a sum, beside the product (iterate.kernel).
struct round_request {
  const operator_description* improves = nullptr;  // (sum, w(i)); null: nothing
  std::optional<element_request> keeps{};          // a selection; none: all are kept
};

/// What a step of iterate_back does before and after the product (rounds_back.kernel).
struct back_request {
  const operator_description* give = nullptr;  // (w(j), x(j)): an operand of the product
  const operator_description* take = nullptr;  // (sum, w(i)): the new x(i)
};

/// A pass over positions (pass.kernel): steps that run in order at one position after the other.
struct pass_request {
  struct vector {
    const type_description* type = nullptr;
    bool read = false, written = false;  // its values, and the array they are stored in
    bool flagged = false;                // with a byte a position that says where it has an entry
  };
  /// w = op(u, v), or a term of a sum; operands are vectors of the pass by their numbers.
  struct step {
    std::optional<element_request> op{};  // apply, or set_intersection; none: u itself
    std::size_t u = 0, v = 0, w = 0;
    std::optional<std::size_t> within{};         // only where that vector has an entry
    const monoid_description* monoid = nullptr;  // sums; w is not used
  };
  std::vector<vector> vectors{};
  std::vector<step> steps{};

  static constexpr std::size_t most_vectors = 32;  // bits of `full`
  /// Where the n-th sum is among the results, and their size at n = the number of sums.
  std::size_t offset_of_sum(std::size_t n) const;
};

using program_constants = std::vector<std::pair<std::string_view, long>>;

/// What a kernel is compiled for.
struct program_request {
  std::string_view kernel;                         // what it is called: the key of its texts
  const semiring_description* semiring = nullptr;  // null: the kernel knows no values
  bool vector_first = false;                       // multiply(u, a)
  const element_request* elements = nullptr;       // what the kernel does at a position
  const round_request* round = nullptr;            // with a semiring
  const back_request* back = nullptr;              // the same
  const pass_request* pass = nullptr;              // the steps of pass.kernel
  const monoid_description* monoid = nullptr;      // what it sums by, without a semiring
  const operator_description* accumulator = nullptr;
  program_constants constants{};  // T_GROUP_SIZE, ...
  /// Of products: the files of the kernel's row, and its own text where that is no file
  /// (kernel_table.hpp). Without: those of `kernel` (program.cpp).
  std::span<const std::string_view> texts{};
  std::string_view text{};

  /// Adds a constant, or gives it another value.
  void set_constant(std::string_view name, long value);
};

/// The flags of a partial sum (T_HAS_HEAD, T_HAS_VALUE; subgroup.h): whether it begins with the
/// first entry of a row, and whether it has a value.
inline constexpr std::uint32_t partial_has_head = 1, partial_has_value = 2;

/// The bits of `flags` of iterate.kernel and take_sums.kernel (T_WAS_BITMAP, ...).
struct round_flags {
  static constexpr std::uint32_t was_bitmap = 1;  // w; otherwise it has an entry everywhere
  static constexpr std::uint32_t beyond = 2;      // entries that are not kept go to `beyond`
  static constexpr std::uint32_t beyond_bitmap = 4;
  static constexpr std::uint32_t rounds = 8;  // the number of the round goes to `round_of`
  static constexpr std::uint32_t rounds_bitmap = 16;
  static constexpr std::uint32_t sums_bitmap =
      32;  // take_sums: otherwise there is a sum everywhere
};
/// The words of its `state` (T_ENTRIES, T_DONE, T_PENDING).
struct round_state {
  static constexpr std::uint32_t entries = 0, done = 1, pending = 2, words = 4;
};

struct device_program {
  std::string text;
  std::string about;  // the user's expressions, for messages
  bool needs_fp64 = false;
  std::vector<std::uint32_t> layout;  // what the kernel t_layout must find; empty: there is none
};

/// Whether a product depends on the output position it goes to.
bool uses_output(const operator_description& multiply, bool vector_first);

/// Whether there are texts of its kernel.
bool has_texts(const program_request&);
/// Throws expression_error where the operators' types do not fit.
device_program make_program(dialect, const program_request&);

// Of what is done at a position (element_program.cpp): its part of the text and of the words.
void define_elements(prelude&, const element_request&, const operator_description* accumulator);
std::vector<std::uint64_t> parameter_words_of(const element_request&);
void define_round(prelude&, const round_request&);
std::vector<std::uint64_t> parameter_words_of(const round_request&);
void define_back(prelude&, const back_request&);
void define_pass(prelude&, const pass_request&);
std::vector<std::uint64_t> parameter_words_of(const pass_request&);

/// The words of t_parameters for one call, at least one.
std::vector<std::uint64_t> parameter_words_of(const program_request&);

/// Bytes that are equal for requests with equal programs, without writing the text
/// (program_key.cpp).
std::string request_key(const program_request&);

/// The message of a failed compilation: the user's expressions, then the compiler's log.
std::string compile_error(const device_program&, std::string_view device, std::string_view log);

}  // namespace tropic::detail
