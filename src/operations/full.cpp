// SPDX-License-Identifier: Apache-2.0

// Operations on full matrices. Those on single positions are operations on vectors of rows x
// columns positions; a sparse mask becomes a sparse vector. Only products and sums of rows differ.
//
// A vector has no columns: operators that use positions run over CSR instead, and so do sums of
// rows and columns.

#include <tropic/detail/full.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

std::string shape(const full_base& m) {
  return std::to_string(m.rows) + "x" + std::to_string(m.columns);
}

template <class Operand>
void check_shape(const char* name, const full_base& c, const Operand& a, const char* what) {
  if (c.rows != a.rows || c.columns != a.columns)
    throw usage_error(std::string(name) + ": C is " + shape(c) + ", " + what + " is " + shape(a));
}

// The options of the operation on vectors.
class flat_options {
 public:
  flat_options(const char* name, const full_base& c, const full_output& given) {
    of_.accumulator = given.accumulator;
    of_.replace = given.replace;
    if (const matrix_base* mask = given.sparse_mask.container; mask != nullptr) {
      common_backend(name, c.cells, *mask);
      check_shape(name, c, *mask, "its mask");
      cells_ = in_step(name, [&] { return full_of(*mask).cells; });
      of_.mask = {&cells_, given.sparse_mask.structural, given.sparse_mask.complemented, nullptr};
    } else if (const full_base* full = given.mask.container; full != nullptr) {
      common_backend(name, c.cells, full->cells);
      check_shape(name, c, *full, "its mask");
      of_.mask = {&full->flat(), given.mask.structural, given.mask.complemented, nullptr};
    } else {
      of_.mask.complemented = given.mask.complemented;
    }
  }
  flat_options(const flat_options&) = delete;
  flat_options& operator=(const flat_options&) = delete;

  const output_options<vector_base>& operator*() const { return of_; }

 private:
  output_options<vector_base> of_;
  vector_base cells_;
};

// What a product asks of its operands; `a` and `b` are in the order of the multiply.
template <class A, class B>
void check_product(const full_base& c, const semiring_description& semiring, const A& a, const B& b,
                   const type_description& a_type, const type_description& b_type,
                   const full_product& p) {
  const index_t inner = p.full_first ? p.full.columns : p.sparse_columns();
  const index_t found = p.full_first ? p.sparse_rows() : p.full.rows;
  if (inner != found)
    throw usage_error("mxm: A is " + shape(a) + ", B is " + shape(b) + ", needs " +
                      std::to_string(inner) + " rows");
  if (c.rows != p.rows() || c.columns != p.columns())
    throw usage_error("mxm: A is " + shape(a) + ", B is " + shape(b) + ", C is " + shape(c) +
                      ", needs " + std::to_string(p.rows()) + "x" + std::to_string(p.columns()));
  check_type("mxm", "A", a_type, semiring.a());
  check_type("mxm", "B", b_type, semiring.x());
  check_type("mxm", "C", *c.cells.type, semiring.z());
  check_has_no_position("mxm", "the semiring's add", semiring.add.add);
}

void run(full_base& c, const full_product& p, const full_output& output) {
  backend& executor = common_backend("mxm", c.cells, p.sparse, p.full.cells);
  in_step("mxm", [&] {
    vector_base& cells = c.flat();  // first: C may be B, whose cells it packs
    const flat_options options("mxm", c, output);
    executor.spmm(cells, p, rule_of("mxm", cells, *options));
  });
}

// c<mask> accum= t for the result of an operation over CSR.
void write(vector_base& c, const matrix_base& t, const flat_options& options) {
  assign(c, full_of(t).cells, nullptr, *options);
}

}  // namespace

void mxm(full_base& c, const semiring_description& semiring, matrix_factor a, const full_base& b,
         const full_output& output) {
  const full_product p{semiring, a.matrix, b, a.transposed, false};
  check_product(c, semiring, a, b, *a.matrix.type, *b.cells.type, p);
  run(c, p, output);
}

void mxm(full_base& c, const semiring_description& semiring, const full_base& a, matrix_factor b,
         const full_output& output) {
  const full_product p{semiring, b.matrix, a, b.transposed, true};
  check_product(c, semiring, a, b, *a.cells.type, *b.matrix.type, p);
  run(c, p, output);
}

void mxm(full_base& c, const semiring_description& semiring, const full_base& a, const full_base& b,
         const full_output& output) {
  common_backend("mxm", c.cells, a.cells, b.cells);
  const matrix_base sparse = in_step("mxm", [&] { return matrix_of(a); });
  mxm(c, semiring, matrix_factor{sparse, false}, b, output);
}

void ewise(const char* name, full_base& c, ewise_positions positions,
           const operator_description& op, const full_base& a, const full_base& b,
           const full_output& output) {
  check_shape(name, c, a, "the first operand");
  check_shape(name, c, b, "the second operand");
  common_backend(name, c.cells, a.cells, b.cells);
  vector_base& cells = c.flat();
  const flat_options options(name, c, output);
  if (!op.syntax->positional())
    return ewise(name, cells, positions, op, a.flat(), b.flat(), *options);
  rule_of(name, cells, *options);
  matrix_base t = empty_matrix(cells.context, *op.z, c.rows, c.columns);
  ewise(name, t, positions, op, matrix_of(a), matrix_of(b), {});
  write(cells, t, options);
}

void apply(full_base& c, const unary_description& op, const full_base& a,
           const full_output& output) {
  check_shape("apply", c, a, "its input");
  common_backend("apply", c.cells, a.cells);
  vector_base& cells = c.flat();
  const flat_options options("apply", c, output);
  if (!op.op.syntax->positional()) return apply(cells, op, a.flat(), *options);
  rule_of("apply", cells, *options);
  matrix_base t = empty_matrix(cells.context, *op.op.z, c.rows, c.columns);
  apply(t, op, matrix_of(a), {});
  write(cells, t, options);
}

void select(full_base& c, const unary_description& op, const full_base& a,
            const full_output& output) {
  check_shape("select", c, a, "its input");
  common_backend("select", c.cells, a.cells);
  vector_base& cells = c.flat();
  const flat_options options("select", c, output);
  if (!op.op.syntax->positional()) return select(cells, op, a.flat(), *options);
  rule_of("select", cells, *options);
  matrix_base t = empty_matrix(cells.context, *a.cells.type, c.rows, c.columns);
  select(t, op, matrix_of(a), {});
  write(cells, t, options);
}

void assign(full_base& c, const void* value, const full_output& output) {
  common_backend("assign", c.cells);
  vector_base& cells = c.flat();
  const flat_options options("assign", c, output);
  assign(cells, value, nullptr, *options);
}

void assign(full_base& c, const full_base& a, const full_output& output) {
  check_shape("assign", c, a, "A");
  common_backend("assign", c.cells, a.cells);
  vector_base& cells = c.flat();
  const flat_options options("assign", c, output);
  assign(cells, a.flat(), nullptr, *options);
}

namespace {

void assign_line(full_base& c, index_t first, index_t step, index_t count, const vector_base& u) {
  std::vector<index_t> list(static_cast<std::size_t>(count));
  for (std::size_t n = 0; n < list.size(); ++n) list[n] = first + static_cast<index_t>(n) * step;
  const std::span<const index_t> positions(list);
  assign(c.flat(), u, &positions, {});
}

}  // namespace

void assign_row(full_base& c, index_t i, const vector_base& u) {
  if (i < 0 || i >= c.rows)
    throw usage_error("full matrix: row " + std::to_string(i) + " of " + std::to_string(c.rows));
  assign_line(c, i * c.columns, 1, c.columns, u);
}
void assign_column(full_base& c, index_t j, const vector_base& u) {
  if (j < 0 || j >= c.columns)
    throw usage_error("full matrix: column " + std::to_string(j) + " of " +
                      std::to_string(c.columns));
  assign_line(c, j, c.columns, c.rows, u);
}

void reduce(vector_base& w, const monoid_description& monoid, const full_base& a, bool transposed,
            const output_options<vector_base>& options) {
  common_backend("reduce", w, a.cells);
  const matrix_base m = in_step("reduce", [&] { return matrix_of(a); });
  reduce(w, monoid, matrix_factor{m, transposed}, options);
}

}  // namespace tropic::detail
