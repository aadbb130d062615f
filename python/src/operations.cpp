// SPDX-License-Identifier: Apache-2.0

// The operations. Every one has an output, which Python makes where the user gives none, and the
// options (mask, accumulate, replace) at its end: mask is (container, structural, complemented) or
// None, accumulate the name or text of an operator or None.

#include <span>

#include <tropic/detail/structure.hpp>

#include "core.hpp"
#include "explain/picture.hpp"

namespace tropic::python {

namespace {

using detail::matrix_base;
using detail::output_options;
using detail::vector_base;
using positions_array = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using maybe_positions = std::optional<positions_array>;
using maybe_text = std::optional<std::string>;

// One operand or output, matrix or vector.
const vector_base& base_of(const vector_handle& v) {
  return v.base;
}
const matrix_base& base_of(const matrix_handle& a) {
  return a.base();
}
vector_base& output_of(vector_handle& v) {
  return v.base;
}
matrix_base& output_of(matrix_handle& a) {
  return a.changes.base();
}
const type_description& type_of_values(const vector_handle& v) {
  return *v.base.type;
}
const type_description& type_of_values(const matrix_handle& a) {
  return a.changes.type();
}
detail::mask_base<vector_base> mask_for(call& c, const vector_handle&, nb::handle mask) {
  return vector_mask_of(c, mask);
}
detail::mask_base<matrix_base> mask_for(call& c, const matrix_handle&, nb::handle mask) {
  return matrix_mask_of(c, mask);
}

template <class Handle>
using base_type =
    std::conditional_t<std::is_same_v<Handle, vector_handle>, vector_base, matrix_base>;

// Mask, accumulator and replace; registers the output. Holds the accumulator.
template <class Handle>
class output {
 public:
  output(call& c, Handle& w, nb::handle mask, const maybe_text& accumulate, truth replace) {
    c.write(w);
    options.mask = mask_for(c, w, mask);
    options.replace = replace;
    if (!accumulate) return;
    const type_description& type = type_of_values(w);
    accumulator_ = operator_over(*accumulate, type, type, type);
    options.accumulator = &*accumulator_;
  }
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  output_options<base_type<Handle>> options;

 private:
  std::optional<operator_description> accumulator_;
};

// A list of positions; all of them if there is none.
class positions {
 public:
  explicit positions(const maybe_positions& list) {
    if (list) list_.emplace(list->data(), list->shape(0));
  }
  const std::span<const index_t>* get() const { return list_ ? &*list_ : nullptr; }

 private:
  std::optional<std::span<const index_t>> list_;
};

void multiply(bool vector_first, vector_handle& w, const semiring_handle& semiring,
              matrix_handle& a, bool transposed, vector_handle& u, nb::handle mask,
              const maybe_text& accumulate, truth replace, const maybe_text& kernel,
              index_t expected_calls) {
  const char* name = vector_first ? "vxm" : "mxv";
  call c(name);
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  c.read(u);
  if (expected_calls < 1)
    c.refuse("expected_calls is " + std::to_string(expected_calls) + ", needed 1 or more");
  plan wanted;
  if (kernel && kernel->empty()) c.refuse("kernel is empty; None lets the library choose");
  if (kernel) wanted.kernel = *kernel;
  wanted.expected_calls = expected_calls;
  if (kernel || expected_calls > 1) to.options.forced = &wanted;
  c.run(*w.of, [&] {
    detail::multiply(
        name, w.base, semiring.description, {.matrix = a.base(), .transposed = transposed}, u.base,
        vector_first ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
        to.options);
  });
}

// A plan and the matrix that it is for, of which a picture can be drawn.
struct plan_handle {
  context_pointer of;
  plan found;
  matrix_base matrix;
};

std::string picture_of(const plan_handle& p, const std::string& title,
                       const std::string& subtitle) {
  call c("picture");
  return c.run(*p.of, [&] {
    detail::picture_content content = detail::content_of(p.matrix, p.found);
    content.title = title;
    content.subtitle = subtitle;
    return detail::draw(content);
  });
}

// (kernel, expected calls, reason, hot columns, text, candidates, handle).
nb::tuple plan_of(const semiring_handle& semiring, matrix_handle& a, bool transposed,
                  vector_handle& u, index_t expected_calls, nb::handle progress) {
  call c("plan");
  c.read(a);
  c.read(u);
  const plan found = c.run(*a.of, progress, [&] {
    return detail::inspect_product(semiring.description,
                                   {.matrix = a.base(), .transposed = transposed}, u.base,
                                   detail::factor_order::matrix_first, expected_calls);
  });
  nb::list candidates;
  if (found.details != nullptr)
    for (const plan_candidate& one : found.details->candidates)
      candidates.append(nb::make_tuple(one.kernel, one.hot_columns, one.conversion, one.transfer,
                                       one.call, one.why_not));
  return nb::make_tuple(found.kernel, found.expected_calls, found.reason, found.hot_columns,
                        explain(found), candidates,
                        std::make_unique<plan_handle>(a.of, found, a.base()));
}

void mxm(matrix_handle& to_matrix, const semiring_handle& semiring, matrix_handle& a,
         bool transpose_a, matrix_handle& b, bool transpose_b, nb::handle mask,
         const maybe_text& accumulate, truth replace, const maybe_text& kernel) {
  call c("mxm");
  output<matrix_handle> to(c, to_matrix, mask, accumulate, replace);
  plan forced;
  if (kernel) {
    forced.kernel = *kernel;
    to.options.forced = &forced;
  }
  c.read(a);
  c.read(b);
  c.run(*to_matrix.of, [&] {
    detail::mxm(to_matrix.changes.base(), semiring.description,
                {.matrix = a.base(), .transposed = transpose_a},
                {.matrix = b.base(), .transposed = transpose_b}, to.options);
  });
}

nb::object reduce_mxm(const semiring_handle& semiring, matrix_handle& a, bool transpose_a,
                      matrix_handle& b, bool transpose_b, nb::handle mask) {
  call c("reduce_mxm");
  c.read(a);
  c.read(b);
  const auto of_product = matrix_mask_of(c, mask);
  scalar_bytes sum = semiring.description.add.identity;
  c.run(*a.of, [&] {
    detail::reduce_mxm(sum.data(), semiring.description.add, semiring.description,
                       {.matrix = a.base(), .transposed = transpose_a},
                       {.matrix = b.base(), .transposed = transpose_b}, of_product);
  });
  return number_of(sum.data(), semiring.description.z());
}

template <class Handle>
void ewise(Handle& w, bool set_union, const std::string& op, Handle& u, Handle& v, nb::handle mask,
           const maybe_text& accumulate, truth replace) {
  const char* name = set_union ? "ewise_add" : "ewise_multiply";
  call c(name);
  output<Handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  c.read(v);
  const operator_description merge =
      operator_over(op, type_of_values(u), type_of_values(v), type_of_values(w));
  c.run(*w.of, [&] {
    detail::ewise(
        name, output_of(w),
        set_union ? detail::ewise_positions::set_union : detail::ewise_positions::intersection,
        merge, base_of(u), base_of(v), to.options);
  });
}

template <class Handle>
void ewise_union(Handle& w, const std::string& op, Handle& u, nb::handle missing_u, Handle& v,
                 nb::handle missing_v, nb::handle mask, const maybe_text& accumulate,
                 truth replace) {
  call c("ewise_union");
  output<Handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  c.read(v);
  const operator_description merge =
      operator_over(op, type_of_values(u), type_of_values(v), type_of_values(w));
  const scalar_bytes left = value_of(missing_u, type_of_values(u)),
                     right = value_of(missing_v, type_of_values(v));
  c.run(*w.of, [&] {
    detail::ewise_union(output_of(w), merge, base_of(u), left.data(), base_of(v), right.data(),
                        to.options);
  });
}

// An operator of one stored value: `bound` is None or (whether it is the first operand, value,
// type).
unary_description unary_over(const call& c, const std::string& op, const type_description& type,
                             nb::handle bound, const type_description& z) {
  unary_description result;
  if (bound.is_none()) {
    result.op = operator_over(op, type, type, z);
    if (result.op.uses_y())
      c.refuse("the operator '" + op + "' uses y: give its value, as right=2 or left=2");
    return result;
  }
  const auto parts = nb::cast<nb::tuple>(bound);
  const type_description& other = type_of(nb::cast<int>(parts[2]));
  result.bound_first = nb::cast<bool>(parts[0]);
  result.bound_second = !result.bound_first;
  result.bound = value_of(parts[1], other);
  result.op =
      result.bound_first ? operator_over(op, other, type, z) : operator_over(op, type, other, z);
  return result;
}

template <class Handle>
void apply(Handle& w, const std::string& op, Handle& u, nb::handle bound, nb::handle mask,
           const maybe_text& accumulate, truth replace) {
  call c("apply");
  output<Handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  const unary_description f = unary_over(c, op, type_of_values(u), bound, type_of_values(w));
  c.run(*w.of, [&] { detail::apply(output_of(w), f, base_of(u), to.options); });
}

template <class Handle>
void select(Handle& w, const std::string& op, Handle& u, nb::handle bound, nb::handle mask,
            const maybe_text& accumulate, truth replace) {
  call c("select");
  output<Handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  const unary_description f =
      unary_over(c, op, type_of_values(u), bound, describe(type_code::boolean));
  c.run(*w.of, [&] { detail::select(output_of(w), f, base_of(u), to.options); });
}

template <class Handle>
void select_positions(Handle& w, const std::string& predicate, std::int64_t thunk, Handle& u,
                      nb::handle mask, const maybe_text& accumulate, truth replace) {
  call c("select");
  output<Handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  const unary_description f = predicate_over(predicate, thunk, type_of_values(u));
  c.run(*w.of, [&] { detail::select(output_of(w), f, base_of(u), to.options); });
}

void reduce_rows(vector_handle& w, const monoid_handle& monoid, matrix_handle& a, bool transposed,
                 nb::handle mask, const maybe_text& accumulate, truth replace) {
  call c("reduce");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  c.run(*w.of, [&] {
    detail::reduce(w.base, monoid.description, {.matrix = a.base(), .transposed = transposed},
                   to.options);
  });
}

// The sum; the identity without entries, None where the monoid has none.
template <class Handle>
nb::object reduce_all(const monoid_handle& monoid, Handle& u) {
  call c("reduce");
  c.read(u);
  scalar_bytes sum = monoid.description.identity;
  const bool found =
      c.run(*u.of, [&] { return detail::reduce(sum.data(), monoid.description, base_of(u)); });
  if (!found && !monoid.description.has_identity) return nb::none();
  return number_of(sum.data(), *monoid.description.add.z);
}

void assign_vector(vector_handle& w, vector_handle& u, const maybe_positions& list, nb::handle mask,
                   const maybe_text& accumulate, truth replace) {
  call c("assign");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  const positions at(list);
  c.run(*w.of, [&] { detail::assign(w.base, u.base, at.get(), to.options); });
}
void assign_vector_value(vector_handle& w, nb::handle value, const maybe_positions& list,
                         nb::handle mask, const maybe_text& accumulate, truth replace) {
  call c("assign");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  const positions at(list);
  const scalar_bytes bytes = value_of(value, *w.base.type);
  c.run(*w.of, [&] { detail::assign(w.base, bytes.data(), at.get(), to.options); });
}
void assign_matrix(matrix_handle& w, matrix_handle& a, const maybe_positions& rows,
                   const maybe_positions& columns, nb::handle mask, const maybe_text& accumulate,
                   truth replace) {
  call c("assign");
  output<matrix_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  const positions i(rows), j(columns);
  c.run(*w.of, [&] { detail::assign(w.changes.base(), a.base(), i.get(), j.get(), to.options); });
}
void assign_matrix_value(matrix_handle& w, nb::handle value, const maybe_positions& rows,
                         const maybe_positions& columns, nb::handle mask,
                         const maybe_text& accumulate, truth replace) {
  call c("assign");
  output<matrix_handle> to(c, w, mask, accumulate, replace);
  const positions i(rows), j(columns);
  const scalar_bytes bytes = value_of(value, w.changes.type());
  c.run(*w.of,
        [&] { detail::assign(w.changes.base(), bytes.data(), i.get(), j.get(), to.options); });
}

void extract_vector(vector_handle& w, vector_handle& u, const maybe_positions& list,
                    nb::handle mask, const maybe_text& accumulate, truth replace) {
  call c("extract");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(u);
  const positions from(list);
  c.run(*w.of, [&] { detail::extract(w.base, u.base, from.get(), to.options); });
}
void extract_column(vector_handle& w, matrix_handle& a, bool transposed,
                    const maybe_positions& rows, index_t column, nb::handle mask,
                    const maybe_text& accumulate, truth replace) {
  call c("extract");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  const positions from(rows);
  c.run(*w.of, [&] {
    detail::extract(w.base, {.matrix = a.base(), .transposed = transposed}, from.get(), column,
                    to.options);
  });
}
void extract_matrix(matrix_handle& w, matrix_handle& a, bool transposed,
                    const maybe_positions& rows, const maybe_positions& columns, nb::handle mask,
                    const maybe_text& accumulate, truth replace) {
  call c("extract");
  output<matrix_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  const positions i(rows), j(columns);
  c.run(*w.of, [&] {
    detail::extract(w.changes.base(), {.matrix = a.base(), .transposed = transposed}, i.get(),
                    j.get(), to.options);
  });
}
void extract_diagonal(vector_handle& w, matrix_handle& a, bool transposed, index_t k,
                      nb::handle mask, const maybe_text& accumulate, truth replace) {
  call c("extract_diagonal");
  output<vector_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  c.run(*w.of, [&] {
    detail::extract_diagonal(w.base, {.matrix = a.base(), .transposed = transposed}, k, to.options);
  });
}
void transpose(matrix_handle& w, matrix_handle& a, nb::handle mask, const maybe_text& accumulate,
               truth replace) {
  call c("transpose");
  output<matrix_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  c.run(*w.of, [&] { detail::transpose(w.changes.base(), a.base(), to.options); });
}
void kronecker(matrix_handle& w, const std::string& op, matrix_handle& a, bool transpose_a,
               matrix_handle& b, bool transpose_b, nb::handle mask, const maybe_text& accumulate,
               truth replace) {
  call c("kronecker");
  output<matrix_handle> to(c, w, mask, accumulate, replace);
  c.read(a);
  c.read(b);
  const operator_description times =
      operator_over(op, a.changes.type(), b.changes.type(), w.changes.type());
  c.run(*w.of, [&] {
    detail::kronecker(w.changes.base(), times, {.matrix = a.base(), .transposed = transpose_a},
                      {.matrix = b.base(), .transposed = transpose_b}, to.options);
  });
}

// The names of the options, at the end of every signature.
#define TROPIC_PYTHON_OUTPUT \
  nb::arg("mask").none(), nb::arg("accumulate").none(), nb::arg("replace")

template <class Handle>
void bind_for(nb::module_& m) {
  m.def("ewise", ewise<Handle>, nb::arg("w"), nb::arg("set_union"), nb::arg("op"), nb::arg("u"),
        nb::arg("v"), TROPIC_PYTHON_OUTPUT);
  m.def("ewise_union", ewise_union<Handle>, nb::arg("w"), nb::arg("op"), nb::arg("u"),
        nb::arg("missing_u"), nb::arg("v"), nb::arg("missing_v"), TROPIC_PYTHON_OUTPUT);
  m.def("apply", apply<Handle>, nb::arg("w"), nb::arg("op"), nb::arg("u"), nb::arg("bound").none(),
        TROPIC_PYTHON_OUTPUT);
  m.def("select", select<Handle>, nb::arg("w"), nb::arg("op"), nb::arg("u"),
        nb::arg("bound").none(), TROPIC_PYTHON_OUTPUT);
  m.def("select_positions", select_positions<Handle>, nb::arg("w"), nb::arg("predicate"),
        nb::arg("thunk"), nb::arg("u"), TROPIC_PYTHON_OUTPUT);
  m.def("reduce_all", reduce_all<Handle>);
}

}  // namespace

void bind_operations(nb::module_& m) {
  m.def("multiply", multiply, nb::arg("vector_first"), nb::arg("w"), nb::arg("semiring"),
        nb::arg("a"), nb::arg("transposed"), nb::arg("u"), TROPIC_PYTHON_OUTPUT,
        nb::arg("kernel").none(), nb::arg("expected_calls"));
  nb::class_<plan_handle>(m, "Plan").def("picture", picture_of);
  m.def("plan", plan_of, nb::arg("semiring"), nb::arg("a"), nb::arg("transposed"), nb::arg("u"),
        nb::arg("expected_calls"), nb::arg("progress").none());
  m.def("mxm", mxm, nb::arg("c"), nb::arg("semiring"), nb::arg("a"), nb::arg("transpose_a"),
        nb::arg("b"), nb::arg("transpose_b"), TROPIC_PYTHON_OUTPUT, nb::arg("kernel").none());
  m.def("reduce_mxm", reduce_mxm, nb::arg("semiring"), nb::arg("a"), nb::arg("transpose_a"),
        nb::arg("b"), nb::arg("transpose_b"), nb::arg("mask").none());
  bind_for<vector_handle>(m);
  bind_for<matrix_handle>(m);
  m.def("reduce_rows", reduce_rows, nb::arg("w"), nb::arg("monoid"), nb::arg("a"),
        nb::arg("transposed"), TROPIC_PYTHON_OUTPUT);
  m.def("assign_vector", assign_vector, nb::arg("w"), nb::arg("u"), nb::arg("positions").none(),
        TROPIC_PYTHON_OUTPUT);
  m.def("assign_vector_value", assign_vector_value, nb::arg("w"), nb::arg("value"),
        nb::arg("positions").none(), TROPIC_PYTHON_OUTPUT);
  m.def("assign_matrix", assign_matrix, nb::arg("c"), nb::arg("a"), nb::arg("rows").none(),
        nb::arg("columns").none(), TROPIC_PYTHON_OUTPUT);
  m.def("assign_matrix_value", assign_matrix_value, nb::arg("c"), nb::arg("value"),
        nb::arg("rows").none(), nb::arg("columns").none(), TROPIC_PYTHON_OUTPUT);
  m.def("extract_vector", extract_vector, nb::arg("w"), nb::arg("u"), nb::arg("positions").none(),
        TROPIC_PYTHON_OUTPUT);
  m.def("extract_column", extract_column, nb::arg("w"), nb::arg("a"), nb::arg("transposed"),
        nb::arg("rows").none(), nb::arg("column"), TROPIC_PYTHON_OUTPUT);
  m.def("extract_matrix", extract_matrix, nb::arg("c"), nb::arg("a"), nb::arg("transposed"),
        nb::arg("rows").none(), nb::arg("columns").none(), TROPIC_PYTHON_OUTPUT);
  m.def("extract_diagonal", extract_diagonal, nb::arg("w"), nb::arg("a"), nb::arg("transposed"),
        nb::arg("k"), TROPIC_PYTHON_OUTPUT);
  m.def("transpose", transpose, nb::arg("c"), nb::arg("a"), TROPIC_PYTHON_OUTPUT);
  m.def("kronecker", kronecker, nb::arg("c"), nb::arg("op"), nb::arg("a"), nb::arg("transpose_a"),
        nb::arg("b"), nb::arg("transpose_b"), TROPIC_PYTHON_OUTPUT);
}

}  // namespace tropic::python
