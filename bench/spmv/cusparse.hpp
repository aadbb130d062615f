// SPDX-License-Identifier: Apache-2.0
#pragma once

// The baseline: cuSPARSE's generic API, as declared in cusparse.h, opened at run time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "full_product.hpp"

namespace bench {

class cusparse {
 public:
  /// Null if the library is not available.
  static std::unique_ptr<cusparse> open();

  /// The two algorithms for CSR, preprocessed, on the arrays of the product, which must outlive
  /// them.
  std::vector<entrant> entrants(const product&) const;
  /// The algorithms for CSR and row-major B and C, likewise.
  std::vector<entrant> entrants(const full_product&) const;

 private:
  template <class Product>
  struct run;
  struct vector_run;
  struct full_run;

  int (*create_)(void**) = nullptr;
  int (*create_csr_)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, int,
                     int, int, int) = nullptr;
  int (*destroy_matrix_)(const void*) = nullptr;
  int (*create_vector_)(void**, std::int64_t, void*, int) = nullptr;
  int (*destroy_vector_)(const void*) = nullptr;
  int (*buffer_size_)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                      std::size_t*) = nullptr;
  int (*preprocess_)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                     void*) = nullptr;
  int (*multiply_)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                   void*) = nullptr;
  int (*create_full_)(void**, std::int64_t, std::int64_t, std::int64_t, void*, int, int) = nullptr;
  int (*destroy_full_)(const void*) = nullptr;
  int (*full_buffer_size_)(void*, int, int, const void*, void*, void*, const void*, void*, int, int,
                           std::size_t*) = nullptr;
  int (*full_preprocess_)(void*, int, int, const void*, void*, void*, const void*, void*, int, int,
                          void*) = nullptr;
  int (*full_multiply_)(void*, int, int, const void*, void*, void*, const void*, void*, int, int,
                        void*) = nullptr;
  int (*wait_)() = nullptr;
  void* handle_ = nullptr;
};

}  // namespace bench
