// SPDX-License-Identifier: Apache-2.0

// Matrices from files: the properties that they claim are true.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

namespace tropic {
namespace {

// A symmetric file that has a position in both triangles, with different values.
class RepeatedInBothTriangles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(file_) << "%%MatrixMarket matrix coordinate real symmetric\n"
                            "3 3 4\n2 1 5\n1 2 7\n3 3 1\n3 1 2\n";
  }
  void TearDown() override { std::filesystem::remove(file_); }

  // The CPU uses a symmetric matrix as its transpose, the reference never does.
  template <class T>
  std::vector<T> product_by_columns(const context& where, duplicates rule) const {
    const matrix<T> a = read_matrix<T>(where, file_, rule);
    const auto u = vector<T>::from_entries(where, 3, std::vector<index_t>{0, 1, 2},
                                           std::vector<T>{1, 10, 100});
    vector<T> w(where, 3);
    vxm(w, plus_times<T>{}, u, a);
    return w.dense(T{-1});
  }
  template <class T>
  void expect(duplicates rule, bool symmetric) const {
    EXPECT_EQ(read_matrix<T>(context::cpu(), file_, rule).is_symmetric(), symmetric);
    EXPECT_EQ(product_by_columns<T>(context::cpu(), rule),
              product_by_columns<T>(context::reference(), rule));
  }

  std::string file_ = (std::filesystem::temp_directory_path() /
                       ("tropic_read_matrix_" + std::to_string(::getpid()) + ".mtx"))
                          .string();
};

TEST_F(RepeatedInBothTriangles, IsSymmetricOnlyWhereMergingLeavesItSo) {
  expect<double>(duplicates::first, false);
  expect<double>(duplicates::last, false);
  expect<double>(duplicates::minimum, true);
  expect<double>(duplicates::maximum, true);
  expect<double>(duplicates::sum, false);  // it may round otherwise
}

}  // namespace
}  // namespace tropic
