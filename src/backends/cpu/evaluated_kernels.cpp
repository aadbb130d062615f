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
        semiring_(*arguments.semiring),
        first_(first),
        a_bytes_((first ? semiring_.x() : semiring_.a()).size),
        u_bytes_((first ? semiring_.a() : semiring_.x()).size),
        z_bytes_(semiring_.z().size) {}

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
    semiring_.multiply({.z = g.z,
                        .x = first_ ? g.u : g.a,
                        .y = first_ ? g.a : g.u,
                        .count = g.count,
                        .i = g.i,
                        .k = g.k,
                        .j = g.j});
  }
  void add(void* sum, const void* value) const {
    semiring_.add.add({.z = sum, .x = sum, .y = value, .count = 1});
  }

  // Multiplies what was gathered and adds it, in order, to *sum, where one is there already
  // (`any`). Returns whether one is there now.
  bool sum_up(gathered& g, bool any, void* sum) const {
    multiply(g);
    for (std::size_t n = 0; n < g.count; ++n) {
      if (any)
        add(sum, g.z + n * z_bytes_);
      else
        std::memcpy(sum, g.z, z_bytes_);
      any = true;
    }
    return any;
  }
  bool row(std::size_t row, std::size_t begin, std::size_t end, void* sum) const {
    bool any = false;
    gathered g;
    for (std::size_t e = begin; e < end;) {
      g.count = 0;
      for (; e < end && g.count < block; ++e)
        if (!arguments_.u_present || arguments_.u_present[arguments_.columns[e]])
          gather(g, e, arguments_.columns[e], row, arguments_.columns[e]);
      any = sum_up(g, any, sum);
    }
    return any;
  }
  // The same from a sparse u.
  bool row_of(const sparse_input& from, std::size_t row, std::size_t begin, std::size_t end,
              void* sum) const {
    const std::uint32_t* const columns = from.columns;
    const std::uint32_t *column = columns + begin, *const columns_end = columns + end;
    const std::uint32_t *index = from.u_indices, *const indices_end = index + from.u_count;
    bool any = false;
    gathered g;
    while (column != columns_end && index != indices_end) {
      if (*column < *index) {
        column = std::lower_bound(column, columns_end, *index);
      } else if (*index < *column) {
        index = std::lower_bound(index, indices_end, *column);
      } else {
        gather(g, static_cast<std::size_t>(column - columns),
               static_cast<std::size_t>(index - from.u_indices), row, *column);
        ++column;
        ++index;
        if (g.count == block) {
          any = sum_up(g, any, sum);
          g.count = 0;
        }
      }
    }
    return sum_up(g, any, sum);
  }

 private:
  const product_arguments& arguments_;
  const semiring_description& semiring_;
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

const sparse_input& as_sparse(const product_arguments& arguments) {
  return static_cast<const sparse_input&>(arguments);
}

template <bool First>
bool piece_of_sparse(const product_arguments& arguments, std::size_t row, std::size_t begin,
                     std::size_t end, void* sum) {
  return summation(arguments, First).row_of(as_sparse(arguments), row, begin, end, sum);
}

template <bool First>
std::size_t pull_from_sparse(const product_arguments& arguments, std::size_t begin,
                             std::size_t end) {
  const summation s(arguments, First);
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const bool found =
        !(arguments.skip && arguments.skip[row]) &&
        s.row_of(as_sparse(arguments), row, arguments.offset(row), arguments.offset(row + 1),
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
    {},
};

const cpu_kernel_table sparse_input_kernels = {
    {pull_from_sparse<false>, pull_from_sparse<true>},
    {pull_from_sparse<false>, pull_from_sparse<true>},
    {piece_of_sparse<false>, piece_of_sparse<true>},
    {push<false>, push<true>},
    {},
};

sparse_sums push_into_list(const product_arguments& arguments, std::size_t u_count,
                           bool vector_first) {
  const summation s(arguments, vector_first);
  struct product_at {
    std::uint32_t position;
    std::size_t number;
  };
  std::vector<product_at> order;
  std::vector<std::byte> products;
  const std::size_t bytes = s.z_bytes();
  gathered g;
  const auto keep = [&] {
    s.multiply(g);
    products.insert(products.end(), g.z, g.z + g.count * bytes);
    g.count = 0;
  };
  for (std::size_t n = 0; n < u_count; ++n) {
    const std::size_t k = arguments.u_indices[n];
    for (std::size_t e = arguments.offset(k); e < arguments.offset(k + 1); ++e) {
      const std::uint32_t j = arguments.columns[e];
      if (arguments.skip && arguments.skip[j]) continue;
      order.push_back({j, order.size()});
      s.gather(g, e, n, j, k);
      if (g.count == block) keep();
    }
  }
  keep();
  std::sort(order.begin(), order.end(), [](const product_at& x, const product_at& y) {
    return x.position != y.position ? x.position < y.position : x.number < y.number;
  });
  sparse_sums made;
  for (const product_at& p : order) {
    const std::byte* product = products.data() + p.number * bytes;
    if (!made.indices.empty() && made.indices.back() == p.position) {
      s.add(made.values.data() + made.values.size() - bytes, product);
    } else {
      made.indices.push_back(p.position);
      made.values.insert(made.values.end(), product, product + bytes);
    }
  }
  return made;
}

}  // namespace tropic::detail
