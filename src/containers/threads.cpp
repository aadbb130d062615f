// SPDX-License-Identifier: Apache-2.0

// The possible number of threads. OpenMP cannot report that a thread failed to start: GCC's library
// prints a line and ends the process. The threads are therefore started here once, with the stack
// size of OpenMP's threads, and ended again. A number that succeeded is not tried again.
//
// This check does not cover that OpenMP keeps threads for every thread of the caller that runs
// parallel work, and that limits may shrink later (docs/c.md, "Threads, fork and signals").

#include <tropic/detail/threads.hpp>

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include <tropic/error.hpp>

namespace tropic::detail {

namespace {

int threads_of_the_machine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// The size of a thread's stack as OpenMP reads it: a number with B, K (the default), M or G. 0: the
// default of the system.
std::size_t openmp_stack_bytes() {
  for (const char* name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    const char* const end = text + std::strlen(text);
    while (text != end && *text == ' ') ++text;
    std::size_t number = 0;
    const auto read = std::from_chars(text, end, number);
    if (read.ec != std::errc{}) continue;
    const char* unit = read.ptr;
    while (unit != end && *unit == ' ') ++unit;
    const char letter = unit == end ? 'K' : static_cast<char>(*unit & ~0x20);
    const int shift = letter == 'B' ? 0 : letter == 'M' ? 20 : letter == 'G' ? 30 : 10;
    if (number > (~std::size_t{0} >> shift)) continue;
    return number << shift;
  }
  return 0;
}

// A gate that all threads wait at, each after it has allocated.
class gate {
 public:
  void pass() {
    arrived_.release();
    const std::lock_guard wait(closed_);
  }
  void wait_for_one() { arrived_.acquire(); }
  void close() { closed_.lock(); }
  void open() { closed_.unlock(); }

 private:
  std::mutex closed_;
  std::counting_semaphore<> arrived_{0};
};

// How many of `count` threads can run beside the calling one.
int startable(int count) {
  std::vector<pthread_t> started;
  started.reserve(static_cast<std::size_t>(count));
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  if (const std::size_t bytes = openmp_stack_bytes(); bytes > 0)
    pthread_attr_setstacksize(&attributes, bytes);  // OpenMP also uses the default if that fails
  gate all;
  all.close();
  const auto wait = [](void* at) -> void* {
    // malloc reserves 64 MB of addresses for a thread's first block, which LLVM's OpenMP allocates,
    // and keeps them for later threads. One thread after the other, so that all of them are
    // counted.
    void* volatile const block = std::malloc(1);
    std::free(block);
    static_cast<gate*>(at)->pass();
    return nullptr;
  };
  for (int n = 0; n < count; ++n) {
    pthread_t result;
    if (pthread_create(&result, &attributes, wait, &all) != 0) break;
    started.push_back(result);
    all.wait_for_one();
  }
  all.open();
  for (const pthread_t thread : started) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return static_cast<int>(started.size());
}

// How many of `count` threads the process can start. `retry`: try again even if it failed before.
int possible(int count, bool retry) {
  static std::mutex mutex;
  static int proven = 1, tried = 1;
  const std::lock_guard lock(mutex);
  if (count > (retry ? proven : tried)) {
    // One more than OpenMP starts, as a reserve for the process.
    proven = std::max(proven, startable(count));
    tried = std::max(tried, count);
  }
  return std::min(count, proven);
}

[[noreturn]] void refuse(const char* what, int found, int least, const std::string& highest) {
  throw usage_error(std::string(what) + ": found " + std::to_string(found) + ", expected " +
                    std::to_string(least) + " to " + highest);
}

// Kernels of the CPU allocate blocks of operands on their stacks.
void check_stack() {
  constexpr std::size_t least = 256 << 10;
  if (const std::size_t bytes = openmp_stack_bytes(); bytes > 0 && bytes < least)
    throw usage_error("OMP_STACKSIZE: found " + std::to_string(bytes) + " bytes, expected " +
                      std::to_string(least) + " or more");
}

}  // namespace

int process_generation() {
  static std::atomic<int> generation{0};
  static const bool registered = ::pthread_atfork(nullptr, nullptr, [] { ++generation; }) == 0;
  static_cast<void>(registered);
  return generation;
}

int thread_limit() {
  static const int limit = std::max(256, 4 * threads_of_the_machine());
  return limit;
}

int checked_threads(int asked) {
  if (asked < 0 || asked > thread_limit())
    refuse("threads", asked, 0, std::to_string(thread_limit()));
  if (process_generation() > 0) return 1;
  if (asked != 1) check_stack();
  if (asked > 0) {
    const int found = possible(asked, true);
    if (found < asked)
      refuse("threads", asked, 0, std::to_string(found) + ", which this process can start");
    return asked;
  }
  const int given = omp_get_max_threads();
  if (given > thread_limit()) refuse("OMP_NUM_THREADS", given, 1, std::to_string(thread_limit()));
  return possible(given, false);
}

}  // namespace tropic::detail
