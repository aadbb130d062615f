// SPDX-License-Identifier: Apache-2.0

// Failures of the C ABI: every allocation fails once; contexts that differ. Nothing is leaked, and
// the same call succeeds afterwards.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <tropic/vector.hpp>

#include "containers/context_state.hpp"
#include "containers/memory/build_memory.hpp"
#include "interop/c/handles.hpp"
#include "interop/failing_new.hpp"
#include "support/compare.hpp"

namespace tropic::testing {
namespace {

/// Runs `call` with the first, second, ... allocation failing, of operator new and then of the
/// context, until no allocation is left to fail; `prepare` runs before every call, `intact` checks
/// what must not have changed. Returns the number of failures that the call reported.
int with_every_allocation_failing(const owned<tropic_context>& c,
                                  const std::function<tropic_status()>& call,
                                  const std::function<void()>& intact = {},
                                  const std::function<void()>& prepare = {}) {
  int reported = 0;
  for (const bool in_context : {false, true})
    for (long n = 0; n < 20000; ++n) {
      SCOPED_TRACE((in_context ? "the context's allocation " : "allocation ") + std::to_string(n));
      if (prepare) prepare();
      if (in_context)
        c->of->state()->account.fail_after(n);
      else
        allocations::fail_new_after(n);
      const tropic_status status = call();
      const bool failed = in_context ? status != TROPIC_OK : allocations::new_has_failed();
      allocations::fail_new_after(-1);
      c->of->state()->account.fail_after(-1);
      if (status != TROPIC_OK) {
        EXPECT_EQ(status, TROPIC_OUT_OF_MEMORY) << tropic_last_error(nullptr);
        ++reported;
        if (intact) intact();
        if (prepare) prepare();
        EXPECT_EQ(call(), TROPIC_OK) << tropic_last_error(nullptr);
      }
      if (::testing::Test::HasFailure()) return reported;
      if (status == TROPIC_OK && !failed) break;
    }
  return reported;
}

class CFaults : public ::testing::Test {
 protected:
  const owned<tropic_context> c = handle_of(context::cpu({.threads = 1}));
  dice random{3};
  host_matrix data = random_matrix(describe<double>(), 30, 30, 0.15, flavour::small, random);

  owned<tropic_matrix> a() { return handle_of(c, make(*c->of->where, data, false, false)); }
  owned<tropic_vector> vector_of(double density) {
    return handle_of(c, make(*c->of->where,
                             random_vector(describe<double>(), 30, density, flavour::small, random),
                             vector_storage::sparse));
  }
  /// A call that creates a handle: NULL on failure.
  template <class Handle>
  int makes(const std::function<tropic_status(Handle**)>& make_one) {
    return with_every_allocation_failing(c, [&] {
      auto* result = reinterpret_cast<Handle*>(this);
      const tropic_status status = make_one(&result);
      EXPECT_EQ(result == nullptr, status != TROPIC_OK);
      const owned<Handle> freed(status == TROPIC_OK ? result : nullptr);
      return status;
    });
  }
};

TEST_F(CFaults, FailedContextsAreNull) {
  const int reported = makes<tropic_context>(
      [](tropic_context** result) { return tropic_context_new("cpu", nullptr, result); });
  EXPECT_GE(reported, 5);
}

TEST_F(CFaults, FailedMatricesAreNull) {
  const std::int32_t offsets[] = {0, 2, 3}, columns[] = {0, 1, 1};
  const std::int32_t rows[] = {0, 0, 1}, unsorted[] = {1, 0, 1};
  const double values[] = {1, 2, 3};
  int released = 0, made_of_borrowed = 0;
  tropic_csr csr = TROPIC_CSR_INIT;
  csr.rows = csr.columns = 2;
  csr.offsets = offsets;
  csr.column_indices = columns;
  csr.values = values;
  EXPECT_GE(makes<tropic_matrix>([&](tropic_matrix** result) {
              return tropic_matrix_from_csr(c.get(), &csr, result);
            }),
            5);
  csr.flags = TROPIC_BORROW;
  csr.release = [](void* count) { ++*static_cast<int*>(count); };
  csr.data = &released;
  EXPECT_GE(makes<tropic_matrix>([&](tropic_matrix** result) {
              const tropic_status status = tropic_matrix_from_csr(c.get(), &csr, result);
              made_of_borrowed += status == TROPIC_OK;
              return status;
            }),
            3);
  EXPECT_EQ(released, made_of_borrowed);
  tropic_coo coo = TROPIC_COO_INIT;
  coo.rows = coo.columns = 2;
  coo.count = 3;
  coo.row_indices = rows;
  coo.column_indices = unsorted;
  coo.values = values;
  EXPECT_GE(makes<tropic_matrix>([&](tropic_matrix** result) {
              return tropic_matrix_from_coo(c.get(), &coo, result);
            }),
            10);
  EXPECT_GE(makes<tropic_matrix>([&](tropic_matrix** result) {
              return tropic_matrix_read(c.get(), "grid:3", nullptr, result);
            }),
            10);
  const auto file = std::filesystem::temp_directory_path() /
                    ("tropic_c_faults_" + std::to_string(::getpid()) + ".mtx");
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 1 2\n";
  EXPECT_GE(makes<tropic_matrix>([&](tropic_matrix** result) {
              return tropic_matrix_read(c.get(), file.c_str(), nullptr, result);
            }),
            10);
  std::filesystem::remove(file);
}

// Without a memory limit too: what fails is an array that the construction holds in between.
TEST_F(CFaults, FailedConstructionsStateTheBytes) {
  const std::int32_t rows[] = {1, 0, 1}, columns[] = {1, 0, 0};
  const double values[] = {1, 2, 3};
  tropic_coo coo = TROPIC_COO_INIT;
  coo.rows = coo.columns = 2;
  coo.count = 3;
  coo.row_indices = rows;
  coo.column_indices = columns;
  coo.values = values;
  const std::string expected = "from_entries: matrix: 2x2 with 3 entries: " +
                               std::to_string(detail::bytes_to_build(2, 3, sizeof(double))) +
                               " bytes required, ";
  int stated = 0;
  for (long n = 0;; ++n) {
    allocations::fail_new_after(n);
    tropic_matrix* result = nullptr;
    const tropic_status status = tropic_matrix_from_coo(c.get(), &coo, &result);
    const bool failed = allocations::new_has_failed();
    allocations::fail_new_after(-1);
    const owned<tropic_matrix> freed(result);
    if (!failed) break;
    if (status != TROPIC_OK)
      stated += std::string(tropic_last_error(nullptr)).starts_with(expected);
  }
  EXPECT_GE(stated, 5);
}

TEST_F(CFaults, FailedVectorsAndSemiringsAreNull) {
  const index_t indices[] = {3, 1};
  const double values[] = {1, 2};
  EXPECT_GE(makes<tropic_vector>([&](tropic_vector** result) {
              return tropic_vector_new(c.get(), TROPIC_FP64, 5, result);
            }),
            1);
  EXPECT_GE(makes<tropic_vector>([&](tropic_vector** result) {
              return tropic_vector_from_dense(c.get(), TROPIC_FP64, 2, values, result);
            }),
            2);
  EXPECT_GE(makes<tropic_vector>([&](tropic_vector** result) {
              return tropic_vector_from_pairs(c.get(), TROPIC_FP64, 5, 2, indices, values,
                                              TROPIC_DUPLICATES_ERROR, result);
            }),
            4);
  EXPECT_GE(makes<tropic_semiring>([&](tropic_semiring** result) {
              return tropic_semiring_named(c.get(), "min_plus", TROPIC_FP64, result);
            }),
            1);
  EXPECT_GE(makes<tropic_semiring>([&](tropic_semiring** result) {
              return tropic_semiring_from_text(c.get(), "x + y", "0", "x * y", TROPIC_FP64, result);
            }),
            5);
}

TEST_F(CFaults, VectorsStayAsTheyWere) {
  const host_vector before = random_vector(describe<double>(), 30, 0.4, flavour::small, random);
  for (const auto storage : {vector_storage::sparse, vector_storage::bitmap}) {
    const auto held = handle_of(c, make(*c->of->where, before, storage));
    const double value = 4;
    owned<tropic_vector> v;
    with_every_allocation_failing(
        c, [&] { return tropic_vector_set(v.get(), 7, TROPIC_FP64, &value); },
        [&] { EXPECT_EQ(difference(before, read(v->base)), ""); },
        [&] {
          v = made_by<tropic_vector>(
              [&](tropic_vector** result) { return tropic_vector_copy(held.get(), result); });
        });
    index_t count = 0, indices[30];
    double values[30];
    with_every_allocation_failing(
        c,
        [&] {
          return tropic_vector_export_pairs(held.get(), TROPIC_FP64, 30, indices, values, &count);
        },
        [&] { EXPECT_EQ(difference(before, read(held->base)), ""); });
  }
}

TEST_F(CFaults, ProductsLeaveTheirOutputAsItWas) {
  const auto mask = vector_of(0.5);
  const auto named = semiring(c, "plus_times", type_code::fp64);
  const auto text = made_by<tropic_semiring>([&](tropic_semiring** result) {
    return tropic_semiring_from_text(c.get(), "x + y", "0", "x * y", TROPIC_FP64, result);
  });
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  options.mask = mask.get();
  options.replace = 1;
  const host_vector before = random_vector(describe<double>(), 30, 0.4, flavour::small, random);
  const auto w = handle_of(c, make(*c->of->where, before, vector_storage::sparse));
  const detail::vector_base kept = w->base;
  owned<tropic_matrix> m;
  for (const double density : {0.05, 0.6, 1.0})  // pushed, and pulled
    for (const auto* semiring : {named.get(), text.get()})
      for (const char* accumulate : {"plus", "x - y"})
        for (const int transpose : {0, 1}) {
          const auto u = vector_of(density);
          options.accumulate = accumulate;
          options.transpose = transpose;
          options.expected_calls = 100;  // a transpose is built
          const int reported = with_every_allocation_failing(
              c, [&] { return tropic_mxv(w.get(), semiring, m.get(), u.get(), &options); },
              [&] {
                EXPECT_EQ(difference(before, read(w->base)), "");
                EXPECT_EQ(difference(data, read(m->base())), "");
              },
              [&] {
                m = a();
                w->base = kept;
              });
          EXPECT_GE(reported, 10);
        }
}

TEST_F(CFaults, AlgorithmsGiveAllOrNothing) {
  for (auto& [at, value] : data.entries)
    value = scalar_bytes::of(1.0 + static_cast<double>(at.first));
  const auto graph = a();
  const auto all_or_nothing = [&](auto algorithm) {
    return with_every_allocation_failing(c, [&] {
      auto* first = reinterpret_cast<tropic_vector*>(this);
      tropic_vector* second = first;
      graph->pattern.reset();
      const tropic_status status = algorithm(&first, &second);
      EXPECT_EQ(first == nullptr, status != TROPIC_OK);
      EXPECT_EQ(second == nullptr, status != TROPIC_OK);
      if (status == TROPIC_OK) {
        tropic_vector_free(first);
        tropic_vector_free(second);
      }
      return status;
    });
  };
  EXPECT_GE(all_or_nothing([&](tropic_vector** first, tropic_vector** second) {
              return tropic_bfs(graph.get(), 0, first, second);
            }),
            10);
  EXPECT_GE(all_or_nothing([&](tropic_vector** first, tropic_vector** second) {
              return tropic_sssp(graph.get(), 0, nullptr, first, second);
            }),
            10);
  EXPECT_GE(makes<tropic_vector>([&](tropic_vector** result) {
              tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
              options.iterations = 2;
              options.weighted = 1;
              return tropic_pagerank(graph.get(), &options, result, nullptr, nullptr);
            }),
            10);
}

TEST_F(CFaults, FailedJsonIsNull) {
  const auto m = a();
  const auto u = vector_of(1.0);
  const auto s = semiring(c, "plus_times", type_code::fp64);
  EXPECT_GE(makes<char>([&](char** result) { return tropic_context_kernels(c.get(), result); }), 1);
  EXPECT_GE(makes<char>([&](char** result) {
              return tropic_explain(s.get(), m.get(), u.get(), 1, result);
            }),
            10);
}

TEST_F(CFaults, InspectionsLeaveTheMatrixAsItWas) {
  const auto u = handle_of(c, vector<double>(*c->of->where, 30, 1.0).base());
  const auto s = semiring(c, "plus_times", type_code::fp64);
  owned<tropic_matrix> m = a();
  char* text = nullptr;  // measures the processor now, not while allocations fail
  ASSERT_EQ(tropic_explain(s.get(), m.get(), u.get(), 1000, &text), TROPIC_OK);
  tropic_string_free(text);
  const int reported = with_every_allocation_failing(
      c,
      [&] {
        char* json = nullptr;
        const tropic_status status = tropic_explain(s.get(), m.get(), u.get(), 1000, &json);
        EXPECT_EQ(json == nullptr, status != TROPIC_OK);
        tropic_string_free(json);
        return status;
      },
      [&] { EXPECT_EQ(difference(data, read(m->base())), ""); }, [&] { m = a(); });
  EXPECT_GE(reported, 20);
}

TEST_F(CFaults, ContextsAreNotMixed) {
  const owned<tropic_context> other = handle_of(context::cpu());
  const auto m = a();
  const auto u = vector_of(0.6), w = vector_of(0.6);
  const auto foreign =
      handle_of(other, detail::empty_vector(other->of->state(), describe<double>(), 30));
  const auto s = semiring(c, "plus_times", type_code::fp64);
  EXPECT_EQ(tropic_mxv(w.get(), s.get(), m.get(), foreign.get(), nullptr), TROPIC_USAGE);
  EXPECT_EQ(tropic_mxv(foreign.get(), s.get(), m.get(), u.get(), nullptr), TROPIC_USAGE);
  EXPECT_NE(std::string(tropic_last_error(other.get())), "");
}

TEST_F(CFaults, LongMessagesAreCutBetweenCharacters) {
  std::string name;
  for (int n = 0; n < 2000; ++n) name += "\u00e4";
  tropic_semiring* result = nullptr;
  EXPECT_EQ(tropic_semiring_named(c.get(), name.c_str(), TROPIC_FP64, &result), TROPIC_USAGE);
  const std::string message = tropic_last_error(c.get());
  EXPECT_GE(message.size(), 2040u);
  EXPECT_LT(message.size(), 2048u);
  EXPECT_EQ(message.substr(message.size() - 2), "\u00e4");
}

}  // namespace
}  // namespace tropic::testing
