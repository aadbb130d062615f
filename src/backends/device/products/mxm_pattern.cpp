// SPDX-License-Identifier: Apache-2.0

// The pattern of a product of sparse matrices on the device (mxm_pattern.kernel, mxm_bits.kernel):
// rows are sorted into classes by their numbers of products, their entries are counted, then their
// columns are written.

#include <algorithm>
#include <array>
#include <bit>

#include "backends/cpu/rows.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/mxm.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

constexpr std::string_view operation = "mxm";
// Units of mxm_bits.kernel whose counts are held at a time.
constexpr std::uint64_t most_units = std::uint64_t{1} << 22;

// The patterns of A and B, as kernels are passed them.
struct operand_patterns {
  matrix_arguments a, b;
  const void *a_columns, *b_columns;
  std::uint32_t mean;  // entries of a row of B that has some, a power of two

  operand_patterns(const device_context& device, const matrix_base& of_a, const matrix_base& of_b)
      : a(device, of_a),
        b(device, of_b),
        a_columns(device.read(of_a.column_indices)),
        b_columns(device.read(of_b.column_indices)),
        mean(std::bit_ceil(static_cast<std::uint32_t>(
            of_b.nnz / std::max<index_t>(of_b.rows - of_b.empty_rows, 1)))) {}
  void append_to(arguments& list) const {
    append(list, a.offsets, a.wide, a_columns, b.offsets, b.wide, b_columns);
  }
};

class pattern_maker {
 public:
  pattern_maker(device_context& device, const mxm_config& config, const matrix_base& a,
                const matrix_base& b)
      : device_(device),
        config_(config),
        operands_(device, a, b),
        rows_(static_cast<std::uint64_t>(a.rows)),
        words_(static_cast<std::uint32_t>(std::min<std::uint64_t>(
            config.bit_words,
            divide_up(static_cast<std::uint64_t>(b.columns), 32 * std::uint64_t{config.bit_group}) *
                config.bit_group))),
        ranges_(divide_up(static_cast<std::uint64_t>(b.columns), 32 * std::uint64_t{words_})),
        counts_(device.allocate(rows_ * sizeof(std::uint32_t))) {}

  void classify();
  void count();
  std::uint64_t total();
  void lay_out(matrix_base& c);
  void write_columns(const matrix_base& c);

 private:
  std::uint64_t size_of(std::size_t which) const { return begin_[which + 1] - begin_[which]; }
  void launch_tables(const mxm_limits::table&, std::size_t which, const char* kernel,
                     const std::vector<kernel_argument>& last);
  // Calls with the list of some rows of the last class, their number and the sums of their units.
  template <class F>
  void for_bit_rows(F&&);

  device_context& device_;
  const mxm_config& config_;
  const operand_patterns operands_;
  const std::uint64_t rows_;
  const std::uint32_t words_;             // of bits, that a group has
  const std::uint64_t ranges_;            // groups for a row
  buffer_pointer counts_;                 // entries of each row of C
  buffer_pointer list_;                   // rows by class
  std::array<std::uint64_t, 5> begin_{};  // where the classes begin in it
};

void pattern_maker::classify() {
  const buffer_pointer classes = device_.allocate(rows_ * sizeof(std::uint32_t));
  void *to = device_.write(classes), *counts = device_.write(counts_);
  device_.runtime().fill(counts, 0, counts_->bytes());
  const std::uint32_t few = config_.few.products, some = config_.some.products;
  const matrix_arguments &a = operands_.a, &b = operands_.b;
  const kernel_argument list[] = {rows_, a.offsets, a.wide, operands_.a_columns, b.offsets, b.wide,
                                  few,   some,      to};
  const std::uint64_t teams = config_.table_group / config_.few.lanes;
  device_.runtime().launch(operation,
                           *device_.runtime().program(config_.table_request(config_.few)),
                           "t_mxm_classes", list, divide_up(rows_, teams), config_.table_group);
  const sorted_keys sorted = sort_keys(device_, operation, rows_, classes, 16);
  list_ = sorted.order;
  const buffer_pointer begins = device_.allocate(5 * sizeof(std::uint32_t));
  const std::uint64_t number = 4;
  const void* keys = device_.read(sorted.keys);
  void* to_begins = device_.write(begins);
  const kernel_argument of_sorted[] = {number, rows_, keys, to_begins};
  device_.launch_over(number + 1, operation, matrices_program(device_), "t_offsets_of_sorted",
                      of_sorted);
  std::copy_n(static_cast<const std::uint32_t*>(begins->host()), begin_.size(), begin_.begin());
}

void pattern_maker::launch_tables(const mxm_limits::table& table, std::size_t which,
                                  const char* kernel, const std::vector<kernel_argument>& last) {
  const std::uint64_t first = begin_[which], count = size_of(which);
  if (count == 0) return;
  const void* rows = device_.read(list_);
  const std::uint32_t walk = std::min(operands_.mean, table.lanes);
  arguments list;
  append(list, rows, first, count);
  operands_.append_to(list);
  append(list, walk);
  list.insert(list.end(), last.begin(), last.end());
  device_.runtime().launch(operation, *device_.runtime().program(config_.table_request(table)),
                           kernel, list, divide_up(count, config_.table_group / table.lanes),
                           config_.table_group);
}

template <class F>
void pattern_maker::for_bit_rows(F&& visit) {
  const std::uint64_t at_once = std::max<std::uint64_t>(most_units / ranges_, 1);
  const auto* program = device_.runtime().program(config_.bits_request());
  const std::uint32_t walk = std::min(operands_.mean, std::min(config_.bit_group, 32u));
  for (std::uint64_t first = begin_[3]; first < begin_[4]; first += at_once) {
    const std::uint64_t count = std::min(at_once, begin_[4] - first), units = count * ranges_;
    const buffer_pointer rows = device_.allocate(count * sizeof(std::uint32_t)),
                         counts = device_.allocate(units * sizeof(std::uint32_t));
    const void* from = device_.read(list_);
    void* to = device_.write(rows);
    const kernel_argument copying[] = {first, count, from, to};
    device_.launch_over(count, operation, *program, "t_mxm_some_rows", copying);
    const void* list_of_rows = device_.read(rows);
    void* to_counts = device_.write(counts);
    arguments list;
    append(list, list_of_rows, ranges_, words_);
    operands_.append_to(list);
    append(list, walk, to_counts);
    device_.runtime().launch(operation, *program, "t_mxm_count_bits", list, units,
                             config_.bit_group);
    const prefix_sums sums = sums_before(device_, units, counts, sizeof(std::uint32_t));
    visit(*program, rows, count, sums.before, walk);
  }
}

void pattern_maker::count() {
  void* counts = device_.write(counts_, access::modify);
  launch_tables(config_.few, 1, "t_mxm_count", {counts});
  launch_tables(config_.some, 2, "t_mxm_count", {counts});
  for_bit_rows([&](const compiled_program& program, const buffer_pointer& rows,
                   const std::uint64_t& number, const buffer_pointer& sums, std::uint32_t) {
    const void *list_of_rows = device_.read(rows), *before = device_.read(sums);
    const kernel_argument list[] = {list_of_rows, number, ranges_, before, counts};
    device_.launch_over(number, operation, program, "t_mxm_rows_of_bits", list);
  });
}

std::uint64_t pattern_maker::total() {
  const std::uint64_t groups = std::min<std::uint64_t>(divide_up(rows_, config_.table_group), 512);
  const buffer_pointer sums = device_.allocate(groups * sizeof(std::uint64_t)),
                       all = device_.allocate(sizeof(std::uint64_t));
  const void* counts = device_.read(counts_);
  void* to = device_.write(sums);
  const kernel_argument list[] = {rows_, counts, to};
  device_.runtime().launch(operation,
                           *device_.runtime().program(config_.table_request(config_.few)),
                           "t_mxm_sum_counts", list, groups, config_.table_group);
  scan(device_, groups, sums, all);
  return *static_cast<const std::uint64_t*>(all->host());
}

void pattern_maker::lay_out(matrix_base& c) {
  c.offsets = sums_before(device_, rows_, counts_, sizeof(std::uint32_t)).before;
  c.column_indices = device_.allocate(static_cast<std::size_t>(c.nnz) * sizeof(std::uint32_t));
  inspect_rows(device_, operation, c);
}

void pattern_maker::write_columns(const matrix_base& c) {
  const void* offsets = device_.read(c.offsets);
  void* columns = device_.write(c.column_indices, access::modify);
  launch_tables(config_.few, 1, "t_mxm_columns", {offsets, columns});
  launch_tables(config_.some, 2, "t_mxm_columns", {offsets, columns});
  for_bit_rows([&](const compiled_program& program, const buffer_pointer& rows,
                   const std::uint64_t& number, const buffer_pointer& sums,
                   const std::uint32_t& walk) {
    const void *list_of_rows = device_.read(rows), *before = device_.read(sums);
    arguments list;
    append(list, list_of_rows, ranges_, words_);
    operands_.append_to(list);
    append(list, walk, before, offsets, columns);
    device_.runtime().launch(operation, program, "t_mxm_columns_of_bits", list, number * ranges_,
                             config_.bit_group);
  });
}

}  // namespace

std::optional<matrix_base> product_pattern(device_context& device, const mxm_config& config,
                                           const matrix_base& a, const matrix_base& b,
                                           const type_description& values) {
  matrix_base c = on_cpu::matrix_shell(device.host_side(), values, a.rows, b.columns);
  pattern_maker maker(device, config, a, b);
  maker.classify();
  maker.count();
  const std::uint64_t entries = maker.total();
  if (entries >= static_cast<std::uint64_t>(largest_dimension) - 1) return std::nullopt;
  // Before anything is taken for the result.
  const std::size_t bytes = entries * (sizeof(std::uint32_t) + values.size);
  memory_account& account = device.state().account;
  account.acquire(bytes);
  account.release(bytes);
  c.nnz = static_cast<index_t>(entries);
  maker.lay_out(c);
  maker.write_columns(c);
  return c;
}

}  // namespace tropic::detail
