// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product C = A B on a device with a full B, over plus_times.

#include <tropic/detail/full.hpp>

#include "product.hpp"

namespace bench {

/// The matrix is that of a product y = A x. Column j of B is 1 + j mod 4 times x, so that column j
/// of C is as many times y.
class full_product {
 public:
  full_product(const product& of, tropic::index_t columns);

  /// Runs `calls` products and waits for them.
  void run(int calls);
  /// Compares the first, the middle and the last column of C.
  bool is_right() const;
  /// The same of another C, row-major.
  bool is_right(const void* c) const;

  const product& of;
  const tropic::index_t columns;
  tropic::detail::full_base b;

 private:
  tropic::detail::full_base c_;
};

}  // namespace bench
