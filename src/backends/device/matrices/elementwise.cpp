// SPDX-License-Identifier: Apache-2.0

// Operations on matrices on the device: the result t is made from the entries (entries.kernel,
// matrices.kernel), then merged with c under the mask, which is a merge too. What the device cannot
// do goes to the host: values that it does not have (fp64), 2^32 entries or more.

#include <tropic/semirings/from_text.hpp>

#include "backends/cpu/rows.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/vectors/mask.hpp"

namespace tropic::detail {
namespace {

// matrices.kernel.
enum which : std::uint32_t { always, where_met, where_alone };

bool is_positional(const operator_description& op) {
  return op.syntax->positional();
}

}  // namespace

// A byte an entry of m: whether the mask lets its position through.
buffer_pointer device_backend::passing(std::string_view operation, const matrix_base& m,
                                       const matrix_rule& rule) {
  const conversion c(*this, m);
  const matrix_base& mask = *rule.mask;
  const mask_arguments of_mask(*this, mask, nullptr, rule);
  const buffer_pointer made = allocate(c.nnz);
  const void *columns = read_device(m.column_indices), *mask_offsets = read_device(mask.offsets),
             *mask_columns = read_device(mask.column_indices);
  const std::uint32_t wide = mask.wide, iso = mask.iso;
  void* to = write_device(made);
  arguments list{c.rows, c.nnz, c.offsets, c.wide, columns, mask_offsets, wide, mask_columns, iso};
  of_mask.append_to(list);
  list.emplace_back(to);
  launch_over(c.nnz, operation, *runtime_->program(matrices_request()), "t_pass_mask", list);
  return made;
}

void device_backend::find_places(std::string_view operation, merge_side& side,
                                 const merge_side& other, std::uint32_t which) {
  const conversion c(*this, side.m), o(*this, other.m);
  side.takes = allocate(c.nnz);
  side.beyond = allocate(c.nnz * sizeof(std::uint32_t));
  const void *columns = read_device(side.m.column_indices),
             *other_columns = read_device(other.m.column_indices), *keeps = read_device(side.keeps),
             *other_keeps = read_device(other.keeps);
  const std::uint32_t some = side.keeps != nullptr, other_some = other.keeps != nullptr;
  void *beyond = write_device(side.beyond), *takes = write_device(side.takes);
  const kernel_argument list[] = {c.rows,      c.nnz,      c.offsets, c.wide, columns,
                                  keeps,       some,       o.offsets, o.wide, other_columns,
                                  other_keeps, other_some, which,     beyond, takes};
  launch_over(c.nnz, operation, *runtime_->program(matrices_request()), "t_take_part", list);
  side.sums = sums_before(c.nnz, side.takes, 1);
}

// Columns and, but where the entry is met, values go to their places.
void device_backend::place(std::string_view operation, matrix_base& made, const merge_side& side,
                           const merge_side* other) {
  const conversion c(*this, side.m);
  const std::uint32_t merged = other != nullptr, iso = side.m.iso,
                      bytes = made.iso ? 0 : static_cast<std::uint32_t>(made.type->size);
  const void *takes = read_device(side.takes), *before = read_device(side.sums.before),
             *beyond = read_device(side.beyond),
             *other_before = read_device(merged ? other->sums.before : nullptr),
             *columns = read_device(side.m.column_indices),
             *from = bytes == 0 ? runtime_->nothing() : read_device(side.m.values);
  void *to_columns = write_device(made.column_indices, access::modify),
       *to = bytes == 0 ? runtime_->nothing() : write_device(made.values, access::modify);
  const kernel_argument list[] = {c.nnz,   takes, before,     beyond, other_before, merged,
                                  columns, iso,   to_columns, from,   to,           bytes};
  launch_over(c.nnz, operation, *runtime_->program(matrices_request()), "t_place_entries", list);
}

// Room for `entries`, and where rows begin.
void device_backend::lay_out_merged(std::string_view operation, matrix_base& made,
                                    const merge_side& side, const merge_side* other,
                                    index_t entries) {
  const conversion c(*this, side.m), o(*this, other != nullptr ? other->m : side.m);
  const std::uint32_t merged = other != nullptr;
  made.nnz = entries;
  made.offsets = allocate((c.rows + 1) * sizeof(std::uint32_t));
  made.column_indices = allocate(static_cast<std::size_t>(entries) * sizeof(std::uint32_t));
  if (!made.iso) made.values = allocate(static_cast<std::size_t>(entries) * made.type->size);
  const void *before = read_device(side.sums.before),
             *other_before = read_device(merged ? other->sums.before : nullptr);
  void* to = write_device(made.offsets);
  const kernel_argument list[] = {c.rows, c.offsets,    c.wide, before, o.offsets,
                                  o.wide, other_before, merged, to};
  launch_over(c.rows + 1, operation, *runtime_->program(matrices_request()), "t_merged_offsets",
              list);
  inspect_rows(operation, made);
}

// The entries of m that are kept (`keeps` null: all); m itself, its arrays shared, where all are.
matrix_base device_backend::filtered(std::string_view operation, const matrix_base& m,
                                     const buffer_pointer& keeps) {
  merge_side side{m, keeps};
  side.takes = keeps;
  if (keeps != nullptr) side.sums = sums_before(static_cast<std::uint64_t>(m.nnz), keeps, 1);
  const index_t kept = keeps != nullptr ? side.sums.all() : m.nnz;
  if (kept == m.nnz) {
    matrix_base all = m;
    on_cpu::renew(all);
    return all;
  }
  const on_cpu::memory_side here(context_, true);
  matrix_base made = on_cpu::matrix_shell(here, *m.type, m.rows, m.columns);
  made.iso = m.iso;
  made.values = m.iso ? (kept > 0 ? m.values : allocate(0)) : nullptr;
  lay_out_merged(operation, made, side, nullptr, kept);
  place(operation, made, side, nullptr);
  return made;
}

// The kept entries of a and b: of a union all, op(a, b) where both have one, and without op none
// stand in one place; of an intersection op(a, b) where both have one. Nothing where the host has
// to do it.
std::optional<matrix_base> device_backend::merged(std::string_view operation, combination how,
                                                  const operator_description* op,
                                                  const type_description& z, merge_side a,
                                                  merge_side b) {
  const bool unites = how == combination::set_union;
  const compiled_program* program = nullptr;
  program_request request{.kernel = "entries"};
  element_request e;
  if (op != nullptr) {
    e = {.kind = unites ? element_kind::set_union : element_kind::set_intersection,
         .op = op,
         .u = op->x,
         .v = op->y,
         .z = op->z};
    request.elements = &e;
    program = runtime_->program(request);
    if (program == nullptr) return std::nullopt;
  }
  find_places(operation, a, b, unites ? always : where_met);
  index_t entries = a.sums.all();
  if (unites) {
    find_places(operation, b, a, where_alone);
    entries += b.sums.all();
  }
  const on_cpu::memory_side here(context_, true);
  matrix_base made = on_cpu::matrix_shell(here, z, a.m.rows, a.m.columns);
  if (!unites) {  // no entry of b's own: nothing is before any
    b.sums.before = allocate((static_cast<std::size_t>(b.m.nnz) + 1) * sizeof(std::uint32_t));
    runtime_->fill(write_device(b.sums.before), 0, b.sums.before->bytes());
  }
  lay_out_merged(operation, made, a, &b, entries);
  place(operation, made, a, &b);
  if (unites) place(operation, made, b, &a);
  if (op != nullptr && entries > 0 && !b.is_empty()) {
    const conversion c(*this, a.m);
    const std::vector<std::uint64_t> parameters = parameter_words_of(request);
    const void *columns = read_device(a.m.column_indices), *left = read_device(a.m.values),
               *right = read_device(b.m.values), *takes = read_device(a.takes),
               *before = read_device(a.sums.before), *beyond = read_device(a.beyond),
               *other_before = read_device(b.sums.before);
    const std::uint32_t iso = a.m.iso, other_iso = b.m.iso;
    void* to = write_device(made.values, access::modify);
    const kernel_argument list[] = {
        c.rows, c.nnz,  c.offsets,    c.wide,    columns,
        left,   iso,    right,        other_iso, takes,
        before, beyond, other_before, to,        kernel_argument(parameters)};
    launch_over(c.nnz, operation, *program, "t_combine_entries", list);
  }
  return made;
}

// c<mask> accum= t.
void device_backend::write_back(matrix_base& c, matrix_base&& t, const matrix_rule& rule) {
  constexpr std::string_view operation = "write";
  t.type = c.type;  // an equal one may belong to an operator that goes before c does
  if (rule.mask == nullptr && rule.accumulator == nullptr) {
    c = std::move(t);
    return;
  }
  if (!are_few_entries({&c, &t, rule.mask})) return cpu_backend::write_back(c, std::move(t), rule);
  const buffer_pointer of_t = rule.mask != nullptr ? passing(operation, t, rule) : nullptr;
  std::optional<matrix_base> made;
  if (rule.accumulator != nullptr) {
    const buffer_pointer of_c =
        rule.mask != nullptr && rule.replace ? passing(operation, c, rule) : nullptr;
    made =
        merged(operation, combination::set_union, rule.accumulator, *c.type, {c, of_c}, {t, of_t});
    if (!made) return cpu_backend::write_back(c, std::move(t), rule);
  } else if (rule.replace || c.nnz == 0) {
    made = filtered(operation, t, of_t);
  } else {
    matrix_rule outside = rule;
    outside.complemented = !rule.complemented;
    made = merged(operation, combination::set_union, nullptr, *c.type,
                  {c, passing(operation, c, outside)}, {t, of_t});
  }
  made->type = c.type;
  c = std::move(*made);
}

void device_backend::ewise(matrix_base& c, combination how, const operator_description& op,
                           const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  std::optional<matrix_base> t;
  if (are_few_entries({&a, &b})) t = merged("ewise", how, &op, *op.z, {a, nullptr}, {b, nullptr});
  if (!t) return cpu_backend::ewise(c, how, op, a, b, rule);
  write_back(c, std::move(*t), rule);
}

// What entries.kernel is given of a and of a function of one operand.
struct device_backend::entry_call {
  element_request e;
  program_request request;
  const compiled_program* program;
  std::vector<std::uint64_t> parameters;

  entry_call(device_runtime& runtime, element_kind kind, const unary_description& f,
             const matrix_base& a, const type_description* z)
      : e(one_operand(kind, f, *a.type, z)),
        request{.kernel = "entries", .elements = &e},
        program(runtime.program(request)),
        parameters(parameter_words_of(request)) {}
  entry_call(const entry_call&) = delete;
};

void device_backend::over_entries(std::string_view operation, const entry_call& call,
                                  const char* kernel, const matrix_base& a, std::uint64_t entries,
                                  void* to) {
  const conversion c(*this, a);
  const void *columns = read_device(a.column_indices), *values = read_device(a.values);
  const std::uint32_t iso = a.iso;
  const kernel_argument list[] = {c.rows, entries, c.offsets,
                                  c.wide, columns, values,
                                  iso,    to,      kernel_argument(call.parameters)};
  launch_over(entries, operation, *call.program, kernel, list);
}

void device_backend::apply(matrix_base& c, const unary_description& f, const matrix_base& a,
                           const matrix_rule& rule) {
  const entry_call call(*runtime_, element_kind::apply, f, a, f.op.z);
  if (call.program == nullptr || !are_few_entries({&a})) return cpu_backend::apply(c, f, a, rule);
  const bool positional = is_positional(f.op);
  matrix_base t = a;
  on_cpu::renew(t);
  t.type = f.op.z;
  t.symmetric = a.symmetric && !positional;
  t.iso = a.iso && !positional;
  const auto values = static_cast<std::uint64_t>(t.iso ? std::min<index_t>(a.nnz, 1) : a.nnz);
  t.values = allocate(values * f.op.z->size);
  over_entries("apply", call, "t_apply_to_entries", a, values, write_device(t.values));
  write_back(c, std::move(t), rule);
}

void device_backend::select(matrix_base& c, const unary_description& predicate,
                            const matrix_base& a, const matrix_rule& rule) {
  const entry_call call(*runtime_, element_kind::select, predicate, a, a.type);
  if (call.program == nullptr || !are_few_entries({&a}))
    return cpu_backend::select(c, predicate, a, rule);
  const buffer_pointer keeps = allocate(static_cast<std::size_t>(a.nnz));
  over_entries("select", call, "t_select_entries", a, static_cast<std::uint64_t>(a.nnz),
               write_device(keeps));
  matrix_base t = filtered("select", a, keeps);
  // One value, and nothing else looked at: all stay, or none.
  if (t.nnz == a.nnz && (a.nnz == 0 || (a.iso && !is_positional(predicate.op))))
    t.symmetric = a.symmetric;
  write_back(c, std::move(t), rule);
}

// The product with a vector that is there everywhere, and of which nothing is read.
void device_backend::reduce(vector_base& w, const monoid_description& monoid, const matrix_base& a,
                            bool transposed, const vector_rule& rule) {
  // The host would read what it multiplies.
  if (!runtime_->traits().fp64 && runtime_->program(reduce_request(monoid)) == nullptr)
    return cpu_backend::reduce(w, monoid, a, transposed, rule);
  const index_t inputs = transposed ? a.rows : a.columns;
  vector_base all;
  all.context = context_.shared_from_this();
  all.type = a.type;
  all.size = all.nvals = inputs;
  all.storage = vector_storage::full;
  all.values = allocate(0);
  semiring_description sum;
  sum.add = monoid;
  sum.multiply = operator_from_text("x", *a.type, *a.type, *a.type, "first");
  multiply(w, {sum, a, all, transposed, false}, rule, "csr_segmented");
}

}  // namespace tropic::detail
