// SPDX-License-Identifier: Apache-2.0

// What the device backend can say of itself: how fast its memory copies, and what a kernel makes of
// a matrix.

#include <algorithm>
#include <chrono>
#include <vector>

#include "backends/kernels/device_backend.hpp"

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
  const auto parsed = parse_kernel(kernel, runtime_->traits());
  std::string format = parsed.name == "coo"          ? "row_indices"
                       : parsed.name == "csr_padded" ? "padded:16"
                                                     : "";
  if (parsed.name == "csr_segmented") {
    const kernel_choice chosen = complete(parsed, runtime_->traits(), m.type->size, m);
    known.dirty_share = share_of_dirty_tiles(m, chosen.tile());
    format = "tile_rows:" + std::to_string(chosen.tile());
  }
  const std::lock_guard lock(m.derived->mutex);
  auto found = m.derived->formats.find(format);
  if (parsed.name == "cmrs" || parsed.name == "cmrs_padded" || parsed.name == "csr_blocked") {
    // By default the height is by the type of the sums, which is not known here, and the block by
    // inspection.
    const bool in_blocks = parsed.name == "csr_blocked";
    const std::string any = in_blocks ? "blocks:" : std::string(parsed.name) + ":";
    const std::string own = in_blocks ? name_of(parsed.block) : any + std::to_string(parsed.height);
    const bool is_own = (in_blocks ? parsed.block.rows : parsed.height) > 0;
    found = std::ranges::find_if(m.derived->formats, [&](const auto& one) {
      const std::string& name = one.first;
      if (name.ends_with(":starts") || !name.starts_with(any)) return false;
      return !is_own || name == own || name.starts_with(own + ",") || name.starts_with(own + ":");
    });
  }
  if (found != m.derived->formats.end()) {
    known.conversion_seconds = found->second->seconds;
    known.format_bytes = found->second->bytes();
    if (found->second->words > static_cast<std::uint64_t>(m.nnz))
      known.padding_overhead = found->second->overhead;
    if (parsed.name == "coo") known.format_bytes += m.column_indices->bytes() + m.values->bytes();
    if (parsed.name == "csr_segmented") known.format_bytes += m.bytes();
  }
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

kernel_shape device_backend::shape_of(const matrix_base& m, std::string_view kernel,
                                      std::size_t z_bytes, bool ends) const {
  const device_traits& device = runtime_->traits();
  kernel_choice chosen = parse_kernel(kernel, device);
  if (ends) chosen.expect_ends(device, true);
  chosen = complete(chosen, device, z_bytes, m);
  kernel_shape made{.subgroup_size = chosen.subgroup_size};
  made.by_rows = !chosen.is_segmented() && chosen.name != "push";
  if (chosen.name == "csr_vector" || chosen.name == "csr_blocked") made.lanes = chosen.width;
  if (chosen.name == "csr_padded") made.lanes = std::min<std::uint32_t>(16, chosen.subgroup_size);
  if (chosen.name == "cmrs" || chosen.name == "cmrs_padded") made.strip_rows = chosen.height;
  if (chosen.name == "cmrs_padded") made.slots = chosen.slots;
  return made;
}

std::string device_backend::identity() const {
  std::string made = runtime_->identity();
  std::ranges::replace(made, '\n', ' ');
  return made;
}

}  // namespace tropic::detail
