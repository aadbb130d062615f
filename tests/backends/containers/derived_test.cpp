// SPDX-License-Identifier: Apache-2.0

// Data derived from a matrix, such as its transpose, is dropped when the matrix changes: products
// by A and by A' agree with the reference after every operation that writes a matrix whose
// transpose is kept.

#include <functional>

#include <tropic/tropic.hpp>

#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using number = std::int64_t;

class Derived : public AgainstReference {
 protected:
  static matrix<number> start(const context& where) {
    dice random(3);
    return matrix<number>(
        make(where, random_matrix(describe<number>(), 40, 40, 0.1, flavour::small, random), false,
             false));
  }
  // Products in that context before and after the change, by each of its kernels.
  using change = std::function<void(matrix<number>&)>;
  static std::vector<host_vector> products(const context& where, const change& act) {
    std::vector<host_vector> found;
    matrix<number> a = start(where);
    const vector<number> u(where, 40, 3);
    const auto multiply = [&] {
      vector<number> w(where, 40);
      mxv(w, plus_times<number>{}, a, u);
      found.push_back(read(w.base()));
      mxv(w, plus_times<number>{}, transpose(a), u);  // the first of these builds the transpose
      found.push_back(read(w.base()));
      mxv(w, min_plus<number>{}, transpose(a), u);
      found.push_back(read(w.base()));
      matrix<number> turned(where, 40, 40);
      transpose(turned, a);
      mxv(w, plus_times<number>{}, turned, u);
      found.push_back(read(w.base()));
      mxv(w, plus_times<number>{}, transpose(turned), u);
      found.push_back(read(w.base()));
    };
    multiply();
    multiply();
    act(a);
    multiply();
    return found;
  }
  void check(const std::string& what, const change& act) {
    const std::vector<host_vector> expected = products(reference(), act),
                                   found = products(where(), act);
    for (std::size_t n = 0; n < expected.size(); ++n)
      agrees(what + ", product " + std::to_string(n), difference(expected[n], found[n]), "");
  }
};

TEST_P(Derived, IsDroppedWithEveryChangeOfItsMatrix) {
  check("apply", [](auto& a) { apply(a, bind_second(plus{}, number{100}), a); });
  check("apply, merged", [](auto& a) { apply(a, negate{}, a, {.accumulate = minus{}}); });
  check("select", [](auto& a) { select(a, upper_triangle{}, a); });
  check("ewise_add", [](auto& a) {
    matrix<number> other(a.where(), 40, 40);
    transpose(other, a);
    ewise_add(a, minus{}, a, other);
  });
  check("ewise_multiply", [](auto& a) { ewise_multiply(a, times{}, a, a); });
  check("transpose into itself", [](auto& a) { transpose(a, a); });
  const std::vector<index_t> some{1, 7, 3, 30};
  check("assign a value", [&](auto& a) { assign(a, number{9}, some, some); });
  check("assign a matrix", [](auto& a) {
    matrix<number> other(a.where(), 40, 40);
    apply(other, bind_second(times{}, number{2}), a);
    assign(a, other);
  });
}
TROPIC_ON_EVERY_CONTEXT(Derived);

}  // namespace
}  // namespace tropic::testing
