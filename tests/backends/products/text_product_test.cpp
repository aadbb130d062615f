// SPDX-License-Identifier: Apache-2.0

// Products over semirings given as text on the CPU, which run by blocks of entries: the same bits
// as the sum of each row's products in order, for rows that begin and end anywhere in a block, and
// for any number of threads.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/evaluate.hpp>
#include <tropic/tropic.hpp>

#include "backends/cpu/products/known_sums.hpp"
#include "support/cases.hpp"
#include "support/surroundings.hpp"
#include "support/values.hpp"

namespace tropic::testing {
namespace text_product_test {
namespace {

using detail::factor_order;

constexpr index_t side = 2600;

struct texts {
  const char *add, *identity, *multiply;
};

// Rows of no, one and two entries beside rows that fill blocks of 512 entries
// (evaluated_kernels.cpp), to a block's end and one past it, one of several blocks, and random
// ones.
struct pattern {
  std::vector<std::uint32_t> row, column;
};
pattern mixed_rows(dice& random) {
  pattern p;
  std::uint32_t row = 0;
  const auto add_row = [&](std::size_t length) {
    const auto start = static_cast<std::size_t>(random.roll(side - static_cast<int>(length) + 1));
    for (std::size_t n = 0; n < length; ++n) {
      p.row.push_back(row);
      p.column.push_back(static_cast<std::uint32_t>(start + n));
    }
    ++row;
  };
  for (const int length : {1, 2, 0, 1, 508, 1, 511, 0, 0, 512, 513, 2, 1, 1024, 1, 1025})
    add_row(static_cast<std::size_t>(length));
  add_row(side);
  for (int n = 0; n < 300; ++n) add_row(1);
  for (int n = 0; n < 300; ++n) add_row(2);
  while (row < side - 3) add_row(static_cast<std::size_t>(random.roll(12)));
  return p;  // the last rows are empty
}

template <class T>
std::vector<T> drawn(std::size_t count, dice& random) {
  std::vector<T> from{0, 1, 2, 3, 5, 7, 100};
  using limits = std::numeric_limits<T>;
  from.insert(from.end(), {limits::max(), T(limits::max() - 1), limits::lowest()});
  if constexpr (std::is_signed_v<T>) from.insert(from.end(), {T(-1), T(-2), T(-50)});
  if constexpr (std::is_floating_point_v<T>)
    from.insert(from.end(), {T(0.1), T(1e-3), T(1e6), -T{0}, limits::infinity(),
                             -limits::infinity(), limits::quiet_NaN()});
  std::vector<T> values(count);
  for (T& v : values)
    v = from[static_cast<std::size_t>(random.roll(static_cast<int>(from.size())))];
  return values;
}

// The same with 1 instead of values that need rules in a matrix (matrix_facts.hpp).
template <class T>
std::vector<T> plain(std::vector<T> values) {
  for (T& v : values)
    if (!(v >= 0) || v == arithmetic::largest<T>()) v = 1;
  return values;
}

enum class input { full, bitmap, sparse };
constexpr const char* kernels[] = {"pull", "push"};

// w = A u or u A, with a mask or not, by any kernel; absent entries are marked.
template <class T>
struct result {
  std::vector<T> value;
  std::vector<bool> present;
};

template <class T>
struct problem {
  semiring_description semiring;
  pattern p;
  std::vector<T> a, u;
  std::vector<bool> u_has, mask;
  bool iso = false, vector_first = false, masked = false;
  input kind = input::full;

  // The definition: in order, entry by entry.
  result<T> defined() const {
    const evaluator times(semiring.multiply), plus(semiring.add.add);
    result<T> r{std::vector<T>(side), std::vector<bool>(side)};
    const auto add_entry = [&](std::size_t e) {
      const auto out = vector_first ? p.column[e] : p.row[e];
      const auto inner = vector_first ? p.row[e] : p.column[e];
      if (!u_has[inner] || (masked && !mask[out])) return;
      const T matrix_value = a[iso ? 0 : e], vector_value = u[inner];
      T product{};
      const index_t i = vector_first ? 0 : out, j = vector_first ? out : 0;
      times(&product, vector_first ? &vector_value : &matrix_value,
            vector_first ? &matrix_value : &vector_value, i, inner, j);
      T sum = r.value[out];
      if (r.present[out])
        plus(&sum, &sum, &product);
      else
        sum = product;
      r.value[out] = sum;
      r.present[out] = true;
    };
    for (std::size_t e = 0; e < p.row.size(); ++e) add_entry(e);
    return r;
  }

  // By every kernel, in their order.
  std::vector<result<T>> computed(const context& here) const {
    const auto m = iso ? matrix<T>::from_pattern(here, side, side, p.row, p.column, a[0])
                       : matrix<T>::from_entries(here, side, side, p.row, p.column, a);
    vector<T> v(here, side);
    if (kind == input::full) {
      v = vector<T>::from_array(here, u);
    } else {
      for (index_t n = 0; n < side; ++n)
        if (u_has[static_cast<std::size_t>(n)]) v.set(n, u[static_cast<std::size_t>(n)]);
    }
    vector<bool> allowed(here, side);
    for (index_t n = 0; n < side; ++n)
      if (mask[static_cast<std::size_t>(n)]) allowed.set(n, true);
    std::vector<result<T>> results;
    for (const char* kernel : kernels) results.push_back(computed(m, v, allowed, kernel));
    return results;
  }
  result<T> computed(const matrix<T>& m, const vector<T>& v, const vector<bool>& allowed,
                     const char* kernel) const {
    vector<T> w(m.where(), side);
    detail::output_options<detail::vector_base> options;
    if (masked) options.mask = {&allowed.base(), true, false};
    plan forced;
    forced.kernel = kernel;
    options.forced = &forced;
    detail::multiply(
        vector_first ? "vxm" : "mxv", w.base(), semiring, detail::factor_of(m), v.base(),
        vector_first ? factor_order::vector_first : factor_order::matrix_first, options);
    result<T> r{std::vector<T>(side), std::vector<bool>(side)};
    for (const auto& [at, value] : w.entries()) {
      r.value[static_cast<std::size_t>(at)] = value;
      r.present[static_cast<std::size_t>(at)] = true;
    }
    return r;
  }
};

template <class T>
std::string difference(const result<T>& expected, const result<T>& found) {
  for (std::size_t n = 0; n < expected.value.size(); ++n) {
    if (expected.present[n] != found.present[n])
      return "position " + std::to_string(n) + (found.present[n] ? " has an entry" : " has none");
    const T x = expected.value[n], y = found.value[n];
    if (expected.present[n] && !same_bits(x, y))
      return "position " + std::to_string(n) + ": " + std::to_string(x) + ", found " +
             std::to_string(y);
  }
  return "";
}

template <class T>
class TextProduct : public ::testing::Test {};
using types =
    ::testing::Types<std::int8_t, std::int32_t, std::int64_t, std::uint16_t, float, double>;
TYPED_TEST_SUITE(TextProduct, types);

// Adds that are compiled, one that is not (run side by side), positions, one operand only.
template <class T>
std::vector<texts> semirings() {
  std::vector<texts> all{
      {"x + y", "0", "y * x"},
      {"x + y", "0", "x * y + i - 2 * k + 3 * j"},
      {"t_min(x, y)", "t_inf", "t_tropical_plus(y, x)"},
      {"t_max(y, x)", "t_lowest", "t_tropical_plus_max(y, x)"},
      {"t_max(x, y)", "t_lowest", "t_min(y, x)"},
      {"t_min(y, x)", "t_inf", "t_max(y, x)"},
      {"t_max(y, x)", "t_lowest", "x - y"},
      {"x * y", "1", "x == 0 ? y : y - k"},
      {"x < y ? x : y", "t_inf", "x * x + y * y"},
      {"x <= y ? x : y", "t_inf", "y * x"},
      {"x > y ? x : y", "t_lowest", "x"},
      {"x < y ? y : x", "t_lowest", "y"},
      {"x > y ? y : x", "t_inf", "t_tropical_plus(x, y)"},
      {"y", "0", "x * 2 + y"},
      {"x || y", "0", "x > y"},
      {"!x != !y", "0", "i < k"},
      {"x + y - x * y", "0", "x * y"},
      {"x - y", "0", "x + 2 * y"},
      {"t_max(x, y) * 1 + 0", "0", "t_abs(x - y)"},
      {"x", "0", "7"},
  };
  if constexpr (std::is_integral_v<T>) all.push_back({"x ^ y", "0", "x & y"});
  return all;
}

// Every semiring, input, kernel and number of threads. `compiler`: of context_options.
template <class T>
void check_products(const std::vector<texts>& all, const std::string& compiler) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  std::vector<std::string> notices;
  std::vector<context> contexts;
  for (const int threads : {1, 2, 4})
    contexts.push_back(
        context::cpu({.threads = threads,
                      .log = [&](std::string_view notice) { notices.emplace_back(notice); },
                      .text_compiler = compiler}));
  for (const texts& t : all) {
    problem<T> q;
    q.semiring = semiring_from_text(t.add, t.identity, t.multiply, describe<T>());
    ASSERT_EQ(detail::on_cpu::same_builtin(q.semiring), nullptr) << t.add << ", " << t.multiply;
    q.p = mixed_rows(random);
    const std::vector<T> values = drawn<T>(q.p.row.size(), random);
    q.u = drawn<T>(side, random);
    q.mask.resize(side);
    for (std::size_t n = 0; n < q.mask.size(); ++n) q.mask[n] = random.chance(0.6);
    for (const input kind : {input::full, input::bitmap, input::sparse})
      for (const bool vector_first : {false, true}) {
        q.kind = kind;
        q.vector_first = vector_first;
        q.masked = random.chance(0.5);
        q.iso = random.chance(0.3);
        q.a = random.chance(0.5) ? values : plain(values);
        q.u_has.assign(side, true);
        if (kind != input::full)
          for (std::size_t n = 0; n < q.u_has.size(); ++n)
            q.u_has[n] = random.chance(kind == input::sparse ? 0.01 : 0.7);
        const result<T> expected = q.defined();
        for (const context& here : contexts) {
          const std::vector<result<T>> found = q.computed(here);
          for (std::size_t n = 0; n < found.size(); ++n)
            ASSERT_EQ(difference(expected, found[n]), "")
                << t.add << ", " << t.multiply << ", " << describe<T>().name << ", " << kernels[n]
                << ", " << here.threads() << " threads" << (q.iso ? ", iso" : "")
                << (q.masked ? ", masked" : "") << (vector_first ? ", vxm" : ", mxv");
        }
      }
  }
  EXPECT_TRUE(notices.empty()) << notices.front();
}

TYPED_TEST(TextProduct, HasTheBitsOfTheDefinitionForAnyThreads) {
  check_products<TypeParam>(semirings<TypeParam>(), "");
}

// Many products with few programs, which are compiled once and kept for this test.
TYPED_TEST(TextProduct, HasTheSameBitsCompiled) {
  if (std::system("cc --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no C compiler is installed";
  const temporary_folder folder;
  const environment_variable where("TROPIC_CACHE_DIR", folder.path().string());
  const environment_variable on("TROPIC_CACHE", "on");
  check_products<TypeParam>(semirings<TypeParam>(), "cc");
}

// A row that is cut into pieces, between rows of one entry.
TEST(TextProducts, CutLongRowsIntoPieces) {
  constexpr index_t columns = 70001;
  std::vector<std::uint32_t> row{0}, column{5};
  for (std::uint32_t c = 0; c < columns; ++c) {
    row.push_back(1);
    column.push_back(c);
  }
  row.push_back(2);
  column.push_back(7);
  std::vector<std::int64_t> a(row.size()), u(columns);
  for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<std::int64_t>(n % 1009);
  for (std::size_t n = 0; n < u.size(); ++n) u[n] = static_cast<std::int64_t>(n % 997) - 300;
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < u.size(); ++n) sum += a[n + 1] * u[n] + static_cast<std::int64_t>(n);
  for (const char* add : {"x + y", "x + y + 0 * x"})
    for (const int threads : {1, 2, 4}) {
      const context here = context::cpu({.threads = threads});
      const auto semiring = semiring_from_text(add, "0", "x * y + k", describe<std::int64_t>());
      const auto m = matrix<std::int64_t>::from_entries(here, 3, columns, row, column, a);
      const auto v = vector<std::int64_t>::from_array(here, u);
      vector<std::int64_t> w(here, 3);
      detail::multiply("mxv", w.base(), semiring, detail::factor_of(m), v.base(),
                       factor_order::matrix_first, {});
      EXPECT_EQ(*w.get(0), a[0] * u[5] + 5) << add;
      EXPECT_EQ(*w.get(1), sum) << add;
      EXPECT_EQ(*w.get(2), a.back() * u[7] + 7) << add;
    }
}

TEST(SameBuiltin, IsFoundByTheSyntaxTreeTypesAndIdentity) {
  const auto named = [](const char* add, const char* identity, const char* multiply,
                        const type_description& type) -> std::string {
    const auto* known =
        detail::on_cpu::same_builtin(semiring_from_text(add, identity, multiply, type));
    return known == nullptr ? "" : std::string(known->name);
  };
  const auto &fp64 = describe<double>(), &int64 = describe<std::int64_t>(),
             &boolean = describe<bool>();
  EXPECT_EQ(named("t_min(x, y)", "inf", "t_tropical_plus(x, y)", fp64), "min_plus");
  EXPECT_EQ(named(" t_min( x,(y) )", "t_inf", "( t_tropical_plus(x,y))", fp64), "min_plus");
  EXPECT_EQ(named("x+y", "0", "x*y", int64), "plus_times");
  EXPECT_EQ(named("x || y", "false", "x && y", boolean), "or_and");
  EXPECT_EQ(named("t_max(x, y)", "-inf", "y", fp64), "max_second");
  // The order of floating sums would show.
  EXPECT_EQ(named("x + y", "0", "x * y", fp64), "");
  EXPECT_EQ(named("t_min(x, y)", "0", "t_tropical_plus(x, y)", fp64), "");
  EXPECT_EQ(named("t_min(x, y)", "inf", "x + y", fp64), "");
  EXPECT_EQ(named("t_min(x, y)", "inf", "t_tropical_plus(y, x)", fp64), "");
  EXPECT_EQ(named("t_min(x, y)", "inf", "t_tropical_plus(x, x)", fp64), "");
}

TEST(SameBuiltin, GivesTheResultsOfTheBuiltIn) {
  dice random(base_seed());
  const pattern p = mixed_rows(random);
  const auto a = drawn<float>(p.row.size(), random), u = drawn<float>(side, random);
  const context here = context::cpu({.threads = 2});
  const auto m = matrix<float>::from_entries(here, side, side, p.row, p.column, a);
  const auto v = vector<float>::from_array(here, u);
  vector<float> expected(here, side), found(here, side);
  mxv(expected, min_plus<float>{}, m, v);
  const auto semiring =
      semiring_from_text("t_min(x, y)", "inf", "t_tropical_plus(x, y)", describe<float>());
  detail::multiply("mxv", found.base(), semiring, detail::factor_of(m), v.base(),
                   factor_order::matrix_first, {});
  ASSERT_EQ(expected.nvals(), found.nvals());
  for (const auto& [at, value] : expected.entries())
    ASSERT_TRUE(same_bits(value, *found.get(at))) << at;
}

// A sum that meets NaN first, last or only, by the compiled minimum and maximum.
TEST(KnownSums, IgnoreNaNAsTheLanguageDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> rows{
      {nan}, {nan, nan, 3}, {3, nan, 2}, {nan, 5, nan}, {-0.0, 0.0}, {0.0, -0.0}, {nan, nan}};
  for (const char* text : {"t_min(x, y)", "t_max(x, y)", "x < y ? x : y", "x >= y ? x : y"}) {
    const auto& t = describe<double>();
    const operator_description add = operator_from_text(text, t, t, t);
    const auto* known = detail::on_cpu::known_sum(add);
    ASSERT_NE(known, nullptr) << text;
    const evaluator single(add);
    for (const auto& values : rows) {
      double expected = values[0], found = 99;
      for (std::size_t n = 1; n < values.size(); ++n) single(&expected, &expected, &values[n]);
      std::uint8_t present = 0;
      const std::uint32_t row = 0, stop = static_cast<std::uint32_t>(values.size());
      EXPECT_EQ(known->segments(&found, &present, &row, &stop, 1, values.data()), 1u);
      EXPECT_TRUE(same_bits(expected, found)) << text << ": " << expected << ", found " << found;
    }
  }
}

}  // namespace
}  // namespace text_product_test
}  // namespace tropic::testing
