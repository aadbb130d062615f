// SPDX-License-Identifier: Apache-2.0

// Full matrices of the C ABI: making, reading, refused arguments, borrowed arrays, and products
// compared with the C++ API.

#include <tropic/detail/full.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/operators.hpp>

#include "interop/c/handles.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class CFull : public OnContext {
 protected:
  void SetUp() override {
    OnContext::SetUp();
    if (!IsSkipped()) c = handle_of(where());
  }
  owned<tropic_full> full(index_t rows, index_t columns, const double* values,
                          const unsigned char* present = nullptr, index_t leading = 0) {
    tropic_full_arrays arrays = TROPIC_FULL_ARRAYS_INIT;
    arrays.rows = rows;
    arrays.columns = columns;
    arrays.values = values;
    arrays.present = present;
    arrays.leading = leading;
    return made_by<tropic_full>(
        [&](tropic_full** result) { return tropic_full_from_arrays(c.get(), &arrays, result); });
  }
  std::vector<double> exported(const owned<tropic_full>& f) {
    std::vector<double> values(100, 77);
    const double missing = -1;
    EXPECT_EQ(tropic_full_export(f.get(), TROPIC_FP64, &missing, 100, values.data()), TROPIC_OK)
        << tropic_last_error(nullptr);
    int64_t rows = 0, columns = 0;
    EXPECT_EQ(tropic_full_shape(f.get(), &rows, &columns, nullptr), TROPIC_OK);
    values.resize(static_cast<std::size_t>(rows * columns));
    return values;
  }
  std::string refused(const tropic_full_arrays& arrays) {
    tropic_full* result = nullptr;
    EXPECT_EQ(tropic_full_from_arrays(c.get(), &arrays, &result), TROPIC_USAGE);
    EXPECT_EQ(result, nullptr);
    return tropic_last_error(nullptr);
  }
  owned<tropic_context> c;
};

constexpr double six[] = {1, 2, 3, 4, 5, 6};

TEST_P(CFull, HoldsWhatWasGiven) {
  const auto f = full(2, 3, six);
  int64_t nvals = 0;
  EXPECT_EQ(tropic_full_shape(f.get(), nullptr, nullptr, &nvals), TROPIC_OK);
  EXPECT_EQ(nvals, 6);
  EXPECT_EQ(exported(f), std::vector<double>(six, six + 6));
  EXPECT_EQ(exported(full(2, 2, six, nullptr, 3)), (std::vector<double>{1, 2, 4, 5}));
  const unsigned char present[] = {1, 0, 0, 1, 1, 0};
  const auto gaps = full(3, 2, six, present);
  EXPECT_EQ(exported(gaps), (std::vector<double>{1, -1, -1, 4, 5, -1}));
  double value = 9;
  EXPECT_EQ(tropic_full_set(gaps.get(), 2, 1, TROPIC_FP64, &value), TROPIC_OK);
  EXPECT_EQ(tropic_full_remove(gaps.get(), 0, 0), TROPIC_OK);
  EXPECT_EQ(exported(gaps), (std::vector<double>{-1, -1, -1, 4, 5, 9}));
  int found = -1;
  EXPECT_EQ(tropic_full_get(gaps.get(), 0, 0, TROPIC_FP64, &value, &found), TROPIC_OK);
  EXPECT_EQ(found, 0);
  EXPECT_EQ(tropic_full_get(gaps.get(), 1, 1, TROPIC_FP64, &value, &found), TROPIC_OK);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(value, 4);
  tropic_type type = TROPIC_BOOL;
  EXPECT_EQ(tropic_full_type(gaps.get(), &type), TROPIC_OK);
  EXPECT_EQ(type, TROPIC_FP64);
  EXPECT_EQ(tropic_full_export(gaps.get(), TROPIC_FP64, nullptr, 6, &value), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr),
               "tropic_full_export: 3 of 6 positions have no entry, and missing is NULL");
}

TEST_P(CFull, ExchangesColumnsAndMatrices) {
  const auto f = full(2, 3, six);
  const auto column = made_by<tropic_vector>(
      [&](tropic_vector** result) { return tropic_full_column(f.get(), 2, result); });
  double value = 0;
  int found = 0;
  EXPECT_EQ(tropic_vector_get(column.get(), 1, TROPIC_FP64, &value, &found), TROPIC_OK);
  EXPECT_EQ(value, 6);
  EXPECT_EQ(tropic_full_set_column(f.get(), 0, column.get()), TROPIC_OK);
  EXPECT_EQ(exported(f), (std::vector<double>{3, 2, 3, 6, 5, 6}));
  const auto sparse = made_by<tropic_matrix>(
      [&](tropic_matrix** result) { return tropic_full_to_matrix(f.get(), result); });
  const auto back = made_by<tropic_full>(
      [&](tropic_full** result) { return tropic_full_from_matrix(sparse.get(), result); });
  const auto copy = made_by<tropic_full>(
      [&](tropic_full** result) { return tropic_full_copy(back.get(), result); });
  EXPECT_EQ(exported(copy), exported(f));
  const auto none = made_by<tropic_full>(
      [&](tropic_full** result) { return tropic_full_new(c.get(), TROPIC_FP64, 1, 2, result); });
  EXPECT_EQ(exported(none), (std::vector<double>{-1, -1}));
}

TEST_P(CFull, RefusesWrongArrays) {
  tropic_full_arrays arrays = TROPIC_FULL_ARRAYS_INIT;
  arrays.rows = 2;
  arrays.columns = 3;
  EXPECT_EQ(refused(arrays), "tropic_full_from_arrays: arrays->values is NULL");
  arrays.values = six;
  arrays.leading = 2;
  EXPECT_EQ(refused(arrays), "full matrix: 2x3 with rows 2 elements apart, needs at least 3");
  arrays.leading = -1;
  EXPECT_EQ(refused(arrays), "tropic_full_from_arrays: arrays->leading is -1");
  arrays.leading = 0;
  arrays.flags = TROPIC_TRUSTED;
  EXPECT_EQ(refused(arrays), "tropic_full_from_arrays: arrays->flags has 1, an unknown flag");
  arrays.flags = 0;
  arrays.release = [](void*) {};
  EXPECT_EQ(
      refused(arrays),
      "tropic_full_from_arrays: arrays->release is for arrays that are borrowed; flags has no "
      "TROPIC_BORROW");
  arrays.release = nullptr;
  const unsigned char present[] = {1, 0, 0, 1, 2, 0};
  arrays.present = present;
  EXPECT_EQ(refused(arrays), "full matrix: presence of position (1, 1) is 2, expected 0 or 1");
  arrays.leading = 4;
  EXPECT_EQ(
      refused(arrays),
      "tropic_full_from_arrays: arrays->leading is 4, with arrays->present it is 0 or columns");
  arrays.size = 3;
  EXPECT_NE(refused(arrays).find("arrays->size is 3"), std::string::npos);
  const unsigned char bools[] = {0, 1, 2};
  tropic_full_arrays of_bools = TROPIC_FULL_ARRAYS_INIT;
  of_bools.rows = 1;
  of_bools.columns = 3;
  of_bools.type = TROPIC_BOOL;
  of_bools.values = bools;
  EXPECT_EQ(refused(of_bools), "tropic_full_from_arrays: arrays->values[2] is 2, a bool is 0 or 1");
}

TEST_P(CFull, ReleasesBorrowedArraysOnce) {
  static int released;
  released = 0;
  tropic_full_arrays arrays = TROPIC_FULL_ARRAYS_INIT;
  arrays.rows = 2;
  arrays.columns = 3;
  arrays.values = six;
  arrays.flags = TROPIC_BORROW;
  arrays.release = [](void*) { ++released; };
  {
    const auto f = made_by<tropic_full>(
        [&](tropic_full** result) { return tropic_full_from_arrays(c.get(), &arrays, result); });
    const double value = 8;
    EXPECT_EQ(tropic_full_set(f.get(), 0, 0, TROPIC_FP64, &value), TROPIC_OK);
    EXPECT_EQ(exported(f)[0], 8);
    EXPECT_EQ(six[0], 1);
  }
  where().synchronize();
  EXPECT_EQ(released, 1);
  arrays.leading = 1;
  refused(arrays);
  EXPECT_EQ(released, 1);
}

TEST_P(CFull, MultipliesAsTheCppApi) {
  dice random(5);
  const type_description& type = describe<double>();
  const host_matrix a = random_matrix(type, 8, 6, 0.4, flavour::small, random),
                    mask = random_matrix(type, 8, 3, 0.5, flavour::small, random),
                    wide = random_matrix(type, 3, 8, 1, flavour::small, random);
  const detail::matrix_base sparse = make(where(), a, false, false),
                            sparse_mask = make(where(), mask, false, false);
  const auto s = semiring(c, "min_plus", type_code::fp64);
  const auto a_handle = handle_of(c, sparse), mask_handle = handle_of(c, sparse_mask);
  const auto full_mask = owned<tropic_full>(c_abi::new_full(c->of, detail::full_of(sparse_mask)));
  const detail::full_base b = detail::filled_full(where().state(), type, 6, 3, six);
  const auto b_handle = owned<tropic_full>(c_abi::new_full(c->of, b));
  const detail::full_base first = detail::full_of(make(where(), wide, false, false));
  const auto first_handle = owned<tropic_full>(c_abi::new_full(c->of, first));
  const operator_description plus_op = describe_operator<double, double, double>(plus{});
  for (int kind = 0; kind < 3; ++kind)
    for (const int complemented : {0, 1}) {
      tropic_full_options options = TROPIC_FULL_OPTIONS_INIT;
      detail::full_output output;
      if (kind == 1) {
        options.mask = full_mask.get();
        output.mask = {&full_mask->base, true, complemented != 0, nullptr};
      } else if (kind == 2) {
        options.sparse_mask = mask_handle.get();
        output.sparse_mask = {&sparse_mask, true, complemented != 0, nullptr};
      }
      options.structure = kind != 0;
      options.complement = kind != 0 ? complemented : 0;
      options.accumulate = "plus";
      options.replace = complemented;
      output.accumulator = &plus_op;
      output.replace = complemented != 0;
      detail::full_base expected = detail::filled_full(where().state(), type, 8, 3, six + 1);
      const auto found = owned<tropic_full>(c_abi::new_full(c->of, expected));
      ASSERT_EQ(tropic_mxm_full(found.get(), s.get(), a_handle.get(), b_handle.get(), &options),
                TROPIC_OK)
          << tropic_last_error(nullptr);
      detail::mxm(expected, s->description, detail::matrix_factor{sparse, false}, b, output);
      EXPECT_EQ(difference(read(expected.flat()), read(found->base.flat())), "");
    }
  detail::full_base expected = detail::empty_full(where().state(), type, 3, 6);
  const auto found = owned<tropic_full>(c_abi::new_full(c->of, expected));
  ASSERT_EQ(tropic_full_mxm(found.get(), s.get(), first_handle.get(), a_handle.get(), nullptr),
            TROPIC_OK)
      << tropic_last_error(nullptr);
  detail::mxm(expected, s->description, first, detail::matrix_factor{sparse, false}, {});
  EXPECT_EQ(difference(read(expected.flat()), read(found->base.flat())), "");
  tropic_full_options options = TROPIC_FULL_OPTIONS_INIT;
  options.complement = 1;
  EXPECT_EQ(tropic_mxm_full(found.get(), s.get(), a_handle.get(), b_handle.get(), &options),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr),
               "tropic_mxm_full: options->complement needs a mask, and options->mask and "
               "options->sparse_mask are NULL");
  options.mask = full_mask.get();
  options.sparse_mask = mask_handle.get();
  EXPECT_EQ(tropic_mxm_full(found.get(), s.get(), a_handle.get(), b_handle.get(), &options),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr),
               "tropic_mxm_full: options->mask and options->sparse_mask are both given");
  EXPECT_EQ(tropic_mxm_full(found.get(), nullptr, a_handle.get(), b_handle.get(), nullptr),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr), "tropic_mxm_full: semiring is NULL");
}

TROPIC_ON_EVERY_CONTEXT(CFull);

}  // namespace
}  // namespace tropic::testing
