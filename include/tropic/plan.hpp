// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan says which kernel a product runs and why. It is an immutable value apart from the matrix.
//
// A product without a plan looks at what CSR knows already and at the input's entries: it pays
// nothing. `inspect` (product.hpp) looks at the matrix and weighs every kernel of the device by a
// model whose constants are measured on that device (docs/plan.md).

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/pattern_summary.hpp>

namespace tropic {

/// What a plan weighed. Times in seconds, predicted.
struct plan_candidate {
  std::string kernel;
  /// Columns by descending number of entries, so that what is read of u most often lies together;
  /// u is put in that order in every call (docs/permutation.md).
  bool hot_columns = false;
  double conversion = 0;  // of the matrix, once
  double transfer = 0;    // to the device, once
  double each = 0;        // call
  std::string why_not;    // it is out of the question; empty: it is not

  std::string name() const { return hot_columns ? kernel + ", hot columns" : kernel; }
  double total(index_t calls) const {
    return conversion + transfer + static_cast<double>(calls) * each;
  }
};

struct plan_details {
  pattern_summary features;
  std::vector<plan_candidate>
      candidates;         // by their total, the least first; then those with why_not
  std::string constants;  // where the model's constants come from
};

/// A value: several threads may use one that none of them changes.
struct plan {
  /// "reference", "pull", "push", "csr_scalar", ...; empty: the library chooses at each call.
  std::string kernel{};
  /// How often the caller will multiply by this matrix: what must be built first, a transpose say,
  /// is weighed against this many calls.
  index_t expected_calls = 1;
  /// One sentence for a human.
  std::string reason{};
  /// As in plan_candidate. Products that look at positions run without.
  bool hot_columns = false;
  /// What was weighed, where the matrix was inspected.
  std::shared_ptr<const plan_details> details{};
};

/// All of a plan as text: features, candidates, the choice and its reason.
TROPIC_API std::string explain(const plan&);

}  // namespace tropic
