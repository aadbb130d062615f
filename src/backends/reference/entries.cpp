// SPDX-License-Identifier: Apache-2.0

// Between containers and maps of entries, and the mask, accumulator and replace steps.

#include "backends/reference/entries.hpp"

#include <limits>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic::detail::reference {
namespace {

const std::byte* element_of(const void* values, const type_description& type, index_t n) {
  return static_cast<const std::byte*>(values) + static_cast<std::size_t>(n) * type.size;
}

bool is_true(const type_description& type, const scalar_bytes& value) {
  return with_builtin_type(type.code,
                           [&]<class T>() { return arithmetic::convert<bool>(value.as<T>()); });
}

buffer_pointer values_of(const context_pointer& context, const type_description& type,
                         const entries& from) {
  buffer_pointer made = make_buffer(context, from.size() * type.size);
  auto* to = static_cast<std::byte*>(made->host_write());
  for (const auto& [where, value] : from) {
    std::memcpy(to, value.data(), type.size);
    to += type.size;
  }
  return made;
}

template <class Offset>
buffer_pointer offsets_of(const matrix_base& c, const entries& from) {
  buffer_pointer made =
      make_buffer(c.context, (static_cast<std::size_t>(c.rows) + 1) * sizeof(Offset));
  auto* offsets = static_cast<Offset*>(made->host_write());
  auto next = from.begin();
  Offset count = 0;
  for (index_t row = 0; row < c.rows; ++row) {
    offsets[row] = count;
    for (; next != from.end() && next->first.row == row; ++next) ++count;
  }
  offsets[c.rows] = count;
  return made;
}

}  // namespace

void for_each_entry(const matrix_base& a,
                    const std::function<void(index_t, index_t, const void*)>& visit) {
  if (a.nnz == 0) return;
  const auto* columns = static_cast<const std::uint32_t*>(a.column_indices->host());
  const void* values = a.values->host();
  const void* offsets = a.offsets->host();
  const auto offset = [&](index_t row) {
    return a.wide ? static_cast<index_t>(static_cast<const std::uint64_t*>(offsets)[row])
                  : static_cast<index_t>(static_cast<const std::uint32_t*>(offsets)[row]);
  };
  cancel_watch watch(a.context);
  for (index_t row = 0; row < a.rows; ++row)
    for (index_t e = offset(row); e < offset(row + 1); ++e, watch.step())
      visit(row, columns[e], element_of(values, *a.type, a.iso ? 0 : e));
}

entries load(const matrix_base& a) {
  entries found;
  for_each_entry(a, [&](index_t row, index_t column, const void* value) {
    found.emplace_hint(found.end(), position{row, column}, copy_value(*a.type, value));
  });
  return found;
}

entries load(const vector_base& u) {
  entries found;
  if (u.nvals == 0) return found;
  const void* values = u.values->host();
  cancel_watch watch(u.context);
  const auto add = [&](index_t i, index_t n) {
    watch.step();
    found.emplace_hint(found.end(), position{i},
                       copy_value(*u.type, element_of(values, *u.type, n)));
  };
  switch (u.storage) {
    case vector_storage::sparse: {
      const auto* indices = static_cast<const std::uint32_t*>(u.indices->host());
      for (index_t n = 0; n < u.nvals; ++n) add(indices[n], n);
      break;
    }
    case vector_storage::bitmap: {
      const auto* present = static_cast<const std::uint8_t*>(u.present->host());
      for (index_t i = 0; i < u.size; ++i)
        if (present[i]) add(i, i);
      break;
    }
    case vector_storage::full:
      for (index_t i = 0; i < u.size; ++i) add(i, i);
      break;
  }
  return found;
}

void store(vector_base& w, const entries& from) {
  vector_base made = empty_vector(w.context, *w.type, w.size);
  made.nvals = static_cast<index_t>(from.size());
  if (!from.empty()) {
    made.values = values_of(made.context, *made.type, from);
    if (made.nvals == made.size) {
      made.storage = vector_storage::full;
    } else {
      made.indices = make_buffer(made.context, from.size() * sizeof(std::uint32_t));
      auto* index = static_cast<std::uint32_t*>(made.indices->host_write());
      for (const auto& [where, value] : from) *index++ = static_cast<std::uint32_t>(where.row);
    }
  }
  w = std::move(made);
}

void store(matrix_base& c, const entries& from) {
  matrix_base made = empty_matrix(c.context, *c.type, c.rows, c.columns);
  if (!from.empty()) {
    made.nnz = static_cast<index_t>(from.size());
    made.wide = from.size() > std::numeric_limits<std::uint32_t>::max();
    made.offsets =
        made.wide ? offsets_of<std::uint64_t>(made, from) : offsets_of<std::uint32_t>(made, from);
    made.column_indices = make_buffer(made.context, from.size() * sizeof(std::uint32_t));
    auto* column = static_cast<std::uint32_t*>(made.column_indices->host_write());
    for (const auto& [where, value] : from) *column++ = static_cast<std::uint32_t>(where.column);
    made.values = values_of(made.context, *made.type, from);
    inspect_csr(made, {.trusted = true});
  }
  made.structure_version = next_version();
  made.value_version = next_version();
  c = std::move(made);
}

template <class Container>
mask_function mask_of(const output_rule<Container>& rule) {
  // No mask lets everything through, and its complement nothing.
  if (rule.mask == nullptr) return [let = !rule.complemented](const position&) { return let; };
  return [mask = load(*rule.mask), type = rule.mask->type, structural = rule.structural,
          complemented = rule.complemented](const position& p) {
    const auto found = mask.find(p);
    const bool holds = found != mask.end() && (structural || is_true(*type, found->second));
    return holds != complemented;
  };
}
template mask_function mask_of(const vector_rule&);
template mask_function mask_of(const matrix_rule&);

entries union_of(cancel_watch& watch, const entries& w, const entries& t,
                 const operator_description& op) {
  const evaluator combine(op);
  entries z = w;
  for (const auto& [where, value] : t) {
    watch.step();
    const auto [found, is_new] = z.try_emplace(where, value);
    if (!is_new) {
      scalar_bytes both;
      combine(both.data(), found->second.data(), value.data(), where.row, 0, where.column);
      found->second = both;
    }
  }
  return z;
}

entries masked(cancel_watch& watch, const entries& w, const entries& z, const mask_function& mask,
               bool replace) {
  entries result;
  for (const auto& entry : z) {
    watch.step();
    if (mask(entry.first)) result.insert(entry);
  }
  if (replace) return result;
  for (const auto& entry : w) {
    watch.step();
    if (!mask(entry.first)) result.insert(entry);
  }
  return result;
}

}  // namespace tropic::detail::reference
