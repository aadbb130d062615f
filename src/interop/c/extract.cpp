// SPDX-License-Identifier: Apache-2.0

// Parts of matrices and vectors of the C ABI: extract, diagonals, select by position.

#include <string_view>

#include <tropic/position_operators.hpp>

#include "interop/c/output.hpp"

using namespace tropic::c_abi;

namespace {

struct known_predicate {
  std::string_view name;
  tropic::unary_description (*over)(tropic::type_code type, std::int64_t thunk);
};

template <class Predicate>
constexpr known_predicate known{
    Predicate::tropic_name, [](tropic::type_code type, std::int64_t thunk) {
      return tropic::with_builtin_type(
          type, [&]<class T>() { return tropic::describe_unary<bool, T>(Predicate{thunk}); });
    }};

constexpr known_predicate predicates[] = {
    known<tropic::tril>,          known<tropic::triu>,
    known<tropic::on_diagonal>,   known<tropic::off_the_diagonal>,
    known<tropic::rows_up_to>,    known<tropic::rows_after>,
    known<tropic::columns_up_to>, known<tropic::columns_after>};

tropic::unary_description predicate_of(const call& c, std::string_view name, tropic::type_code type,
                                       std::int64_t thunk) {
  std::string names;
  for (const known_predicate& one : predicates) {
    if (one.name == name) return one.over(type, thunk);
    names.append(names.empty() ? "" : ", ").append(one.name);
  }
  c.refuse("predicate is '" + std::string(name) + "', predicates are " + names);
}

}  // namespace

tropic_status tropic_matrix_extract(tropic_matrix* c, const tropic_matrix* a, int64_t row_count,
                                    const int64_t* rows, int64_t column_count,
                                    const int64_t* columns, const tropic_mxm_options* options) {
  return guarded(context_of(c, a), "tropic_matrix_extract", [&](const call& by) {
    by.need(c, "c");
    by.need(a, "a");
    const matrix_output to(by, options, *c->base().type, transposes::first);
    const position_list of_rows(by, rows, row_count, "row_count"),
        of_columns(by, columns, column_count, "column_count");
    by.begin(*c->of);
    tropic::detail::extract(c->changes.base(),
                            {.matrix = a->base(), .transposed = to.given.transpose_a != 0},
                            of_rows.get(), of_columns.get(), to.output);
    c->pattern.reset();
  });
}

tropic_status tropic_matrix_extract_column(tropic_vector* w, const tropic_matrix* a,
                                           int64_t row_count, const int64_t* rows, int64_t column,
                                           const tropic_product_options* options) {
  return guarded(context_of(w, a), "tropic_matrix_extract_column", [&](const call& by) {
    by.need(w, "w");
    by.need(a, "a");
    const vector_output to(by, options, *w->base.type, transposes::first);
    const position_list of_rows(by, rows, row_count, "row_count");
    by.begin(*w->of);
    tropic::detail::extract(w->base, {.matrix = a->base(), .transposed = to.given.transpose != 0},
                            of_rows.get(), column, to.output);
  });
}

tropic_status tropic_vector_extract(tropic_vector* w, const tropic_vector* u, int64_t count,
                                    const int64_t* list, const tropic_product_options* options) {
  return guarded(context_of(w, u), "tropic_vector_extract", [&](const call& by) {
    by.need(w, "w");
    by.need(u, "u");
    const vector_output to(by, options, *w->base.type, transposes::none);
    const position_list from(by, list, count, "count");
    by.begin(*w->of);
    tropic::detail::extract(w->base, u->base, from.get(), to.output);
  });
}

tropic_status tropic_matrix_extract_diagonal(tropic_vector* w, const tropic_matrix* a, int64_t k,
                                             const tropic_product_options* options) {
  return guarded(context_of(w, a), "tropic_matrix_extract_diagonal", [&](const call& by) {
    by.need(w, "w");
    by.need(a, "a");
    const vector_output to(by, options, *w->base.type, transposes::first);
    by.begin(*w->of);
    tropic::detail::extract_diagonal(
        w->base, {.matrix = a->base(), .transposed = to.given.transpose != 0}, k, to.output);
  });
}

tropic_status tropic_matrix_from_diagonal(const tropic_vector* v, int64_t k,
                                          tropic_matrix** result) {
  return guarded(context_of(v), "tropic_matrix_from_diagonal", [&](const call& by) {
    by.need(result, "result") = nullptr;
    by.need(v, "v");
    by.begin(*v->of);
    *result = new_matrix(v->of, tropic::detail::diagonal_matrix(v->base, k));
  });
}

tropic_status tropic_matrix_select(tropic_matrix* c, const char* predicate, int64_t thunk,
                                   const tropic_matrix* a, const tropic_mxm_options* options) {
  return guarded(context_of(c, a), "tropic_matrix_select", [&](const call& by) {
    by.need(c, "c");
    by.need(predicate, "predicate");
    by.need(a, "a");
    const matrix_output to(by, options, *c->base().type, transposes::none);
    const tropic::unary_description chosen =
        predicate_of(by, predicate, a->base().type->code, thunk);
    by.begin(*c->of);
    tropic::detail::select(c->changes.base(), chosen, a->base(), to.output);
    c->pattern.reset();
  });
}
