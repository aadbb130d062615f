// SPDX-License-Identifier: Apache-2.0

// The pattern of a product of sparse matrices on the device (mxm_lists.kernel, mxm_pattern.kernel,
// mxm_bits.kernel):
// rows are sorted into classes by their numbers of products, their entries are counted, then their
// columns are written; each of it by chunks of rows.

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

// Units of mxm_bits.kernel whose counts are held at a time.
constexpr std::uint64_t most_units = std::uint64_t{1} << 22;
// Of t_mxm_classes: rows without products, those of lists, those of each table, those of bits.
constexpr std::size_t class_count = 16;
constexpr std::size_t class_of_lists = 1,
                      class_of_bits = 2 + std::tuple_size_v<decltype(mxm_limits::tables)>;

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

// Some rows that set bits: a list, and the entries before each of their units.
struct bit_rows {
  std::uint64_t count = 0;
  buffer_pointer list, before;
};

// The rows of a chunk by class.
struct classified_rows {
  row_chunk chunk;
  buffer_pointer list;                                 // less chunk.first
  std::array<std::uint64_t, class_count + 1> begin{};  // where the classes begin in it
  std::vector<bit_rows> kept{};                        // of the first rows that set bits

  std::uint64_t size_of(std::size_t class_index) const {
    return begin[class_index + 1] - begin[class_index];
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
        words_(config.words_for(static_cast<std::uint64_t>(b.columns))),
        ranges_(config.bit_ranges_for(static_cast<std::uint64_t>(b.columns))),
        tables_(config.tables_for(static_cast<std::uint64_t>(b.columns))),
        counts_(device.allocate(rows_ * sizeof(std::uint32_t))),
        chunks_(chunks_of_product(device, config, a, {b.offsets, b.wide}, nullptr, counts_)),
        walk_(std::min({operands_.mean, config.bit_group, 32u})) {}

  std::size_t chunks() const { return chunks_.size(); }
  std::uint64_t list_rows() const {
    std::uint64_t sum = 0;
    for (const classified_rows& rows : classified_) sum += rows.size_of(class_of_lists);
    return sum;
  }
  void count();
  row_totals totals() { return totals_of(device_, config_, rows_, counts_); }
  void lay_out(matrix_base& c, const row_totals&);
  void write_columns(const matrix_base& c);

 private:
  classified_rows classify(const row_chunk&);
  void count(classified_rows&);
  void write_columns(classified_rows&, const void* offsets, void* columns);
  // Of the rows of class `class_index`, that of lists or of a table.
  void launch_class(const classified_rows&, std::size_t class_index, const char* kernel,
                    const std::vector<kernel_argument>& last);
  // Rows of the last classes, from number `first` of the list on.
  bit_rows count_bits(const classified_rows&, std::uint64_t first) const;
  template <class F>
  void for_bit_rows(classified_rows&, F&& visit);

  device_context& device_;
  const mxm_config& config_;
  const operand_patterns operands_;
  const std::uint64_t rows_;
  const std::uint32_t words_;   // of bits, that a group has
  const std::uint64_t ranges_;  // groups for a row
  const std::size_t tables_;    // that are used
  buffer_pointer counts_;       // products of each row of A B, then its entries
  std::vector<row_chunk> chunks_;
  std::vector<classified_rows> classified_{};
  const std::uint32_t walk_;  // work-items that read a row of B to set bits
  std::uint64_t kept_units_ = 0;
};

classified_rows pattern_maker::classify(const row_chunk& chunk) {
  const buffer_pointer classes = device_.allocate(chunk.rows * sizeof(std::uint32_t));
  std::array<std::uint32_t, class_of_bits - 1> bounds{};
  bounds[0] = config_.list_products;
  for (std::size_t n = 1; n < bounds.size(); ++n)
    bounds[n] = tables_ == 0 ? bounds[0] : config_.tables[std::min(n, tables_) - 1].products;
  void* to = device_.write(classes);
  const void* products = device_.read(counts_);
  const kernel_argument list[] = {chunk.first, chunk.rows, products,  bounds[0], bounds[1],
                                  bounds[2],   bounds[3],  bounds[4], to};
  device_.launch_over(chunk.rows, mxm_operation, *device_.runtime().program(config_.rows_request()),
                      "t_mxm_classes", list);
  const sorted_keys sorted = sort_keys(device_, mxm_operation, chunk.rows, classes, 16);
  classified_rows result{chunk, sorted.order};
  const buffer_pointer begins = device_.allocate(result.begin.size() * sizeof(std::uint32_t));
  const std::uint64_t number = class_count;
  const void* keys = device_.read(sorted.keys);
  void* to_begins = device_.write(begins);
  const kernel_argument of_sorted[] = {number, chunk.rows, keys, to_begins};
  device_.launch_over(number + 1, mxm_operation, matrices_program(device_), "t_offsets_of_sorted",
                      of_sorted);
  std::copy_n(static_cast<const std::uint32_t*>(begins->host()), result.begin.size(),
              result.begin.begin());
  return result;
}

void pattern_maker::launch_class(const classified_rows& rows, std::size_t class_index,
                                 const char* kernel, const std::vector<kernel_argument>& last) {
  const std::uint64_t first = rows.begin[class_index], count = rows.size_of(class_index);
  if (count == 0) return;
  const void* list_of_rows = device_.read(rows.list);
  arguments list;
  append(list, list_of_rows, rows.chunk.first, first, count);
  operands_.append_to(list);
  if (class_index == class_of_lists) {
    list.insert(list.end(), last.begin(), last.end());
    device_.runtime().launch(mxm_operation, *device_.runtime().program(config_.lists_request()),
                             kernel, list, divide_up(count, config_.list_group),
                             config_.list_group);
    return;
  }
  const mxm_limits::table& table = config_.tables[class_index - class_of_lists - 1];
  const std::uint32_t walk = std::min(operands_.mean, table.lanes), group = config_.group_of(table);
  append(list, walk);
  list.insert(list.end(), last.begin(), last.end());
  device_.runtime().launch(mxm_operation, *device_.runtime().program(config_.table_request(table)),
                           kernel, list, divide_up(count, group / table.lanes), group);
}

bit_rows pattern_maker::count_bits(const classified_rows& all, std::uint64_t first) const {
  const std::uint64_t at_once = std::max<std::uint64_t>(most_units / ranges_, 1),
                      count = std::min(at_once, all.begin[class_count] - first),
                      units = count * ranges_;
  const auto* program = device_.runtime().program(config_.bits_request());
  bit_rows result{count, device_.allocate(count * sizeof(std::uint32_t)), nullptr};
  const buffer_pointer counts = device_.allocate(units * sizeof(std::uint32_t));
  const void* from = device_.read(all.list);
  void* to = device_.write(result.list);
  const kernel_argument copying[] = {all.chunk.first, first, count, from, to};
  device_.launch_over(count, mxm_operation, *program, "t_mxm_some_rows", copying);
  const void* list_of_rows = device_.read(result.list);
  void* to_counts = device_.write(counts);
  arguments list;
  append(list, list_of_rows, ranges_, words_);
  operands_.append_to(list);
  append(list, walk_, to_counts);
  device_.runtime().launch(mxm_operation, *program, "t_mxm_count_bits", list, units,
                           config_.bit_group);
  result.before = sums_before(device_, units, counts, sizeof(std::uint32_t)).before;
  return result;
}

// Rows are counted twice only if keeping the counts of their units would take much memory.
template <class F>
void pattern_maker::for_bit_rows(classified_rows& all, F&& visit) {
  std::uint64_t first = all.begin[class_of_bits];
  for (std::size_t n = 0; first < all.begin[class_count]; ++n) {
    bit_rows rows = n < all.kept.size() ? all.kept[n] : count_bits(all, first);
    visit(*device_.runtime().program(config_.bits_request()), rows);
    first += rows.count;
    if (n == all.kept.size() && kept_units_ + rows.count * ranges_ <= most_units) {
      kept_units_ += rows.count * ranges_;
      all.kept.push_back(std::move(rows));
    }
  }
}

void pattern_maker::count(classified_rows& rows) {
  void* counts = device_.write(counts_, access::modify);
  for (std::size_t class_index = class_of_lists; class_index <= class_of_lists + tables_;
       ++class_index)
    launch_class(rows, class_index, "t_mxm_count", {counts});
  for_bit_rows(rows, [&](const compiled_program& program, const bit_rows& some) {
    const void *list_of_rows = device_.read(some.list), *before = device_.read(some.before);
    const kernel_argument list[] = {list_of_rows, some.count, ranges_, before, counts};
    device_.launch_over(some.count, mxm_operation, program, "t_mxm_rows_of_bits", list);
  });
}

void pattern_maker::count() {
  for (const row_chunk& chunk : chunks_) {
    mxm_checkpoint(device_, chunks_.size(), mxm_pass::counts, classified_.size());
    classified_.push_back(classify(chunk));
    count(classified_.back());
  }
}

void pattern_maker::lay_out(matrix_base& c, const row_totals& totals) {
  c.offsets = sums_before(device_, rows_, counts_, sizeof(std::uint32_t)).before;
  c.column_indices = device_.allocate(static_cast<std::size_t>(c.nnz) * sizeof(std::uint32_t));
  c.longest_row = totals.largest;
  c.empty_rows = totals.zeros;
}

void pattern_maker::write_columns(classified_rows& rows, const void* offsets, void* columns) {
  for (std::size_t class_index = class_of_lists; class_index <= class_of_lists + tables_;
       ++class_index)
    launch_class(rows, class_index, "t_mxm_columns", {offsets, columns});
  for_bit_rows(rows, [&](const compiled_program& program, const bit_rows& some) {
    const void *list_of_rows = device_.read(some.list), *before = device_.read(some.before);
    arguments list;
    append(list, list_of_rows, ranges_, words_);
    operands_.append_to(list);
    append(list, walk_, before, offsets, columns);
    device_.runtime().launch(mxm_operation, program, "t_mxm_columns_of_bits", list,
                             some.count * ranges_, config_.bit_group);
  });
}

void pattern_maker::write_columns(const matrix_base& c) {
  const void* offsets = device_.read(c.offsets);
  void* columns = device_.write(c.column_indices, access::modify);
  kept_units_ = most_units;  // no more are kept
  for (classified_rows& rows : classified_) {
    mxm_checkpoint(device_, chunks_.size(), mxm_pass::columns,
                   static_cast<std::size_t>(&rows - classified_.data()));
    write_columns(rows, offsets, columns);
    rows.list = nullptr;
    rows.kept.clear();
  }
}

}  // namespace

std::optional<matrix_base> product_pattern(device_context& device, const mxm_config& config,
                                           const matrix_base& a, const matrix_base& b,
                                           const type_description& values, pattern_work& work) {
  matrix_base c = on_cpu::matrix_shell(device.host_side(), values, a.rows, b.columns);
  pattern_maker maker(device, config, a, b);
  work.chunks = maker.chunks();
  maker.count();
  work.list_rows = maker.list_rows();
  const row_totals totals = maker.totals();
  if (totals.sum >= static_cast<std::uint64_t>(largest_dimension) - 1) return std::nullopt;
  // Before anything is taken for the result.
  const std::size_t bytes = totals.sum * (sizeof(std::uint32_t) + values.size);
  memory_account& account = device.state().account;
  account.acquire(bytes);
  account.release(bytes);
  c.nnz = static_cast<index_t>(totals.sum);
  maker.lay_out(c, totals);
  maker.write_columns(c);
  return c;
}

}  // namespace tropic::detail
