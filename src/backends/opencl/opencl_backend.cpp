// SPDX-License-Identifier: Apache-2.0

// A product on the device: the mask becomes a byte a row, u a full vector or a bitmap, csr_scalar
// writes t, and the epilogue merges t into w. Without mask and accumulator t never leaves the
// device: it is the new w.

#include "backends/opencl/opencl_backend.hpp"

#include <algorithm>
#include <numeric>

#include <tropic/error.hpp>

#include "backends/opencl/opencl.hpp"

namespace tropic::detail {
namespace {

constexpr std::size_t row_group = 64;     // work-items of a group of csr_scalar
constexpr std::size_t count_group = 128;  // and of count_present
constexpr std::size_t count_groups = 64;

constexpr std::string_view kernel_names[] = {"csr_scalar"};

std::string_view operation_of(const product& p) {
  return p.vector_first ? "vxm" : "mxv";
}

}  // namespace

std::span<const std::string_view> opencl_backend::kernels() const {
  return kernel_names;
}

cl_mem opencl_backend::read_device(const buffer_pointer& b) const {
  if (b == nullptr || b->bytes() == 0) return runtime_->nothing();
  return static_cast<cl_mem>(const_cast<void*>(b->device()));
}
cl_mem opencl_backend::write_device(const buffer_pointer& b) const {
  if (b == nullptr || b->bytes() == 0) return runtime_->nothing();
  return static_cast<cl_mem>(b->device_write());
}

void opencl_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                              std::string_view) {
  const std::string operation(operation_of(p));
  if (p.matrix.nnz == 0 || p.input.nvals == 0) {
    write_back(w, empty_vector(context_.shared_from_this(), p.semiring.z(), p.output_size()), rule);
    return;
  }
  std::shared_ptr<const matrix_base> transposed;
  if (!p.rows_are_output()) transposed = transpose_of(p.matrix);
  const matrix_base& m = transposed ? *transposed : p.matrix;

  vector_base u = p.input;
  if (u.nvals == u.size && u.storage != vector_storage::full)
    convert_storage(u, vector_storage::full);
  else if (u.storage == vector_storage::sparse)
    convert_storage(u, vector_storage::bitmap);

  // skip_of gives the mask's own bytes where they will do, else makes them in `skip`.
  buffer_pointer skip;
  if (rule.mask != nullptr && skip_of(rule, p.output_size(), false, skip) != nullptr &&
      skip == nullptr)
    skip = rule.mask->present;

  vector_base t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = p.output_size();
  if (!csr_scalar(t, p, m, u, skip)) {
    if (!told_of_fallback_.exchange(true))
      context_.log(operation + ": " + runtime_->name() +
                   " has no fp64; products that need it run on the host");
    cpu_backend::multiply(w, p, rule, "pull");
    return;
  }
  epilogue(w, std::move(t), rule);
}

bool opencl_backend::csr_scalar(vector_base& t, const product& p, const matrix_base& m,
                                const vector_base& u, const buffer_pointer& skip) {
  const program_request request{
      .kernel = kernel_names[0], .semiring = &p.semiring, .vector_first = p.vector_first};
  const auto* program = runtime_->program(request);
  if (program == nullptr) return false;

  const auto size = static_cast<std::size_t>(t.size);
  const operator_description& multiply = p.semiring.multiply;
  const bool matrix_used = p.vector_first ? multiply.uses_y() : multiply.uses_x();
  const bool vector_used = p.vector_first ? multiply.uses_x() : multiply.uses_y();
  const bool bitmap = u.storage == vector_storage::bitmap;
  // Known beforehand: with a full u every row that has entries gets one.
  const bool is_known = !bitmap && skip == nullptr;
  const bool becomes_full = is_known && m.empty_rows == 0;

  t.storage = becomes_full ? vector_storage::full : vector_storage::bitmap;
  t.values = allocate(size * t.type->size);
  if (!becomes_full) t.present = allocate(size);

  const cl_mem offsets = read_device(m.offsets), columns = read_device(m.column_indices);
  const cl_mem a = read_device(matrix_used ? m.values : nullptr);
  const cl_mem x = read_device(vector_used ? u.values : nullptr);
  const cl_mem x_present = read_device(bitmap ? u.present : nullptr);
  const cl_mem skip_bytes = read_device(skip);
  const cl_mem w = write_device(t.values), w_present = write_device(t.present);
  const auto flag = [](bool set) { return static_cast<cl_uint>(set); };
  const cl_ulong rows = size;
  const cl_uint wide = flag(m.wide), iso = flag(m.iso), is_bitmap = flag(bitmap);
  const cl_uint skips = flag(skip != nullptr), marks = flag(!becomes_full);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const kernel_argument arguments[] = {rows,  offsets, wide,      columns,   a,
                                       iso,   x,       x_present, is_bitmap, skip_bytes,
                                       skips, w,       w_present, marks,     parameters};
  const std::size_t group = std::min(row_group, runtime_->device().group_limit);
  runtime_->launch(operation_of(p), *program, "t_csr_scalar", arguments, (size + group - 1) / group,
                   group);

  t.nvals = is_known ? t.size - m.empty_rows : count_present(operation_of(p), t.present, t.size);
  if (t.nvals == t.size) {
    t.storage = vector_storage::full;
    t.present = nullptr;
  }
  return true;
}

index_t opencl_backend::count_present(std::string_view operation, const buffer_pointer& present,
                                      index_t size) {
  std::size_t group = count_group;
  while (group > runtime_->device().group_limit) group /= 2;
  const program_request request{.kernel = "count_present",
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const auto* program = runtime_->program(request);
  const std::size_t needed = (static_cast<std::size_t>(size) + group - 1) / group;
  const std::size_t groups = std::min(count_groups, needed);
  const buffer_pointer partial = allocate(groups * sizeof(std::uint64_t));
  const cl_ulong n = static_cast<cl_ulong>(size);
  const cl_mem bytes = read_device(present), sums = write_device(partial);
  const kernel_argument arguments[] = {n, bytes, sums};
  runtime_->launch(operation, *program, "t_count_present", arguments, groups, group);
  const auto* counts = static_cast<const std::uint64_t*>(partial->host());
  return static_cast<index_t>(std::accumulate(counts, counts + groups, std::uint64_t{0}));
}

void opencl_backend::epilogue(vector_base& w, vector_base&& t, const vector_rule& rule) {
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

// --- devices -----------------------------------------------------------------------------------

std::vector<device_info> opencl_devices() {
  std::string reason;
  std::vector<device_info> listed;
  if (const auto cl = opencl_library::open(reason)) {
    for (const opencl_device& d : find_opencl_devices(*cl, reason))
      listed.push_back({"opencl:" + std::to_string(listed.size()),
                        d.name + " (" + d.platform_name + ")", d.usable, d.reason});
  }
  if (listed.empty()) listed.push_back({"opencl:0", "", false, reason});
  return listed;
}

void attach_opencl(context_state& state, int number) {
  const std::string name = "opencl:" + std::to_string(number);
  std::string reason;
  const auto cl = opencl_library::open(reason);
  if (cl == nullptr) throw device_error(name + ": " + reason);
  const std::vector<opencl_device> found = find_opencl_devices(*cl, reason);
  if (found.empty()) throw device_error(name + ": " + reason);
  if (number < 0 || static_cast<std::size_t>(number) >= found.size())
    throw device_error(name + ": there are " + std::to_string(found.size()) +
                       " OpenCL devices, numbered from 0");
  auto runtime = std::make_shared<opencl_runtime>(cl, found[static_cast<std::size_t>(number)], name,
                                                  state.options.log);
  state.device_memory = std::make_unique<opencl_memory>(runtime);
  state.executor = std::make_shared<opencl_backend>(state, runtime);
}

}  // namespace tropic::detail
