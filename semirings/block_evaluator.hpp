// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs an operator from its text over arrays. It computes what the evaluator (evaluate.hpp) does
// entry by entry, one step of the program over a block of entries at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tropic/semirings/block_steps.hpp>
#include <tropic/semirings/operator.hpp>

namespace tropic {

/// A typed operator as straight-line code over arrays. Equal subexpressions are computed once,
/// constant ones when the program is made. Thread-safe: arrays are on the stack (64 KiB).
class TROPIC_API block_evaluator {
 public:
  /// Entries of one block, at most.
  static constexpr std::size_t largest_block = 512;

  /// Throws expression_error if the operator's types do not fit, or if it needs more than 1,024
  /// arrays at once.
  explicit block_evaluator(const operator_description& op);

  /// z[n] = op(x[n], y[n]), as operator_description::bulk. Padding of records is set to zero.
  void operator()(const bulk_arguments& arguments) const;

  /// Entries of one block of this program: fewer if it needs many arrays.
  std::size_t block() const { return block_; }
  /// Steps that run for each block; for tests.
  std::size_t steps() const { return program_.size(); }

 private:
  friend class block_assembler;
  static constexpr std::size_t scratch_bytes = 64 * 1024;
  static constexpr std::size_t most_scratch = 1024;  // places: at least eight entries in each
  // Places of arrays: those of the arguments, then scratch.
  enum place : std::uint16_t { at_x, at_y, at_i, at_k, at_j, first_scratch };
  struct instruction {
    detail::block_step run;
    std::uint16_t z, a, b, c, d;
    std::uint16_t stride;
  };
  // Scratch that has one value for all entries.
  struct constant {
    std::uint16_t place;
    std::uint16_t bytes;
    std::uint64_t bits;
  };
  struct field_result {
    std::uint16_t place;
    std::uint16_t offset;
    detail::block_step store;
  };

  std::vector<instruction> program_;
  std::vector<constant> constants_;
  std::vector<field_result> fields_;  // of a record
  std::uint16_t places_ = first_scratch;
  std::uint16_t result_ = 0;                   // of other types; a record that is x or y itself
  std::uint16_t x_copies_ = 0, y_copies_ = 0;  // scratch for a scalar operand; 0: none
  bool uses_x_ = false, uses_y_ = false, uses_i_ = false, uses_k_ = false, uses_j_ = false;
  bool has_padding_ = false;
  std::size_t x_bytes_ = 0, y_bytes_ = 0, z_bytes_ = 0;
  std::size_t block_ = largest_block;
};

}  // namespace tropic
