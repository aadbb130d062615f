// SPDX-License-Identifier: Apache-2.0

// What the device backend can say of itself: how fast its memory copies, and what a kernel makes of
// a matrix.

#include <algorithm>
#include <chrono>
#include <vector>

#include "backends/device/backend.hpp"

namespace tropic::detail {
namespace {

// A tile is dirty where an empty row stands between two of its entries.
double share_of_dirty_tiles(const matrix_base& m, std::uint64_t tile) {
  const auto nnz = static_cast<std::uint64_t>(m.nnz);
  if (nnz == 0) return 0;
  std::uint64_t dirty = 0, last = ~std::uint64_t{0};
  auto offset = static_cast<std::uint64_t>(offset_at(m, 0));
  for (index_t row = 0; row < m.rows; ++row) {
    const auto next = static_cast<std::uint64_t>(offset_at(m, row + 1));
    if (next == offset && offset % tile != 0 && offset < nnz && offset / tile != last) {
      last = offset / tile;
      ++dirty;
    }
    offset = next;
  }
  return static_cast<double>(dirty) / static_cast<double>((nnz + tile - 1) / tile);
}

}  // namespace

kernel_facts device_backend::facts(const matrix_base& m, std::string_view kernel) const {
  kernel_facts known;
  known.format_bytes = m.bytes();
  const kernel_choice asked = parse_kernel(kernel, runtime_->traits(), rows_),
                      chosen = complete(asked, runtime_->traits(), m.type->size, m);
  if (asked.kernel->has_dirty_tiles) known.dirty_share = share_of_dirty_tiles(m, chosen.tile());
  const kept_format& format = asked.kernel->format;
  if (format.is_named == nullptr) return known;
  const std::lock_guard lock(m.derived->mutex);
  const auto found = std::ranges::find_if(m.derived->formats, [&](const auto& one) {
    return format.is_named(one.first, asked, chosen);
  });
  if (found == m.derived->formats.end()) return known;
  const converted_copy& copy = *found->second;
  known.conversion_seconds = copy.seconds;
  known.format_bytes = copy.bytes();
  if (format.reads_offsets) known.format_bytes += m.offsets->bytes();
  if (format.reads_entries) known.format_bytes += m.column_indices->bytes() + m.values->bytes();
  if (copy.words > static_cast<std::uint64_t>(m.nnz)) known.padding_overhead = copy.overhead;
  return known;
}

double device_backend::copy_bandwidth() {
  std::call_once(copy_measured_, [this] {
    // Far more than any cache holds, and an eighth of what there is at the most.
    const auto* program = runtime_->program({.kernel = "copy"});
    std::size_t bytes = std::size_t{1} << (runtime_->traits().processors > 32 ? 30 : 27);
    void *from = nullptr, *to = nullptr;
    while (true) {
      try {
        from = runtime_->allocate(bytes);
        to = runtime_->allocate(bytes);
        break;
      } catch (const out_of_memory&) {
        if (from) runtime_->deallocate(from, bytes);
        from = nullptr;
        if (bytes < (std::size_t{1} << 20)) return;
        bytes /= 4;
      }
    }
    runtime_->fill(from, 1, bytes);
    const std::uint64_t quads = bytes / 16;
    const void* source = from;
    const kernel_argument arguments[] = {quads, source, to};
    const std::size_t group = std::min<std::size_t>(256, runtime_->traits().group_limit);
    double best = 0;
    for (int round = 0; round < 6; ++round) {
      runtime_->finish();
      const auto start = std::chrono::steady_clock::now();
      for (int n = 0; n < 4; ++n)
        runtime_->launch("copy", *program, "t_copy", arguments, (quads + group - 1) / group, group);
      runtime_->finish();
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 4;
      best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
    }
    runtime_->deallocate(from, bytes);
    runtime_->deallocate(to, bytes);
    copy_bandwidth_ = best;
  });
  return copy_bandwidth_;
}

kernel_shape device_backend::shape_of(const matrix_base& m, const kernel_info& kernel,
                                      std::size_t z_bytes, bool early_exit) const {
  const device_traits& device = runtime_->traits();
  kernel_choice chosen{.kernel = find_device_kernel(kernel.name, rows_)};
  if (early_exit) chosen.expect_early_exit(device, true);
  chosen = complete(chosen, device, z_bytes, m);
  kernel_shape shape{.unit = kernel.unit, .subgroup_size = chosen.subgroup_size};
  if (chosen.kernel->set_shape != nullptr) chosen.kernel->set_shape(chosen, shape);
  return shape;
}

std::string device_backend::identity() const {
  std::string made = runtime_->identity();
  std::ranges::replace(made, '\n', ' ');
  return made;
}

}  // namespace tropic::detail
