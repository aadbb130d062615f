// SPDX-License-Identifier: Apache-2.0
// user_cost builtin|copy: the same products over plus_times, or over a user-defined copy of it,
// whose kernels this program instantiates. compare-instructions counts the instructions of both.
#include <cstdio>
#include <cstring>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

TROPIC_BINARY_OPERATOR(my_plus, x + y);
TROPIC_BINARY_OPERATOR(my_times, x* y);
TROPIC_MONOID(my_plus_monoid, my_plus, 0);
using my_plus_times = tropic::semiring<my_plus_monoid<double>, my_times>;

int main(int argc, char** argv) {
  const bool copy = argc > 1 && std::strcmp(argv[1], "copy") == 0;
  const auto where = tropic::context::cpu({.threads = 1});
  const auto a = tropic::read_matrix<double>(where, "kron:10");
  const tropic::vector<double> u(where, a.columns(), 1.5);
  tropic::vector<double> w(where, a.rows());
  for (int n = 0; n < 200; ++n) {
    if (copy)
      tropic::mxv(w, my_plus_times{}, a, u);
    else
      tropic::mxv(w, tropic::plus_times<double>{}, a, u);
  }
  std::printf("%.17g\n", tropic::reduce(tropic::plus_monoid<double>{}, w));
  return 0;
}
