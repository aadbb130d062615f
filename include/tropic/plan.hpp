// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan names the kernel that a product runs, and the reason. It is an immutable value, separate
// from the matrix.
//
// A product without a plan uses only what is known without a pass over the matrix: CSR's counts and
// the number of the input's entries. `inspect` (product.hpp) inspects the matrix and estimates
// every kernel of the device by a model whose constants are measured on that device (docs/plan.md).

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/pattern_summary.hpp>

namespace tropic {

/// A kernel that a plan considered. Times are predictions in seconds.
struct plan_candidate {
  std::string kernel;
  /// The columns are ordered by descending number of entries, so that the most used elements of u
  /// are adjacent; u is permuted accordingly in every call (docs/permutation.md).
  bool hot_columns = false;
  double conversion = 0;  // of the matrix, once
  double transfer = 0;    // to the device, once
  double call = 0;        // one product
  std::string why_not;    // why it was excluded; empty if it is a candidate

  std::string name() const { return hot_columns ? kernel + ", hot columns" : kernel; }
  double total(index_t calls) const {
    return conversion + transfer + static_cast<double>(calls) * call;
  }
};

struct plan_details {
  pattern_summary features;
  /// By ascending total; those with why_not are last.
  std::vector<plan_candidate> candidates;
  std::string constants;  // the origin of the model's constants
};

/// A value: several threads may read one at the same time.
struct plan {
  /// "reference", "pull", "push", "csr_scalar", ...; empty: the library chooses at each call.
  std::string kernel{};
  /// The expected number of products with this matrix: the cost of what must be built first, such
  /// as a transpose, is divided among them.
  index_t expected_calls = 1;
  /// The reason for the choice, as one sentence.
  std::string reason{};
  /// As in plan_candidate. Ignored by products that use positions.
  bool hot_columns = false;
  /// Features and candidates, if the matrix was inspected; otherwise null.
  std::shared_ptr<const plan_details> details{};
};

/// A plan as text: features, candidates, the choice and its reason.
TROPIC_API std::string explain(const plan&);

}  // namespace tropic
