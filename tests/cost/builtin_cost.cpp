// SPDX-License-Identifier: Apache-2.0
// builtin_cost: one product over every built-in semiring and type, of a full vector on one thread.
// Under callgrind, the counts of each product are written to a file of their own, named by the
// semiring and the type; check-instructions compares them.
#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tropic/generators.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/tropic.hpp>

namespace {

using namespace tropic;

// Values are neither equal nor sorted, and truth values are mixed; an `or` of mixed ones ends
// early.
template <class T>
std::vector<T> values(std::size_t count, std::size_t step) {
  std::vector<T> result(count);
  for (std::size_t n = 0; n < count; ++n)
    result[n] = static_cast<T>(std::is_same_v<T, bool> ? n * step % 3 == 1 : 1 + n * step % 97);
  return result;
}

template <class Z, class T>
void count(const std::string& name, const semiring_description& semiring, const matrix<T>& a,
           const vector<T>& u) {
  vector<Z> w(a.where(), a.rows());
  const auto run = [&] {
    detail::multiply("mxv", w.base(), semiring, detail::factor_of(a), u.base(),
                     detail::factor_order::matrix_first, {});
  };
  run();  // what is kept with the matrix
  CALLGRIND_TOGGLE_COLLECT;
  run();
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name.c_str());
}

template <class T>
void count_all(const context& where, const io::coordinates& graph) {
  const auto a = matrix<T>::from_entries(where, graph.rows, graph.columns, graph.row, graph.column,
                                         values<T>(graph.row.size(), 31), duplicates::first);
  const auto u = vector<T>::from_array(where, values<T>(static_cast<std::size_t>(a.columns()), 7));
  const type_description& type = describe<T>();
  for (const std::string_view name : builtin_semiring_names()) {
    const auto semiring = builtin_semiring(name, type.code);
    if (!semiring) continue;
    const std::string what = std::string(name) + ' ' + std::string(type.name);
    if (semiring->z() == type)
      count<T>(what, *semiring, a, u);
    else
      count<index_t>(what, *semiring, a, u);
  }
}

}  // namespace

int main() {
  const auto where = context::cpu({.threads = 1});
  const io::coordinates graph = generate("kron:11");
  std::printf("%zu\n", graph.row.size());
  count_all<bool>(where, graph);
#define TROPIC_COUNT(T) count_all<T>(where, graph);
  TROPIC_FOR_EACH_NUMBER_TYPE(TROPIC_COUNT)
#undef TROPIC_COUNT
  return 0;
}
