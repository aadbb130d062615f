// SPDX-License-Identifier: Apache-2.0

// One launch makes t, merges it with w and counts the entries that are left (elements.kernel).

#include <algorithm>

#include "backends/device/primitives.hpp"
#include "backends/device/vectors/mask.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {
namespace {

// Values that are only copied are words of their size, so that types share a program.
const type_description& copied_as(const type_description& type) {
  if (type.code == type_code::record) return type;
  return describe(type.size == 1   ? type_code::uint8
                  : type.size == 2 ? type_code::uint16
                  : type.size == 4 ? type_code::uint32
                                   : type_code::uint64);
}

// Whether the device makes w. Vectors that are long and thin stay on the host: a pass
// over all positions, and the memory for them, would cost far more than their entries.
bool suits_device(const vector_base& w, const vector_base* u, const vector_base* v,
                  const vector_rule& rule) {
  const auto is_thin = [](const vector_base* of) {
    return of == nullptr || of->storage == vector_storage::sparse;
  };
  if (w.size == 0) return false;
  return w.size <= longest_thin_vector || !is_thin(u) || !is_thin(v) || !is_thin(&w) ||
         !is_thin(rule.mask);
}

bool is_full(const vector_base& v) {
  return v.type != nullptr && v.storage == vector_storage::full;
}

// Whether t has an entry everywhere.
bool makes_full(element_kind kind, const vector_base& u, const vector_base& v) {
  switch (kind) {
    case element_kind::value: return true;
    case element_kind::copy:
    case element_kind::apply: return is_full(u);
    case element_kind::select: return false;
    case element_kind::set_union: return is_full(u) || is_full(v);
    case element_kind::set_intersection: return is_full(u) && is_full(v);
  }
  return false;
}

// What w was, as far as it matters, and the arrays that it gets.
struct merge_target {
  bool needs_old = false, old_full = false;
  bool same_values = false, same_present = false;  // w's arrays are written in place
  bool full = false;                               // w gets an entry everywhere
  buffer_pointer values{}, present{}, counters{};

  // Of w as the device holds it, before anything else refers to its arrays.
  merge_target(const vector_base& w, bool old_matters)
      : needs_old(old_matters),
        old_full(old_matters && w.storage == vector_storage::full),
        same_values(old_matters && on_cpu::memory_side::is_exclusive(w.values)),
        same_present(old_matters && on_cpu::memory_side::is_exclusive(w.present)) {}

  void make_arrays(const device_context& device, const vector_base& w, std::size_t value_bytes,
                   bool t_full, const vector_rule& rule) {
    const bool adds = rule.accumulator != nullptr;
    full = rule.mask == nullptr ? t_full || (adds && old_full)
                                : !rule.replace && old_full && (adds || t_full);
    const auto n = static_cast<std::size_t>(w.size);
    values = same_values ? w.values : device.allocate(n * value_bytes);
    if (full) return;
    present = same_present ? w.present : device.allocate(n);
    counters = device.allocate(count_bytes);
  }

  // Those of elements.kernel.
  std::uint32_t flags(bool replace) const {
    constexpr std::uint32_t old_counts = 1, old_bitmap = 2, replaces = 4, marks = 8,
                            in_same_values = 16, in_same_present = 32;
    std::uint32_t all = (full ? 0u : marks) | (replace ? replaces : 0u);
    if (needs_old) all |= old_counts | (old_full ? 0u : old_bitmap);
    if (same_values) all |= in_same_values;
    if (same_present && !full) all |= in_same_present;
    return all;
  }

  void become(vector_base& w) {
    w.values = std::move(values);
    w.present = std::move(present);
    w.indices = nullptr;
    w.storage = full ? vector_storage::full : vector_storage::bitmap;
    w.nvals = full ? entry_count(w.size) : entry_count(std::move(counters));
  }
};

}  // namespace

// w<mask> accum= t, where t is made of u and v as `asked` says.
bool vector_operations::merge(std::string_view operation, vector_base& w,
                              const element_request& asked, const vector_base* u,
                              const vector_base* v, const vector_rule& rule) {
  if (!suits_device(w, u, v, rule)) return false;
  element_request e = asked;
  if (e.op == nullptr && rule.accumulator == nullptr) {
    e.z = &copied_as(*e.z);
    if (e.u != nullptr) e.u = e.z;
  }
  const std::size_t group = device_.group_size(128);
  const program_request request{.kernel = "elements",
                                .elements = &e,
                                .accumulator = rule.accumulator,
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return false;

  const bool needs_old = !w.nvals.is_zero_surely() &&
                         (rule.accumulator != nullptr || (rule.mask != nullptr && !rule.replace));
  if (needs_old) spread(w);
  merge_target target(w, needs_old);
  vector_base left = u != nullptr ? *u : vector_base{}, right = v != nullptr ? *v : vector_base{},
              mask = rule.mask != nullptr ? *rule.mask : vector_base{};
  for (vector_base* operand : {&left, &right, &mask}) spread(*operand);
  target.make_arrays(device_, w, e.z->size, makes_full(e.kind, left, right), rule);

  const auto n = static_cast<std::uint64_t>(w.size);
  const std::uint32_t u_bitmap = left.present != nullptr, v_bitmap = right.present != nullptr,
                      flags = target.flags(rule.replace);
  const mask_arguments of_mask(device_, mask, mask.present, rule);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const void *u_values = device_.read(left.values), *u_present = device_.read(left.present),
             *v_values = device_.read(right.values), *v_present = device_.read(right.present),
             *old = device_.read(needs_old ? w.values : nullptr),
             *old_present = device_.read(needs_old ? w.present : nullptr);
  const auto mode = [](bool in_place) { return in_place ? access::modify : access::overwrite; };
  void *to = device_.write(target.values, mode(target.same_values)),
       *to_present = device_.write(target.present, mode(target.same_present)),
       *count = device_.write(target.counters);
  if (!target.full) device_.runtime().fill(count, 0, target.counters->bytes());
  arguments list{n, u_values, u_present, u_bitmap, v_values, v_present, v_bitmap};
  of_mask.append_to(list);
  list.insert(list.end(),
              {flags, old, old_present, to, to_present, count, kernel_argument(parameters)});
  device_.runtime().launch(operation, *program, "t_elements", list,
                           device_.groups_over(n, group, 64), group);
  target.become(w);
  return true;
}

bool vector_operations::ewise(vector_base& w, combination combine, const operator_description& op,
                              const vector_base& u, const vector_base& v, const vector_rule& rule) {
  const element_request e{.kind = combine == combination::set_union
                                      ? element_kind::set_union
                                      : element_kind::set_intersection,
                          .op = &op,
                          .u = op.x,
                          .v = op.y,
                          .z = op.z};
  return merge("ewise", w, e, &u, &v, rule);
}

bool vector_operations::apply(vector_base& w, const unary_description& f, const vector_base& u,
                              const vector_rule& rule) {
  const element_request e = one_operand(element_kind::apply, f, *u.type, f.op.z);
  return merge("apply", w, e, &u, nullptr, rule);
}

bool vector_operations::select(vector_base& w, const unary_description& predicate,
                               const vector_base& u, const vector_rule& rule) {
  const element_request e = one_operand(element_kind::select, predicate, *u.type, u.type);
  return merge("select", w, e, &u, nullptr, rule);
}

}  // namespace tropic::detail
