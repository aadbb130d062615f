// SPDX-License-Identifier: Apache-2.0
// Pull and push for any semiring through its operators' bulk functions, a block of products at a
// time: what semirings given as text run on. The same sums in the same order as the instantiated
// kernels' rows of fewer than 17 entries; longer rows are summed straight on.

#include "backends/cpu/evaluated_kernels.hpp"

#include <algorithm>
#include <cstring>

namespace tropic::detail {

namespace {

constexpr std::size_t block = 64;

// A block of gathered operands and their products.
struct gathered {
  alignas(16) std::byte a[block * 64], u[block * 64], z[block * 64];
  index_t i[block], k[block], j[block];
  std::size_t count = 0;
};

class summation {
 public:
  summation(const product_arguments& arguments, bool first)
      : arguments_(arguments),
        ring_(*arguments.semiring),
        first_(first),
        a_bytes_((first ? ring_.x() : ring_.a()).size),
        u_bytes_((first ? ring_.a() : ring_.x()).size),
        z_bytes_(ring_.z().size) {}

  std::size_t z_bytes() const { return z_bytes_; }

  void gather(gathered& g, std::size_t e, std::size_t element, std::size_t out,
              std::size_t inner) const {
    const std::size_t n = g.count++;
    if (arguments_.a)
      std::memcpy(
          g.a + n * a_bytes_,
          static_cast<const std::byte*>(arguments_.a) + (arguments_.a_iso ? 0 : e) * a_bytes_,
          a_bytes_);
    std::memcpy(g.u + n * u_bytes_,
                static_cast<const std::byte*>(arguments_.u) + element * u_bytes_, u_bytes_);
    g.i[n] = first_ ? 0 : static_cast<index_t>(out);
    g.k[n] = static_cast<index_t>(inner);
    g.j[n] = first_ ? static_cast<index_t>(out) : 0;
  }
  void multiply(gathered& g) const {
    ring_.multiply({.z = g.z,
                    .x = first_ ? g.u : g.a,
                    .y = first_ ? g.a : g.u,
                    .count = g.count,
                    .i = g.i,
                    .k = g.k,
                    .j = g.j});
  }
  void add(void* sum, const void* value) const {
    ring_.add.add({.z = sum, .x = sum, .y = value, .count = 1});
  }

  bool row(std::size_t row, std::size_t begin, std::size_t end, void* sum) const {
    bool any = false;
    gathered g;
    for (std::size_t e = begin; e < end;) {
      g.count = 0;
      for (; e < end && g.count < block; ++e)
        if (!arguments_.u_present || arguments_.u_present[arguments_.columns[e]])
          gather(g, e, arguments_.columns[e], row, arguments_.columns[e]);
      multiply(g);
      for (std::size_t n = 0; n < g.count; ++n) {
        if (any)
          add(sum, g.z + n * z_bytes_);
        else
          std::memcpy(sum, g.z, z_bytes_);
        any = true;
      }
    }
    return any;
  }

 private:
  const product_arguments& arguments_;
  const semiring_description& ring_;
  bool first_;
  std::size_t a_bytes_, u_bytes_, z_bytes_;
};

template <bool First>
bool piece(const product_arguments& arguments, std::size_t row, std::size_t begin, std::size_t end,
           void* sum) {
  return summation(arguments, First).row(row, begin, end, sum);
}

template <bool First>
std::size_t pull(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  const summation s(arguments, First);
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const bool found = !(arguments.skip && arguments.skip[row]) &&
                       s.row(row, arguments.offset(row), arguments.offset(row + 1),
                             static_cast<std::byte*>(arguments.w) + row * s.z_bytes());
    arguments.w_present[row] = found;
    count += found;
  }
  return count;
}

template <bool First>
std::size_t push(const product_arguments& arguments, std::size_t begin, std::size_t end,
                 std::uint64_t first, std::uint64_t last, std::uint32_t* touched) {
  const summation s(arguments, First);
  const std::uint32_t* columns = arguments.columns;
  auto* w = static_cast<std::byte*>(arguments.w);
  std::size_t count = 0;
  gathered g;
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t k = arguments.u_indices[n];
    const std::uint32_t* row_begin = columns + arguments.offset(k);
    const std::uint32_t* row_end = columns + arguments.offset(k + 1);
    const std::uint32_t* from = std::lower_bound(row_begin, row_end, first);
    const std::uint32_t* to = std::lower_bound(from, row_end, last);
    while (from < to) {
      std::uint32_t target[block] = {};
      g.count = 0;
      for (; from < to && g.count < block; ++from)
        if (!(arguments.skip && arguments.skip[*from])) {
          target[g.count] = *from;
          s.gather(g, static_cast<std::size_t>(from - columns), n, *from, k);
        }
      s.multiply(g);
      for (std::size_t m = 0; m < g.count; ++m) {
        const std::uint32_t j = target[m];
        if (arguments.w_present[j]) {
          s.add(w + j * s.z_bytes(), g.z + m * s.z_bytes());
        } else {
          arguments.w_present[j] = 1;
          std::memcpy(w + j * s.z_bytes(), g.z + m * s.z_bytes(), s.z_bytes());
          touched[count++] = j;
        }
      }
    }
  }
  return count;
}

}  // namespace

const cpu_kernel_table evaluated_kernels = {
    {pull<false>, pull<true>},
    {pull<false>, pull<true>},
    {piece<false>, piece<true>},
    {push<false>, push<true>},
};

}  // namespace tropic::detail
