// SPDX-License-Identifier: Apache-2.0
#pragma once

// The measurements of `tropic bench permute`.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tropic/measures.hpp>
#include <tropic/permute.hpp>

namespace tropic::cli {

/// What was seen of one kind of permutation, a number a repetition.
struct kind_record {
  permutation_kind kind;
  std::optional<row_column_permutation> order{};  // where it is the same every time
  std::vector<std::vector<double>> gflops{};      // by engine
  std::vector<double> rows{}, columns{}, blocks{}, imbalance{}, seconds{};
  significance change{};  // of the blocks' distribution, in the first repetition
};

/// Draws, applies and times every kind that the matrix has, in turns.
class permutation_bench {
 public:
  permutation_bench(const context& where, const matrix<double>& a, std::uint64_t seed);

  /// Once more for every kind. Throws cancelled.
  void repeat();

  /// Of the engines: the plain loops, then the device's kernels.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<kind_record>& records() const { return records_; }
  /// Empty where every engine gave the product of the matrix as it was; else who did not.
  const std::string& complaint() const { return complaint_; }

 private:
  struct engine;

  void repeat(kind_record& r);
  void measure(kind_record& r, const matrix<double>& permuted, const row_column_permutation& order);
  double gflops_of(const engine& e) const;
  void compare(permutation_kind kind, const engine& e, const permutation& rows);

  const context& where_;
  const matrix<double>& a_;
  const std::uint64_t seed_;
  std::vector<double> x_, expected_;
  heat_map before_;
  std::vector<kind_record> records_;
  std::vector<std::string> names_, kernels_;
  std::string complaint_;
  std::uint64_t repetitions_ = 0;
};

}  // namespace tropic::cli
