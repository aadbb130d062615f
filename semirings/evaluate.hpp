// SPDX-License-Identifier: Apache-2.0
#pragma once

// The evaluator: runs an operator from its text, one entry at a time. The reference backend runs on
// it, and compiled functors, operators run by blocks (block_evaluator.hpp) and devices are tested
// against it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tropic/semirings/from_text.hpp>  // what needs it: no functor is compiled there
#include <tropic/semirings/operator.hpp>
#include <tropic/semirings/typing.hpp>

namespace tropic {

/// A typed operator as straight-line code over registers; both branches of ?: are computed, as
/// nothing in the language has an effect or traps. Thread-safe: registers live on the stack.
class TROPIC_API evaluator {
 public:
  /// Throws expression_error where the operator's types do not fit.
  explicit evaluator(const operator_description& op);

  /// *z = op(*x, *y) at A(i,k) * B(k,j). Pointers to unused operands may be null.
  void operator()(void* z, const void* x, const void* y, index_t i = 0, index_t k = 0,
                  index_t j = 0) const;

  struct instruction;
  struct registers;
  using step = void (*)(const instruction&, registers&);
  struct instruction {
    step run;
    std::uint16_t target, a, b, c;
    std::uint32_t bytes;    // of a record copy
    std::uint64_t literal;  // bits of a constant, or an offset
  };

 private:
  friend class assembler;
  std::vector<instruction> program_;
  std::vector<std::byte> parameters_;  // 8 bytes each
  std::uint16_t result_ = 0;
  std::size_t result_bytes_ = 0;
  std::size_t x_bytes_ = 0, y_bytes_ = 0;
};

}  // namespace tropic
