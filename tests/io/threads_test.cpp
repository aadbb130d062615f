// SPDX-License-Identifier: Apache-2.0

// One check of numbers of threads for readers, writers, generators, contexts and measures.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/measures.hpp>
#include <tropic/read_matrix.hpp>

#include "support/messages.hpp"

namespace tropic {
namespace {

int limit() {
  return std::max(256, 4 * static_cast<int>(std::thread::hardware_concurrency()));
}

using tropic::testing::message_of;

std::string refusal(int found) {
  return "threads: found " + std::to_string(found) + ", expected 0 to " + std::to_string(limit());
}

TEST(Threads, PastTheLimitAreRefusedByEveryFunction) {
  const std::string text = "0 1\n1 2\n";
  const io::coordinates few = io::read_text(text, io::file_format::edge_list, "few");
  const std::vector<std::uint64_t> counts{3, 4};
  for (const int n : {-1, limit() + 1, 65536, 1 << 30}) {
    const std::string expected = refusal(n);
    EXPECT_EQ(message_of([&] { context::cpu({.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] { context::reference({.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] { context::named("auto", {.threads = n}); }), expected);
    EXPECT_EQ(
        message_of([&] { io::read_text(text, io::file_format::edge_list, "few", {.threads = n}); }),
        expected);
    EXPECT_EQ(
        message_of([&] { io::write_text(few, io::file_format::matrix_market, {.threads = n}); }),
        expected);
    EXPECT_EQ(message_of([&] { entropy_difference(counts, counts, {.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] { grid(3, {.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] { generate("kron:4", {.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] { generate("paper:dense", {.threads = n}); }), expected);
    EXPECT_EQ(message_of([&] {
                read_matrix<bool>(context::cpu(), "grid:3", duplicates::sum, {.threads = n});
              }),
              expected);
  }
}

TEST(Threads, UpToTheLimitRun) {
  const context where = context::cpu({.threads = limit()});
  EXPECT_EQ(where.threads(), limit());
  const auto graph = read_matrix<bool>(where, "grid:200");
  EXPECT_EQ(bfs(graph, 0).reached, 40000);
}

TEST(Threads, OfSeveralContextsInSeveralThreadsRunAtOnce) {
  std::vector<std::thread> users;
  for (int n = 0; n < 8; ++n)
    users.emplace_back([] {
      const context where = context::cpu({.threads = 12});
      EXPECT_EQ(bfs(read_matrix<bool>(where, "grid:60"), 0).reached, 3600);
    });
  for (std::thread& user : users) user.join();
}

TEST(Contexts, WithoutADeviceRefuseABorrowedQueue) {
  int queue = 0;
  for (const char* device : {"cpu", "reference"})
    EXPECT_EQ(message_of([&] { context::named(device, {.queue = &queue}); }),
              std::string("device ") + device +
                  ": found a borrowed queue, expected none: only cuda and opencl work on one");
}

TEST(Searches, OfAGraphWithoutVerticesSayThatThereAreNone) {
  EXPECT_EQ(message_of([] { bfs(matrix<bool>(context::cpu(), 0, 0), 0); }),
            "bfs: source 0, the graph has no vertices");
}

}  // namespace
}  // namespace tropic
