// SPDX-License-Identifier: Apache-2.0

// The OpenCL context through the public API: results stay on the device, entries are counted,
// notices are given, errors name the cause. tests/backends checks that products are correct, with
// the same cases on every context.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include <tropic/tropic.hpp>

#include "backends/opencl/opencl.hpp"
#include "device_samples.hpp"
#include "support/messages.hpp"
#include "support/surroundings.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "context_on.hpp"
#include "opencl_fixture.hpp"
#endif

namespace tropic::testing {
namespace {

using indices = std::vector<std::uint32_t>;

// 5x6, an empty first and last row, a dense row.
matrix<float> sample(const context& where) {
  const indices row{1, 1, 2, 2, 2, 2, 2, 2, 3}, column{0, 5, 0, 1, 2, 3, 4, 5, 4};
  const std::vector<float> value{1, 2, 3, 4, 5, 6, 7, 8, 9};
  return matrix<float>::from_entries(where, 5, 6, row, column, std::span<const float>(value));
}
vector<float> sparse_input(const context& where) {
  const std::vector<index_t> at{4, 0};
  const std::vector<float> value{10, 100};
  return vector<float>::from_entries(where, 6, at, std::span<const float>(value));
}

class OpenCLContext : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const device_info& d : detail::opencl_devices())
      if (d.available) {
        where.emplace(context::named(d.name, options()));
        return;
      }
    GTEST_SKIP() << detail::opencl_devices().front().reason;
  }
  context_options options() {
    context_options result;
    result.log = [this](std::string_view m) { notices.emplace_back(m); };
    return result;
  }
  static bool on_device_only(const detail::buffer_pointer& b) {
    return b != nullptr && b->device_valid() && !b->host_valid();
  }
  std::optional<context> where;
  std::vector<std::string> notices;
  environment_variable no_cache{"TROPIC_CACHE", "off"};
};

// No lock is held during a notice: its receiver may use the context.
TEST_F(OpenCLContext, ANoticeMayUseTheContext) {
  const temporary_folder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  const environment_variable blocked("TROPIC_CACHE_DIR", (folder.path() / "file/x").string());
  const environment_variable cached("TROPIC_CACHE", "on");
  std::optional<context> here;
  std::vector<std::string> said;
  int depth = 0;
  const auto product = [&] {
    const auto a = matrix<float>::from_entries(*here, 3, 3, indices{0, 1, 2}, indices{1, 2, 0},
                                               std::vector<float>{1, 2, 3});
    const vector<float> u(*here, 3, 1.f);
    vector<float> w(*here, 3);
    const plan forced{.kernel = "csr_blocked"};  // which is replaced by another one, with a notice
    mxv(w, plus_times<float>{}, a, u, {.plan = &forced});
    return w.dense(-1);
  };
  context_options result;
  result.log = [&](std::string_view m) {
    said.emplace_back(m);
    if (here && depth++ < 3) product();
  };
  here.emplace(context::named(where->name(), result));
  EXPECT_EQ(product(), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(std::ranges::any_of(said, [](const std::string& m) {
    return m.find("program cache") != std::string::npos;
  })) << said.size();
  EXPECT_TRUE(std::ranges::any_of(said, [](const std::string& m) {
    return m.find("runs instead") != std::string::npos;
  })) << said.size();
}

TEST_F(OpenCLContext, ResultsStayOnTheDevice) {
  const matrix<float> a = sample(*where);
  const vector<float> u(*where, 6, 1.f);
  vector<float> w(*where, 5);
  mxv(w, plus_times<float>{}, a, u);
  EXPECT_EQ(w.nvals(), 3);
  EXPECT_TRUE(on_device_only(w.base().values));
  EXPECT_TRUE(on_device_only(w.base().present));
  vector<float> back(*where, 6);
  mxv(back, plus_times<float>{}, transpose(a), w);  // reads w on the device
  EXPECT_TRUE(on_device_only(w.base().values));
  EXPECT_TRUE(on_device_only(back.base().values));
  EXPECT_EQ(w.dense(-1), (std::vector<float>{-1, 3, 33, 9, -1}));
  EXPECT_EQ(back.dense(-1), (std::vector<float>{102, 132, 165, 198, 312, 270}));
  EXPECT_EQ(back.nvals(), back.size());
  EXPECT_TRUE(notices.empty());
}

TEST_F(OpenCLContext, SparseInputGivesTheExactPattern) {
  const matrix<float> a = sample(*where);
  vector<float> w(*where, 5, 7.f);
  mxv(w, plus_times<float>{}, a, sparse_input(*where));
  EXPECT_EQ(w.nvals(), 3);
  EXPECT_EQ(w.dense(-1), (std::vector<float>{-1, 100, 370, 90, -1}));
  vector<float> none(*where, 6), empty(*where, 5, 7.f);
  mxv(empty, plus_times<float>{}, a, none);
  EXPECT_EQ(empty.nvals(), 0);
}

TEST_F(OpenCLContext, MaskAccumulatorAndReplace) {
  const matrix<float> a = sample(*where);
  const vector<float> u(*where, 6, 1.f);
  const std::vector<index_t> at{0, 2};
  const std::vector<float> value{1, 1};
  const auto mask = vector<float>::from_entries(*where, 5, at, std::span<const float>(value));
  vector<float> w(*where, 5, 100.f);
  mxv(w, plus_times<float>{}, a, u, {.mask = mask, .accumulate = plus{}});
  EXPECT_EQ(w.dense(-1), (std::vector<float>{100, 100, 133, 100, 100}));
  mxv(w, plus_times<float>{}, a, u, {.mask = complement(structure(mask)), .replace = true});
  EXPECT_EQ(w.dense(-1), (std::vector<float>{-1, 3, -1, 9, -1}));
}

TEST_F(OpenCLContext, OutputMayBeTheInput) {
  const indices row{0, 1, 2}, column{1, 2, 0};
  const std::vector<float> value{2, 3, 4};
  const auto a =
      matrix<float>::from_entries(*where, 3, 3, row, column, std::span<const float>(value));
  vector<float> w(*where, 3, 1.f);
  for (int n = 0; n < 3; ++n) mxv(w, plus_times<float>{}, a, w);
  EXPECT_EQ(w.dense(-1), (std::vector<float>{24, 24, 24}));
  vxm(w, plus_times<float>{}, w, a);
  EXPECT_EQ(w.dense(-1), (std::vector<float>{96, 48, 72}));
}

TEST_F(OpenCLContext, CopiesKeepTheirOwnValues) {
  const matrix<float> a = sample(*where);
  vector<float> u(*where, 6, 1.f), w(*where, 5);
  mxv(w, plus_times<float>{}, a, u);
  const vector<float> copy = w;
  u.set(0, 10.f);
  mxv(w, plus_times<float>{}, a, u);
  EXPECT_EQ(copy.dense(-1), (std::vector<float>{-1, 3, 33, 9, -1}));
  EXPECT_EQ(w.dense(-1), (std::vector<float>{-1, 12, 60, 9, -1}));
}

TEST_F(OpenCLContext, RunsTheKernelThatWasForcedAndRefusesOthers) {
  const matrix<float> a = sample(*where);
  const vector<float> u(*where, 6, 1.f);
  vector<float> w(*where, 5);
  const plan scalar{.kernel = "csr_scalar"}, pull{.kernel = "pull"};
  mxv(w, plus_times<float>{}, a, u, {.plan = &scalar});
  EXPECT_EQ(w.nvals(), 3);
  const std::string message =
      message_of<usage_error>([&] { mxv(w, plus_times<float>{}, a, u, {.plan = &pull}); });
  EXPECT_NE(message.find("csr_scalar"), std::string::npos) << message;
  EXPECT_EQ(inspect(plus_times<float>{}, a, u).kernel, "csr_scalar");  // rows are short
}

TEST_F(OpenCLContext, TooLargeAVectorIsOutOfMemoryAndNothingIsLost) {
  const matrix<float> a = sample(*where);
  context_options limited = options();
  limited.memory_limit = 1 << 16;
  const context small = context::named(where->name(), limited);
  const matrix<float> b = a.to(small);
  const vector<float> u(small, 6, 1.f);
  vector<float> w(small, 5);
  mxv(w, plus_times<float>{}, b, u);
  EXPECT_THROW(vector<float>(small, 1 << 20, 1.f), out_of_memory);
  EXPECT_EQ(w.dense(-1), (std::vector<float>{-1, 3, 33, 9, -1}));
  mxv(w, plus_times<float>{}, b, u);
  EXPECT_EQ(w.nvals(), 3);
}

TEST_F(OpenCLContext, MemoryIsGivenBack) {
  const std::size_t before = where->memory_used();
  {
    const matrix<float> a = sample(*where);
    vector<float> w(*where, 5);
    mxv(w, plus_times<float>{}, a, sparse_input(*where));
    EXPECT_GT(where->memory_used(), before);
  }
  where->synchronize();
  EXPECT_EQ(where->memory_used(), before);
}

#ifdef TROPIC_WITH_OPENCL

// A device without fp64 from the backend's view: this machine's device with that capability
// removed.
TEST_F(OpenCLContext, WithoutFp64TheHostComputesAndOneNoticeSaysSo) {
  std::string reason;
  const auto cl = detail::opencl_library::open(reason);
  detail::opencl_device lesser = detail::find_opencl_devices(*cl, reason).front();
  lesser.fp64 = false;
  const auto runtime =
      std::make_shared<detail::opencl_runtime>(cl, lesser, "opencl:0", options().log);
  const context small = context_on(runtime, options());

  const indices row{0, 1}, column{1, 0};
  const std::vector<double> value{0.1, 3};
  const auto a =
      matrix<double>::from_entries(small, 2, 2, row, column, std::span<const double>(value));
  const vector<double> u(small, 2, 2.);  // values that are only moved are treated as words
  const int moves = runtime->compilations();
  vector<double> w(small, 2);
  for (int n = 0; n < 2; ++n) mxv(w, plus_times<double>{}, a, u);
  EXPECT_EQ(w.dense(-1), (std::vector<double>{0.2, 6}));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("no fp64"), std::string::npos) << notices[0];
  EXPECT_EQ(runtime->compilations(), moves);

  vector<std::int64_t> counts(small, 2);  // needs no fp64: values are not read
  mxv(counts, semiring<plus_monoid<std::int64_t>, pair, double>{}, a, u);
  EXPECT_EQ(counts.dense(-1), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(runtime->compilations(), moves + 1);

  matrix<double> c(small, 2, 2);  // merges without new values also move words
  reduce(w, plus_monoid<double>{}, a);
  EXPECT_EQ(w.dense(-1), (std::vector<double>{0.1, 3}));
  ewise_add(c, plus{}, a, a, {.accumulate = plus{}});
  EXPECT_EQ(reduce(plus_monoid<double>{}, c), 6.2);
  select(c, bind_second(less{}, 1.), a);
  apply(c, bind_first(minus{}, 1.), a, {.mask = c, .replace = true});
  EXPECT_EQ(c.nvals(), 1);
  EXPECT_EQ(c.get(0, 1), 0.9);
  transpose(c, a, {.mask = structure(a)});
  EXPECT_EQ(c.get(0, 1), 3);
}

#endif

TEST(Contexts, KnowWhetherTheHostIsTheirDevice) {
  EXPECT_TRUE(context::reference().is_host());
  EXPECT_TRUE(context::cpu().is_host());
  EXPECT_FALSE(context::fake_device().is_host());
}

TEST(OpenCLAbsent, IsReportedAndRefusedWithAReason) {
  const environment_variable missing("TROPIC_OPENCL_LIBRARY", "/nowhere/libOpenCL.so.1");
  const std::vector<device_info> listed = detail::opencl_devices();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_FALSE(listed[0].available);
  EXPECT_FALSE(listed[0].reason.empty());
  EXPECT_EQ(message_of<device_error>([] { context::opencl(); }), "opencl:0: " + listed[0].reason);
}

TEST(OpenCLAbsent, NoSuchNumber) {
  EXPECT_THROW(context::opencl(99), device_error);
}

}  // namespace
}  // namespace tropic::testing
