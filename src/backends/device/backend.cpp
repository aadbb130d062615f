// SPDX-License-Identifier: Apache-2.0

// A product on the device: the mask becomes a byte a row, u a full vector or a bitmap, a kernel
// writes t (device_products.cpp), and t is merged into w (device_elements.cpp) where it is not w
// already.

#include "backends/device/backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <tropic/error.hpp>

#include "backends/device/products/call.hpp"

namespace tropic::detail {

device_backend::device_backend(context_state& context, std::shared_ptr<device_runtime> runtime,
                               std::span<const device_kernel* const> kernels)
    : cpu_backend(context, side::host),
      runtime_(std::move(runtime)),
      rows_(kernels.begin(), kernels.end()) {
  for (const device_kernel* row : rows_) infos_.push_back(&row->info);
}

const kernel_info* device_backend::find_kernel(std::string_view text) const {
  if (find_device_kernel(text, rows_) == nullptr) return nullptr;
  return &parse_kernel(text, runtime_->traits(), rows_).kernel->info;
}

product_features device_backend::features(const product& p, const vector_rule&) {
  product_features f;
  f.on_device = true;
  f.output_size = p.output_size();
  f.input_size = p.input.size;
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.input_nvals = p.input.nvals;
  f.exits_early = exits_early(p.semiring);
  f.compares = sums_compare(p.semiring);
  f.can_push = can_push(runtime_->traits(), p.semiring);
  f.row_width = row_width(p.matrix, runtime_->traits().subgroup_size);
  const bool has_transpose = p.matrix.symmetric || has_transpose_of(p.matrix);
  f.pull_needs_transpose = !p.rows_are_output() && !has_transpose;
  f.push_needs_transpose = p.rows_are_output() && !has_transpose;
  // Counted where neither few entries nor many say enough (src/plan/choose.cpp).
  f.input_edges = std::min(f.nnz, f.input_nvals * f.longest_row);
  if (f.can_push && f.exits_early && !f.push_needs_transpose && !f.is_few_edges() &&
      f.input_nvals < f.input_size / 16)
    f.input_edges = count_edges(p);
  return f;
}

// Entries in the rows of u's entries.
index_t device_backend::count_edges(const product& p) {
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output()) transposed = transpose_of(p.matrix);
  const matrix_base& m = transposed ? *transposed : p.matrix;
  vector_base u = p.input;
  spread(u);
  const std::size_t group = group_of(128);
  const auto n = static_cast<std::uint64_t>(u.size);
  const std::size_t groups =
      std::min<std::size_t>((n + group - 1) / group, 16 * runtime_->traits().processors);
  const buffer_pointer counters = allocate(count_bytes);
  const void *present = read_device(u.present), *offsets = read_device(m.offsets);
  void* sums = write_device(counters);
  const std::uint32_t bitmap = u.present != nullptr, wide = m.wide,
                      shift = m.nnz >> 31 != 0 ? 8 : 0;
  runtime_->fill(sums, 0, counters->bytes());
  const kernel_argument list[] = {n, present, bitmap, offsets, wide, shift, sums};
  const auto* program = runtime_->program(
      {.kernel = "count_edges", .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}});
  runtime_->launch(p.vector_first ? "vxm" : "mxv", *program, "t_count_edges", list, groups, group);
  return index_t{entry_count(counters)} << shift;
}

const void* device_backend::read_device(const buffer_pointer& b) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device();
}
void* device_backend::write_device(const buffer_pointer& b, access how) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device_write(how);
}

void device_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                              std::string_view kernel) {
  if (p.matrix.nnz == 0 || p.input.nvals == 0)
    return merge(p.vector_first ? "vxm" : "mxv", w,
                 empty_vector(context_.shared_from_this(), p.semiring.z(), p.output_size()), rule);
  kernel_choice chosen = parse_kernel(kernel, runtime_->traits(), rows_);
  const auto pushes = [&] { return chosen.unit() == work_unit::frontier; };
  const bool sorts = pushes() && !can_push(runtime_->traits(), p.semiring);
  if (sorts && (!are_few_entries({&p.matrix}) || p.matrix.columns == largest_dimension)) {
    const device_kernel& instead = kernels::csr_vector;
    log_once(fmt::format("{}: 32 bits do not count what is to be sorted; {} runs instead",
                         chosen.name(), instead.info.name));
    chosen = {.kernel = &instead};
  }
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output() == pushes()) transposed = transpose_of(p.matrix);
  product_call c{p, transposed ? *transposed : p.matrix, p.input};
  spread(c.u);
  if (sorts && pushes()) {
    // What atomics would add up in some order is sorted by row and summed by segments.
    c.m = pushed_part(c.operation(), c.m, c.u);
    chosen = {.kernel = &kernels::coo};
    if (c.m.nnz == 0)
      return merge(c.operation(), w,
                   empty_vector(context_.shared_from_this(), p.semiring.z(), p.output_size()),
                   rule);
  }
  c.skip = left_out(rule);

  if (exits_early(p.semiring))
    chosen.expect_early_exit(runtime_->traits(), c.u.storage == vector_storage::full);
  c.chosen = complete(chosen, runtime_->traits(), p.semiring.z().size, c.m);
  // A product that depends on its row needs the true row at once.
  if (uses_output(p.semiring.multiply, p.vector_first)) c.chosen.speculate = false;
  replace_unfit(c);
  c.request.kernel = c.chosen.name();
  c.request.texts = c.chosen.kernel->texts;
  c.request.text = c.chosen.kernel->text;
  c.request.semiring = &p.semiring;
  c.request.vector_first = p.vector_first;
  c.request.constants = c.chosen.constants(runtime_->traits(), p.semiring.z().size);
  c.parameters = parameter_words_of(c.request);
  c.program = runtime_->program(c.request);
  if (c.program == nullptr) {
    log_once(std::string(c.operation()) + ": " + runtime_->name() +
             " has no fp64; what needs it runs on the host");
    cpu_backend::multiply(w, p, rule, cpu_backend::kernels().front()->name);
    return;
  }

  vector_base& t = c.t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = p.output_size();
  const bool becomes_full = !pushes() && c.becomes_full();
  t.storage = becomes_full ? vector_storage::full : vector_storage::bitmap;
  const auto size = static_cast<std::size_t>(t.size);
  // Whole words, by which `push` combines values.
  t.values = allocate((size * t.type->size + 3) / 4 * 4);
  if (pushes()) {
    c.marks = true;
    t.present = allocate(size);
  } else if (!becomes_full) {
    c.marks = c.is_bitmap() || c.skip != nullptr;
    t.present = c.marks ? allocate(size) : row_pattern(c.m)->parts[0];
  }

  c.chosen.kernel->launch(*this, c);

  t.nvals = c.marks ? count_present(c.operation(), t.present, t.size)
                    : entry_count(t.size - c.m.empty_rows);
  // Where the kernel looks at the mask, t has no entry that it leaves out.
  const bool is_masked = rule.mask == nullptr || !c.chosen.kernel->ignores_mask;
  const bool is_result = rule.accumulator == nullptr && is_masked &&
                         (rule.mask == nullptr || rule.replace || w.nvals.is_zero_surely());
  merge(c.operation(), w, std::move(t), is_result ? vector_rule{} : rule);
}

void device_backend::log_once(const std::string& message) {
  {
    const std::lock_guard lock(logged_mutex_);
    if (!logged_.insert(message).second) return;
  }
  context_.log(message);  // without the lock: a callback may use the context
}

// A forced kernel that cannot hold the matrix gives way, so that a run over all kernels, or over
// many matrices, goes on: the log says what ran instead, and why.
void device_backend::replace_unfit(product_call& c) {
  while (c.chosen.kernel->replacement != nullptr) {
    std::string why;
    const device_kernel* instead = c.chosen.kernel->replacement(*this, c, why);
    if (instead == nullptr) return;
    if (!why.empty())
      log_once(fmt::format("{}: {}; {} runs instead", c.chosen.name(), why, instead->info.name));
    c.chosen = complete({.kernel = instead, .subgroup_size = c.chosen.subgroup_size},
                        runtime_->traits(), c.p.semiring.z().size, c.m);
  }
}

program_request device_backend::count_request() const {
  return {.kernel = "count_present",
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group_of(128))}}};
}

entry_count device_backend::count_present(std::string_view operation, const buffer_pointer& present,
                                          index_t size, buffer_pointer counters) {
  const std::size_t group = group_of(128);
  const auto* program = runtime_->program(count_request());
  const auto n = static_cast<std::uint64_t>(size);
  const std::size_t groups =
      std::min<std::size_t>((n + 8 * group - 1) / (8 * group), 8 * runtime_->traits().processors);
  if (counters == nullptr) counters = allocate(count_bytes);
  const void* bytes = read_device(present);
  void* sums = write_device(counters);
  runtime_->fill(sums, 0, counters->bytes());
  const kernel_argument arguments[] = {n, bytes, sums};
  runtime_->launch(operation, *program, "t_count_present", arguments, groups, group);
  return entry_count(counters);
}

}  // namespace tropic::detail
