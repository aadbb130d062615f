// SPDX-License-Identifier: Apache-2.0

// A product on the device: the mask becomes a byte a row, u a full vector or a bitmap, a kernel
// writes t (device_products.cpp), and the epilogue merges t into w. Without mask and accumulator t
// never leaves the device: it is the new w.

#include "backends/kernels/device_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <tropic/error.hpp>

#include "backends/kernels/device_call.hpp"

namespace tropic::detail {
namespace {

constexpr std::size_t count_group = 128;  // work-items of a group of count_present
constexpr std::size_t count_groups = 64;

// The first suits any product.
constexpr std::string_view kernel_names[] = {"csr_vector",  "csr_scalar",    "csr_padded",
                                             "coo",         "csr_segmented", "cmrs",
                                             "cmrs_padded", "csr_blocked"};

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

product_features device_backend::features(const product& p, const vector_rule&) const {
  product_features f;
  f.on_device = true;
  f.output_size = p.output_size();
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.stops_early = stops_early(p.semiring);
  return f;
}

const void* device_backend::read_device(const buffer_pointer& b) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device();
}
void* device_backend::write_device(const buffer_pointer& b, access how) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device_write(how);
}

void device_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                              std::string_view kernel) {
  if (p.matrix.nnz == 0 || p.input.nvals == 0) {
    write_back(w, empty_vector(context_.shared_from_this(), p.semiring.z(), p.output_size()), rule);
    return;
  }
  std::shared_ptr<const matrix_base> transposed;
  if (!p.rows_are_output()) transposed = transpose_of(p.matrix);
  call c{p, transposed ? *transposed : p.matrix, p.input};
  if (c.u.nvals == c.u.size && c.u.storage != vector_storage::full)
    convert_storage(c.u, vector_storage::full);
  else if (c.u.storage == vector_storage::sparse)
    convert_storage(c.u, vector_storage::bitmap);

  // skip_of gives the mask's own bytes where they will do, else makes them in `skip`.
  if (rule.mask != nullptr && skip_of(rule, p.output_size(), false, c.skip) != nullptr &&
      c.skip == nullptr)
    c.skip = rule.mask->present;

  c.chosen = complete(parse_kernel(kernel, runtime_->traits()), runtime_->traits(),
                      p.semiring.z().size, c.m);
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
  c.parameters = parameter_words_of(c.request);
  c.program = runtime_->program(c.request);
  if (c.program == nullptr) {
    if (!told_of_fallback_.exchange(true))
      context_.log(std::string(c.operation()) + ": " + runtime_->name() +
                   " has no fp64; products that need it run on the host");
    cpu_backend::multiply(w, p, rule, "pull");
    return;
  }

  vector_base& t = c.t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = p.output_size();
  t.storage = c.becomes_full() ? vector_storage::full : vector_storage::bitmap;
  const auto size = static_cast<std::size_t>(t.size);
  t.values = allocate(size * t.type->size);
  if (!c.becomes_full()) {
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

  t.nvals = c.marks ? count_present(c.operation(), t.present, t.size) : t.size - c.m.empty_rows;
  if (t.nvals == t.size) {
    t.storage = vector_storage::full;
    t.present = nullptr;
  }
  epilogue(w, std::move(t), rule);
}

// A forced kernel that cannot hold the matrix gives way, so that a run over all kernels, or over
// many matrices, goes on: the log says what ran instead, and why.
void device_backend::replace_unfit(call& c) {
  const auto run_instead = [&](std::string_view kernel, const std::string& why) {
    const std::string message =
        std::string(c.chosen.name) + ": " + why + "; " + std::string(kernel) + " runs instead";
    c.chosen.name = kernel;
    const std::lock_guard lock(told_mutex_);
    if (told_.insert(message).second) context_.log(message);
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
      c.chosen = complete({.name = "cmrs", .bunch = c.chosen.bunch}, runtime_->traits(),
                          c.p.semiring.z().size, c.m);
    }
  }
  if (c.chosen.name != "cmrs" && c.chosen.name != "cmrs_padded") return;
  if (const std::string why = why_no_strips(c.m, c.chosen.layout()); !why.empty())
    run_instead("csr_vector", why);
}

index_t device_backend::count_present(std::string_view operation, const buffer_pointer& present,
                                      index_t size) {
  std::size_t group = count_group;
  while (group > runtime_->traits().group_limit) group /= 2;
  const program_request request{.kernel = "count_present",
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const auto* program = runtime_->program(request);
  const std::size_t needed = (static_cast<std::size_t>(size) + group - 1) / group;
  const std::size_t groups = std::min(count_groups, needed);
  const buffer_pointer partial = allocate(groups * sizeof(std::uint64_t));
  const auto n = static_cast<std::uint64_t>(size);
  const void* bytes = read_device(present);
  void* sums = write_device(partial);
  const kernel_argument arguments[] = {n, bytes, sums};
  runtime_->launch(operation, *program, "t_count_present", arguments, groups, group);
  const auto* counts = static_cast<const std::uint64_t*>(partial->host());
  return static_cast<index_t>(std::accumulate(counts, counts + groups, std::uint64_t{0}));
}

void device_backend::epilogue(vector_base& w, vector_base&& t, const vector_rule& rule) {
  if (rule.mask != nullptr || rule.accumulator != nullptr) {
    write_back(w, std::move(t), rule);
    return;
  }
  w.storage = t.storage;
  w.nvals = t.nvals;
  w.indices = nullptr;
  w.present = std::move(t.present);
  w.values = std::move(t.values);
}

}  // namespace tropic::detail
