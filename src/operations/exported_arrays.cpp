// SPDX-License-Identifier: Apache-2.0

// Export of arrays on the context's device (docs/arrays.md#on-a-device).

#include <tropic/detail/exported_arrays.hpp>

#include "containers/integers.hpp"
#include "operations/array_checks.hpp"

namespace tropic::detail {

namespace {

// What the host has converted: `part` itself where the widths are equal.
buffer_pointer of_width(const matrix_base& m, const buffer_pointer& part, std::size_t count,
                        std::size_t bytes, std::size_t wanted) {
  if (bytes == 8 && wanted == 4)
    return m.context->executor->narrowed(m.context, part, count, index_t{1} << 32, "offsets");
  return with_width(m.context, part, count, bytes, wanted);
}

// One value per entry, written on the device.
buffer_pointer values_of_entries(const matrix_base& m) {
  if (!m.iso || m.nnz == 0) return m.values;
  vector_base values = empty_vector(m.context, *m.type, m.nnz);
  assign(values, m.values->host(), nullptr, {});
  convert(values, vector_storage::full);
  return values.values;
}

}  // namespace

void show_on_device(const matrix_base& m, index_type offset, export_options options) try {
  require_device(*m.context);
  if ((offset.bytes == 8) != m.wide)
    throw usage_error("matrix: its offsets have " + std::string(m.wide ? "64" : "32") +
                      " bits, expected " + std::to_string(8 * offset.bytes));
  check_fits(offset, m.nnz, "offsets");
  for (const buffer_pointer& part : {m.offsets, m.column_indices, m.values}) part->device();
  if (options.wait) m.context->executor->synchronize();
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_device_csr", cause);
}

buffer_pointer full_on_device(const vector_base& v, export_options options) try {
  require_device(*v.context);
  const index_t missing = v.size - v.nvals;
  if (missing > 0)
    throw usage_error("vector: " + std::to_string(missing) + " of " + std::to_string(v.size) +
                      " positions have no entry");
  // Without missing entries the values are contiguous in every storage.
  v.values->device();
  if (options.wait) v.context->executor->synchronize();
  return v.values;
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_device_array", cause);
}

vector_base sparse_on_device(const vector_base& v, export_options options) try {
  require_device(*v.context);
  vector_base result = v;
  convert(result, vector_storage::sparse);
  result.indices->device();
  result.values->device();
  if (options.wait) v.context->executor->synchronize();
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_device_sparse", cause);
}

compressed_buffers csr_on_device(const matrix_base& m, index_type offset, index_type index) try {
  refuse_forked("to_device_csr", *m.context);
  require_device(*m.context);
  check_fits(offset, m.nnz, "offsets");
  check_fits(index, m.columns - 1, "columns");
  compressed_buffers result{
      of_width(m, m.offsets, as_size(m.rows) + 1, m.wide ? 8 : 4, offset.bytes),
      of_width(m, m.column_indices, as_size(m.nnz), sizeof(std::uint32_t), index.bytes),
      m.nnz > largest_dimension ? to_csr(m, offset, index).values : values_of_entries(m)};
  for (const buffer_pointer& part : {result.offsets, result.indices, result.values}) part->device();
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_device_csr", cause);
}

void precede(const context_state& context, void* queue) {
  require_device(context);
  context.device_memory->precede(queue);
}

void settle_device(const context_state& context) noexcept {
  if (context.device_memory != nullptr && !context.is_forked())
    context.device_memory->settle_device();
}

}  // namespace tropic::detail
