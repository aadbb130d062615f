// SPDX-License-Identifier: Apache-2.0

// The programs that packages carry are those that graphs of every size and shape ask for, on every
// GPU: what decides is asked of the code that chooses kernels, for sizes that no test runs.

#include "backends/device/program_variants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include <tropic/detail/describe_semiring.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/cuda/precompile.hpp"
#include "backends/device/communities/device_level.hpp"
#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/device/program/request_text.hpp"
#include "backends/product.hpp"
#include "device_traits.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

struct gpu {
  const char* name;
  std::size_t processors, most_local_bytes;
};
constexpr gpu gpus[] = {{"Jetson", 8, 99 << 10},  {"T4", 40, 64 << 10},
                        {"L4", 58, 99 << 10},     {"A100", 108, 163 << 10},
                        {"H100", 132, 227 << 10}, {"B200", 148, 227 << 10}};

device_traits traits_of(const gpu& g) {
  device_traits result = gpu_traits();
  result.processors = g.processors;
  result.most_local_bytes = g.most_local_bytes;
  return result;
}

// Whether a list has the programs that are asked for.
class carried_programs {
 public:
  explicit carried_programs(std::vector<std::string> lines)
      : lines_(std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end())) {}
  void expect(const program_request& request, const std::string& by) {
    const std::string line = line_of(request);
    ASSERT_NE(line, "") << by;
    if (!asked_.insert(line).second) return;
    EXPECT_TRUE(lines_.contains(line)) << by << " asks for " << line;
  }
  std::size_t asked() const { return asked_.size(); }

 private:
  std::set<std::string> lines_, asked_;
};

// Rows, entries and longest rows from a few to 2^31.
template <class F>
void for_each_matrix(F&& call) {
  const double step = is_quick_run() ? 1.5 : 1.07;
  for (double entries = 10; entries < 2e9; entries *= step)
    for (const double of_row : {1.5, 3.0, 8.0, 40.0, 300.0})
      for (const double longest : {1.0, 4.0, 20.0, 1e9}) {
        matrix_base m;
        m.nnz = static_cast<index_t>(entries);
        m.rows = m.columns = std::max<index_t>(1, static_cast<index_t>(entries / of_row));
        m.longest_row = static_cast<index_t>(std::min(entries, longest * of_row));
        call(m);
      }
}

// A product by every kernel that is chosen without an inspection.
void expect_products(carried_programs& programs, const semiring_description& semiring,
                     bool vector_first, const gpu& g) {
  const device_traits device = traits_of(g);
  const std::size_t bytes = semiring.z().size;
  for_each_matrix([&](const matrix_base& m) {
    for (const device_kernel* kernel : device_kernels()) {
      if (kernel->info.quick_cost == nullptr) continue;
      kernel_config asked{.kernel = kernel};
      if (kernel->info.unit == work_unit::frontier && !can_push(device, semiring))
        asked = sorted_push();
      const kernel_info& info = asked.kernel->info;
      if (exits_early(semiring) && (!info.exits_early || info.reads_bits) &&
          asked.unit() != work_unit::frontier)
        continue;
      if (info.has_frequency_order && !suits_hubs(semiring, vector_first)) continue;
      if (info.reads_bits && !takes_bits(semiring, vector_first)) continue;
      const kernel_config chosen = complete(asked, device, bytes, m);
      const std::string by = std::string(g.name) + ": " + std::string(chosen.name()) + ", " +
                             std::to_string(m.nnz) + " entries";
      programs.expect(request_of(chosen, device, semiring, vector_first), by);
      if (info.reads_bits) programs.expect(format_cache::conversion_to({.parts = 0}), by);
      if (!info.has_frequency_order) continue;
      // Fewer parts where there are few columns.
      hub_layout layout = chosen.hubs_layout();
      for (; layout.parts > 0; --layout.parts)
        programs.expect(format_cache::conversion_to(layout), by);
    }
  });
}

TEST(ProgramVariants, OfAProductAreThoseOfEverySize) {
  const semiring_description all[] = {
      describe_semiring(plus_times<float>{}),      describe_semiring(plus_times<double>{}),
      describe_semiring(min_plus<std::int16_t>{}), describe_semiring(or_and<bool>{}),
      describe_semiring(xor_and<bool>{}),          describe_semiring(plus_pair<std::int64_t>{})};
  for (const semiring_description& semiring : all) {
    // From one program that a small graph asks for.
    const kernel_config small =
        complete({.kernel = &kernels::csr_vector}, gpu_traits(), semiring.z().size, {});
    carried_programs programs(
        with_variants({line_of(request_of(small, gpu_traits(), semiring, true))}));
    for (const gpu& g : gpus) expect_products(programs, semiring, true, g);
    EXPECT_GE(programs.asked(), exits_early(semiring) ? 3U : 8U);
  }
}

// Of the semirings that packages are meant to serve, and of those of the algorithms.
TEST(ProgramVariants, OfBuiltInProductsAreCarried) {
  carried_programs programs(builtin_programs());
  const std::pair<const char*, std::vector<type_code>> products[] = {
      {"plus_times", {type_code::fp32, type_code::fp64, type_code::int32, type_code::int64}},
      {"min_plus", {type_code::fp32, type_code::fp64, type_code::int32, type_code::int64}},
      {"plus_second", {type_code::fp32, type_code::fp64}},
      {"min_second", {type_code::fp32, type_code::int64}},
      {"plus_pair", {type_code::int64}},
      {"or_and", {type_code::boolean}},
      {"any_pair", {type_code::boolean}}};
  for (const auto& [name, types] : products)
    for (const type_code type : types) {
      const auto semiring = builtin_semiring(name, type);
      ASSERT_TRUE(semiring) << name;
      for (const gpu& g : gpus) expect_products(programs, *semiring, false, g);
    }
  std::size_t of_algorithms = 0;
  for (const std::string& line : builtin_programs()) {
    const listed_request read(line);
    const program_request& request = read.get();
    if (request.semiring == nullptr || find_device_kernel(request.kernel) == nullptr) continue;
    ++of_algorithms;
    if (of_algorithms % 10 == 0 || !is_quick_run())
      expect_products(programs, *request.semiring, request.vector_first, gpus[of_algorithms % 6]);
  }
  EXPECT_GT(of_algorithms, 100U);
}

// Whatever the lengths of rows are.
TEST(ProgramVariants, OfTrianglesProductsOfMatricesAndCommunitiesAreCarried) {
  carried_programs programs(builtin_programs());
  for (const gpu& g : gpus) {
    const device_traits device = traits_of(g);
    const triangle_limits limits;
    programs.expect(triangle_programs::listing(device), "triangles");
    programs.expect(triangle_programs::merging(device), "triangles");
    for (const auto& table : limits.tables)
      programs.expect(triangle_programs::table(device, limits, table), "triangles");
    for (const auto& [name, type] :
         {std::pair{"plus_times", type_code::fp32}, std::pair{"plus_times", type_code::fp64},
          std::pair{"min_plus", type_code::fp32}, std::pair{"plus_pair", type_code::int64}}) {
      const auto semiring = builtin_semiring(name, type);
      ASSERT_TRUE(semiring) << name;
      const mxm_config config(device, mxm_limits{}, semiring->z().size);
      for (const auto& table : config.tables) programs.expect(config.table_request(table), name);
      for (const auto& request :
           {config.rows_request(), config.bits_request(), config.values_request(device, *semiring),
            config.ranges_request(device, *semiring)})
        programs.expect(request, name);
    }
  }
  for (const bool wide : {false, true}) {
    programs.expect(community_programs::state_request(wide), "louvain");
    for (std::size_t n = 0; n < community_programs::classes; ++n)
      programs.expect(community_programs::class_request(wide, n), "louvain");
  }
}

// Packages have them for all GPUs of an architecture.
TEST(ProgramVariants, DoNotDependOnTheNumberOfProcessorsOrOnLocalMemory) {
  const semiring_description semiring = describe_semiring(plus_times<double>{});
  std::set<std::string> all;
  for (const gpu& g : gpus) {
    std::set<std::string> of_gpu;
    const device_traits device = traits_of(g);
    const program_request product = request_of(
        complete({.kernel = &kernels::csr_vector}, device, 8, {}), device, semiring, false);
    for_each_variant(product, device, [&](const program_request& variant) {
      if (variant.semiring != nullptr) of_gpu.insert(line_of(variant));
    });
    if (all.empty()) all = of_gpu;
    EXPECT_EQ(of_gpu, all) << g.name;
  }
  EXPECT_GE(all.size(), 7U);
}

}  // namespace
}  // namespace tropic::testing
