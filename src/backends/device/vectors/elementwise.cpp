// SPDX-License-Identifier: Apache-2.0

// Operations that look at one position at a time, on the device: one launch makes t, merges it with
// w and counts the entries that are left (elements.kernel). Vectors are full or bitmaps there; a
// sparse one is spread first. What the device cannot do goes to the host: values that it does
// not have (fp64), and vectors so long and so thin that a pass over all positions, or the memory
// for them, would be foolish.

#include <algorithm>

#include "backends/cpu/memory_side.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/vectors/mask.hpp"

namespace tropic::detail {
namespace {

constexpr index_t long_vector = index_t{1} << 26;

// elements.kernel.
enum how : std::uint32_t {
  old_counts = 1,
  old_bitmap = 2,
  replaces = 4,
  marks = 8,
  same_values = 16,
  same_present = 32
};

// Values that are moved only are words of their size, so that types share a program.
const type_description& moved_as(const type_description& type) {
  if (type.code == type_code::record) return type;
  return describe(type.size == 1   ? type_code::uint8
                  : type.size == 2 ? type_code::uint16
                  : type.size == 4 ? type_code::uint32
                                   : type_code::uint64);
}

bool is_full(const vector_base* v) {
  return v != nullptr && v->storage == vector_storage::full;
}

bool makes_full(const element_request& e, const vector_base* u, const vector_base* v) {
  switch (e.kind) {
    case element_kind::value: return true;
    case element_kind::copy:
    case element_kind::apply: return is_full(u);
    case element_kind::select: return false;
    case element_kind::set_union: return is_full(u) || is_full(v);
    case element_kind::set_intersection: return is_full(u) && is_full(v);
  }
  return false;
}

}  // namespace

std::size_t device_backend::group_of(std::size_t wanted) const {
  while (wanted > runtime_->traits().group_limit) wanted /= 2;
  return wanted;
}

// A bitmap of `size` positions with an entry at each of `indices`, whose n-th value is the n-th of
// `values` (null: it has none), all or, where `some` is given, those that are there.
vector_base device_backend::scattered(std::string_view operation, const type_description& type,
                                      index_t size, const buffer_pointer& indices,
                                      std::uint64_t entries, const buffer_pointer& values,
                                      const buffer_pointer& some) {
  const auto n = static_cast<std::size_t>(size);
  const std::uint32_t bytes = values != nullptr ? static_cast<std::uint32_t>(type.size) : 0,
                      is_some = some != nullptr;
  vector_base made;
  made.context = context_.shared_from_this();
  made.type = &type;
  made.size = size;
  made.storage = vector_storage::bitmap;
  made.present = allocate(n);
  made.values = allocate(n * bytes);
  void *to_present = write_device(made.present), *to = write_device(made.values);
  const void *list = read_device(indices), *from = read_device(values), *there = read_device(some);
  runtime_->fill(to_present, 0, n);
  if (bytes > 0) runtime_->fill(to, 0, n * bytes);
  const kernel_argument of_entries[] = {entries, list, there, is_some, to_present, from, to, bytes};
  launch_over(entries, operation, *runtime_->program({.kernel = "positions"}), "t_scatter",
              of_entries);
  return made;
}

// Full, or a bitmap.
void device_backend::spread(vector_base& v) {
  if (v.type == nullptr || v.storage != vector_storage::sparse) return;  // no vector, or spread
  if (v.nvals == v.size) {
    v.storage = vector_storage::full;
    v.indices = nullptr;
    return;
  }
  const entry_count entries = v.nvals;
  v = scattered("conversion to a bitmap", *v.type, v.size, v.indices,
                static_cast<std::uint64_t>(index_t{entries}), v.values, nullptr);
  v.nvals = entries;
}

// A byte a position, set where the mask lets nothing through; null without a mask. The mask's own
// bytes where they say that.
buffer_pointer device_backend::left_out(const vector_rule& rule) {
  if (rule.mask == nullptr) return nullptr;
  vector_base mask = *rule.mask;
  spread(mask);
  if (rule.structural && rule.complemented && mask.storage == vector_storage::bitmap)
    return mask.present;
  const auto n = static_cast<std::uint64_t>(mask.size);
  const buffer_pointer made = allocate(n);
  const mask_arguments of_mask(*this, mask, mask.present, rule);
  void* to = write_device(made);
  arguments list{n};
  of_mask.append_to(list);
  list.emplace_back(to);
  launch_over(n, "mask", *runtime_->program({.kernel = "positions"}), "t_left_out", list);
  return made;
}

// w<mask> accum= t, where t is made of u and v as `asked` says. False where the host has to do it.
bool device_backend::elements(std::string_view operation, vector_base& w,
                              const element_request& asked, const vector_base* u,
                              const vector_base* v, const vector_rule& rule) {
  const auto is_thin = [](const vector_base* of) {
    return of == nullptr || of->storage == vector_storage::sparse;
  };
  if (w.size == 0 ||
      (w.size > long_vector && is_thin(u) && is_thin(v) && is_thin(&w) && is_thin(rule.mask)))
    return false;
  element_request e = asked;
  if (e.op == nullptr && rule.accumulator == nullptr) {
    e.z = &moved_as(*e.z);
    if (e.u != nullptr) e.u = e.z;
  }
  const std::size_t group = group_of(128);
  const program_request request{.kernel = "elements",
                                .elements = &e,
                                .accumulator = rule.accumulator,
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const compiled_program* program = runtime_->program(request);
  if (program == nullptr) return false;

  const bool needs_old = !w.nvals.is_zero_surely() &&
                         (rule.accumulator != nullptr || (rule.mask != nullptr && !rule.replace));
  if (needs_old) spread(w);
  const bool in_place = needs_old && on_cpu::memory_side::is_exclusive(w.values),
             present_in_place = needs_old && on_cpu::memory_side::is_exclusive(w.present);
  vector_base left = u != nullptr ? *u : vector_base{}, right = v != nullptr ? *v : vector_base{},
              mask = rule.mask != nullptr ? *rule.mask : vector_base{};
  spread(left);
  spread(right);
  spread(mask);

  const bool t_full =
                 makes_full(e, u != nullptr ? &left : nullptr, v != nullptr ? &right : nullptr),
             old_full = needs_old && w.storage == vector_storage::full,
             adds = rule.accumulator != nullptr;
  const bool full = rule.mask == nullptr ? t_full || (adds && old_full)
                                         : !rule.replace && old_full && (adds || t_full);
  const auto n = static_cast<std::uint64_t>(w.size);
  const buffer_pointer values = in_place ? w.values : allocate(n * e.z->size),
                       present = full               ? nullptr
                                 : present_in_place ? w.present
                                                    : allocate(n),
                       counters = full ? nullptr : allocate(2 * sizeof(std::uint32_t));
  const std::uint32_t u_bitmap = left.present != nullptr, v_bitmap = right.present != nullptr;
  std::uint32_t flags = (full ? 0u : marks) | (rule.replace ? replaces : 0u);
  if (needs_old) flags |= old_counts | (old_full ? 0u : old_bitmap);
  if (in_place) flags |= same_values;
  if (present_in_place && !full) flags |= same_present;
  const mask_arguments of_mask(*this, mask, mask.present, rule);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const void *u_values = read_device(left.values), *u_present = read_device(left.present),
             *v_values = read_device(right.values), *v_present = read_device(right.present),
             *old = read_device(needs_old ? w.values : nullptr),
             *old_present = read_device(needs_old ? w.present : nullptr);
  void *to = write_device(values, in_place ? access::modify : access::overwrite),
       *to_present = write_device(present, present_in_place ? access::modify : access::overwrite),
       *count = write_device(counters);
  if (!full) runtime_->fill(count, 0, counters->bytes());
  arguments list{n, u_values, u_present, u_bitmap, v_values, v_present, v_bitmap};
  of_mask.append_to(list);
  list.insert(list.end(),
              {flags, old, old_present, to, to_present, count, kernel_argument(parameters)});
  runtime_->launch(
      operation, *program, "t_elements", list,
      std::min<std::size_t>((n + group - 1) / group, 64 * runtime_->traits().processors), group);

  w.values = values;
  w.present = present;
  w.indices = nullptr;
  w.storage = full ? vector_storage::full : vector_storage::bitmap;
  w.nvals = full ? entry_count(w.size) : entry_count(counters);
  return true;
}

void device_backend::ewise(vector_base& w, combination how, const operator_description& op,
                           const vector_base& u, const vector_base& v, const vector_rule& rule) {
  const element_request e{.kind = how == combination::set_union ? element_kind::set_union
                                                                : element_kind::set_intersection,
                          .op = &op,
                          .u = op.x,
                          .v = op.y,
                          .z = op.z};
  if (!elements("ewise", w, e, &u, &v, rule)) cpu_backend::ewise(w, how, op, u, v, rule);
}

void device_backend::apply(vector_base& w, const unary_description& f, const vector_base& u,
                           const vector_rule& rule) {
  const element_request e = one_operand(element_kind::apply, f, *u.type, f.op.z);
  if (!elements("apply", w, e, &u, nullptr, rule)) cpu_backend::apply(w, f, u, rule);
}

void device_backend::select(vector_base& w, const unary_description& predicate,
                            const vector_base& u, const vector_rule& rule) {
  const element_request e = one_operand(element_kind::select, predicate, *u.type, u.type);
  if (!elements("select", w, e, &u, nullptr, rule)) cpu_backend::select(w, predicate, u, rule);
}

void device_backend::assign(vector_base& w, const void* value, const positions& to,
                            const vector_rule& rule) {
  element_request e{.kind = element_kind::value, .z = w.type};
  std::memcpy(e.bound.data(), value, w.type->size);
  const bool done = to.all ? elements("assign", w, e, nullptr, nullptr, rule)
                           : assign_listed(w, e, nullptr, to, rule);
  if (!done) cpu_backend::assign(w, value, to, rule);
}

void device_backend::assign(vector_base& w, const vector_base& u, const positions& to,
                            const vector_rule& rule) {
  if (to.all) return merge("assign", w, vector_base(u), rule);
  if (!assign_listed(w, {.u = w.type, .z = w.type}, &u, to, rule))
    cpu_backend::assign(w, u, to, rule);
}

// The list is a mask within which w takes what is assigned; the mask proper then decides what of
// that is seen.
bool device_backend::assign_listed(vector_base& w, const element_request& e, const vector_base* u,
                                   const positions& to, const vector_rule& rule) {
  if (w.size > long_vector) return false;
  const auto entries = static_cast<std::uint64_t>(to.list.size());
  const buffer_pointer list = uploaded(to.list);
  const vector_base scope =
      scattered("assign", describe(type_code::boolean), w.size, list, entries, nullptr, nullptr);
  vector_base t;
  if (u != nullptr) {
    vector_base from = *u;
    spread(from);
    t = scattered("assign", *w.type, w.size, list, entries, from.values, from.present);
  }
  vector_rule listed;
  listed.mask = &scope;
  listed.structural = true;
  listed.accumulator = rule.accumulator;
  vector_base* const operand = u != nullptr ? &t : nullptr;
  if (rule.mask == nullptr) return elements("assign", w, e, operand, nullptr, listed);
  vector_base next = w;
  if (!elements("assign", next, e, operand, nullptr, listed)) return false;
  vector_rule seen = rule;
  seen.accumulator = nullptr;
  merge("assign", w, std::move(next), seen);
  return true;
}

// w<mask> accum= t.
void device_backend::merge(std::string_view operation, vector_base& w, vector_base&& t,
                           const vector_rule& rule) {
  t.type = w.type;  // an equal one may belong to an operator that goes before w does
  if (rule.mask == nullptr && rule.accumulator == nullptr) {
    w = std::move(t);
    return;
  }
  const element_request e{.u = w.type, .z = w.type};
  if (!elements(operation, w, e, &t, nullptr, rule)) write_back(w, std::move(t), rule);
}

program_request device_backend::reduce_request(const monoid_description& monoid) const {
  return {.kernel = "reduce",
          .monoid = &monoid,
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group_of(128))}}};
}

bool device_backend::reduce(void* result, const monoid_description& monoid, const vector_base& u) {
  const std::size_t bytes = monoid.add.z->size, group = group_of(128);
  const compiled_program* program =
      u.nvals > 0 ? runtime_->program(reduce_request(monoid)) : nullptr;
  if (program == nullptr) return cpu_backend::reduce(result, monoid, u);
  const bool is_sparse = u.storage == vector_storage::sparse;
  const auto n = static_cast<std::uint64_t>(is_sparse ? index_t{u.nvals} : u.size);
  const std::uint64_t groups = std::min<std::uint64_t>((n + 8 * group - 1) / (8 * group), 512);
  const buffer_pointer sums = allocate(groups * bytes), found = allocate(groups),
                       sum = allocate(bytes), any = allocate(1);
  const void *values = read_device(u.values),
             *present = read_device(is_sparse ? nullptr : u.present);
  const std::uint32_t bitmap = u.storage == vector_storage::bitmap, some = 1;
  void *to = write_device(sums), *to_found = write_device(found);
  const kernel_argument first[] = {n, values, present, bitmap, to, to_found};
  runtime_->launch("reduce", *program, "t_reduce", first, groups, group);
  const void *from = read_device(sums), *from_found = read_device(found);
  void *last = write_device(sum), *last_found = write_device(any);
  const kernel_argument second[] = {groups, from, from_found, some, last, last_found};
  runtime_->launch("reduce", *program, "t_reduce", second, 1, group);
  std::memcpy(result, sum->host(), bytes);
  return true;
}

// The values of all entries, as a full vector.
bool device_backend::reduce(void* result, const monoid_description& monoid, const matrix_base& a) {
  if (a.iso || a.nnz == 0) return cpu_backend::reduce(result, monoid, a);
  vector_base all;
  all.context = a.context;
  all.type = a.type;
  all.size = all.nvals = a.nnz;
  all.storage = vector_storage::full;
  all.values = a.values;
  return reduce(result, monoid, all);
}

}  // namespace tropic::detail
