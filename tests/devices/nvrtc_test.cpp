// SPDX-License-Identifier: Apache-2.0

// Every kernel with every built-in semiring over every type, and with user-defined ones, compiles
// through NVRTC for sm_80 and sm_90, in a quick run three quarters of them to PTX alone. Without
// NVRTC these tests are skipped by name; if a CUDA toolkit is installed, that is a failure.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tropic/error.hpp>

#include "backends/cuda/nvrtc.hpp"
#include "backends/device/formats/format_cache.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/program/inspect_program.hpp"
#include "backends/device/spmm/spmm.hpp"
#include "cubin.hpp"
#include "device_traits.hpp"
#include "semiring_samples.hpp"
#include "support/messages.hpp"
#include "support/quick_run.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

class NvrtcTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static std::string reason;
    static const std::shared_ptr<const nvrtc> shared = nvrtc::open(reason);
    compiler = shared.get();
    if (compiler != nullptr) return;
    if (std::filesystem::exists("/usr/local/cuda")) FAIL() << "CUDA is installed, but " << reason;
    GTEST_SKIP() << reason;
  }
  void compile(const program_request& request, const std::string& name, const char* architecture) {
    const device_program program = make_program(dialect::cuda, request);
    if (!compiled.insert(program.text).second) return;  // positional ones do not read their types
    // Machine code takes half as long again as PTX.
    const bool as_ptx = is_quick_run() && (compiled.size() + base_seed()) % 4 != 0;
    const std::string target =
        as_ptx ? "compute_" + std::string(architecture).substr(3) : architecture;
    try {
      EXPECT_FALSE(compiler->compile(program, target).empty()) << name;
    } catch (const device_error& e) {
      FAIL() << name << ": " << e.what() << "\n" << program.text;
    }
  }
  const nvrtc* compiler = nullptr;
  std::set<std::string> compiled;
};

class OnNvrtc : public NvrtcTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void compile(const program_request& request, const std::string& name) {
    NvrtcTest::compile(request, name, GetParam());
  }
};

// In a quick run program `n` is compiled for one of the architectures, which the seed selects.
bool compiles_for(std::string_view architecture, std::size_t n) {
  return !is_quick_run() ||
         dice(base_seed() + n).roll(2) == (architecture == std::string_view("sm_90") ? 1 : 0);
}

// Of the built-in semirings, those whose products of matrices are compiled: every third one, in a
// quick run every ninth, beginning with one that the seed selects.
std::size_t sample_step() {
  return (is_quick_run() ? 9 : 3) * every_nth();
}
std::size_t first_of_sample() {
  return is_quick_run() ? base_seed() % 9 : 0;
}

matrix_base shaped(index_t rows, index_t nnz, index_t longest_row) {
  matrix_base result;
  result.rows = rows;
  result.nnz = nnz;
  result.longest_row = longest_row;
  return result;
}

// A kernel's program with the constants that the backend would use on a CUDA device: one row for
// many work-items, or for few; segmented sums joined by tickets, or by a second launch.
program_request request_of(std::string_view kernel, const semiring_description& semiring,
                           bool vector_first, const matrix_base& matrix) {
  const device_traits device = gpu_traits();
  const kernel_config chosen = complete({.kernel = find_device_kernel(kernel), .block = {8, 16}},
                                        device, semiring.z().size, matrix);
  return {.kernel = kernel,
          .semiring = &semiring,
          .vector_first = vector_first,
          .constants = chosen.constants(device, semiring.z().size)};
}
program_request request_of(std::string_view kernel, const semiring_description& semiring,
                           bool vector_first) {
  return request_of(
      kernel, semiring, vector_first,
      vector_first ? shaped(1 << 20, 1 << 24, 1 << 20) : shaped(1 << 12, 1 << 16, 100));
}

class KernelOnNvrtc : public NvrtcTest,
                      public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  void compile(const semiring_description& semiring, bool vector_first, const std::string& name) {
    const std::string_view kernel = std::get<0>(GetParam());
    if (kernel == "push" && !can_push(gpu_traits(), semiring)) return;
    if (kernel == "csr_bits" && !takes_bits(semiring, vector_first)) return;
    NvrtcTest::compile(request_of(kernel, semiring, vector_first), name, std::get<1>(GetParam()));
  }
};

constexpr const char* kernels[] = {"csr_scalar",    "csr_vector", "csr_padded",  "coo",
                                   "csr_segmented", "cmrs",       "cmrs_padded", "csr_blocked",
                                   "csr_hubs",      "csr_bits",   "csr_listed",  "push"};

// In a quick run each semiring with a sixth of the kernels. Under the sanitizers, which do not
// see into the compiler, only every n-th semiring.
TEST_P(KernelOnNvrtc, EveryBuiltinSemiring) {
  const auto [kernel, architecture] = GetParam();
  const auto all = builtin_semirings();
  EXPECT_EQ(all.size(), 250u);
  const auto number = static_cast<std::size_t>(
      std::ranges::find(kernels, std::string_view(kernel)) - std::begin(kernels));
  ASSERT_LT(number, std::size(kernels));
  for (std::size_t n = 0; n < all.size(); n += every_nth()) {
    if (is_quick_run() && (n + number + base_seed()) % 6 != 0) continue;
    if (!compiles_for(architecture, n)) continue;
    compile(all[n].semiring, all[n].number % 2 == 1, all[n].name);
    if (HasFatalFailure()) return;
  }
}

TEST_P(KernelOnNvrtc, CompilesWithUserSemirings) {
  std::size_t n = 0;
  for (const named_semiring& s : user_semirings())
    for (const bool vector_first : {false, true}) {
      if (!compiles_for(std::get<1>(GetParam()), n++)) continue;
      compile(s.semiring, vector_first, s.name);
      if (HasFatalFailure()) return;
    }
}

// The maximum number of items per work-item.
TEST_P(KernelOnNvrtc, MatricesWhoseRowsAreAlike) {
  const auto [kernel, architecture] = GetParam();
  for (const type_code type : {type_code::fp32, type_code::int8}) {
    const auto semiring = *builtin_semiring("min_plus", type);
    NvrtcTest::compile(request_of(kernel, semiring, false, shaped(1 << 20, 1 << 24, 40)), kernel,
                       architecture);
  }
}

TEST_F(NvrtcTest, MachineCodeStatesTheLocalMemoryOfKernels) {
  const char* const text =
      "extern \"C\" __global__ void plain(float* x) { x[threadIdx.x] *= 2; }\n"
      "extern \"C\" __global__ void with_array(float* x, const int* i, int n) {\n"
      "  float a[20];\n"
      "  for (int k = 0; k < 20; ++k) a[k] = x[k];\n"
      "  for (int k = 0; k < n; ++k) a[i[k]] += a[i[k + 1]];\n"
      "  for (int k = 0; k < 20; ++k) x[k] = a[k];\n"
      "}\n";
  auto sizes = frame_sizes(compiler->compile({.text = text, .about = {}, .layout = {}}, "sm_90"));
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{0, 20 * sizeof(float)}));
}

// Spilled registers, 120 bytes, slowed a segmented sum down by a quarter; 8 bytes do not. Rows that
// are alike take the most items a work-item. Groups of csr_hubs are the largest there are. A quick
// run takes each type with some of the semirings.
TEST_F(NvrtcTest, SumsHardlySpill) {
  std::size_t n = 0;
  for (const char* kernel : {"csr_segmented", "coo", "csr_hubs", "csr_listed"})
    for (const char* name : {"plus_times", "plus_second", "min_plus", "max_min"})
      for (const type_code type : {type_code::fp32, type_code::fp64, type_code::int32})
        for (const index_t longest_row : {40, 1 << 20}) {
          const std::size_t turn = n + n / 6;  // of six types and lengths for each semiring
          ++n;
          if (is_quick_run() && (turn + base_seed()) % 3 != 0) continue;
          const auto semiring = *builtin_semiring(name, type);
          const auto sizes = frame_sizes(compiler->compile(
              make_program(dialect::cuda, request_of(kernel, semiring, false,
                                                     shaped(1 << 20, 1 << 24, longest_row))),
              "sm_90"));
          ASSERT_FALSE(sizes.empty());
          EXPECT_LE(std::ranges::max(sizes), 16u)
              << kernel << " " << name << " " << semiring.z().name << ", rows of at most "
              << longest_row;
        }
}

// The same where u is bits, of which each work-item of a group of 1,024 has eight at once.
TEST_F(NvrtcTest, SumsOfBitsHardlySpill) {
  for (const char* name : {"or_and", "xor_and", "any_pair", "and_or"}) {
    const auto sizes = frame_sizes(compiler->compile(
        make_program(dialect::cuda,
                     request_of("csr_bits", *builtin_semiring(name, type_code::boolean), false)),
        "sm_90"));
    ASSERT_FALSE(sizes.empty());
    EXPECT_LE(std::ranges::max(sizes), 16u) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelOnNvrtc,
                         ::testing::Combine(::testing::ValuesIn(kernels),
                                            ::testing::Values("sm_80", "sm_90")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

TEST_P(OnNvrtc, KernelsWithoutASemiring) {
  compile({.kernel = "count_present", .constants = {{"T_GROUP_SIZE", 128}}}, "count_present");
  compile({.kernel = "count_edges", .constants = {{"T_GROUP_SIZE", 128}}}, "count_edges");
  compile({.kernel = "row_indices"}, "row_indices");
  compile({.kernel = "strips"}, "strips");
  compile({.kernel = "blocks"}, "blocks");
  compile({.kernel = "scan"}, "scan");
  compile({.kernel = "copy"}, "copy");
  compile({.kernel = "positions"}, "positions");
  compile({.kernel = "expand"}, "expand");
  compile({.kernel = "listed"}, "listed");
  compile({.kernel = "permute"}, "permute");
  compile({.kernel = "hot_columns"}, "hot_columns");
  for (const std::uint32_t parts : {0U, 1U, 6U})
    compile(format_cache::conversion_to({.parts = parts, .least = 3}),
            parts == 0 ? "bits" : "hubs");
  compile({.kernel = "structure", .constants = {{"T_GROUP_SIZE", 128}}}, "structure");
  compile({.kernel = "connect",
           .constants = {{"T_GROUP_SIZE", 256}, {"T_LONG", 32}, {"T_VERY_LONG", 8192}}},
          "connect");
  compile({.kernel = "peel",
           .constants = {{"T_GROUP_SIZE", 512},
                         {"T_PIECE", 128},
                         {"T_FEW", 32},
                         {"T_ROUNDS_AT_ONCE", 1024}}},
          "peel");
  const monoid_description fp64 = describe_monoid(plus_monoid<double>{});
  const auto compile_communities = [&](const char* kernel, long wide, long lanes, long slots) {
    compile({.kernel = kernel,
             .monoid = &fp64,
             .constants = {{"T_GROUP_SIZE", lanes == 0 && slots > 0 ? 256 : 128},
                           {"T_WIDE", wide},
                           {"T_LONG", 1024},
                           {"T_CHUNK", 4096},
                           {"T_LANES", lanes},
                           {"T_SLOTS", slots}}},
            kernel);
  };
  for (const long wide : {0, 1}) {
    compile_communities("communities", wide, 0, 0);
    for (const auto& [lanes, slots] : {std::pair{4L, 16L}, {128L, 2048L}, {0L, 2048L}})
      compile_communities("community_tables", wide, lanes, slots);
  }
  compile({.kernel = "line"}, "line");
  compile({.kernel = "triangles", .constants = {{"T_GROUP_SIZE", 128}, {"T_PER_ITEM", 8}}},
          "triangles");
  for (const long slots : {0, 512, 4096})
    compile({.kernel = "triangles",
             .constants = {{"T_GROUP_SIZE", 128},
                           {"T_LANES", 32},
                           {"T_SLOTS", slots},
                           {"T_SHIFT", slots == 512 ? 23 : 20},
                           {"T_PIECE", slots / 2},
                           {"T_CHUNK", 1024}}},
            "triangles");
  for (const std::size_t group : {32u, 256u}) compile(inspect_request(group), "inspect");
  compile({.kernel = "matrices", .constants = {{"T_GROUP_SIZE", 128}}}, "matrices");
  for (const char* kernel : {"prefix", "sort"})
    for (const long bytes : {1, 4})
      compile({.kernel = kernel,
               .constants = {{"T_GROUP_SIZE", 128}, {"T_PER_ITEM", 8}, {"T_COUNT_BYTES", bytes}}},
              kernel);
}

// Every way to compute t, with and without an accumulator, over types of every size and a record.
TEST_P(OnNvrtc, OperationsOnVectorsAndMatrices) {
  const auto compile_over = [&]<class T>(const char* name) {
    const operator_description merge = describe_operator<T, T, T>(minimum{}),
                               holds = describe_operator<bool, T, T>(less_equal{});
    const type_description& type = describe<T>();
    for (const element_kind kind :
         {element_kind::copy, element_kind::value, element_kind::apply, element_kind::select,
          element_kind::set_union, element_kind::set_intersection})
      for (const operator_description* accumulator : {(const operator_description*)nullptr, &merge})
        compile(
            {.kernel = "elements",
             .elements = std::make_unique<element_request>(
                             element_request{.kind = kind,
                                             .op = kind == element_kind::select ? &holds : &merge,
                                             .bound_second = kind == element_kind::apply ||
                                                             kind == element_kind::select,
                                             .u = &type,
                                             .v = &type,
                                             .z = &type})
                             .get(),
             .accumulator = accumulator,
             .constants = {{"T_GROUP_SIZE", 128}}},
            name);
    const operator_description below = describe_unary<bool, T>(strictly_lower_triangle{}).op;
    const element_request of_entries[] = {
        {.kind = element_kind::apply, .op = &merge, .bound_first = true, .u = &type, .z = &type},
        {.kind = element_kind::select, .op = &below, .u = &type, .z = &type},
        {.kind = element_kind::set_union, .op = &merge, .u = &type, .v = &type, .z = &type},
        {.kind = element_kind::set_intersection,
         .op = &holds,
         .u = &type,
         .v = &type,
         .z = holds.z}};
    for (const element_request& e : of_entries)
      compile({.kernel = "entries", .elements = &e}, name);
    const monoid_description monoid = describe_monoid(minimum_monoid<T>{});
    compile({.kernel = "reduce", .monoid = &monoid, .constants = {{"T_GROUP_SIZE", 128}}}, name);
    // As the steps of an iteration: a value bound, a vector with gaps added, sums of each kind.
    const element_request bound = {
        .kind = element_kind::apply, .op = &merge, .bound_second = true, .u = &type, .z = &type};
    const element_request of_two = {
        .kind = element_kind::set_intersection, .op = &merge, .u = &type, .v = &type, .z = &type};
    const pass_request pass{.vectors = {{.type = &type, .read = true},
                                        {.type = &type, .read = true, .written = true},
                                        {.type = &type, .read = true, .flagged = true},
                                        {.type = &describe<std::uint8_t>(), .flagged = true}},
                            .steps = {{.op = bound, .u = 0, .w = 1},
                                      {.op = of_two, .u = 1, .v = 2, .w = 1, .within = 2},
                                      {.op = of_two, .u = 0, .v = 1, .monoid = &monoid},
                                      {.u = 1, .within = 3, .monoid = &monoid}}};
    compile({.kernel = "pass", .pass = &pass, .constants = {{"T_GROUP_SIZE", 128}}}, name);
    const pass_request without_sums{.vectors = {{.type = &type, .read = true, .written = true}},
                                    .steps = {{.op = of_two}, {.op = bound}}};
    compile({.kernel = "pass", .pass = &without_sums, .constants = {{"T_GROUP_SIZE", 128}}}, name);
  };
  compile_over.operator()<bool>("bool");
  compile_over.operator()<std::int16_t>("int16");
  compile_over.operator()<float>("fp32");
  compile_over.operator()<double>("fp64");
}

// One column of a work-item and four, packed or not, with and without gaps, on either side.
TEST_P(OnNvrtc, ProductsWithFullMatricesCompile) {
  const auto all = builtin_semirings();
  for (std::size_t n = first_of_sample(); n < all.size(); n += sample_step()) {
    if (!compiles_for(GetParam(), n)) continue;
    const std::uint64_t k = n % 2 == 0 ? 128 : 8;
    compile(spmm_config(k, all[n].semiring.z().size, n % 8 < 4, n % 3 == 0)
                .request(all[n].semiring, n % 4 > 1, spmm_config::group),
            all[n].name);
    if (HasFatalFailure()) return;
  }
  std::size_t number = 0;
  for (const named_semiring& s : user_semirings())
    if (compiles_for(GetParam(), number++))
      compile(spmm_config(128, s.semiring.z().size, true, false)
                  .request(s.semiring, true, spmm_config::group),
              s.name);
  compile({.kernel = "cells"}, "cells");
}

// Tables of every size, bits, and tiles and ranges with sums of every size.
TEST_P(OnNvrtc, ProductsOfSparseMatricesCompile) {
  const mxm_config config(gpu_traits(), {}, 4);
  for (const mxm_limits::table& table : config.tables)
    compile(config.table_request(table), "mxm_pattern");
  compile(config.rows_request(), "mxm_rows");
  compile(config.lists_request(), "mxm_lists");
  compile(config.bits_request(), "mxm_bits");
  const auto compile_values = [&](const semiring_description& semiring, const std::string& name) {
    const mxm_config of_values(gpu_traits(), {}, semiring.z().size);
    compile(of_values.values_request(gpu_traits(), semiring), name);
    compile(of_values.ranges_request(gpu_traits(), semiring), name);
    if (of_values.short_row > 0) compile(of_values.short_request(semiring), name);
  };
  const auto all = builtin_semirings();
  for (std::size_t n = first_of_sample(); n < all.size(); n += sample_step()) {
    if (!compiles_for(GetParam(), n)) continue;
    compile_values(all[n].semiring, std::string(all[n].name));
    if (HasFatalFailure()) return;
  }
  std::size_t number = 0;
  for (const named_semiring& s : user_semirings())
    if (compiles_for(GetParam(), number++)) compile_values(s.semiring, s.name);
}

// Rounds of iterate_until, with sums of every size, and with and without the optional operators.
TEST_P(OnNvrtc, RoundsCompileForEveryType) {
  const auto compile_over = [&]<class T>(const char* name) {
    const operator_description improves = describe_operator<bool, T, T>(less{});
    const unary_description below = describe_unary<bool, T>(bind_second(less{}, T{1}));
    round_request asked{.improves = &improves};
    asked.keeps = {.kind = element_kind::select,
                   .op = &below.op,
                   .bound_second = true,
                   .bound = below.bound,
                   .u = below.op.x};
    const round_request nothing, in_buckets{.improves = &improves};
    const semiring_description semiring = describe_semiring(min_plus<T>{});
    const bool is_real = std::is_floating_point_v<T>;
    compile({.kernel = "buckets", .monoid = &semiring.add}, name);
    for (const round_request* round : {&nothing, (const round_request*)&asked, &in_buckets})
      for (const long together : {1L, 8L}) {
        if (together > 1 && std::string_view(GetParam()) == "sm_80") continue;
        compile({.kernel = "take_sums",
                 .semiring = &semiring,
                 .vector_first = true,
                 .round = round,
                 .constants = {{"T_GROUP_SIZE", 128}}},
                name);
        compile({.kernel = "iterate",
                 .semiring = &semiring,
                 .vector_first = true,
                 .round = round,
                 .constants = {{"T_VALUE_BYTES", sizeof(T)},
                               {"T_IDEMPOTENT", round != &nothing},
                               {"T_SELECTIVE", round != &nothing},
                               {"T_BUCKETS", round == &in_buckets},
                               {"T_REAL", is_real ? static_cast<long>(sizeof(T)) : 0},
                               {"T_GROUP_SIZE", 1024},
                               {"T_TOGETHER", together},
                               {"T_SHUFFLE", 1},
                               {"T_LANES", 4},
                               {"T_LONG", 32},
                               {"T_MOST_EDGES", 32768},
                               {"T_MOST_LONG", 1024},
                               {"T_MOST_LISTED", 65536}}},
                name);
      }
  };
  compile_over.operator()<std::uint8_t>("uint8");
  compile_over.operator()<std::int16_t>("int16");
  compile_over.operator()<float>("fp32");
  compile_over.operator()<double>("fp64");
  compile_over.operator()<std::int64_t>("int64");
}

// Rounds by rows, and back, whose operands may have a type each.
TEST_P(OnNvrtc, RoundsByRowsCompile) {
  compile({.kernel = "order_rounds"}, "order");
  const auto compile_over = [&]<class T>(const char* name) {
    const semiring_description semiring = describe_semiring(plus_times<T>{}),
                               pattern = describe_semiring(plus_second<T, bool, T>{});
    const operator_description give = describe_operator<T, double, float>(times{}),
                               take = describe_operator<float, T, double>(times{});
    const round_request nothing;
    const back_request back{.give = &give, .take = &take};
    for (const long together : {1L, 8L}) {
      if (together > 1 && std::string_view(GetParam()) == "sm_80") continue;
      const program_constants constants = {
          {"T_SHUFFLE", 1},         {"T_SUBGROUP", 32}, {"T_SUBGROUPS", 16},  {"T_LANES", 4},
          {"T_TOGETHER", together}, {"T_SHORT", 32},    {"T_VERY_LONG", 4096}};
      compile({.kernel = "rounds_by_rows",
               .semiring = &semiring,
               .vector_first = true,
               .round = &nothing,
               .constants = constants},
              name);
      for (const semiring_description* s : {&semiring, &pattern})
        compile({.kernel = "rounds_back", .semiring = s, .back = &back, .constants = constants},
                name);
    }
  };
  compile_over.operator()<std::uint8_t>("uint8");
  compile_over.operator()<float>("fp32");
  compile_over.operator()<double>("fp64");
}

// Sums that end at their first product, at a terminal value, or not before the last.
TEST_P(OnNvrtc, RoundsByDirectionCompile) {
  const semiring_description parents = describe_semiring(min_secondi<std::int64_t, float>{}),
                             reached = describe_semiring(or_and<bool>{}),
                             counts = describe_semiring(plus_times<std::int16_t>{});
  const round_request nothing;
  for (const semiring_description* s : {&parents, &reached, &counts})
    compile({.kernel = "rounds_by_direction",
             .semiring = s,
             .vector_first = true,
             .round = &nothing,
             .constants = {{"T_VALUE_BYTES", static_cast<long>(s->z().size)},
                           {"T_SHUFFLE", 1},
                           {"T_SUBGROUP", 32},
                           {"T_SUBGROUPS", 16},
                           {"T_LANES", 4},
                           {"T_SHORT", 32},
                           {"T_VERY_LONG", 1024},
                           {"T_PIECE", 512},
                           {"T_SHARE", 8}}},
            "rounds by direction");
}

TEST_P(OnNvrtc, AccumulatorWithParameters) {
  const semiring_description semiring = describe_semiring(plus_times<double>{});
  const operator_description merge = describe_operator<double, double, double>(damped{0.5, 1});
  compile({.kernel = "csr_scalar", .semiring = &semiring, .accumulator = &merge}, "accumulator");
}

INSTANTIATE_TEST_SUITE_P(Architectures, OnNvrtc, ::testing::Values("sm_80", "sm_90"),
                         [](const auto& test) { return std::string(test.param); });

// A user-defined copy of plus_times gives the same PTX as the built-in one.
TEST_P(OnNvrtc, CopyOfPlusTimesGivesTheSamePtx) {
  const semiring_description built_in = describe_semiring(plus_times<float>{});
  const semiring_description written_by_user =
      describe_semiring(semiring<my_plus_monoid<float>, my_times>{});
  const std::string virtual_architecture = "compute_" + std::string(GetParam()).substr(3);
  const auto ptx = [&](const semiring_description& s) {
    return compiler->compile(make_program(dialect::cuda, {.kernel = "csr_scalar", .semiring = &s}),
                             virtual_architecture);
  };
  const std::string code = ptx(built_in);
  EXPECT_EQ(code, ptx(written_by_user));
  EXPECT_NE(code.find("mul.rn.f32"), std::string::npos) << code;
  EXPECT_EQ(code.find("fma.rn.f32"), std::string::npos) << "contracted:\n" << code;
}

TEST_P(OnNvrtc, CompileErrorsShowTheUsersExpression) {
  const semiring_description described =
      describe_semiring(semiring<plus_monoid<float>, my_times>{});
  device_program program =
      make_program(dialect::cuda, {.kernel = "csr_scalar", .semiring = &described});
  program.text += "this is no kernel\n";
  const std::string message =
      message_of<device_error>([&] { compiler->compile(program, GetParam()); });
  EXPECT_NE(message.find("(x) * (y)"), std::string::npos) << message;
  EXPECT_NE(message.find("error"), std::string::npos) << message;
}

TEST(NvrtcLoader, SaysWhatItTried) {
  const environment_variable missing("TROPIC_NVRTC_LIBRARY", "/nowhere/libnvrtc.so");
  std::string reason;
  EXPECT_EQ(nvrtc::open(reason), nullptr);
  EXPECT_NE(reason.find("/nowhere/libnvrtc.so"), std::string::npos) << reason;
}

}  // namespace
}  // namespace tropic::testing
