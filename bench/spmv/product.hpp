// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product y = A x on a device, ready to be run by any kernel, with what y must be; and the
// timing of entrants that take turns.

#include <functional>
#include <string>
#include <tropic/detail/containers.hpp>
#include <tropic/tropic.hpp>
#include <vector>

#include "backends/device/backend.hpp"
#include "matrices.hpp"

namespace bench {

struct device {
  explicit device(const std::string& name);

  bool is_cuda() const { return where.name().starts_with("cuda"); }
  /// Of a copy within its memory, bytes a second; measured when first asked for.
  double bandwidth() const;

  tropic::context where;
  tropic::detail::device_runtime* runtime;
};

class product {
 public:
  product(const device&, const csr&, const tropic::semiring_description&);

  /// That many calls, waited for. Throws where the device has no such kernel.
  void run(const std::string& kernel, int calls);
  /// Whether the last run's y is right: floating plus_times against a loop in double, others
  /// against the CPU backend.
  bool is_right() const;
  /// The same for a y of floating plus_times from elsewhere.
  bool is_right(const void* y) const;

  std::int64_t entries() const { return a.nnz; }
  std::size_t value_bytes() const { return a.type->size; }
  /// What must be read and written at the least.
  double bytes_moved() const;

  const device& on;
  tropic::semiring_description semiring;
  tropic::detail::matrix_base a;
  tropic::detail::vector_base x;

 private:
  void expect_sums();
  void expect_as_cpu();
  std::vector<double> values_of(const tropic::detail::vector_base&) const;

  tropic::detail::vector_base y_;
  std::vector<double> expected_, slack_;
};

/// A built-in semiring over the type of that name ("fp32"). Throws usage_error.
tropic::semiring_description semiring_named(const std::string& name, const std::string& type);

struct entrant {
  std::string name;
  std::function<void(int)> run;      // that many calls, waited for
  std::function<bool()> is_right{};  // of the last run
  bool right = true;
  double seconds = 0;  // of one call, the median over rounds
  double ratio = 0;    // to the first entrant's, the median over rounds
};

struct patience {
  int rounds = 7;
  int calls = 20;       // in a batch, fewer where they take long
  double batch = 0.04;  // seconds that a batch of several calls may take
};

/// Runs each once and looks at its result.
void check(std::vector<entrant>&);
/// A quick estimate of the seconds that a call takes, after check().
double glance(const entrant&);
/// Sets `seconds` and `ratio`.
void measure(std::vector<entrant>&, const patience&);

}  // namespace bench
