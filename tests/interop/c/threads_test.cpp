// SPDX-License-Identifier: Apache-2.0

// The C ABI with several threads: cancelling from another thread and from a signal handler,
// messages, and shared objects.

#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "interop/c/handles.hpp"
#include "support/compare.hpp"

namespace tropic::testing {
namespace {

/// A context that counts progress calls, and a graph whose ranks take longer than any test waits.
struct long_work {
  std::atomic<int> steps{0};
  owned<tropic_context> c;
  owned<tropic_matrix> graph;

  long_work() {
    tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
    options.threads = 2;
    options.progress = [](void* data, const char*, double) {
      ++*static_cast<std::atomic<int>*>(data);
    };
    options.data = &steps;
    c = made_by<tropic_context>(
        [&](tropic_context** result) { return tropic_context_new("cpu", &options, result); });
    graph = made_by<tropic_matrix>([&](tropic_matrix** result) {
      return tropic_matrix_read(c.get(), "kron:10", nullptr, result);
    });
    steps = 0;
  }
  tropic_status run() {
    tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
    options.iterations = 1000000000;
    tropic_vector* rank = nullptr;
    const tropic_status status = tropic_pagerank(graph.get(), &options, &rank, nullptr, nullptr);
    EXPECT_EQ(rank, nullptr);
    return status;
  }
};

TEST(CThreads, AnotherThreadCancels) {
  long_work work;
  std::thread other([&] {
    while (work.steps < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    tropic_context_cancel(work.c.get());
  });
  EXPECT_EQ(work.run(), TROPIC_CANCELLED);
  other.join();
  EXPECT_STREQ(tropic_last_error(work.c.get()), "cancelled");
  EXPECT_EQ(work.run(), TROPIC_CANCELLED);  // until it is resumed
  tropic_matrix* result = nullptr;
  EXPECT_EQ(tropic_matrix_read(work.c.get(), "kron:5", nullptr, &result), TROPIC_CANCELLED);
  tropic_context_resume(work.c.get());
  EXPECT_EQ(tropic_matrix_read(work.c.get(), "kron:5", nullptr, &result), TROPIC_OK);
  tropic_matrix_free(result);
}

tropic_context* to_cancel = nullptr;

TEST(CThreads, ASignalHandlerCancels) {
  long_work work;
  to_cancel = work.c.get();
  struct sigaction handle = {}, before = {};
  handle.sa_handler = [](int) { tropic_context_cancel(to_cancel); };
  ASSERT_EQ(sigaction(SIGALRM, &handle, &before), 0);
  itimerval soon{};
  soon.it_value.tv_usec = 50000;
  ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
  EXPECT_EQ(work.run(), TROPIC_CANCELLED);
  ASSERT_EQ(sigaction(SIGALRM, &before, nullptr), 0);
}

TEST(CThreads, MessagesAreTheThreadsAndTheContexts) {
  const owned<tropic_context> c = handle_of(context::cpu());
  tropic_semiring* result = nullptr;
  EXPECT_EQ(tropic_semiring_named(c.get(), "mine", TROPIC_FP64, &result), TROPIC_USAGE);
  const std::string mine = tropic_last_error(nullptr);
  std::thread([&] {
    EXPECT_STREQ(tropic_last_error(nullptr), "");
    EXPECT_EQ(tropic_last_error(c.get()), mine);
    EXPECT_EQ(tropic_semiring_named(c.get(), "theirs", TROPIC_FP64, &result), TROPIC_USAGE);
    EXPECT_NE(std::string(tropic_last_error(nullptr)).find("'theirs'"), std::string::npos);
  }).join();
  EXPECT_EQ(tropic_last_error(nullptr), mine);
  EXPECT_NE(std::string(tropic_last_error(c.get())).find("'theirs'"), std::string::npos);
}

TEST(CThreads, ReadersMayShare) {
  const owned<tropic_context> c = handle_of(context::cpu({.threads = 1}));
  const auto graph = made_by<tropic_matrix>([&](tropic_matrix** result) {
    return tropic_matrix_read(c.get(), "kron:7", nullptr, result);
  });
  std::vector<std::thread> readers;
  std::vector<owned<tropic_vector>> levels(4);
  for (auto& level : levels)
    readers.emplace_back([&] {
      tropic_vector* result = nullptr;
      EXPECT_EQ(tropic_bfs(graph.get(), 1, &result, nullptr), TROPIC_OK)
          << tropic_last_error(nullptr);
      level.reset(result);
    });
  for (std::thread& reader : readers) reader.join();
  for (const auto& level : levels)
    EXPECT_EQ(difference(read(levels[0]->base), read(level->base)), "");
}

}  // namespace
}  // namespace tropic::testing
