// SPDX-License-Identifier: Apache-2.0

// Searches on the fake CUDA driver, whose kernels run on the CPU with the subgroups of a GPU: pulls
// of rows that subgroups and groups sum together, and more of them than a group has room to list.

#include <random>
#include <string>

#include "program.hpp"

namespace cli_tests {
namespace {

class EmulatedDevice : public Program {
 protected:
  static std::string fake(const std::string& processors) {
    const std::string library = TROPIC_FAKE_CUDA;
    return "export TROPIC_CUDA_LIBRARY='" + library + "' TROPIC_NVRTC_LIBRARY='" + library +
           "' TROPIC_PROGRAMS=off TROPIC_CACHE=off TROPIC_FAKE_CAPABILITY=90 "
           "TROPIC_FAKE_PROCESSORS=" +
           processors + "; ";
  }
  void SetUp() override {
    ASSERT_EQ(run("c++ --version").exit_code, 0) << "no C++ compiler is installed";
  }
  void expect_verified(const std::string& processors, const std::string& arguments) {
    const outcome found =
        run(fake(processors) + "tropic bfs graph.mtx --device cuda:0 --verify " + arguments);
    EXPECT_EQ(found.exit_code, 0) << found.err << found.out;
    EXPECT_NE(found.out.find("levels_and_parents: ok"), std::string::npos) << found.out;
  }
};

// The first vertex leads to `last` vertices with all edges between them, and these to the hubs. A
// hub has `length` neighbours, every other hub `other_length`, of which only the last one is nearer
// to it: all of the row is read.
std::string hubs(int count, int length, int other_length, int leaves, int last) {
  std::string edges;
  std::size_t lines = 0;
  const auto add = [&](int i, int j) {  // i > j: the lower triangle
    edges += std::to_string(i) + ' ' + std::to_string(j) + '\n';
    ++lines;
  };
  const int first_hub = leaves + 2, first_of_last = first_hub + count, n = first_of_last + last - 1;
  std::mt19937 random(static_cast<unsigned>(count));
  const auto any = [&](int bound) {
    return static_cast<int>(random() % static_cast<unsigned>(bound));
  };
  for (int i = first_of_last; i <= n; ++i) {
    add(i, 1);
    for (int j = first_of_last; j < i; ++j) add(i, j);
  }
  for (int h = first_hub; h < first_of_last; ++h) {
    add(first_of_last + any(last), h);
    const int begin = any(leaves);
    for (int k = 0; k + 1 < (h % 2 == 0 ? length : other_length); ++k)
      add(h, 2 + (begin + k) % leaves);
  }
  const std::string size = std::to_string(n);
  return "%%MatrixMarket matrix coordinate pattern symmetric\n" + size + ' ' + size + ' ' +
         std::to_string(lines) + '\n' + edges;
}

TEST_F(EmulatedDevice, FindsHubsByEveryNumberOfWorkItems) {
  for (const auto& [count, length] :
       {std::pair{150, 60}, std::pair{150, 200}, std::pair{30, 2500}}) {
    write("graph.mtx", hubs(count, length, length, 3000, 200));
    for (const char* source : {"--source 0", "--source 1"}) expect_verified("8", source);
  }
}

// Positions of one word of bits that several groups find.
TEST_F(EmulatedDevice, FindsHubsOfSeveralLengthsBesideEachOther) {
  write("graph.mtx", hubs(150, 2500, 60, 3000, 200));
  for (const char* processors : {"2", "8"}) expect_verified(processors, "--source 0");
}

TEST_F(EmulatedDevice, FindsMoreHubsThanThereIsRoomFor) {
  write("graph.mtx", hubs(5000, 140, 140, 2000, 300));
  expect_verified("1", "--source 0");
}

}  // namespace
}  // namespace cli_tests
