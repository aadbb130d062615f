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

// Hubs, with `length` neighbours each among `others` vertices, of which the first 64 lead from the
// source to the last ones: these are the frontier when the hubs are looked for.
std::string hubs(int count, int length, int others) {
  std::string edges;
  std::size_t lines = 0;
  const auto add = [&](int i, int j) {
    edges += std::to_string(i) + ' ' + std::to_string(j) + '\n';
    ++lines;
  };
  const int first = count + 2, n = count + 1 + others;
  std::mt19937 random(count);
  for (int k = 0; k < 64; ++k) add(first + k, 1);
  for (int k = 64; k < others; ++k) add(first + k, first + k % 64);
  for (int h = 0; h < count; ++h)
    for (int k = 0; k < length; ++k)
      add(first + 64 + static_cast<int>((random() % (others - 64))), h + 2);
  return "%%MatrixMarket matrix coordinate pattern symmetric\n" + std::to_string(n) + ' ' +
         std::to_string(n) + ' ' + std::to_string(lines) + '\n' + edges;
}

TEST_F(EmulatedDevice, FindsHubsByEveryNumberOfWorkItems) {
  for (const auto& [count, length] :
       {std::pair{200, 60}, std::pair{200, 200}, std::pair{30, 2500}}) {
    write("graph.mtx", hubs(count, length, 3000));
    for (const char* source : {"--source 1", "--source 2"}) expect_verified("8", source);
  }
}

TEST_F(EmulatedDevice, FindsMoreHubsThanThereIsRoomFor) {
  write("graph.mtx", hubs(5000, 140, 3000));
  expect_verified("1", "--source 1");
}

}  // namespace
}  // namespace cli_tests
