// SPDX-License-Identifier: Apache-2.0
#include "full_product.hpp"

#include <tropic/semirings/builtins.hpp>

namespace bench {

using namespace tropic;

namespace {

template <class F>
void with_floating_type(type_code code, F&& f) {
  if (code == type_code::fp32)
    f.template operator()<float>();
  else
    f.template operator()<double>();
}

index_t factor(index_t column) {
  return 1 + column % 4;
}

}  // namespace

full_product::full_product(const product& p, index_t k) : of(p), columns(k) {
  const auto state = of.on.where.state();
  const auto rows = static_cast<std::size_t>(of.a.columns),
             width = static_cast<std::size_t>(columns);
  with_floating_type(of.x.type->code, [&]<class T>() {
    const T zero{};
    b = detail::filled_full(state, describe<T>(), of.a.columns, columns, &zero);
    const auto* x = static_cast<const T*>(of.x.values->host());
    auto* values = static_cast<T*>(b.flat().values->host_write());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < width; ++j)
        values[i * width + j] =
            static_cast<T>(x[i] * static_cast<T>(factor(static_cast<index_t>(j))));
  });
}

void full_product::run(int calls) {
  for (int call = 0; call < calls; ++call) {
    c_ = detail::empty_full(of.on.where.state(), of.semiring.z(), of.a.rows, columns);
    detail::mxm(c_, of.semiring, detail::matrix_factor{.matrix = of.a}, b, {});
  }
  of.on.where.synchronize();
}

bool full_product::is_right() const {
  detail::vector_base cells = c_.cells;
  if (cells.storage == vector_storage::full) return is_right(cells.values->host());
  // Rows without entries have none in C.
  std::vector<std::byte> dense(static_cast<std::size_t>(cells.size) * cells.type->size);
  const auto* present = static_cast<const std::uint8_t*>(cells.present->host());
  const auto* values = static_cast<const std::byte*>(cells.values->host());
  for (std::size_t n = 0; n < static_cast<std::size_t>(cells.size); ++n)
    if (present[n])
      std::copy_n(values + n * cells.type->size, cells.type->size,
                  dense.data() + n * cells.type->size);
  return is_right(dense.data());
}

bool full_product::is_right(const void* c) const {
  const auto rows = static_cast<std::size_t>(of.a.rows), width = static_cast<std::size_t>(columns);
  bool right = true;
  with_floating_type(of.a.type->code, [&]<class T>() {
    std::vector<T> y(rows);
    for (const index_t column : {index_t{0}, columns / 2, columns - 1}) {
      for (std::size_t row = 0; row < rows; ++row)
        y[row] = static_cast<T>(
            static_cast<const T*>(c)[row * width + static_cast<std::size_t>(column)] /
            static_cast<T>(factor(column)));
      right = right && of.is_right(y.data());
    }
  });
  return right;
}

}  // namespace bench
