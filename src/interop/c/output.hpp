// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of operations of the C ABI other than products, as the type-erased operations take them.

#include <span>

#include <tropic/detail/structure.hpp>

#include "interop/c/accumulators.hpp"

namespace tropic::c_abi {

/// Mask, accumulator and replace. It holds the accumulator, so it stays where it is.
template <class Base, class Options>
class output_of {
 public:
  output_of(const call& c, const Options* options, const Options& defaults,
            const type_description& type)
      : given(c.options(options, defaults, "options")) {
    if (given.mask == nullptr && (given.structure != 0 || given.complement != 0))
      c.refuse(std::string("options->") + (given.structure != 0 ? "structure" : "complement") +
               " needs a mask, and options->mask is NULL");
    if (given.mask != nullptr)
      output.mask = {base_of(*given.mask), given.structure != 0, given.complement != 0};
    if (given.accumulate != nullptr) {
      accumulator_ = accumulator_of(c, given.accumulate, type);
      output.accumulator = &*accumulator_;
    }
    output.replace = given.replace != 0;
  }
  output_of(const output_of&) = delete;
  output_of& operator=(const output_of&) = delete;

  Options given;
  detail::output_options<Base> output;

 private:
  static const detail::matrix_base* base_of(const tropic_matrix& m) { return &m.base(); }
  static const detail::vector_base* base_of(const tropic_vector& v) { return &v.base; }

  std::optional<operator_description> accumulator_;
};

/// Whether an operation uses its operands transposed.
enum class transposes { none, first, both };

struct matrix_output : output_of<detail::matrix_base, tropic_mxm_options> {
  matrix_output(const call& c, const tropic_mxm_options* options, const type_description& type,
                transposes used)
      : output_of(c, options, TROPIC_MXM_OPTIONS_INIT, type) {
    if (given.kernel != nullptr) c.refuse("options->kernel is given, which only tropic_mxm takes");
    if (used == transposes::none && given.transpose_a != 0)
      c.refuse("options->transpose_a is not supported");
    if (used != transposes::both && given.transpose_b != 0)
      c.refuse("options->transpose_b is not supported");
  }
};
struct vector_output : output_of<detail::vector_base, tropic_product_options> {
  vector_output(const call& c, const tropic_product_options* options, const type_description& type,
                transposes used)
      : output_of(c, options, TROPIC_PRODUCT_OPTIONS_INIT, type) {
    if (given.kernel != nullptr) c.refuse("options->kernel is given, which only products take");
    if (used == transposes::none && given.transpose != 0)
      c.refuse("options->transpose is given, and there is no matrix to transpose");
  }
};

/// A list of positions; all of them if it is NULL.
class position_list {
 public:
  position_list(const call& c, const int64_t* list, int64_t count, const char* what)
      : all_(list == nullptr) {
    if (all_) return;
    if (count < 0) c.refuse(std::string(what) + " is " + std::to_string(count));
    list_ = {list, static_cast<std::size_t>(count)};
  }
  const std::span<const index_t>* get() const { return all_ ? nullptr : &list_; }

 private:
  bool all_;
  std::span<const index_t> list_;
};

}  // namespace tropic::c_abi
