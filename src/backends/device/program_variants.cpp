// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program_variants.hpp"

#include <algorithm>
#include <string_view>

#include "backends/device/communities/device_level.hpp"
#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {
namespace {

// --- products of a matrix and a vector -----------------------------------------------------------

// Calls with matrices of few and of many entries for a device, with even rows and with one long
// row: constants depend on the entries of each work-item that runs at once (kernel_config.cpp).
template <class F>
void for_each_size(const kernel_config& config, const device_traits& device, F&& call) {
  constexpr std::uint64_t most_entries_each = 128, entries_of_row = 16;
  const std::uint64_t at_once = config.groups_at_once(device) * config.group_size();
  for (std::uint64_t entries_per_item = 1; entries_per_item <= most_entries_each;
       ++entries_per_item)
    for (const bool is_regular : {true, false}) {
      matrix_base m;
      m.nnz = static_cast<index_t>(entries_per_item * at_once);
      m.rows = m.columns = static_cast<index_t>(entries_per_item * at_once / entries_of_row);
      m.longest_row = is_regular ? static_cast<index_t>(entries_of_row) : m.rows;
      call(m);
    }
}

void add_kernel(const kernel_config& asked, const program_request& product,
                const device_traits& device, const request_receiver& receive) {
  const semiring_description& semiring = *product.semiring;
  const std::size_t bytes = semiring.z().size;
  kernel_config sized = asked;
  sized.subgroup_size = device.subgroup_size;
  sized.subgroups = asked.kernel->subgroups;
  program_constants last;
  for_each_size(sized, device, [&](const matrix_base& m) {
    const program_request request =
        request_of(complete(asked, device, bytes, m), device, semiring, product.vector_first);
    if (request.constants != last || last.empty()) receive(request);
    last = request.constants;
  });
}

// What sorts by rows or by columns asks for.
void add_sort(const device_traits& device, const request_receiver& receive) {
  for (const program_request& request : sort_requests(device)) receive(request);
  receive({.kernel = "listed"});
}

// The conversion to the format of csr_hubs, of every number of parts, or of csr_bits, without.
void add_conversion_to_hubs(const device_kernel& kernel, std::size_t bytes,
                            const device_traits& device, const request_receiver& receive) {
  std::uint32_t parts = 0;
  hub_layout layout;
  for (const index_t entries : {index_t{1} << 24, index_t{1} << 27, index_t{1} << 30}) {
    matrix_base m;
    m.nnz = entries;
    m.rows = m.columns = index_t{1} << 22;
    layout = complete({.kernel = &kernel}, device, bytes, m).hubs_layout();
    parts = std::max(parts, layout.parts);
  }
  for (layout.parts = std::min(parts, 1U); layout.parts <= parts; ++layout.parts)
    receive(format_cache::conversion_to(layout));
  receive({.kernel = "hot_columns"});
  receive({.kernel = "pack"});
  add_sort(device, receive);
}

void add_products(const program_request& product, const device_traits& device,
                  const request_receiver& receive) {
  const semiring_description& semiring = *product.semiring;
  receive(request_to_count_edges(device));
  for (const device_kernel* kernel : device_kernels()) {
    if (kernel->info.quick_cost == nullptr) continue;
    if (kernel->info.unit == work_unit::frontier) {
      // What it cannot push is sorted by row (multiply.cpp).
      if (can_push(device, semiring)) {
        add_kernel({.kernel = kernel}, product, device, receive);
      } else if (!exits_early(semiring)) {
        add_kernel(sorted_push(), product, device, receive);
        receive({.kernel = "expand"});
        receive({.kernel = "row_indices"});
        add_sort(device, receive);
      }
      continue;
    }
    const kernel_info& info = kernel->info;
    if (exits_early(semiring) && (!info.exits_early || info.reads_bits)) continue;
    if (info.has_frequency_order && !suits_hubs(semiring, product.vector_first)) continue;
    if (info.reads_bits && !takes_bits(semiring, product.vector_first)) continue;
    if (info.has_frequency_order || info.reads_bits)
      add_conversion_to_hubs(*kernel, semiring.z().size, device, receive);
    add_kernel({.kernel = kernel}, product, device, receive);
  }
}

// --- the others ----------------------------------------------------------------------------------

void add_matrix_products(const program_request& request, const device_traits& device,
                         const request_receiver& receive) {
  const mxm_config config(device, mxm_limits{}, request.semiring->z().size);
  receive(config.rows_request());
  receive(config.lists_request());
  for (const mxm_limits::table& table : config.tables) receive(config.table_request(table));
  receive(config.bits_request());
  receive(config.values_request(device, *request.semiring));
  if (config.short_row > 0) receive(config.short_request(*request.semiring));
  receive(config.ranges_request(device, *request.semiring));
  receive(config.inner_request(*request.semiring));
}

void add_triangles(const program_request&, const device_traits& device,
                   const request_receiver& receive) {
  const triangle_limits limits;
  receive(triangle_programs::listing(device));
  receive(triangle_programs::merging(device));
  for (const triangle_limits::table& table : limits.tables)
    receive(triangle_programs::table(device, limits, table));
}

void add_communities(const program_request&, const device_traits&,
                     const request_receiver& receive) {
  for (const bool wide : {false, true}) {
    receive(community_programs::state_request(wide));
    for (std::size_t n = 0; n < community_programs::classes; ++n)
      receive(community_programs::class_request(wide, n));
  }
}

// With and without clusters: packages serve devices of both kinds.
void add_rounds(const program_request& request, const device_traits& device,
                const request_receiver& receive) {
  for (const std::uint32_t groups : {1U, groups_of_cluster}) {
    program_request other = request;
    device_traits traits = device;
    traits.groups_together = groups;
    (request.kernel == "iterate" ? set_round_limits : set_row_round_limits)(other, traits);
    receive(other);
  }
}

// By the texts' names (program.cpp). Those of a semiring have one in every request.
constexpr struct {
  std::string_view texts;
  void (*add)(const program_request&, const device_traits&, const request_receiver&);
} families[] = {{"mxm_values", add_matrix_products},
                {"mxm_ranges", add_matrix_products},
                {"mxm_inner", add_matrix_products},
                {"triangles", add_triangles},
                {"communities", add_communities},
                {"community_tables", add_communities},
                {"iterate", add_rounds},
                {"rounds_by_rows", add_rounds},
                {"rounds_back", add_rounds}};

}  // namespace

void for_each_variant(const program_request& request, const device_traits& device,
                      const request_receiver& receive) {
  if (request.semiring != nullptr && find_device_kernel(request.kernel) != nullptr)
    return add_products(request, device, receive);
  for (const auto& family : families)
    if (family.texts == request.kernel) return family.add(request, device, receive);
}

}  // namespace tropic::detail
