// SPDX-License-Identifier: Apache-2.0

// When the device's memory runs short, conversions that nobody uses are dropped and the device is
// asked once more; only then is it out of memory, and everything that was there is still of use.
// On every runtime: the fake CUDA driver, and OpenCL told that the device has little.

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

#include "context_on.hpp"
#include "cuda_fixture.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "containers/derived_copies.hpp"
#include "opencl_fixture.hpp"
#endif

namespace tropic::test {
namespace {

using namespace tropic::detail;

constexpr std::size_t kibibyte = 1024, memory = 1024 * kibibyte;

matrix<float> diagonal(const context& where, index_t size) {
  std::vector<std::uint32_t> at(static_cast<std::size_t>(size));
  std::vector<float> value(at.size());
  for (std::size_t n = 0; n < at.size(); ++n)
    at[n] = static_cast<std::uint32_t>(n), value[n] = static_cast<float>(n % 7);
  return matrix<float>::from_entries(where, size, size, at, at, std::span<const float>(value));
}

// A conversion of `m` that takes so much of the device.
std::shared_ptr<const converted_copy> convert(const context& where, const matrix<float>& m,
                                              const std::string& name, std::size_t bytes) {
  auto made = std::make_shared<converted_copy>();
  made->parts.push_back(make_buffer(where.state(), bytes));
  made->parts[0]->device_write();
  m.base().derived->formats.emplace(name, made);
  remember_derived(*where.state(), m.base().derived);
  return made;
}

// What every runtime of `memory` bytes does.
void check_eviction(const context& where, const std::string& shown) {
  const matrix<float> m = diagonal(where, 100);
  m.base().values->device();
  std::shared_ptr<const converted_copy> used = convert(where, m, "used", 300 * kibibyte);
  convert(where, m, "unused", 300 * kibibyte);
  const std::size_t before = where.memory_used();

  const buffer_pointer fits = make_buffer(where.state(), 600 * kibibyte);
  EXPECT_NO_THROW(fits->device_write());
  EXPECT_EQ(m.base().derived->formats.count("unused"), 0u);
  EXPECT_EQ(m.base().derived->formats.count("used"), 1u);
  EXPECT_EQ(where.memory_used(), before + 300 * kibibyte);

  const buffer_pointer too_large = make_buffer(where.state(), 300 * kibibyte);
  try {
    too_large->device_write();
    FAIL() << "it fits";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, 300 * kibibyte);
    EXPECT_GT(e.available, 0u);
    EXPECT_LT(e.available, 124 * kibibyte);
    EXPECT_TRUE(std::string(e.what()).starts_with(shown)) << e.what();
  }
  // Nothing was lost by that.
  EXPECT_EQ(where.memory_used(), before + 300 * kibibyte);
  EXPECT_EQ(m.base().derived->formats.count("used"), 1u);
  const buffer_pointer small = make_buffer(where.state(), 4);
  *static_cast<int*>(small->host_write()) = 42;
  small->device_write(access::modify);
  EXPECT_EQ(*static_cast<const int*>(small->host()), 42);
  m.base().values->device_write(access::modify);
  EXPECT_EQ(static_cast<const float*>(m.base().values->host())[99], 1.f);

  used = nullptr;
  EXPECT_NO_THROW(too_large->device_write());
  EXPECT_TRUE(m.base().derived->formats.empty());
}

class FakeCudaEviction : public OnFakeDriver {
 protected:
  void SetUp() override {
    OnFakeDriver::SetUp();
    fake->reset(test::memory);
  }
};

TEST_F(FakeCudaEviction, DropsConversionsThatNobodyUses) {
  check_eviction(context_on(open()), "cuda:0 (Fake 0): ");
}

TEST_F(FakeCudaEviction, DropsThemOfTheWholeContextButNotOfAnother) {
  const auto runtime = std::shared_ptr<device_runtime>(open());
  const context where = context_on(runtime), other = context_on(runtime);
  const matrix<float> first = diagonal(where, 10), second = diagonal(where, 10),
                      theirs = diagonal(other, 10);
  convert(where, first, "padded:16", 200 * kibibyte);
  convert(where, second, "padded:16", 200 * kibibyte);
  convert(other, theirs, "padded:16", 200 * kibibyte);
  make_buffer(where.state(), 800 * kibibyte)->device_write();
  EXPECT_TRUE(first.base().derived->formats.empty());
  EXPECT_TRUE(second.base().derived->formats.empty());
  EXPECT_EQ(theirs.base().derived->formats.size(), 1u);
}

#ifdef TROPIC_WITH_OPENCL

std::shared_ptr<opencl_runtime> opencl_of(std::size_t bytes) {
  return open_runtime({}, nullptr, [bytes](opencl_device& d) { d.memory = bytes; });
}

TEST(OpenCLEviction, DropsConversionsThatNobodyUses) {
  const auto runtime = opencl_of(memory);
  if (runtime == nullptr) GTEST_SKIP() << "no usable OpenCL device";
  check_eviction(context_on(runtime), "opencl:0 (" + runtime->device().name + "): ");
}

// Two matrices and their conversions, of which only one pair fits at a time.
TEST(OpenCLEviction, ProductsThatNeedConversionsTakeTurns) {
  const environment_variable no_cache("TROPIC_CACHE", "off");
  constexpr index_t size = 2000;
  const auto runtime = opencl_of(360 * kibibyte);
  if (runtime == nullptr) GTEST_SKIP() << "no usable OpenCL device";
  const context where = context_on(runtime);
  const matrix<float> matrices[] = {diagonal(where, size), diagonal(where, size)};
  const vector<float> u(where, size, 2.f);
  const plan padded{.kernel = "csr_padded"};  // 128 bytes an entry
  for (int round = 0; round < 4; ++round) {
    const matrix<float>&m = matrices[round % 2], &other = matrices[1 - round % 2];
    vector<float> w(where, size);
    ASSERT_NO_THROW(mxv(w, plus_times<float>{}, m, u, {.plan = &padded})) << round;
    EXPECT_EQ(m.base().derived->formats.size(), 1u);
    EXPECT_TRUE(other.base().derived->formats.empty());
    const std::vector<float> found = w.dense(-1);
    for (std::size_t n = 0; n < found.size(); ++n)
      ASSERT_EQ(found[n], 2.f * static_cast<float>(n % 7));
  }
}

#endif

// A device whose driver takes memory only when something is written to it.
class lazy_memory : public memory_resource {
 public:
  void* allocate(std::size_t bytes) override {
    used_ += bytes;
    return ::operator new(bytes);
  }
  void deallocate(void* handle, std::size_t bytes) noexcept override {
    used_ -= bytes;
    ::operator delete(handle);
  }
  void to_device(void* handle, const void* from, std::size_t bytes) override {
    if (used_ > memory) throw out_of_memory(bytes, memory - (used_ - bytes), "lazy");
    std::memcpy(handle, from, bytes);
  }
  void to_host(void* to, const void* handle, std::size_t bytes) override {
    std::memcpy(to, handle, bytes);
  }

 private:
  std::size_t used_ = 0;
};

TEST(Eviction, IsTriedWhereTheCopyFindsNoMemory) {
  const context where = context::fake_device();
  where.state()->device_memory = std::make_unique<lazy_memory>();
  const matrix<float> m = diagonal(where, 10);
  const auto send = [&] {
    const buffer_pointer sent = make_buffer(where.state(), 600 * kibibyte);
    sent->host_write();
    sent->device();
  };
  auto used = convert(where, m, "padded:16", 600 * kibibyte);
  EXPECT_THROW(send(), out_of_memory);
  used = nullptr;
  EXPECT_NO_THROW(send());
}

}  // namespace
}  // namespace tropic::test
