// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product y = A x on a device, which any kernel can run, and its expected result; and the timing
// of entrants in turns.

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
  /// Bytes per second of a copy within device memory; measured at the first call.
  double bandwidth() const;

  tropic::context where;
  tropic::detail::device_runtime* runtime;
};

/// What a product of booleans is made of.
struct boolean_contents {
  bool pattern = false;        // every value of the matrix is true, one for all entries
  tropic::index_t one_in = 0;  // of how many values of u one is true; 0: none is
};

class product {
 public:
  product(const device&, const csr&, const tropic::semiring_description&, boolean_contents = {});

  /// Runs `calls` products and waits for them. Throws usage_error if there is no such kernel.
  void run(const std::string& kernel, int calls);
  void run(const tropic::plan&, int calls);
  /// Compares y of the last run: floating-point plus_times with a loop in double, others with the
  /// CPU backend.
  bool is_right() const;
  /// Compares another y of floating-point plus_times.
  bool is_right(const void* y) const;

  std::int64_t entries() const { return a.nnz; }
  std::size_t value_bytes() const { return a.type->size; }
  /// The bytes that a product must read and write.
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

/// Seconds of a steady clock.
double now();

struct entrant {
  std::string name;
  std::function<void(int)> run;      // runs that many calls and waits
  std::function<bool()> is_right{};  // of the last run
  bool right = true;
  double seconds = 0;  // of one call, the median over rounds
  double ratio = 0;    // to the first entrant's, the median over rounds
};

struct batch_options {
  int rounds = 7;
  int calls = 20;       // in a batch; fewer if they take long
  double batch = 0.04;  // maximum seconds of a batch of several calls
};

/// Runs every entrant once and checks its result.
void check(std::vector<entrant>&);
/// A quick estimate of the seconds of a call, after check().
double estimate(const entrant&);
/// Sets `seconds` and `ratio`.
void measure(std::vector<entrant>&, const batch_options&);

}  // namespace bench
