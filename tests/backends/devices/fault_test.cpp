// SPDX-License-Identifier: Apache-2.0

// Failing allocations: the n-th allocation of an operation fails, for every n. The operation throws
// out_of_memory, all containers, including outputs, are unchanged, and once memory is available
// again the operation succeeds.

#include <gtest/gtest.h>

#include <functional>

#include <numeric>
#include <tropic/detail/operations.hpp>
#include <tropic/detail/structure.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/backend.hpp"
#include "backends/operators.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

using namespace detail;

// The operands of a test; created again for each failure, so that nothing is cached.
struct workbench {
  vector_base w, u, v, mask, tall;
  matrix_base c, a, b;
  matrix_base few_rows;  // of 320 rows, three have entries: a product becomes a list

  workbench(const context& where, const type_description& t, vector_storage storage) {
    dice random(5);
    const double density = storage == vector_storage::full ? 1 : 0.4;
    w = make(where, random_vector(t, 60, density, flavour::small, random), storage);
    u = make(where, random_vector(t, 60, density, flavour::small, random), storage);
    v = make(where, random_vector(t, 60, density, flavour::small, random), storage);
    mask = make(where, random_vector(describe<bool>(), 60, 0.5, flavour::small, random),
                vector_storage::sparse);
    c = make(where, random_matrix(t, 60, 60, 0.1, flavour::small, random), false, false);
    a = make(where, random_matrix(t, 60, 60, 0.1, flavour::small, random), false, false);
    b = make(where, random_matrix(t, 60, 60, 0.1, flavour::small, random), false, false);
    tall = make(where, random_vector(t, 320, density, flavour::small, random), storage);
    host_matrix few = random_matrix(t, 320, 60, 0.5, flavour::small, random);
    std::erase_if(few.entries, [](const auto& e) { return e.first.first % 120 != 7; });
    few_rows = make(where, few, false, false);
  }
};

struct snapshot {
  host_vector w, u, v, mask, tall;
  host_matrix c, a, b;
  explicit snapshot(const workbench& on)
      : w(read(on.w)),
        u(read(on.u)),
        v(read(on.v)),
        mask(read(on.mask)),
        tall(read(on.tall)),
        c(read(on.c)),
        a(read(on.a)),
        b(read(on.b)) {}
  std::string difference_to(const snapshot& other) const {
    return difference(w, other.w) + difference(u, other.u) + difference(v, other.v) +
           difference(mask, other.mask) + difference(tall, other.tall) + difference(c, other.c) +
           difference(a, other.a) + difference(b, other.b);
  }
};

struct step {
  std::string name;
  std::function<void(workbench&)> run;
};

std::vector<step> steps(const context& where, const type_description& t) {
  std::vector<step> all;
  const auto add = [&](std::string name, std::function<void(workbench&)> run) {
    all.push_back({std::move(name), std::move(run)});
  };
  static const index_t list[] = {3, 50, 7, 20};
  const std::span<const index_t> some(list);
  static const std::vector<index_t> from_the_end = [] {
    std::vector<index_t> result(60);
    std::iota(result.rbegin(), result.rend(), index_t{0});
    return result;
  }();
  static const std::span<const index_t> backwards(from_the_end);
  static const operator_description accumulate = binary_operator(1, t);
  const semiring_description semiring = *builtin_semiring("min_plus", t.code);
  for (const bool masked : {false, true}) {
    const auto vector_rules = [masked](const workbench& on) {
      output_options<vector_base> options;
      if (masked) options = {{&on.mask, false, true}, &accumulate, true, nullptr};
      return options;
    };
    const auto matrix_rules = [masked](const workbench& on) {
      output_options<matrix_base> options;
      if (masked) options = {{&on.b, true, false}, &accumulate, false, nullptr};
      return options;
    };
    const std::string suffix = masked ? ", masked" : "";
    for (const detail::kernel_info* row : where.state()->executor->kernels())
      for (const bool transposed : {false, true})
        add("multiply " + std::string(row->name) + (transposed ? " by A'" : "") + suffix,
            [=](workbench& on) {
              plan forced;
              forced.kernel = row->name;
              auto options = vector_rules(on);
              options.forced = &forced;
              multiply("mxv", on.w, semiring, {.matrix = on.a, .transposed = transposed}, on.u,
                       detail::factor_order::matrix_first, options);
            });
    add("multiply into its input" + suffix, [=](workbench& on) {
      multiply("mxv", on.w, semiring, {.matrix = on.a}, on.w, detail::factor_order::matrix_first,
               vector_rules(on));
    });
    for (const auto positions :
         {detail::ewise_positions::intersection, detail::ewise_positions::set_union}) {
      add("ewise" + suffix, [=](workbench& on) {
        ewise("ewise", on.w, positions, binary_operator(0, t), on.u, on.v, vector_rules(on));
      });
      add("ewise of matrices" + suffix, [=](workbench& on) {
        ewise("ewise", on.c, positions, binary_operator(0, t), on.a, on.b, matrix_rules(on));
      });
    }
    add("apply" + suffix,
        [=](workbench& on) { apply(on.w, function_of_entry(0, t), on.u, vector_rules(on)); });
    add("apply in place" + suffix,
        [=](workbench& on) { apply(on.w, function_of_entry(2, t), on.w, vector_rules(on)); });
    add("apply of a matrix" + suffix,
        [=](workbench& on) { apply(on.c, function_of_entry(2, t), on.a, matrix_rules(on)); });
    add("select" + suffix,
        [=](workbench& on) { select(on.w, predicate(0, t), on.u, vector_rules(on)); });
    add("select of a matrix" + suffix,
        [=](workbench& on) { select(on.c, predicate(1, t), on.a, matrix_rules(on)); });
    add("reduce rows" + suffix, [=](workbench& on) {
      reduce(on.w, some_monoid(0, t), {.matrix = on.a}, vector_rules(on));
    });
    add("reduce columns" + suffix, [=](workbench& on) {
      reduce(on.w, some_monoid(0, t), {.matrix = on.a, .transposed = true}, vector_rules(on));
    });
    add("assign a value" + suffix, [=](workbench& on) {
      const scalar_bytes zero{};
      assign(on.w, zero.data(), nullptr, vector_rules(on));
    });
    add("assign a value to a list" + suffix, [=](workbench& on) {
      const scalar_bytes zero{};
      assign(on.w, zero.data(), &some, vector_rules(on));
    });
    add("assign" + suffix, [=](workbench& on) { assign(on.w, on.u, nullptr, vector_rules(on)); });
    add("assign a value to a matrix" + suffix, [=](workbench& on) {
      const scalar_bytes zero{};
      assign(on.c, zero.data(), &some, &some, matrix_rules(on));
    });
    add("assign a matrix" + suffix,
        [=](workbench& on) { assign(on.c, on.a, nullptr, nullptr, matrix_rules(on)); });
    add("transpose" + suffix, [=](workbench& on) { transpose(on.c, on.a, matrix_rules(on)); });
    for (const bool transposed : {false, true}) {
      add("extract" + suffix, [=](workbench& on) {
        extract(on.c, {.matrix = on.a, .transposed = transposed}, &backwards, &backwards,
                matrix_rules(on));
      });
      add("extract a column" + suffix, [=](workbench& on) {
        extract(on.w, {.matrix = on.a, .transposed = transposed}, &backwards, 7, vector_rules(on));
      });
    }
    add("extract a vector" + suffix,
        [=](workbench& on) { extract(on.w, on.u, &backwards, vector_rules(on)); });
    add("extract a diagonal" + suffix,
        [=](workbench& on) { extract_diagonal(on.w, {.matrix = on.a}, 0, vector_rules(on)); });
    add("ewise_union" + suffix, [=](workbench& on) {
      const scalar_bytes zero{};
      ewise_union(on.w, binary_operator(0, t), on.u, zero.data(), on.v, zero.data(),
                  vector_rules(on));
    });
    add("ewise_union of matrices" + suffix, [=](workbench& on) {
      const scalar_bytes zero{};
      ewise_union(on.c, binary_operator(0, t), on.a, zero.data(), on.b, zero.data(),
                  matrix_rules(on));
    });
  }
  for (const detail::kernel_info* row : where.state()->executor->kernels())
    add("multiply few rows by " + std::string(row->name), [=](workbench& on) {
      plan forced;
      forced.kernel = row->name;
      output_options<vector_base> options;
      options.forced = &forced;
      multiply("mxv", on.tall, semiring, {.matrix = on.few_rows}, on.u,
               detail::factor_order::matrix_first, options);
    });
  add("kronecker", [=](workbench& on) {
    matrix_base product = detail::empty_matrix(on.a.context, t, 3600, 3600);
    kronecker(product, binary_operator(0, t), {.matrix = on.a},
              {.matrix = on.b, .transposed = true}, {});
  });
  add("concatenate and split", [=](workbench& on) {
    const matrix_base* const tiles[] = {&on.a, &on.b};
    split(detail::concatenate(std::span(tiles), 2), std::vector<index_t>{60},
          std::vector<index_t>{60, 60});
  });
  add("concatenate vectors", [=](workbench& on) {
    const vector_base* const parts[] = {&on.u, &on.v};
    detail::concatenate(std::span(parts));
  });
  add("a diagonal matrix", [=](workbench& on) { detail::diagonal_matrix(on.u, 3); });
  add("resize a matrix", [=](workbench& on) { resize(on.c, 50, 70); });
  add("resize a longer matrix", [=](workbench& on) { resize(on.c, 70, 50); });
  add("resize a vector", [=](workbench& on) { resize(on.w, 50); });
  add("resize a longer vector", [=](workbench& on) { resize(on.w, 70); });
  add("reduce", [=](workbench& on) {
    scalar_bytes sum;
    reduce(sum.data(), some_monoid(0, t), on.u);
  });
  add("reduce of a matrix", [=](workbench& on) {
    scalar_bytes sum;
    reduce(sum.data(), some_monoid(0, t), on.a);
  });
  return all;
}

class Faults : public OnContext {};

TEST_P(Faults, AFailedAllocationChangesNothing) {
  const context& where = this->where();
  const type_description& t = describe<std::int64_t>();
  // A quick run on PoCL fails every second allocation, from one that the seed selects.
  const bool is_sample = is_on_pocl(where) && is_quick_run();
  const long few = is_sample ? 2 : static_cast<long>(every_nth());
  int injected = 0;
  for (const vector_storage storage :
       {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
    // Thinned out: each step fails another allocation.
    long first = is_sample ? static_cast<long>(base_seed() % 2) : 0;
    for (const step& one : steps(where, t)) {
      workbench expected_bench(where, t, storage);
      const snapshot before(expected_bench);
      one.run(expected_bench);
      const snapshot expected(expected_bench);
      bool succeeded = false;
      for (long n = first++ % few; n < 500 && !succeeded; n += few) {
        workbench bench(where, t, storage);
        where.state()->account.fail_after(n);
        try {
          one.run(bench);
          succeeded = true;
        } catch (const out_of_memory&) {
          ++injected;
        } catch (const std::exception& e) {
          ADD_FAILURE() << one.name << ", allocation " << n << ": threw " << e.what();
        }
        where.state()->account.fail_after(-1);
        if (!succeeded) {
          ASSERT_EQ(before.difference_to(snapshot(bench)), "")
              << one.name << ", storage " << static_cast<int>(storage) << ": allocation " << n
              << " failed";
          one.run(bench);
        }
        ASSERT_EQ(expected.difference_to(snapshot(bench)), "")
            << one.name << ", storage " << static_cast<int>(storage) << ": after allocation " << n;
      }
      EXPECT_TRUE(succeeded) << one.name;
    }
  }
  RecordProperty("failures_injected", injected);
  EXPECT_GT(injected, 0);
}

TEST_P(Faults, TheLimitHoldsAndNothingLeaks) {
  const context& where = this->where();
  const std::size_t used = where.memory_used();
  {
    workbench bench(where, describe<std::int64_t>(), vector_storage::sparse);
    for (const step& one : steps(where, describe<std::int64_t>())) one.run(bench);
    EXPECT_GT(where.memory_used(), used);
  }
  // The remaining memory is workspace, kept for the next call: it does not grow.
  const std::size_t kept = where.memory_used();
  for (int n = 0; n < 3; ++n) {
    workbench bench(where, describe<std::int64_t>(), vector_storage::sparse);
    for (const step& one : steps(where, describe<std::int64_t>())) one.run(bench);
  }
  EXPECT_EQ(where.memory_used(), kept);
}

TROPIC_ON_EVERY_CONTEXT(Faults);

}  // namespace
}  // namespace tropic::testing
