// SPDX-License-Identifier: Apache-2.0

// Products and algorithms through the C ABI, compared with the C++ API.

#include <nlohmann/json.hpp>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/operators.hpp>

#include "backends/backend.hpp"
#include "containers/context_state.hpp"
#include "interop/c/handles.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using detail::matrix_base;
using detail::vector_base;

class CProducts : public OnContext {
 protected:
  owned<tropic_context> handle() { return handle_of(where()); }
  vector_base vector_of(const type_description& type, index_t size, double density,
                        vector_storage storage) {
    return make(where(), random_vector(type, size, density, flavour::small, random_), storage);
  }
  matrix_base matrix_of(const type_description& type, index_t rows, index_t columns) {
    return make(where(), random_matrix(type, rows, columns, 0.25, flavour::small, random_), false,
                false);
  }
  dice random_{7};
};

TEST_P(CProducts, EverySemiringByNameOverEveryType) {
  const owned<tropic_context> c = handle();
  int products = 0;
  for (const type_description& type : builtin_types) {
    // A device compiles each one; the object behind the name is the same.
    if (is_on_pocl(where()) && type.code != type_code::int64) continue;
    const matrix_base a = matrix_of(type, 13, 17);
    const vector_base u = vector_of(type, 17, 1, vector_storage::full);
    const vector_base v = vector_of(type, 13, 0.5, vector_storage::sparse);
    const auto a_handle = handle_of(c, a);
    const auto u_handle = handle_of(c, u), v_handle = handle_of(c, v);
    for (const std::string_view name : builtin_semiring_names()) {
      const auto described = builtin_semiring(name, type.code);
      if (!described) continue;
      const auto s = semiring(c, std::string(name).c_str(), type.code);
      tropic_type first{}, second{}, sum{};
      EXPECT_EQ(tropic_semiring_types(s.get(), &first, &second, &sum), TROPIC_OK);
      EXPECT_EQ(first, c_type(described->a()));
      EXPECT_EQ(second, c_type(described->x()));
      EXPECT_EQ(sum, c_type(described->z()));
      vector_base w = detail::empty_vector(where().state(), described->z(), 13);
      vector_base x = detail::empty_vector(where().state(), described->z(), 17);
      const auto w_handle = handle_of(c, w), x_handle = handle_of(c, x);
      detail::multiply("mxv", w, *described, {.matrix = a}, u, detail::factor_order::matrix_first,
                       {});
      detail::multiply("vxm", x, *described, {.matrix = a}, v, detail::factor_order::vector_first,
                       {});
      ASSERT_EQ(tropic_mxv(w_handle.get(), s.get(), a_handle.get(), u_handle.get(), nullptr),
                TROPIC_OK)
          << tropic_last_error(c.get());
      ASSERT_EQ(tropic_vxm(x_handle.get(), s.get(), v_handle.get(), a_handle.get(), nullptr),
                TROPIC_OK)
          << tropic_last_error(c.get());
      EXPECT_EQ(difference(read(w), read(w_handle->base)), "") << name << " " << type.name;
      EXPECT_EQ(difference(read(x), read(x_handle->base)), "") << name << " " << type.name;
      ++products;
    }
  }
  EXPECT_GE(products, is_on_pocl(where()) ? 20 : 200);
}

TEST_P(CProducts, MasksAccumulatorsReplaceTranspose) {
  const owned<tropic_context> c = handle();
  const type_description& type = describe<std::int64_t>();
  const semiring_description described = *builtin_semiring("plus_times", type.code);
  const auto s = semiring(c, "plus_times", type.code);
  const operator_description plus_int64 =
      describe_operator<std::int64_t, std::int64_t, std::int64_t>(plus{});
  // mask (none, value, structure, their complements), accumulator, replace, transpose, vxm
  for (const levels& at : every_pair({5, 2, 2, 2, 2})) {
    SCOPED_TRACE(::testing::PrintToString(at));
    const bool transposed = at[3] != 0, vector_first = at[4] != 0;
    const bool by_rows = transposed == vector_first;
    const index_t size = by_rows ? 13 : 17, other = by_rows ? 17 : 13;
    const matrix_base a = matrix_of(type, 13, 17);
    const vector_base u = vector_of(type, other, 0.6, vector_storage::bitmap);
    const vector_base mask = vector_of(describe<bool>(), size, 0.6, vector_storage::sparse);
    vector_base w = vector_of(type, size, 0.5, vector_storage::sparse);
    const auto a_handle = handle_of(c, a);
    const auto u_handle = handle_of(c, u), mask_handle = handle_of(c, mask);
    const auto w_handle = handle_of(c, w);
    detail::output_options<vector_base> rule;
    tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
    if (at[0] > 0) {
      options.mask = mask_handle.get();
      options.structure = (at[0] - 1) & 1;
      options.complement = (at[0] - 1) >> 1;
      rule.mask = {&mask, options.structure != 0, options.complement != 0};
    }
    if (at[1] > 0) {
      options.accumulate = "plus";
      rule.accumulator = &plus_int64;
    }
    rule.replace = at[2] != 0;
    options.replace = at[2];
    options.transpose = at[3];
    detail::multiply(
        vector_first ? "vxm" : "mxv", w, described, {.matrix = a, .transposed = transposed}, u,
        vector_first ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
        rule);
    const tropic_status status =
        vector_first
            ? tropic_vxm(w_handle.get(), s.get(), u_handle.get(), a_handle.get(), &options)
            : tropic_mxv(w_handle.get(), s.get(), a_handle.get(), u_handle.get(), &options);
    ASSERT_EQ(status, TROPIC_OK) << tropic_last_error(nullptr);
    EXPECT_EQ(difference(read(w), read(w_handle->base)), "");
  }
}

TEST_P(CProducts, ProductsOfMatrices) {
  const owned<tropic_context> c = handle();
  const type_description& type = describe<std::int64_t>();
  const semiring_description described = *builtin_semiring("plus_times", type.code);
  const auto s = semiring(c, "plus_times", type.code);
  const operator_description plus_int64 =
      describe_operator<std::int64_t, std::int64_t, std::int64_t>(plus{});
  // mask (none, value, structure, their complements), accumulator, replace, A', B'
  for (const levels& at : every_pair({5, 2, 2, 2, 2})) {
    SCOPED_TRACE(::testing::PrintToString(at));
    const bool a_transposed = at[3] != 0, b_transposed = at[4] != 0;
    const matrix_base a = a_transposed ? matrix_of(type, 9, 13) : matrix_of(type, 13, 9);
    const matrix_base b = b_transposed ? matrix_of(type, 11, 9) : matrix_of(type, 9, 11);
    const matrix_base mask = matrix_of(describe<bool>(), 13, 11);
    matrix_base result = matrix_of(type, 13, 11);
    const auto a_handle = handle_of(c, a), b_handle = handle_of(c, b);
    const auto mask_handle = handle_of(c, mask), result_handle = handle_of(c, result);
    detail::output_options<matrix_base> rule;
    tropic_mxm_options options = TROPIC_MXM_OPTIONS_INIT;
    options.transpose_a = at[3];
    options.transpose_b = at[4];
    if (at[0] > 0) {
      options.mask = mask_handle.get();
      options.structure = (at[0] - 1) & 1;
      options.complement = (at[0] - 1) >> 1;
      rule.mask = {&mask, options.structure != 0, options.complement != 0};
    }
    const detail::matrix_factor left{.matrix = a, .transposed = a_transposed};
    const detail::matrix_factor right{.matrix = b, .transposed = b_transposed};
    std::int64_t expected = -1, sum = -2;
    const bool any =
        detail::reduce_mxm(&expected, described.add, described, left, right, rule.mask);
    int found = -1;
    ASSERT_EQ(tropic_reduce_mxm(&sum, &found, s.get(), a_handle.get(), b_handle.get(), &options),
              TROPIC_OK)
        << tropic_last_error(nullptr);
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(found, any ? 1 : 0);
    if (at[1] > 0) {
      options.accumulate = "plus";
      rule.accumulator = &plus_int64;
    }
    rule.replace = at[2] != 0;
    options.replace = at[2];
    detail::mxm(result, described, left, right, rule);
    ASSERT_EQ(tropic_mxm(result_handle.get(), s.get(), a_handle.get(), b_handle.get(), &options),
              TROPIC_OK)
        << tropic_last_error(nullptr);
    EXPECT_EQ(difference(read(result), read(result_handle->base())), "");
  }
  const auto a_handle = handle_of(c, matrix_of(type, 3, 4));
  EXPECT_EQ(tropic_mxm(a_handle.get(), s.get(), a_handle.get(), a_handle.get(), nullptr),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()), "mxm: A is 3x4, B is 3x4, needs 4 rows");
  EXPECT_EQ(tropic_mxm(nullptr, s.get(), a_handle.get(), a_handle.get(), nullptr), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()), "tropic_mxm: c is NULL");
  tropic_mxm_options options = TROPIC_MXM_OPTIONS_INIT;
  options.complement = 1;
  EXPECT_EQ(tropic_mxm(a_handle.get(), s.get(), a_handle.get(), a_handle.get(), &options),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()),
               "tropic_mxm: options->complement needs a mask, and options->mask is NULL");
}

TEST_P(CProducts, OfMatricesRunTheKernelThatIsNamed) {
  const owned<tropic_context> c = handle();
  const type_description& type = describe<std::int64_t>();
  const auto s = semiring(c, "plus_times", type.code);
  const auto a = handle_of(c, matrix_of(type, 13, 13)),
             mask = handle_of(c, matrix_of(type, 13, 13));
  const auto expected = handle_of(c, matrix_of(type, 13, 13)),
             found = handle_of(c, matrix_of(type, 13, 13));
  tropic_mxm_options options = TROPIC_MXM_OPTIONS_INIT;
  options.mask = mask.get();
  options.structure = options.replace = 1;
  options.size = offsetof(tropic_mxm_options, kernel);  // of an earlier version
  options.kernel = "nosuch";
  ASSERT_EQ(tropic_mxm(expected.get(), s.get(), a.get(), a.get(), &options), TROPIC_OK);
  options.size = sizeof options;
  for (const detail::kernel_info* kernel : where().state()->executor->mxm_kernels()) {
    options.kernel = kernel->name.data();
    ASSERT_EQ(tropic_mxm(found.get(), s.get(), a.get(), a.get(), &options), TROPIC_OK)
        << tropic_last_error(nullptr);
    EXPECT_EQ(difference(read(expected->base()), read(found->base())), "") << kernel->name;
  }
  const auto refusal = [&](const char* kernel) {
    options.kernel = kernel;
    EXPECT_EQ(tropic_mxm(found.get(), s.get(), a.get(), a.get(), &options), TROPIC_USAGE);
    return std::string(tropic_last_error(c.get()));
  };
  EXPECT_NE(refusal("nosuch").find("mxm: no kernel 'nosuch', expected one of "), std::string::npos);
  EXPECT_EQ(refusal(""), "tropic_mxm: options->kernel is empty; NULL lets the library choose");
  options.replace = 0;
  std::int64_t sum = 0;
  EXPECT_EQ(tropic_reduce_mxm(&sum, nullptr, s.get(), a.get(), a.get(), &options), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()),
               "tropic_reduce_mxm: options->kernel is given, which only tropic_mxm takes");
  EXPECT_EQ(tropic_kronecker(found.get(), "times", a.get(), a.get(), &options), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()),
               "tropic_kronecker: options->kernel is given, which only tropic_mxm takes");
}

template <class Op>
operator_description over(type_code code) {
  return with_builtin_type(code, []<class T>() { return describe_operator<T, T, T>(Op{}); });
}

TEST_P(CProducts, EveryAccumulatorOverEveryType) {
  if (is_on_pocl(where())) GTEST_SKIP() << "the operators are those of the other contexts";
  const owned<tropic_context> c = handle();
  const std::pair<const char*, operator_description (*)(type_code)> all[] = {
      {"plus", over<plus>},
      {"minus", over<minus>},
      {"times", over<times>},
      {"divide", over<divide>},
      {"minimum", over<minimum>},
      {"maximum", over<maximum>},
      {"first", over<first>},
      {"second", over<second>},
      {"any", over<any>},
      {"logical_or", over<logical_or>},
      {"logical_and", over<logical_and>},
      {"logical_xor", over<logical_xor>}};
  for (const type_description& type : builtin_types) {
    const bool is_bool = type.code == type_code::boolean;
    const char* name = is_bool ? "or_and" : "plus_times";
    const semiring_description described = *builtin_semiring(name, type.code);
    const auto s = semiring(c, name, type.code);
    const matrix_base a = matrix_of(type, 13, 17);
    const vector_base u = vector_of(type, 17, 0.6, vector_storage::bitmap);
    const auto a_handle = handle_of(c, a);
    const auto u_handle = handle_of(c, u);
    for (const auto& [text, make_operator] : all) {
      const operator_description op = make_operator(type.code);
      vector_base w = vector_of(type, 13, 0.5, vector_storage::sparse);
      const auto w_handle = handle_of(c, w);
      detail::output_options<vector_base> rule;
      rule.accumulator = &op;
      detail::multiply("mxv", w, described, {.matrix = a}, u, detail::factor_order::matrix_first,
                       rule);
      tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
      options.accumulate = text;
      ASSERT_EQ(tropic_mxv(w_handle.get(), s.get(), a_handle.get(), u_handle.get(), &options),
                TROPIC_OK)
          << tropic_last_error(nullptr);
      EXPECT_EQ(difference(read(w), read(w_handle->base)), "") << text << " " << type.name;
    }
  }
}

/// The same number of type T.
template <class T>
scalar_bytes as(const scalar_bytes& value, type_code from) {
  return with_builtin_type(from, [&]<class From>() {
    return scalar_bytes::of(static_cast<T>(value.template as<From>()));
  });
}

TEST_P(CProducts, AlgorithmsOverEveryType) {
  const owned<tropic_context> c = handle();
  const host_matrix weights =
      random_matrix(describe<std::int8_t>(), 40, 40, 0.08, flavour::small, random_);
  for (const type_description& type : builtin_types) {
    if (is_on_pocl(where()) && type.code != type_code::uint16 && type.code != type_code::fp32)
      continue;
    // The same small weights in every type.
    host_matrix data{&type, 40, 40, {}};
    for (const auto& [at, value] : weights.entries) {
      const int weight = value.as<std::int8_t>() & 7;
      data.entries[at] = with_builtin_type(
          type.code, [&]<class T>() { return scalar_bytes::of(static_cast<T>(weight)); });
    }
    const auto graph = handle_of(c, make(where(), data, false, false));
    host_matrix pattern = data;
    pattern.type = &describe<bool>();
    for (auto& [at, value] : pattern.entries) value = scalar_bytes::of(true);
    const matrix<bool> edges(make(where(), pattern, false, false));

    tropic_vector *first = nullptr, *second = nullptr;
    ASSERT_EQ(tropic_bfs(graph.get(), 3, &first, &second), TROPIC_OK) << tropic_last_error(nullptr);
    const owned<tropic_vector> level(first), parent(second);
    const bfs_result search = bfs(edges, 3);
    EXPECT_EQ(difference(read(search.level.base()), read(level->base)), "") << type.name;
    EXPECT_EQ(difference(read(search.parent.base()), read(parent->base)), "") << type.name;

    ASSERT_EQ(tropic_sssp(graph.get(), 3, nullptr, &first, &second), TROPIC_OK)
        << tropic_last_error(nullptr);
    const owned<tropic_vector> distance(first), before(second);
    const bool stays = type.code == type_code::uint64 || is_floating(type.code);
    const type_code expected = stays ? type.code : type_code::int64;
    EXPECT_EQ(distance->base.type->code, expected);
    with_builtin_type(expected, [&]<class T>() {
      if constexpr (!std::is_same_v<T, bool>) {
        host_matrix lengths{&describe<T>(), 40, 40, {}};
        for (const auto& [at, value] : data.entries) lengths.entries[at] = as<T>(value, type.code);
        const auto paths = sssp(matrix<T>(make(where(), lengths, false, false)), 3);
        EXPECT_EQ(difference(read(paths.distance.base()), read(distance->base)), "") << type.name;
        EXPECT_EQ(difference(read(paths.parent.base()), read(before->base)), "") << type.name;
      }
    });

    for (const int weighted : {0, 1}) {
      tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
      options.weighted = weighted;
      index_t iterations = 0;
      double change = 0;
      ASSERT_EQ(tropic_pagerank(graph.get(), &options, &first, &iterations, &change), TROPIC_OK)
          << tropic_last_error(nullptr);
      const owned<tropic_vector> rank(first);
      host_matrix shares{&describe<double>(), 40, 40, {}};
      for (const auto& [at, value] : data.entries)
        shares.entries[at] = as<double>(value, type.code);
      const pagerank_result ranks =
          weighted != 0 ? pagerank(matrix<double>(make(where(), shares, false, false)),
                                   pagerank_options{.weighted = true})
                        : pagerank(edges);
      EXPECT_EQ(iterations, ranks.iterations);
      EXPECT_EQ(change, ranks.change);
      EXPECT_EQ(difference(read(ranks.rank.base()), read(rank->base)), "") << type.name;
    }
  }
}

TEST_P(CProducts, PlansAreTheSameJsonAsTheLibrarysPlans) {
  const owned<tropic_context> c = handle();
  const matrix<float> a(make(where(),
                             random_matrix(describe<float>(), 60, 50, 0.2, flavour::small, random_),
                             false, false));
  const vector<float> u(where(), 50, 1.0F);
  const auto a_handle = handle_of(c, a.base());
  const auto u_handle = handle_of(c, u.base());
  const auto s = semiring(c, "min_plus", type_code::fp32);
  char* text = nullptr;
  // Fewer calls than justify an inspection, so that no device is measured.
  ASSERT_EQ(tropic_explain(s.get(), a_handle.get(), u_handle.get(), 7, &text), TROPIC_OK);
  const owned<char> json(text);
  const auto parsed = nlohmann::json::parse(text);
  const plan expected = inspect(min_plus<float>{}, a, u, 7);
  EXPECT_EQ(parsed["device"], where().name());
  EXPECT_EQ(parsed["calls"], 7);
  EXPECT_EQ(parsed["choice"]["kernel"], expected.kernel);
  EXPECT_EQ(parsed["choice"]["reason"], expected.reason);
  EXPECT_FALSE(parsed.contains("features"));
}

TROPIC_ON_EVERY_CONTEXT(CProducts);

TEST(CProducts, AnInspectedPlanListsItsCandidates) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const auto a = made_by<tropic_matrix>([&](tropic_matrix** result) {
    tropic_read_options options = TROPIC_READ_OPTIONS_INIT;
    options.convert = 1;
    options.type = TROPIC_FP32;
    return tropic_matrix_read(c.get(), "kron:8", &options, result);
  });
  const vector<float> ones(*c->of->where, a->base().columns, 1.0F);
  const auto u = handle_of(c, ones.base());
  const auto s = semiring(c, "plus_times", type_code::fp32);
  char* text = nullptr;
  ASSERT_EQ(tropic_explain(s.get(), a.get(), u.get(), 1000, &text), TROPIC_OK)
      << tropic_last_error(nullptr);
  const owned<char> json(text);
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed["features"]["rows"], 256);
  EXPECT_EQ(parsed["features"]["nnz"], a->base().nnz);
  ASSERT_GE(parsed["candidates"].size(), 2u);
  EXPECT_EQ(parsed["candidates"][0]["kernel"], parsed["choice"]["kernel"]);
  const double seconds_per_call = parsed["candidates"][0]["predicted"]["call"];
  EXPECT_GT(seconds_per_call, 0);
}

TEST(CProducts, WeightsThatDistancesDoNotHoldAreRefused) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const std::int32_t zero = 0;
  const std::uint64_t weight = std::uint64_t{1} << 63;
  tropic_coo coo = TROPIC_COO_INIT;
  coo.rows = coo.columns = coo.count = 1;
  coo.row_indices = coo.column_indices = &zero;
  coo.type = TROPIC_UINT64;
  coo.values = &weight;
  const auto graph = made_by<tropic_matrix>(
      [&](tropic_matrix** result) { return tropic_matrix_from_coo(c.get(), &coo, result); });
  EXPECT_EQ(tropic_sssp(graph.get(), 0, nullptr, nullptr, nullptr), TROPIC_OK);  // uint64
  tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
  options.choose_type = 1;
  options.type = TROPIC_INT64;
  EXPECT_EQ(tropic_sssp(graph.get(), 0, &options, nullptr, nullptr), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(c.get()),
               "sssp: a weight is 9223372036854775808, distances are int64");
}

}  // namespace
}  // namespace tropic::testing
