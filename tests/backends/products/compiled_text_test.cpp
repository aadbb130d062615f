// SPDX-License-Identifier: Apache-2.0

// Semirings given as text whose kernels a C compiler makes (context_options::text_compiler): every
// operator over every type against the evaluator, and the cache on disk. Products of all shapes are
// compared in text_product_test.cpp.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/evaluate.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>

#include "support/surroundings.hpp"
#include "support/values.hpp"

namespace tropic::testing {
namespace {

namespace fs = std::filesystem;

// A folder for the cache, and compilers that count how often they run.
class CompiledText : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tropic-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    cache_folder_.emplace("TROPIC_CACHE_DIR", cache().string());
  }
  void TearDown() override {
    cache_folder_.reset();
    fs::remove_all(folder_);
  }

  fs::path cache() const { return folder_ / "cache"; }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (fs::exists(cache()))
      for (const auto& entry : fs::directory_iterator(cache())) found.push_back(entry.path());
    return found;
  }
  // A compiler that notes each of its runs, and then does what `body` says.
  std::string compiler(const std::string& body = "exec cc \"$@\"") const {
    const fs::path script = folder_ / "counting-cc";
    std::ofstream(script) << "#!/bin/sh\necho run >> '" << (folder_ / "runs").string() << "'\n"
                          << body << "\n";
    fs::permissions(script, fs::perms::owner_all);
    return script.string();
  }
  int runs() const {
    std::ifstream in(folder_ / "runs");
    int count = 0;
    for (std::string line; std::getline(in, line);) ++count;
    return count;
  }
  context with(const std::string& name) {
    return context::cpu({.threads = 2,
                         .log = [this](std::string_view notice) { notices_.emplace_back(notice); },
                         .text_compiler = name});
  }

  // The product of two entries, by a semiring that no built-in equals.
  template <class T>
  T product(const context& here, T a, T u, const char* multiply = "x * 2 + y") {
    const auto semiring = semiring_from_text("x + y", "0", multiply, describe<T>());
    const auto m = matrix<T>::from_entries(here, 1, 1, {0}, {0}, {a});
    const auto v = vector<T>::from_array(here, std::vector<T>{u});
    vector<T> w(here, 1);
    detail::multiply("mxv", w.base(), semiring, detail::factor_of(m), v.base(),
                     detail::factor_order::matrix_first, {});
    return *w.get(0);
  }

  fs::path folder_;
  std::optional<environment_variable> cache_folder_;
  environment_variable cache_on_{"TROPIC_CACHE", "on"};
  std::vector<std::string> notices_;
};

// `operators`, selected by the row: one program for all of them.
std::string selected(const std::vector<std::string>& operators) {
  const std::string count = std::to_string(operators.size());
  std::string text;
  for (std::size_t n = 0; n + 1 < operators.size(); ++n)
    text += "i % " + count + " == " + std::to_string(n) + " ? " + operators[n] + " : ";
  return text + operators.back();
}

// One row for each operator and each pair of values.
template <class T>
void check_operators(const context& here, const std::vector<std::string>& operators) {
  const std::string text = selected(operators);
  const semiring_description semiring = semiring_from_text("x", "0", text, describe<T>());
  const evaluator single(semiring.multiply);
  const auto values = adversarial_values<T>();
  std::vector<std::uint32_t> row, column;
  std::unique_ptr<T[]> a(new T[values.size() * values.size() * operators.size()]);
  std::size_t rows = 0;
  for (const T x : values)
    for (std::size_t y = 0; y < values.size(); ++y)
      for (std::size_t n = 0; n < operators.size(); ++n) {
        row.push_back(static_cast<std::uint32_t>(rows));
        column.push_back(static_cast<std::uint32_t>(y));
        a[rows++] = x;
      }
  const auto m =
      matrix<T>::from_entries(here, static_cast<index_t>(rows), static_cast<index_t>(values.size()),
                              row, column, std::span<const T>(a.get(), rows));
  vector<T> u(here, static_cast<index_t>(values.size()));
  for (std::size_t n = 0; n < values.size(); ++n) u.set(static_cast<index_t>(n), values[n]);
  vector<T> w(here, static_cast<index_t>(rows));
  detail::multiply("mxv", w.base(), semiring, detail::factor_of(m), u.base(),
                   detail::factor_order::matrix_first, {});
  int failures = 0;
  for (const auto& [at, found] : w.entries()) {
    const auto n = static_cast<std::size_t>(at);
    const T x = a[n], y = values[column[n]];
    T expected{};
    single(&expected, &x, &y, at, column[n], 0);
    if (!same_bits(expected, static_cast<T>(found)) && ++failures < 4)
      ADD_FAILURE() << operators[n % operators.size()] << " of " << +x << " and " << +y << ", "
                    << describe<T>().name << ": " << +expected << ", found " << +found;
  }
  EXPECT_EQ(w.nvals(), static_cast<index_t>(rows));
}

template <class T>
void check_type(const context& here) {
  check_operators<T>(
      here, {"x + y", "x - y", "x * y", "x / y", "-x", "t_min(x, y)", "t_max(x, y)", "t_abs(x)",
             "t_pow(x, y)", "t_tropical_plus(x, y)", "t_tropical_plus_max(x, y)"});
  check_operators<T>(here, {"x == y", "x != y", "x < y", "x <= y", "x > y", "x >= y", "x && y",
                            "x || y", "!x", "t_isnan(x)", "x < y ? x : y * 2", "y"});
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    check_operators<T>(here, {"x % y", "x & y", "x | y", "x ^ y", "x << y", "x >> y", "~x",
                              "x + 0x1f - t_inf", "t_lowest - x"});
  if constexpr (std::is_floating_point_v<T>)
    check_operators<T>(here, {"t_sqrt(x)", "t_exp(x)", "t_log(y)", "t_floor(x)", "t_ceil(x)",
                              "x * y + x", "x * 2.5e-1 + .1", "t_inf - x", "-t_inf"});
}

TEST_F(CompiledText, AgreesWithTheEvaluatorOnEveryOperatorAndType) {
  const context here = with(compiler());
#define CHECK(T) check_type<T>(here);
  TROPIC_FOR_EACH_VALUE_TYPE(CHECK)
#undef CHECK
  EXPECT_TRUE(notices_.empty()) << notices_.front();
  EXPECT_EQ(entries().size(), 2u * 11 + 8 + 2);
  EXPECT_EQ(static_cast<std::size_t>(runs()), entries().size() + 1);
}

TEST_F(CompiledText, IsCompiledOnceAndLoadedByOtherContexts) {
  const std::string name = compiler();
  {
    const context here = with(name);
    EXPECT_EQ(product(here, 3.0, 4.0), 10.0);
    EXPECT_EQ(product(here, 5.0, 1.0), 11.0);
    EXPECT_EQ(runs(), 2);  // its version, and the program
    // The same text over another type is another program.
    EXPECT_EQ(product(here, 3.0F, 4.0F), 10.0F);
    EXPECT_EQ(product<std::int8_t>(here, 100, 4), static_cast<std::int8_t>(204));
    EXPECT_EQ(runs(), 4);
  }
  const context again = with(name);
  EXPECT_EQ(product(again, 3.0, 4.0), 10.0);
  EXPECT_EQ(product(again, 3.0F, 4.0F), 10.0F);
  EXPECT_EQ(runs(), 5);
  EXPECT_TRUE(notices_.empty()) << notices_.front();
  for (const fs::path& entry : entries())
    EXPECT_EQ(fs::status(entry).permissions() & (fs::perms::group_write | fs::perms::others_write),
              fs::perms::none);
}

TEST_F(CompiledText, IsOffByDefault) {
  const context here = context::cpu({.threads = 1});
  EXPECT_EQ(product(here, 3.0, 4.0), 10.0);
  EXPECT_TRUE(entries().empty());
}

TEST_F(CompiledText, IsComputedByBlocksWithoutACompiler) {
  const context missing = with("/nowhere/cc");
  EXPECT_EQ(product(missing, 3.0, 4.0), 10.0);
  EXPECT_EQ(product(missing, 3.0F, 4.0F), 10.0F);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_EQ(notices_[0],
            "text compiler: no C compiler runs: /nowhere/cc: No such file or directory; products "
            "are computed by blocks");
  notices_.clear();
  const context failing = with(compiler("[ \"$1\" = --version ] || { echo no room >&2; exit 3; }"));
  EXPECT_EQ(product(failing, 3.0, 4.0), 10.0);
  EXPECT_EQ(product(failing, 3.0, 4.0), 10.0);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("ends with status 3: no room"), std::string::npos) << notices_[0];
  notices_.clear();
  const context empty = with(compiler("exit 0"));
  EXPECT_EQ(product(empty, 3.0, 4.0), 10.0);
  EXPECT_EQ(notices_.size(), 1u);
  EXPECT_TRUE(entries().empty());
}

TEST_F(CompiledText, IsCompiledAgainIfTheEntryIsDamaged) {
  const std::string name = compiler();
  EXPECT_EQ(product(with(name), 3.0, 4.0), 10.0);
  ASSERT_EQ(entries().size(), 1u);
  {
    std::fstream file(entries()[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    file.put('#');
  }
  EXPECT_EQ(product(with(name), 3.0, 4.0), 10.0);
  EXPECT_EQ(runs(), 4);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("is damaged"), std::string::npos) << notices_[0];
}

TEST_F(CompiledText, IsNotLoadedFromWhatOthersCanWrite) {
  const std::string name = compiler();
  EXPECT_EQ(product(with(name), 3.0, 4.0), 10.0);
  for (const fs::path& open : {entries().at(0), cache()}) {
    notices_.clear();
    const int before = runs();
    const fs::perms usual = fs::status(open).permissions();
    fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(product(with(name), 3.0, 4.0), 10.0);
    EXPECT_EQ(runs(), before + 2) << open;
    ASSERT_GE(notices_.size(), 1u);
    EXPECT_NE(notices_[0].find("other users can write"), std::string::npos) << notices_[0];
    fs::permissions(open, usual);
  }
}

TEST_F(CompiledText, IsComputedWithoutAFolderThatCanBeWritten) {
  std::ofstream(cache()) << "a file";
  const context here = with(compiler());
  EXPECT_EQ(product(here, 3.0, 4.0), 10.0);
  EXPECT_EQ(runs(), 2);
  EXPECT_EQ(notices_.size(), 1u);
}

TEST_F(CompiledText, EndsItsCompilerWhenItIsCancelled) {
  cancel_token token;
  const context here =
      context::cpu({.threads = 1,
                    .cancel = token,
                    .text_compiler = compiler("[ \"$1\" = --version ] || sleep 60")});
  const auto semiring = semiring_from_text("x + y", "0", "x * 2 + y", describe<double>());
  const auto m = matrix<double>::from_entries(here, 1, 1, {0}, {0}, {1.0});
  const auto v = vector<double>::from_array(here, std::vector<double>{1.0});
  vector<double> w(here, 1);
  std::thread later([&] {
    while (runs() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    token.cancel();
  });
  EXPECT_THROW(detail::multiply("mxv", w.base(), semiring, detail::factor_of(m), v.base(),
                                detail::factor_order::matrix_first, {}),
               cancelled);
  later.join();
}

}  // namespace
}  // namespace tropic::testing
