// SPDX-License-Identifier: Apache-2.0
#pragma once

// The backend of every device, written once over device_runtime. What a device does not do (fp64
// where it has none, matrices of 2^32 entries but for products) runs on the host by way of the CPU
// backend, buffers moving lazily between the two.

#include <atomic>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/device/products/kernel_choice.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/device/runtime.hpp"
#include "containers/blocks.hpp"
#include "containers/cmrs.hpp"

namespace tropic::detail {

/// The runtime's memory, as a context owns it.
class device_memory : public memory_resource {
 public:
  explicit device_memory(std::shared_ptr<device_runtime> runtime) : runtime_(std::move(runtime)) {}
  void* allocate(std::size_t bytes) override { return runtime_->allocate(bytes); }
  void deallocate(void* handle, std::size_t bytes) noexcept override {
    runtime_->deallocate(handle, bytes);
  }
  void to_device(void* handle, const void* from, std::size_t bytes) override {
    runtime_->to_device(handle, from, bytes);
  }
  void to_host(void* to, const void* handle, std::size_t bytes) override {
    runtime_->to_host(to, handle, bytes);
  }
  void require_own(const void* handle, std::size_t bytes, std::size_t alignment) const override {
    runtime_->require_own(handle, bytes, alignment);
  }
  void settle() noexcept override { runtime_->settle(); }

 private:
  std::shared_ptr<device_runtime> runtime_;
};

/// Groups of a launch at most: CUDA's limit, in one dimension.
inline constexpr std::size_t largest_grid = (std::size_t{1} << 31) - 1;

class device_backend : public cpu_backend {
 public:
  device_backend(context_state& context, std::shared_ptr<device_runtime> runtime,
                 std::span<const device_kernel* const> kernels = device_kernels());
  ~device_backend() override {
    for (const auto& [handle, bytes] : tickets_.all) runtime_->deallocate(handle, bytes);
  }

  kernel_table kernels() const override { return infos_; }
  const kernel_info* find_kernel(std::string_view text) const override;
  product_features features(const product&, const vector_rule&) override;
  kernel_facts facts(const matrix_base&, std::string_view kernel) const override;
  double copy_bandwidth() override;
  kernel_shape shape_of(const matrix_base&, const kernel_info&, std::size_t z_bytes,
                        bool early_exit) const override;
  std::string identity() const override;
  void multiply(vector_base& w, const product&, const vector_rule&,
                std::string_view kernel) override;
  // On vectors (device_elements.cpp).
  using cpu_backend::apply;
  using cpu_backend::assign;
  using cpu_backend::ewise;
  using cpu_backend::reduce;
  using cpu_backend::select;
  void ewise(vector_base& w, combination, const operator_description&, const vector_base& u,
             const vector_base& v, const vector_rule&) override;
  void apply(vector_base& w, const unary_description&, const vector_base& u,
             const vector_rule&) override;
  void select(vector_base& w, const unary_description&, const vector_base& u,
              const vector_rule&) override;
  void assign(vector_base& w, const void* value, const positions&, const vector_rule&) override;
  void assign(vector_base& w, const vector_base& u, const positions&, const vector_rule&) override;
  bool reduce(void* result, const monoid_description&, const vector_base& u) override;
  bool reduce(void* result, const monoid_description&, const matrix_base& a) override;
  // On matrices (device_matrices.cpp).
  void ewise(matrix_base& c, combination, const operator_description&, const matrix_base& a,
             const matrix_base& b, const matrix_rule&) override;
  void apply(matrix_base& c, const unary_description&, const matrix_base& a,
             const matrix_rule&) override;
  void select(matrix_base& c, const unary_description&, const matrix_base& a,
              const matrix_rule&) override;
  void reduce(vector_base& w, const monoid_description&, const matrix_base& a, bool transposed,
              const vector_rule&) override;
  void assign(matrix_base& c, const void* value, const positions& rows, const positions& columns,
              const matrix_rule&) override;
  void assign(matrix_base& c, const matrix_base& a, const positions& rows, const positions& columns,
              const matrix_rule&) override;
  void gather(vector_base& to, const vector_base& u, const buffer_pointer& order) override;
  std::optional<hot_columns> to_hot_columns(const matrix_base&) override;
  matrix_statistics inspect(const matrix_base&, std::uint64_t wanted) override;
  // Arrays that were given on the device (device_arrays.cpp).
  void examine(matrix_base& m, const csr_words& words, bool trusted) override;
  buffer_pointer narrowed(const context_pointer&, const buffer_pointer& wide, std::size_t count,
                          index_t limit, const char* what) override;
  // Small rounds, many in a launch (device_iterate.cpp).
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t most) override;
  void synchronize() override { runtime_->finish(); }
  device_traffic traffic() const override { return runtime_->traffic(); }

  // --- for the kernels of products (kernel_table.hpp) --------------------------------------------

  device_runtime& runtime() const { return *runtime_; }
  using cpu_backend::allocate;
  // A buffer as a kernel argument.
  const void* read_device(const buffer_pointer& b) const;
  void* write_device(const buffer_pointer& b, access how = access::overwrite) const;
  /// Zeros, of which every kernel that uses them leaves zeros: a counter a group (synchronizer.h).
  const void* tickets(std::uint64_t groups) { return tickets_.of(*runtime_, groups); }
  /// Conversions, kept with the matrix (device_formats.cpp).
  std::shared_ptr<const converted_copy> row_indices(const matrix_base&);
  std::shared_ptr<const converted_copy> tile_rows(const matrix_base&, std::uint64_t tile);

  /// Conversions by the device, kept with the matrix, and back to CSR (device_strips.cpp). `like`
  /// is the matrix that a copy was made from, whose offsets both share: how many entries a row has.
  std::shared_ptr<const converted_copy> strips(const matrix_base&, const strip_layout&);
  matrix_base from_strips(const converted_copy&, const matrix_base& like, const strip_layout&);
  std::shared_ptr<const converted_copy> padded(const matrix_base&);
  matrix_base from_padded(const converted_copy&, const matrix_base& like);
  /// The same of dense blocks (device_blocks.cpp), and the shape that inspection finds.
  block_shape best_blocks(const matrix_base&);
  std::shared_ptr<const converted_copy> blocks(const matrix_base&, const block_shape&);
  matrix_base from_blocks(const converted_copy&, const matrix_base& like, const block_shape&);
  /// Words of the padded arrangement for each entry.
  double overhead(const matrix_base&, const strip_layout&);
  static std::string name_of(const strip_layout&);
  static std::string name_of(const block_shape&);

 protected:
  void write_back(matrix_base& c, matrix_base&& t, const matrix_rule&) override;
  using cpu_backend::write_back;
  matrix_base transposed(const matrix_base& a) override;

 private:
  using arguments = std::vector<kernel_argument>;
  // Another kernel where the chosen one cannot hold the matrix, logged once.
  void replace_unfit(product_call&);
  void log_once(const std::string& message);

  std::shared_ptr<const converted_copy> row_pattern(const matrix_base&);
  void launch_over(std::uint64_t n, std::string_view operation, const compiled_program&,
                   const char* kernel, std::span<const kernel_argument>);
  // Makes the parts of a copy, with the compiled program of the kernels that it asked for.
  using maker = std::function<void(converted_copy&, const compiled_program*)>;
  std::shared_ptr<const converted_copy> format(const matrix_base&, std::string_view name,
                                               const program_request&, const maker&);
  struct conversion;
  std::shared_ptr<const converted_copy> plain_strips(const matrix_base&, const strip_layout&);
  std::shared_ptr<const converted_copy> padded_strips(const matrix_base&, const strip_layout&);
  void launch_padded(const conversion&, const strip_layout&, std::uint64_t size,
                     const compiled_program&, std::string_view operation, const void* starts,
                     std::uint32_t back, const void* columns, const void* words, const void* from,
                     void* to);
  struct found_blocks;
  found_blocks find_blocks(const matrix_base&, const block_shape&, const compiled_program&,
                           const buffer_pointer& counts);
  // n sums become those before them; `total`: of all, 64 bits each (device_formats.cpp).
  void scan(std::uint64_t n, const buffer_pointer& sums, const buffer_pointer& total);
  // The same of n counts of so many bytes, 32 bits each, n + 1 of them (device_sorting.cpp).
  struct running_sums {
    buffer_pointer before, total;
    index_t all() const {
      return static_cast<index_t>(*static_cast<const std::uint64_t*>(total->host()));
    }
  };
  running_sums sums_before(std::uint64_t n, const buffer_pointer& counts, std::size_t bytes);
  // n > 0 keys below `bound`, ascending, and where each of them was.
  struct sorted_keys {
    buffer_pointer keys, order;
  };
  sorted_keys sort(std::string_view operation, std::uint64_t n, const buffer_pointer& keys,
                   index_t bound);
  void compile_sort();
  void lay_out_sorted(std::string_view operation, matrix_base& made, const sorted_keys&);
  // The entries of m in the rows of u's entries (u full or a bitmap), transposed.
  matrix_base pushed_part(std::string_view operation, const matrix_base& m, const vector_base& u);
  // Completes longest_row and empty_rows.
  void inspect_rows(std::string_view operation, matrix_base& m);
  // Whether 32 bits count what is made of their entries.
  static bool are_few_entries(std::initializer_list<const matrix_base*>);
  program_request matrices_request() const;
  program_request structure_request() const;

  struct merge_side;
  struct entry_call;
  buffer_pointer passing(std::string_view operation, const matrix_base& m, const matrix_rule&);
  void find_places(std::string_view operation, merge_side&, const merge_side& other,
                   std::uint32_t which);
  void place(std::string_view operation, matrix_base& made, const merge_side&,
             const merge_side* other);
  void lay_out_merged(std::string_view operation, matrix_base& made, const merge_side&,
                      const merge_side* other, index_t entries);
  matrix_base filtered(std::string_view operation, const matrix_base& m,
                       const buffer_pointer& keeps);
  std::optional<matrix_base> merged(std::string_view operation, combination,
                                    const operator_description*, const type_description& z,
                                    merge_side a, merge_side b);
  // Assignments to matrices (device_assign.cpp).
  struct listing;
  buffer_pointer uploaded(std::span<const index_t> list);
  buffer_pointer gathered(std::string_view operation, const buffer_pointer& words,
                          const buffer_pointer& order, std::uint64_t n);
  // The entries of a, which has some, with their rows and columns at new places (null: where they
  // are) of so many, by row and then by column.
  struct new_places {
    buffer_pointer rows{}, columns{};
  };
  struct placed_entries {
    sorted_keys by_row;
    buffer_pointer columns, values;
  };
  placed_entries placed(std::string_view operation, const matrix_base& a, const new_places&,
                        index_t rows, index_t columns);
  matrix_base moved(const matrix_base& c, const matrix_base& a, const listing& rows,
                    const listing& columns);
  buffer_pointer in_lists(const matrix_base& m, const listing& rows, const listing& columns,
                          bool wanted);
  std::optional<matrix_base> spread_value(const matrix_base& c, const void* value,
                                          const listing& rows, const listing& columns,
                                          const matrix_rule&);
  bool write_listed(matrix_base& c, matrix_base&& t, const listing& rows, const listing& columns,
                    const matrix_rule&);
  void over_entries(std::string_view operation, const entry_call&, const char* kernel,
                    const matrix_base& a, std::uint64_t entries, void* to);
  converted_copy make_tile_starts(const matrix_base&, const strip_layout&, const compiled_program&);
  std::shared_ptr<const converted_copy> tile_starts(const matrix_base&, const strip_layout&);
  // `like` with arrays of columns and values still to be written.
  matrix_base without_entries(const matrix_base& like) const;

  static constexpr std::size_t count_bytes = 2 * sizeof(std::uint32_t);
  program_request count_request() const;
  program_request reduce_request(const monoid_description&) const;
  entry_count count_present(std::string_view operation, const buffer_pointer& present, index_t size,
                            buffer_pointer counters = nullptr);

  index_t count_edges(const product&);

  struct mask_arguments;
  bool elements(std::string_view operation, vector_base& w, const element_request&,
                const vector_base* u, const vector_base* v, const vector_rule&);
  void merge(std::string_view operation, vector_base& w, vector_base&& t, const vector_rule&);
  vector_base scattered(std::string_view operation, const type_description&, index_t size,
                        const buffer_pointer& indices, std::uint64_t entries,
                        const buffer_pointer& values, const buffer_pointer& some);
  void spread(vector_base&);
  bool assign_listed(vector_base& w, const element_request&, const vector_base* u, const positions&,
                     const vector_rule&);
  bool can_write(vector_base&);
  buffer_pointer left_out(const vector_rule&);
  // Work-items of a group: so many, or as many as the device bears.
  std::size_t group_of(std::size_t wanted) const;

  // Tickets of rows that span groups (synchronizer.h). Memory of the runtime's own: a buffer would
  // keep the context alive. One that has become too small is kept, as a launch may be about to use
  // it.
  struct ticket_arrays {
    std::mutex mutex;
    std::vector<std::pair<void*, std::size_t>> all;  // with their bytes, the largest last
    const void* of(device_runtime&, std::uint64_t groups);
  };

  std::shared_ptr<device_runtime> runtime_;
  std::vector<const device_kernel*> rows_;
  std::vector<const kernel_info*> infos_;  // of the same
  ticket_arrays tickets_;
  std::mutex logged_mutex_;
  std::set<std::string> logged_;
  std::once_flag copy_measured_;
  double copy_bandwidth_ = 0;
};

}  // namespace tropic::detail
