// SPDX-License-Identifier: Apache-2.0

// A product on the device: the mask becomes a byte a row, u a full vector or a bitmap, a kernel
// writes t (device_products.cpp), and t is merged into w (device_elements.cpp) where it is not w
// already.

#include "backends/kernels/device_backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <tropic/error.hpp>

#include "backends/kernels/device_call.hpp"

namespace tropic::detail {
namespace {

// The first suits any product.
constexpr std::string_view kernel_names[] = {"csr_vector",  "csr_scalar",    "csr_padded",
                                             "coo",         "csr_segmented", "cmrs",
                                             "cmrs_padded", "csr_blocked",   "push"};

}  // namespace

std::span<const std::string_view> device_backend::kernels() const {
  return kernel_names;
}

bool device_backend::has_kernel(std::string_view kernel) const {
  if (std::ranges::find(kernel_names, kernel.substr(0, kernel.find(':'))) == std::end(kernel_names))
    return false;
  parse_kernel(kernel, runtime_->traits());
  return true;
}

product_features device_backend::features(const product& p, const vector_rule&) {
  product_features f;
  f.on_device = true;
  f.output_size = p.output_size();
  f.input_size = p.input.size;
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.input_nvals = p.input.nvals;
  f.stops_early = stops_early(p.semiring);
  f.compares = sums_compare(p.semiring);
  f.can_push = can_push(runtime_->traits(), p.semiring);
  f.row_width = row_width(p.matrix, runtime_->traits().subgroup_size);
  const bool has_transpose = p.matrix.symmetric || has_transpose_of(p.matrix);
  f.pull_needs_transpose = !p.rows_are_output() && !has_transpose;
  f.push_needs_transpose = p.rows_are_output() && !has_transpose;
  // Counted where neither few entries nor many say enough (src/plan/choose.cpp).
  f.input_edges = std::min(f.nnz, f.input_nvals * f.longest_row);
  if (f.can_push && f.stops_early && !f.push_needs_transpose && !f.is_few_edges() &&
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
  kernel_choice chosen = parse_kernel(kernel, runtime_->traits());
  const bool sorts = chosen.name == "push" && !can_push(runtime_->traits(), p.semiring);
  if (sorts && (!are_few_entries({&p.matrix}) || p.matrix.columns == largest_dimension)) {
    log_once("push: 32 bits do not count what is to be sorted; csr_vector runs instead");
    chosen = {.name = "csr_vector"};
  }
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output() == (chosen.name == "push")) transposed = transpose_of(p.matrix);
  call c{p, transposed ? *transposed : p.matrix, p.input};
  spread(c.u);
  if (sorts && chosen.name == "push") {
    // What atomics would add up in some order is sorted by row and summed by segments.
    c.m = pushed_part(c.operation(), c.m, c.u);
    chosen = {.name = "coo"};
    if (c.m.nnz == 0)
      return merge(c.operation(), w,
                   empty_vector(context_.shared_from_this(), p.semiring.z(), p.output_size()),
                   rule);
  }
  c.skip = left_out(rule);

  if (stops_early(p.semiring))
    chosen.expect_ends(runtime_->traits(), c.u.storage == vector_storage::full);
  c.chosen = complete(chosen, runtime_->traits(), p.semiring.z().size, c.m);
  // A product that depends on its row needs the true row at once.
  if (uses_output(p.semiring.multiply, p.vector_first)) c.chosen.speculate = false;
  // Segmented sums number rows in 32 bits, from 1.
  if (c.m.rows == largest_dimension && c.chosen.name == "csr_segmented")
    c.chosen.name = "csr_vector";
  replace_unfit(c);
  c.request.kernel = c.chosen.name;
  c.request.semiring = &p.semiring;
  c.request.vector_first = p.vector_first;
  c.request.constants = c.chosen.constants(runtime_->traits());
  if (c.chosen.name == "push")
    c.request.constants.emplace_back("T_VALUE_BYTES", static_cast<long>(p.semiring.z().size));
  c.parameters = parameter_words_of(c.request);
  c.program = runtime_->program(c.request);
  if (c.program == nullptr) {
    log_once(std::string(c.operation()) + ": " + runtime_->name() +
             " has no fp64; what needs it runs on the host");
    cpu_backend::multiply(w, p, rule, "pull");
    return;
  }

  vector_base& t = c.t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = p.output_size();
  const bool pushes = c.chosen.name == "push", becomes_full = !pushes && c.becomes_full();
  t.storage = becomes_full ? vector_storage::full : vector_storage::bitmap;
  const auto size = static_cast<std::size_t>(t.size);
  // Whole words, by which `push` combines values.
  t.values = allocate((size * t.type->size + 3) / 4 * 4);
  if (pushes) {
    c.marks = true;
    t.present = allocate(size);
  } else if (!becomes_full) {
    c.marks = c.is_bitmap() || c.skip != nullptr;
    t.present = c.marks ? allocate(size) : row_pattern(c.m)->parts[0];
  }

  if (c.chosen.name == "csr_scalar") csr_scalar(c);
  if (c.chosen.name == "csr_vector") csr_vector(c);
  if (c.chosen.name == "csr_padded") csr_padded(c);
  if (c.chosen.name == "coo") coo(c);
  if (c.chosen.name == "csr_segmented") csr_segmented(c);
  if (c.chosen.name == "cmrs" || c.chosen.name == "cmrs_padded") cmrs(c);
  if (c.chosen.name == "csr_blocked") csr_blocked(c);
  if (pushes) push(c);

  t.nvals = c.marks ? count_present(c.operation(), t.present, t.size)
                    : entry_count(t.size - c.m.empty_rows);
  // Where the kernel looks at the mask, t has no entry that it leaves out; segmented sums do not.
  const bool is_masked = rule.mask == nullptr || !c.chosen.is_segmented();
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
void device_backend::replace_unfit(call& c) {
  const auto run_instead = [&](std::string_view kernel, const std::string& why) {
    log_once(std::string(c.chosen.name) + ": " + why + "; " + std::string(kernel) +
             " runs instead");
    c.chosen.name = kernel;
  };
  if (c.chosen.name == "csr_blocked" && c.chosen.block.rows == 0) {
    c.chosen.block = best_blocks(c.m);
    if (c.chosen.block.rows == 0) run_instead("csr_vector", "no dense blocks that save bytes");
  }
  if (c.chosen.name == "cmrs_padded" && why_no_strips(c.m, c.chosen.layout()).empty()) {
    const double words = overhead(c.m, c.chosen.layout());
    if (words > c.chosen.overhead) {
      run_instead("cmrs",
                  fmt::format("padding would make {:.3g} words of an entry, the limit is {}", words,
                              c.chosen.overhead));
      c.chosen = complete({.name = "cmrs", .subgroup_size = c.chosen.subgroup_size},
                          runtime_->traits(), c.p.semiring.z().size, c.m);
    }
  }
  if (c.chosen.name != "cmrs" && c.chosen.name != "cmrs_padded") return;
  if (const std::string why = why_no_strips(c.m, c.chosen.layout()); !why.empty())
    run_instead("csr_vector", why);
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
