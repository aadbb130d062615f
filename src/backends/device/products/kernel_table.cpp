// SPDX-License-Identifier: Apache-2.0
#include "backends/device/products/kernel_table.hpp"

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/kernel_fit.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/quick_costs.hpp"

namespace tropic::detail {
namespace {

// --- kept formats --------------------------------------------------------------------------------

// Of strips and blocks, where the height or the block is open, any.
bool is_format_of(std::string_view name, std::string_view kind, const std::string& asked,
                  bool is_open) {
  if (name.ends_with(":starts") || !name.starts_with(kind)) return false;
  return is_open || name == asked || name.starts_with(asked + ",") || name.starts_with(asked + ":");
}
bool is_strips_named(std::string_view name, const kernel_config& asked, const kernel_config&) {
  const std::string kind = std::string(asked.name()) + ":";
  return is_format_of(name, kind, kind + std::to_string(asked.height), asked.height == 0);
}

// --- constants of programs -----------------------------------------------------------------------

void add_subgroup_constants(const kernel_config& c, const device_traits& device,
                            program_constants& list) {
  list.emplace_back("T_SHUFFLE", device.exchange == subgroup_exchange::shuffle);
  list.emplace_back("T_SUBGROUP", c.subgroup_size);
  list.emplace_back("T_SUBGROUPS", c.subgroups);
}
void add_vector_constants(const kernel_config& c, const device_traits& device, std::size_t,
                          program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_PADDING", 0);
  list.emplace_back("T_MOST_ROWS", most_wanted_rows);
}
void add_padded_constants(const kernel_config& c, const device_traits& device, std::size_t,
                          program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_PADDING", format_cache::padded_row_unit);
}
void add_coo_constants(const kernel_config& c, const device_traits& device, std::size_t,
                       program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_ITEMS", c.items);
  list.emplace_back("T_TICKETS", c.join == group_join::tickets);
  list.emplace_back("T_RESIDENT_BY_TILES", resident_by_tiles);
}
void add_segmented_constants(const kernel_config& c, const device_traits& device, std::size_t bytes,
                             program_constants& list) {
  add_coo_constants(c, device, bytes, list);
  list.emplace_back("T_SPECULATE", c.speculate);
}
void add_strip_constants(const kernel_config& c, const device_traits& device, std::size_t,
                         program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_PADDED", c.kernel->pads);
  list.emplace_back("T_HEIGHT", c.height);
  list.emplace_back("T_SLOTS", c.slots_of_row());
  list.emplace_back("T_PARTS", c.parts());
}
void add_block_constants(const kernel_config& c, const device_traits& device, std::size_t,
                         program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_PADDING", 0);
  list.emplace_back("T_BLOCK_ROWS", c.block.rows);
  list.emplace_back("T_BLOCK_COLUMNS", c.block.columns);
}
void add_hub_constants(const kernel_config& c, const device_traits& device, std::size_t,
                       program_constants& list) {
  list.emplace_back("T_SHUFFLE", device.exchange == subgroup_exchange::shuffle);
  // OpenCL's local memory is as large as the text says.
  if (device.language == dialect::opencl) list.emplace_back("T_HUBS", c.hubs);
  list.emplace_back("T_GROUP_SIZE", group_of_hubs(device));
  list.emplace_back("T_JOIN", group_of_joins(device));
}
void add_bit_constants(const kernel_config& c, const device_traits& device, std::size_t,
                       program_constants& list) {
  list.emplace_back("T_SHUFFLE", device.exchange == subgroup_exchange::shuffle);
  if (device.language == dialect::opencl) list.emplace_back("T_BITS", c.bits);
  list.emplace_back("T_BETWEEN_ZEROS", columns_between_zeros);
  list.emplace_back("T_WORDS", words_packed_together);
  list.emplace_back("T_COUNTER_BYTES", bytes_beside_bits);
  list.emplace_back("T_GROUP_SIZE", group_of_hubs(device));
  list.emplace_back("T_JOIN", group_of_joins(device));
}
void add_listed_constants(const kernel_config& c, const device_traits& device, std::size_t,
                          program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_PER_ITEM", rows_listed_together);
  list.emplace_back("T_RESIDENT_BY_LISTS", resident_by_lists);
}
void add_push_constants(const kernel_config& c, const device_traits& device, std::size_t bytes,
                        program_constants& list) {
  add_subgroup_constants(c, device, list);
  list.emplace_back("T_GROUP_SIZE", c.group_size());
  list.emplace_back("T_SHORT", short_row_of_push);
  list.emplace_back("T_PIECE", piece_of_push);
  list.emplace_back("T_VALUE_BYTES", static_cast<long>(bytes));
}

// --- how work is divided -------------------------------------------------------------------------

void set_width_lanes(const kernel_config& c, work_mapping& mapping) {
  mapping.lanes = c.width;
}
void set_hub_columns(const kernel_config& c, work_mapping& mapping) {
  mapping.orders_columns = c.order == hub_order::all;
  mapping.hub_columns = std::uint64_t{c.hubs} * c.hub_parts;
}
// Entries that a work-item reads between two looks at whether its row has ended: two steps of
// eight.
void set_bit_lanes(const kernel_config&, work_mapping& mapping) {
  mapping.lanes = 16;
}
void set_padded_lanes(const kernel_config& c, work_mapping& mapping) {
  mapping.lanes = std::min(format_cache::padded_row_unit, c.subgroup_size);
  mapping.row_multiple = format_cache::padded_row_unit;
}
void set_strip_rows(const kernel_config& c, work_mapping& mapping) {
  mapping.strip_rows = c.height;
  if (c.kernel->pads) mapping.slots = c.slots;
}

constexpr std::string_view scalar_texts[] = {"csr.h", "operands.h", "csr_scalar.kernel"};
constexpr std::string_view vector_texts[] = {"csr.h", "operands.h", "subgroup.h",
                                             "csr_vector.kernel", "wanted_rows.kernel"};
constexpr std::string_view padded_texts[] = {"csr.h", "operands.h", "subgroup.h",
                                             "csr_vector.kernel"};
constexpr std::string_view coo_texts[] = {"csr.h",          "operands.h",  "subgroup.h",
                                          "synchronizer.h", "segmented.h", "coo.kernel"};
constexpr std::string_view segmented_texts[] = {
    "csr.h", "operands.h", "subgroup.h", "synchronizer.h", "segmented.h", "csr_segmented.kernel"};
constexpr std::string_view strip_texts[] = {"csr.h", "operands.h", "subgroup.h", "strip.h",
                                            "cmrs.kernel"};
constexpr std::string_view block_texts[] = {"csr.h", "operands.h", "subgroup.h",
                                            "csr_vector.kernel", "csr_blocked.kernel"};
constexpr std::string_view hub_texts[] = {"csr.h", "operands.h", "segments.h", "csr_hubs.kernel",
                                          "join_segments.kernel"};
constexpr std::string_view bit_texts[] = {"csr.h", "operands.h", "segments.h", "csr_bits.kernel",
                                          "join_segments.kernel"};
constexpr std::string_view push_texts[] = {"csr.h", "flags.h", "operands.h", "combine.h",
                                           "push.kernel"};
constexpr std::string_view listed_texts[] = {"csr.h", "operands.h", "subgroup.h",
                                             "csr_listed.kernel"};

// What each depends on: any other constant would be ignored without a word.
constexpr std::string_view group_options[] = {"subgroup", "subgroups"};
constexpr std::string_view vector_options[] = {"subgroup", "subgroups", "width"};
constexpr std::string_view coo_options[] = {"join", "subgroup", "subgroups", "items", "tiles"};
constexpr std::string_view segmented_options[] = {"rows",      "check", "join", "subgroup",
                                                  "subgroups", "items", "tiles"};
constexpr std::string_view strip_options[] = {"subgroup", "subgroups", "height"};
constexpr std::string_view padded_strip_options[] = {"subgroup", "subgroups", "height", "slots",
                                                     "overhead"};
constexpr std::string_view block_options[] = {"subgroup", "subgroups", "width", "block", "fill"};
constexpr std::string_view hub_options[] = {"hubs", "parts", "least", "order"};
constexpr std::string_view bit_options[] = {"bits"};
constexpr std::string_view listed_options[] = {"subgroup", "subgroups", "piece"};

// One work-item per row.
const device_kernel csr_scalar{.info = {.name = "csr_scalar",
                                        .unit = work_unit::row,
                                        .exits_early = true,
                                        .compares_apart = true,
                                        .quick_cost = device_costs::scalar},
                               .texts = scalar_texts,
                               .launch = launch_csr_scalar};

// As csr_vector, over rows padded to multiples of 16 entries.
const device_kernel csr_padded{
    .info = {.name = "csr_padded", .unit = work_unit::row, .exits_early = true},
    .texts = padded_texts,
    .options = group_options,
    .format = {.is_named =
                   [](std::string_view name, const kernel_config&, const kernel_config&) {
                     return name == "padded:" + std::to_string(format_cache::padded_row_unit);
                   }},
    .add_constants = add_padded_constants,
    .set_mapping = set_padded_lanes,
    .launch = launch_csr_padded};

// As cmrs, with the entries of a strip distributed over padded tiles.
const device_kernel cmrs_padded{
    .info = {.name = "cmrs_padded", .unit = work_unit::strip, .why_not = why_not_in_strips},
    .texts = strip_texts,
    .options = padded_strip_options,
    .pads = true,
    .format = {.is_named = is_strips_named},
    .add_constants = add_strip_constants,
    .set_mapping = set_strip_rows,
    .replacement = without_padding,
    .launch = launch_cmrs};

// Dense blocks; the other entries as csr_vector.
const device_kernel csr_blocked{
    .info = {.name = "csr_blocked", .unit = work_unit::row, .why_not = why_no_dense_blocks},
    .texts = block_texts,
    .options = block_options,
    .subgroups = 8,
    .format = {.is_named =
                   [](std::string_view name, const kernel_config& asked, const kernel_config&) {
                     return is_format_of(name, "blocks:", format_cache::name_of(asked.block),
                                         asked.block.rows == 0);
                   }},
    .add_constants = add_block_constants,
    .set_mapping = set_width_lanes,
    .replacement = without_blocks,
    .launch = launch_csr_blocked};

// The rows that the mask wants, by length.
const device_kernel csr_listed{.info = {.name = "csr_listed",
                                        .unit = work_unit::row,
                                        .lists_rows = true,
                                        .quick_cost = device_costs::listed,
                                        .why_not = why_not_planned},
                               .texts = listed_texts,
                               .options = listed_options,
                               .add_constants = add_listed_constants,
                               .replacement = without_row_numbers,
                               .launch = launch_csr_listed};

}  // namespace

namespace kernels {

// 1 to T work-items of a subgroup per row.
const device_kernel csr_vector{.info = {.name = "csr_vector",
                                        .unit = work_unit::row,
                                        .exits_early = true,
                                        .compares_apart = true,
                                        .suits_frequency_order = true,
                                        .quick_cost = device_costs::vector},
                               .texts = vector_texts,
                               .options = vector_options,
                               .narrows_for_early_exit = true,
                               .add_constants = add_vector_constants,
                               .set_mapping = set_width_lanes,
                               .launch = launch_csr_vector};

// Entries divided evenly, summed by segments of equal row index.
const device_kernel coo{
    .info = {.name = "coo", .unit = work_unit::entry},
    .texts = coo_texts,
    .options = coo_options,
    .subgroups = 8,
    .ignores_mask = true,
    .format = {.is_named = [](std::string_view name, const kernel_config&,
                              const kernel_config&) { return name == "row_indices"; },
               .reads_entries = true},
    .add_constants = add_coo_constants,
    .launch = launch_coo};

// Entries divided evenly, summed by segments that begin where rows do.
const device_kernel csr_segmented{
    .info = {.name = "csr_segmented",
             .unit = work_unit::entry,
             .suits_frequency_order = true,
             .quick_cost = device_costs::segmented},
    .texts = segmented_texts,
    .options = segmented_options,
    .subgroups = 8,
    .ignores_mask = true,
    .has_dirty_tiles = true,
    .format = {.is_named =
                   [](std::string_view name, const kernel_config&, const kernel_config& chosen) {
                     return name == "tile_rows:" + std::to_string(chosen.tile());
                   },
               .reads_offsets = true,
               .reads_entries = true},
    .add_constants = add_segmented_constants,
    .replacement = without_row_numbers,
    .launch = launch_csr_segmented};

// One subgroup per strip of rows.
const device_kernel cmrs{
    .info = {.name = "cmrs", .unit = work_unit::strip, .why_not = why_not_in_strips},
    .texts = strip_texts,
    .options = strip_options,
    .format = {.is_named = is_strips_named},
    .add_constants = add_strip_constants,
    .set_mapping = set_strip_rows,
    .replacement = without_strips,
    .launch = launch_cmrs};

// The matrix rows that the entries of u select, added to the output.
const device_kernel push{
    .info = {.name = "push", .unit = work_unit::frontier, .quick_cost = device_costs::push},
    .texts = push_texts,
    .options = group_options,
    .add_constants = add_push_constants,
    .launch = launch_push};

// The values of u that are read most often in local memory.
const device_kernel csr_hubs{
    .info = {.name = "csr_hubs",
             .unit = work_unit::entry,
             .has_frequency_order = true,
             .quick_cost = device_costs::hubs,
             .relative = {&kernels::csr_segmented.info, factor_of_hubs},
             .why_not = why_no_hubs},
    .texts = hub_texts,
    .options = hub_options,
    .ignores_mask = true,
    .format = {.is_named = [](std::string_view name, const kernel_config&,
                              const kernel_config&) { return name.starts_with("hubs:"); }},
    .add_constants = add_hub_constants,
    .set_mapping = set_hub_columns,
    .replacement = without_hubs,
    .launch = launch_csr_hubs};

// A bit of u for every column, or most of them, in local memory.
const device_kernel csr_bits{
    .info = {.name = "csr_bits",
             .unit = work_unit::entry,
             .exits_early = true,
             .reads_bits = true,
             .quick_cost = device_costs::bits,
             .why_not = why_no_bits},
    .texts = bit_texts,
    .options = bit_options,
    .ignores_mask = true,
    .format = {.is_named = [](std::string_view name, const kernel_config&,
                              const kernel_config&) { return name.starts_with("bits"); }},
    .add_constants = add_bit_constants,
    .set_mapping = set_bit_lanes,
    .replacement = without_bits,
    .launch = launch_csr_bits};

}  // namespace kernels

std::span<const device_kernel* const> device_kernels() {
  static constexpr const device_kernel* table[] = {
      &kernels::csr_vector,    &csr_scalar,        &csr_padded,  &kernels::coo,
      &kernels::csr_segmented, &kernels::cmrs,     &cmrs_padded, &csr_blocked,
      &kernels::csr_hubs,      &kernels::csr_bits, &csr_listed,  &kernels::push};
  return table;
}

std::span<const mxm_kernel> device_mxm_kernels() {
  static constexpr mxm_kernel table[] = {
      {.info = {.name = "rows"}},
      {.info = {.name = "tables_tiles"},
       .lists = mxm_use::none,
       .tables = mxm_use::all,
       .ranges = mxm_use::none},
      {.info = {.name = "bits_tiles"},
       .lists = mxm_use::none,
       .tables = mxm_use::none,
       .ranges = mxm_use::none},
      {.info = {.name = "bits_ranges"},
       .lists = mxm_use::none,
       .tables = mxm_use::none,
       .ranges = mxm_use::all},
      {.info = {.name = "inner", .needs_mask = true}, .inner = true}};
  return table;
}

}  // namespace tropic::detail
