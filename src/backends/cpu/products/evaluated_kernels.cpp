// SPDX-License-Identifier: Apache-2.0

// Pull and push for any semiring through the bulk functions of its operators, a block of products
// at a time: used for semirings given as text. Blocks pass over the ends of rows, so that rows of
// one or two entries cost no more per entry than long ones.
//
// A block is filled with operands, multiplied at once, and its products are added to the outputs in
// the order of the entries: sequentially in each row, which the definition and the reference
// backend do as well. Adds that are known (known_sums.hpp) are compiled; others run side by side
// for the rows of a block, the n-th entries of all rows at once.

#include "backends/cpu/products/evaluated_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "backends/cpu/products/block_products.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

/// The sums of rows: products are added when a block is full.
class row_sums {
 public:
  row_sums(const product_arguments& arguments, bool first, void* w, std::uint8_t* present)
      : arguments_(arguments),
        block_(arguments, first),
        sums_(arguments.semiring->add.add, w, present) {}

  /// Entries [begin, end) of rows [first, last), whose offsets are in ascending order; their sums
  /// go to w[row - base].
  template <class Offset>
  void consecutive(std::size_t begin, std::size_t end, std::size_t row, std::size_t base,
                   const Offset& offset) {
    for (std::size_t e = begin; e < end;) {
      const std::size_t count = std::min(block_.capacity(), end - e);
      for (std::size_t at = 0; at < count;) {
        while (offset(row + 1) <= e + at) ++row;
        const std::size_t stop = std::min<std::size_t>(offset(row + 1) - e, count);
        segment(row - base, stop);
        if (block_.needs_outputs()) block_.set_outputs(at, stop, static_cast<std::uint32_t>(row));
        at = stop;
      }
      block_.multiply_run(e, count);
      add_up();
      e += count;
    }
  }
  /// The entries of [begin, end) of one row that meet an entry of u.
  void row_of_bitmap(std::size_t row, std::size_t begin, std::size_t end, std::size_t to) {
    const std::uint32_t* const columns = arguments_.columns;
    for (std::size_t e = begin; e < end; ++e) {
      if (arguments_.u_present && !arguments_.u_present[columns[e]]) continue;
      add(e, columns[e], row, columns[e], to);
    }
    end_row(to);
  }
  /// The same for a sparse u. Each step is a binary search.
  void row_of_list(std::size_t row, std::size_t begin, std::size_t end, std::size_t to) {
    const auto& from = static_cast<const sparse_input&>(arguments_);
    const std::uint32_t* const columns = from.columns;
    const std::uint32_t *column = columns + begin, *const columns_end = columns + end;
    const std::uint32_t *index = from.u_indices, *const indices_end = index + from.u_count;
    while (column != columns_end && index != indices_end) {
      if (*column < *index) {
        column = std::lower_bound(column, columns_end, *index);
      } else if (*index < *column) {
        index = std::lower_bound(index, indices_end, *column);
      } else {
        add(static_cast<std::size_t>(column - columns),
            static_cast<std::uint32_t>(index - from.u_indices), row, *column, to);
        ++column;
        ++index;
      }
    }
    end_row(to);
  }
  /// Adds what is left; returns the number of rows that have a sum.
  std::size_t finish() {
    if (block_.size() > 0) flush();
    return found_;
  }

 private:
  void add(std::size_t e, std::uint32_t element, std::size_t row, std::uint32_t inner,
           std::size_t to) {
    block_.add(e, element, static_cast<std::uint32_t>(row), inner);
    if (block_.room() == 0) {
      end_row(to);
      flush();
    }
  }
  // The entries since the last segment are of the output `to`.
  void end_row(std::size_t to) {
    const std::size_t done = segments_ == 0 ? 0 : stop_[segments_ - 1];
    if (block_.size() > done) segment(to, block_.size());
  }
  void segment(std::size_t to, std::size_t stop) {
    row_[segments_] = static_cast<std::uint32_t>(to);
    stop_[segments_++] = static_cast<std::uint32_t>(stop);
  }
  void flush() {
    block_.multiply();
    add_up();
  }
  void add_up() {
    found_ += sums_.segments(row_, stop_, segments_, block_.products());
    segments_ = 0;
  }

  const product_arguments& arguments_;
  block_of_products block_;
  block_sums sums_;
  std::uint32_t row_[most_products], stop_[most_products];
  std::size_t segments_ = 0, found_ = 0;
};

template <bool First, bool Listed>
std::size_t pull(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  std::fill(arguments.w_present + begin, arguments.w_present + end, std::uint8_t{0});
  row_sums sums(arguments, First, arguments.w, arguments.w_present);
  const cpu::row_offsets offset(arguments);
  if (!Listed && arguments.skip == nullptr && arguments.u_present == nullptr) {
    sums.consecutive(offset(begin), offset(end), begin, 0, offset);
    return sums.finish();
  }
  for (std::size_t row = begin; row < end; ++row) {
    if (arguments.skip && arguments.skip[row]) continue;
    if constexpr (Listed)
      sums.row_of_list(row, offset(row), offset(row + 1), row);
    else
      sums.row_of_bitmap(row, offset(row), offset(row + 1), row);
  }
  return sums.finish();
}

template <bool First, bool Listed>
bool piece(const product_arguments& arguments, std::size_t row, std::size_t begin, std::size_t end,
           void* sum) {
  std::uint8_t present = 0;
  row_sums sums(arguments, First, sum, &present);
  if constexpr (Listed)
    sums.row_of_list(row, begin, end, 0);
  else if (arguments.u_present)
    sums.row_of_bitmap(row, begin, end, 0);
  else
    sums.consecutive(begin, end, row, row, [&](std::size_t) { return end; });
  return sums.finish() > 0;
}

template <bool First>
std::size_t push(const product_arguments& arguments, std::size_t begin, std::size_t end,
                 std::uint64_t first, std::uint64_t last, std::uint32_t* touched) {
  const std::uint32_t* const columns = arguments.columns;
  block_of_products block(arguments, First);
  const block_sums sums(arguments.semiring->add.add, arguments.w, arguments.w_present);
  std::size_t count = 0;
  const auto flush = [&] {
    const std::size_t size = block.multiply();
    count += sums.scatter(block.outputs(), size, block.products(), touched + count);
  };
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t k = arguments.u_indices[n];
    const std::uint32_t* const row_end = columns + arguments.offset(std::size_t{k} + 1);
    const std::uint32_t* from = std::lower_bound(columns + arguments.offset(k), row_end, first);
    const std::uint32_t* const to = std::lower_bound(from, row_end, last);
    for (; from < to; ++from) {
      if (arguments.skip && arguments.skip[*from]) continue;
      block.add(static_cast<std::size_t>(from - columns), static_cast<std::uint32_t>(n), *from, k);
      if (block.room() == 0) flush();
    }
  }
  if (block.size() > 0) flush();
  return count;
}

}  // namespace

const cpu_kernel_table evaluated_kernels[2] = {
    {pull<false, false>, pull<false, false>, piece<false, false>, push<false>, false},
    {pull<true, false>, pull<true, false>, piece<true, false>, push<true>, false},
};

const cpu_kernel_table sparse_input_kernels[2] = {
    {pull<false, true>, pull<false, true>, piece<false, true>, push<false>, false},
    {pull<true, true>, pull<true, true>, piece<true, true>, push<true>, false},
};

listed_products::listed_products(context_state& context, const product_arguments& arguments,
                                 std::size_t u_count, bool vector_first)
    : add_(arguments.semiring->add.add), bytes_(add_.z->size) {
  cancel_watch watch(context.shared_from_this());
  const auto skips = [&](std::uint32_t j) { return arguments.skip && arguments.skip[j]; };
  // visit(n, k, e, j) for every product: of element n of u, in row k, and entry e, in column j.
  const auto for_each = [&](auto&& visit) {
    for (std::size_t n = 0; n < u_count; ++n) {
      const std::uint32_t k = arguments.u_indices[n];
      const std::size_t end = arguments.offset(std::size_t{k} + 1);
      for (std::size_t e = arguments.offset(k); e < end; ++e) {
        watch.step();
        const std::uint32_t j = arguments.columns[e];
        if (!skips(j)) visit(n, k, e, j);
      }
    }
  };
  for_each([&](auto...) { ++count_; });
  order_ = counted_memory(context, count_ * sizeof(listed));
  products_ = counted_memory(context, count_ * bytes_);
  auto* const order = order_.as<listed>();
  block_of_products block(arguments, vector_first);
  std::byte* to = products_.as<>();
  const auto keep = [&] {
    const std::size_t of_block = block.multiply() * bytes_;
    std::memcpy(to, block.products(), of_block);
    to += of_block;
  };
  std::size_t number = 0;
  for_each([&](std::size_t n, std::uint32_t k, std::size_t e, std::uint32_t j) {
    order[number] = {j, number};
    ++number;
    block.add(e, static_cast<std::uint32_t>(n), j, k);
    if (block.room() == 0) keep();
  });
  if (block.size() > 0) keep();
  std::sort(order, order + count_, [](const listed& x, const listed& y) {
    return x.position != y.position ? x.position < y.position : x.number < y.number;
  });
  watch.check();
  for (std::size_t n = 0; n < count_; ++n)
    positions_ += n == 0 || order[n].position != order[n - 1].position;
}

void listed_products::sum(std::uint32_t* positions, std::byte* sums) const {
  const block_sums adding(add_, nullptr, nullptr);
  const auto* const order = order_.as<listed>();
  std::byte* to = sums;  // of the current position
  for (std::size_t n = 0; n < count_; ++n) {
    const std::byte* const product = products_.as<>() + order[n].number * bytes_;
    if (n > 0 && order[n].position == order[n - 1].position) {
      adding.add(to, product);
      continue;
    }
    if (n > 0) to += bytes_;
    std::memcpy(to, product, bytes_);
    *positions++ = order[n].position;
  }
}

}  // namespace tropic::detail
