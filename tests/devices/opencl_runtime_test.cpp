// SPDX-License-Identifier: Apache-2.0

// The OpenCL runtime: pooled memory, programs and threads, a borrowed queue. enumerate_test.cpp
// tests that errors name the operation, cache_test.cpp the cache.

#ifdef TROPIC_WITH_OPENCL

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <tropic/tropic.hpp>

#include "backends/opencl/opencl.hpp"
#include "opencl_fixture.hpp"
#include "runtime_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace opencl_runtime_test {
namespace {

using namespace tropic::detail;

using numbers = std::vector<std::uint32_t>;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

device_program scale_program() {
  device_program result;
  result.about = "scale";
  result.text =
      "kernel void t_scale(ulong count, uint factor, global uint* values) {\n"
      "  if (get_global_id(0) < count) values[get_global_id(0)] *= factor;\n}\n";
  return result;
}
void scale(opencl_runtime& runtime, const compiled_program& program, const device_bytes& values,
           std::uint64_t count, std::uint32_t factor) {
  const kernel_argument arguments[] = {count, factor, values.memory()};
  runtime.launch("scale", program, "t_scale", arguments, (count + 31) / 32, 32);
}
device_bytes on_device(opencl_runtime& runtime, const numbers& values) {
  return device_bytes(runtime, values.data(), values.size() * sizeof(values[0]));
}
numbers read(const device_bytes& values) {
  const std::vector<std::byte> bytes = values.read();
  numbers found(bytes.size() / sizeof(found[0]));
  std::memcpy(found.data(), bytes.data(), bytes.size());
  return found;
}

class OpenCLRuntime : public OnOpenCL {
 protected:
  static std::unique_ptr<opencl_runtime> with_memory(std::size_t bytes) {
    return open_runtime({}, nullptr, [bytes](opencl_device& d) {
      d.memory = bytes;
      d.largest_buffer = std::min<cl_ulong>(d.largest_buffer, bytes);
    });
  }
};

// --- memory ------------------------------------------------------------------------------------

TEST_F(OpenCLRuntime, ReleasedMemoryIsReusedWhileWorkOnItIsEnqueued) {
  const auto fresh = open_runtime();
  for (std::uint32_t n = 1; n < 100; ++n) {
    const device_bytes array = on_device(*fresh, numbers(1000, n));
    fresh->fill(array.memory(), 1, 4000);
  }
  EXPECT_LE(fresh->pool().now().taken, 3u);
  EXPECT_GT(fresh->pool().trim(), 0u);
  const device_bytes array = on_device(*fresh, {4, 5});
  EXPECT_EQ(read(array), (numbers{4, 5}));
}

TEST_F(OpenCLRuntime, KeptMemoryIsReleasedWhenItIsNeeded) {
  const auto fresh = with_memory(16 * mebibyte);
  void* block = fresh->allocate(3 * mebibyte);
  fresh->fill(block, 1, 3 * mebibyte);
  fresh->deallocate(block, 3 * mebibyte);
  EXPECT_EQ(fresh->allocate(3 * mebibyte), block);
  fresh->deallocate(block, 3 * mebibyte);
  void* large = fresh->allocate(15 * mebibyte);  // fits only without the kept blocks
  EXPECT_EQ(fresh->pool().now().trimmed, 1u);
  EXPECT_EQ(fresh->pool().now().kept, 0u);
  fresh->fill(large, 2, 15 * mebibyte);
  fresh->deallocate(large, 15 * mebibyte);
}

TEST_F(OpenCLRuntime, WithoutAPoolEveryBufferIsExactAndReleased) {
  const environment_variable off("TROPIC_DEVICE_POOL", "off");
  const auto fresh = open_runtime();
  const std::size_t before = fresh->pool().now().used;
  void* block = fresh->allocate(1001);
  EXPECT_EQ(fresh->pool().now().used, before + 1001);
  fresh->deallocate(block, 1001);
  EXPECT_EQ(fresh->pool().now().kept, 0u);
}

TEST_F(OpenCLRuntime, OutOfMemorySaysWhatIsRequiredAndFreeAndTheDeviceIsUsable) {
  const auto fresh = with_memory(16 * mebibyte);
  const device_bytes held(*fresh, std::vector<std::byte>(4 * mebibyte));
  fresh->deallocate(fresh->allocate(mebibyte), mebibyte);  // kept, and therefore available
  for (int twice = 0; twice < 2; ++twice) try {
      fresh->allocate(15 * mebibyte);
      FAIL() << "it fits";
    } catch (const out_of_memory& e) {
      EXPECT_EQ(e.required, 15 * mebibyte);
      EXPECT_EQ(e.available, 16 * mebibyte - fresh->pool().now().used);
      EXPECT_TRUE(std::string(e.what()).starts_with("opencl:0 (" + fresh->device().name + "): "))
          << e.what();
    }
  try {
    fresh->allocate(17 * mebibyte);
    FAIL() << "it fits";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, 17 * mebibyte);
    EXPECT_LT(e.available, 12 * mebibyte);
    EXPECT_NE(std::string(e.what()).find("largest single allocation"), std::string::npos);
  }
  EXPECT_EQ(held.read(), std::vector<std::byte>(4 * mebibyte));
  const device_bytes usable = on_device(*fresh, {4, 5});
  EXPECT_EQ(read(usable), (numbers{4, 5}));
}

TEST_F(OpenCLRuntime, NothingIsCopiedOrFilledWithoutBytes) {
  runtime->to_device(runtime->nothing(), nullptr, 0);
  runtime->to_host(nullptr, runtime->nothing(), 0);
  runtime->fill(runtime->nothing(), 1, 0);
  EXPECT_NO_THROW(runtime->finish());
}

// --- programs ----------------------------------------------------------------------------------

TEST_F(OpenCLRuntime, ManyThreadsCompileEachOnce) {
  expect_each_program_compiled_once(*open_runtime());
}

TEST_F(OpenCLRuntime, WhatDoesNotCompileIsTriedAgain) {
  const auto fresh = open_runtime();
  device_program broken = scale_program();
  broken.text += "this is no kernel\n";
  EXPECT_THROW(fresh->program("scale", broken), device_error);
  EXPECT_NE(fresh->program("scale", scale_program()), nullptr);
}

TEST_F(OpenCLRuntime, ManyThreadsUseManyRuntimes) {
  const auto first = open_runtime(), second = open_runtime();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      opencl_runtime& mine = t % 2 == 0 ? *first : *second;
      const compiled_program* program = mine.program("scale", scale_program());
      for (std::uint32_t n = 1; n < 50; ++n) {
        const device_bytes array = on_device(mine, numbers(100 * n, t));
        scale(mine, *program, array, 100 * n, n);
        wrong += read(array) != numbers(100 * n, t * n);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

// --- a borrowed queue --------------------------------------------------------------------------

// A context of all devices of a platform, and a queue of one of them, as a caller may have them.
class lent_queue {
 public:
  lent_queue(const opencl_library& library, const std::vector<opencl_device>& devices,
             std::size_t of = 0, cl_command_queue_properties properties = 0)
      : cl(library) {
    std::vector<cl_device_id> handles;
    for (const opencl_device& d : devices) handles.push_back(d.device);
    cl_int status = CL_SUCCESS;
    context = cl.clCreateContext(nullptr, static_cast<cl_uint>(handles.size()), handles.data(),
                                 nullptr, nullptr, &status);
    EXPECT_EQ(status, CL_SUCCESS);
    queue = cl.clCreateCommandQueue(context, handles[of], properties, &status);
    EXPECT_EQ(status, CL_SUCCESS);
  }
  ~lent_queue() {
    EXPECT_EQ(cl.clReleaseCommandQueue(queue), CL_SUCCESS);
    EXPECT_EQ(cl.clReleaseContext(context), CL_SUCCESS);
  }
  lent_queue(const lent_queue&) = delete;
  lent_queue& operator=(const lent_queue&) = delete;

  cl_uint references() const {
    cl_uint count = 0;
    cl.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, nullptr);
    return count;
  }
  // Commands that ran also hold the queue, and drivers release them in their own threads.
  bool is_given_back() const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (references() != 1 && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return references() == 1;
  }

  const opencl_library& cl;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

TEST_F(OpenCLRuntime, WorksOnABorrowedQueueAndLeavesIt) {
  const opencl_library& cl = runtime->library();
  const lent_queue lent(cl, {runtime->device()});
  {
    const auto on_it = open_runtime({}, lent.queue);
    EXPECT_EQ(on_it->context(), lent.context);
    EXPECT_GE(lent.references(), 2u);
    const device_bytes array = on_device(*on_it, {6});
    scale(*on_it, *on_it->program("scale", scale_program()), array, 1, 7);
    std::uint32_t found = 0;  // the lender enqueues after us
    ASSERT_EQ(cl.clEnqueueReadBuffer(lent.queue, array.memory(), CL_TRUE, 0, 4, &found, 0, nullptr,
                                     nullptr),
              CL_SUCCESS);
    EXPECT_EQ(found, 42u);
  }
  EXPECT_TRUE(lent.is_given_back());
  EXPECT_EQ(cl.clFinish(lent.queue), CL_SUCCESS);  // it still exists
}

TEST_F(OpenCLRuntime, ABorrowedQueueIsKeptWhenItsLenderReleasesIt) {
  std::unique_ptr<opencl_runtime> on_it;
  {
    const lent_queue lent(runtime->library(), {runtime->device()});
    on_it = open_runtime({}, lent.queue);
  }
  const device_bytes array = on_device(*on_it, {6});
  EXPECT_EQ(read(array), numbers{6});
}

TEST_F(OpenCLRuntime, BorrowedQueuesThatDoNotFitAreRefusedAndNotKept) {
  const lent_queue lent(runtime->library(), {runtime->device()});
  const auto refused = [](const lent_queue& queue,
                          const std::function<void(opencl_device&)>& change) -> std::string {
    const std::string message =
        message_of<device_error>([&] { open_runtime({}, queue.queue, change); });
    EXPECT_EQ(queue.references(), 1u);
    return message;
  };
  const std::string shown = "opencl:0 (" + runtime->device().name + ")";
  EXPECT_EQ(refused(lent, [](opencl_device& d) { d.device = nullptr; }),
            "the borrowed queue is not one of " + shown);
  const lent_queue unordered(runtime->library(), {runtime->device()}, 0,
                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT_EQ(refused(unordered, {}),
            "the borrowed queue of " + shown + " runs out of order, one in order is needed");
}

TEST_F(OpenCLRuntime, AContextTakesTheQueueOfItsOptions) {
  const lent_queue lent(runtime->library(), {runtime->device()});
  const auto listed = opencl_devices();
  const auto usable = std::ranges::find_if(listed, &device_info::available);
  {
    const context where = context::named(usable->name, {.queue = lent.queue});
    EXPECT_GE(lent.references(), 2u);
    const numbers at{0, 1};
    const std::vector<float> value{2, 3};
    const auto m = matrix<float>::from_entries(where, 2, 2, at, at, std::span<const float>(value));
    vector<float> w(where, 2);
    mxv(w, plus_times<float>{}, m, vector<float>(where, 2, 10.f));
    EXPECT_EQ(w.dense(-1), (std::vector<float>{20, 30}));
  }
  EXPECT_TRUE(lent.is_given_back());
}

// Two devices of PoCL in one context, in a separate process: POCL_DEVICES is read once.
bool serves_the_queue_of_one_of_two_devices() {
  std::string reason;
  const auto cl = opencl_library::open(reason);
  const std::vector<opencl_device> found = find_opencl_devices(*cl, reason);
  if (found.size() != 2 || found[0].platform != found[1].platform) return true;  // no PoCL
  const temporary_folder folder;
  const environment_variable where("TROPIC_CACHE_DIR", folder.path().string());
  const environment_variable on("TROPIC_CACHE", "on");
  const lent_queue lent(*cl, found, 1);
  bool right = false;
  try {
    opencl_runtime(cl, found[0], "opencl:0", {}, lent.queue);
  } catch (const device_error&) {
    right = true;
  }
  for (const int compilations : {1, 0}) {  // its binary is found among both
    opencl_runtime on_it(cl, found[1], "opencl:1", {}, lent.queue);
    const device_bytes array = on_device(on_it, {6});
    scale(on_it, *on_it.program("scale", scale_program()), array, 1, 7);
    right = right && read(array) == numbers{42} && on_it.compilations() == compilations;
  }
  return right;
}

TEST(OpenCLRuntimeDeathTest, ServesTheQueueOfOneOfTwoDevices) {
  const environment_variable two("POCL_DEVICES", "basic pthread");
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(serves_the_queue_of_one_of_two_devices() ? 0 : 1),
              ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace opencl_runtime_test
}  // namespace tropic::testing

#endif
