// SPDX-License-Identifier: Apache-2.0

// A product on the device: the mask becomes a byte a row, u a full vector or a bitmap, a kernel
// writes t, and t is merged into w unless it is w already.

#include <fmt/format.h>

#include <algorithm>

#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {

product_runner::product_runner(device_context& device, format_cache& formats,
                               vector_operations& vectors, matrix_operations& matrices,
                               std::span<const device_kernel* const> kernels)
    : device_(device),
      formats_(formats),
      vectors_(vectors),
      matrices_(matrices),
      rows_(kernels.begin(), kernels.end()),
      tickets_{device.runtime()} {
  for (const device_kernel* row : rows_) infos_.push_back(&row->info);
}

const kernel_info* product_runner::find_kernel(std::string_view text) const {
  const device_kernel* found = find_device_kernel(text, rows_);
  if (found == nullptr) return nullptr;
  if (text != found->info.name) parse_kernel(text, device_.traits(), rows_);  // checks the options
  return &found->info;
}

bool product_runner::multiply(vector_base& w, const product& p, const vector_rule& rule,
                              std::string_view kernel) {
  if (p.matrix.nnz == 0 || p.input.nvals == 0) {
    write_no_entries(w, p, rule);
    return true;
  }
  kernel_config asked = parse_kernel(kernel, device_.traits(), rows_);
  // What atomics would add up in any order is sorted by row and summed by segments.
  bool sorts = asked.unit() == work_unit::frontier && !can_push(device_.traits(), p.semiring);
  if (sorts && (!are_few_entries({&p.matrix}) || p.matrix.columns == largest_dimension)) {
    const device_kernel& instead = kernels::csr_vector;
    device_.log_once(fmt::format("{}: more than 2^32 products to sort; {} runs instead",
                                 asked.name(), instead.info.name));
    asked = {.kernel = &instead};
    sorts = false;
  }
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output() == (asked.unit() == work_unit::frontier))
    transposed = matrices_.transpose_of(p.matrix);
  const matrix_base* matrix = transposed ? transposed.get() : &p.matrix;
  vector_base u = p.input;
  vectors_.spread(u);
  matrix_base pushed;
  if (sorts) {
    pushed = matrices_.pushed_part(p.operation(), *matrix, u);
    matrix = &pushed;
    asked = sorted_push();
    if (pushed.nnz == 0) {
      write_no_entries(w, p, rule);
      return true;
    }
  }
  product_call c{p, *matrix, std::move(u)};
  if (asked.unit() != work_unit::frontier) {
    if (suits_hubs(p) || gains_by_bits(p))
      c.m.derived->device_pulls.fetch_add(1, std::memory_order_relaxed);
    if (!sorts && c.is_bitmap() && fills_gaps(p))
      vectors_.fill_gaps(c.operation(), c.u, p.semiring.add.identity);
  }
  c.skip = vectors_.excluded(rule);
  configure(c, asked);
  c.program = device_.runtime().program(c.request);
  if (c.program == nullptr) {
    device_.log_once(std::string(c.operation()) + ": " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  try {
    prepare_output(c);
    c.chosen.kernel->launch(*this, c);
  } catch (const out_of_memory&) {
    if (c.kept == nullptr && !c.chosen.kernel->info.lists_rows) throw;
    run_without_format(c);
  }
  write_result(w, c, rule);
  return true;
}

// The memory that a format or lists take may be what plain CSR needs.
void product_runner::run_without_format(product_call& c) {
  if (c.kept != nullptr) formats_.forget_hubs(c.m, c.chosen.hubs_layout());
  device_.log_once(fmt::format("{}: no memory for its sums; {} runs instead", c.chosen.name(),
                               kernels::csr_segmented.info.name));
  c.kept = nullptr;
  c.t = {};
  configure(c, {.kernel = &kernels::csr_segmented});
  c.program = device_.runtime().program(c.request);
  prepare_output(c);
  c.chosen.kernel->launch(*this, c);
}

void product_runner::write_no_entries(vector_base& w, const product& p, const vector_rule& rule) {
  vectors_.write_back(p.operation(), w,
                      empty_vector(device_.context(), p.semiring.z(), p.output_size()), rule);
}

// The kernel that runs, with all of its constants, and the request of its program.
void product_runner::configure(product_call& c, kernel_config asked) {
  const semiring_description& semiring = c.p.semiring;
  // Where a product is not wanted of every row, or may end anywhere in it. Then every sum is that
  // of the first lane that ends, whatever the number of lanes.
  c.lists_wanted_rows = exits_early(semiring) && asked.kernel->narrows_for_early_exit &&
                        asked.width == 0 && (c.is_bitmap() || c.skip != nullptr);
  if (exits_early(semiring))
    asked.expect_early_exit(device_.traits(), c.u.storage == vector_storage::full);
  c.chosen = complete(asked, device_.traits(), semiring.z().size, c.m);
  // A product that depends on its row needs the true row at once.
  if (uses_output(semiring.multiply, c.p.vector_first)) c.chosen.speculate = false;
  replace_unfit(c);
  c.request = request_of(c.chosen, device_.traits(), semiring, c.p.vector_first);
  c.parameters = parameter_words_of(c.request);
}

// A forced kernel that cannot hold the matrix is replaced, so that a run over all kernels, or over
// many matrices, continues: the log says which kernel ran instead, and why.
void product_runner::replace_unfit(product_call& c) {
  while (c.chosen.kernel->replacement != nullptr) {
    std::string why;
    const device_kernel* instead = c.chosen.kernel->replacement(formats_, c, why);
    if (instead == nullptr) return;
    if (!why.empty())
      device_.log_once(
          fmt::format("{}: {}; {} runs instead", c.chosen.name(), why, instead->info.name));
    c.chosen = complete({.kernel = instead, .subgroup_size = c.chosen.subgroup_size},
                        device_.traits(), c.p.semiring.z().size, c.m);
  }
}

// The arrays of t, and whether the kernel marks which of its entries are present.
void product_runner::prepare_output(product_call& c) {
  const bool pushes = c.chosen.unit() == work_unit::frontier;
  const bool becomes_full = !pushes && c.becomes_full();
  vector_base& t = c.t;
  t.context = device_.context();
  t.type = &c.p.semiring.z();
  t.size = c.p.output_size();
  t.storage = becomes_full ? vector_storage::full : vector_storage::bitmap;
  const auto size = static_cast<std::size_t>(t.size);
  // Whole words, by which `push` combines values and sets flags.
  t.values = device_.allocate((size * t.type->size + 3) / 4 * 4);
  if (becomes_full) return;
  c.marks = pushes || c.is_bitmap() || c.skip != nullptr;
  t.present = c.marks ? device_.allocate(pushes ? (size + 3) / 4 * 4 : size)
                      : formats_.row_pattern(c.m)->parts.front();
}

void product_runner::write_result(vector_base& w, product_call& c, const vector_rule& rule) {
  vector_base& t = c.t;
  t.nvals = !c.marks               ? entry_count(t.size - c.m.empty_rows)
            : c.entries != nullptr ? entry_count(std::move(c.entries))
                                   : count_present(device_, c.operation(), t.present, t.size);
  // If the kernel reads the mask, t has no entry that the mask excludes.
  const bool is_masked = rule.mask == nullptr || !c.chosen.kernel->ignores_mask;
  const bool is_result = rule.accumulator == nullptr && is_masked &&
                         (rule.mask == nullptr || rule.replace || w.nvals.is_zero_surely());
  vectors_.write_back(c.operation(), w, std::move(t), is_result ? vector_rule{} : rule);
}

const void* product_runner::tickets(std::uint64_t groups) {
  const std::lock_guard lock(tickets_.mutex);
  auto& all = tickets_.all;
  // The queue is in order, so that one array serves all launches.
  const std::size_t needed = static_cast<std::size_t>(groups) * sizeof(std::uint32_t);
  if (all.empty() || all.back().second < needed) {
    const std::size_t bytes = std::max<std::size_t>(2 * needed, 4096);
    void* memory = tickets_.runtime.allocate(bytes);
    all.emplace_back(memory, bytes);
    tickets_.runtime.fill(memory, 0, bytes);
  }
  return all.back().first;
}

product_runner::ticket_arrays::~ticket_arrays() {
  for (const auto& [handle, bytes] : all) runtime.deallocate(handle, bytes);
}

}  // namespace tropic::detail
