// SPDX-License-Identifier: Apache-2.0
#include "support/host_data.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic::testing {
namespace {

std::size_t as_size(index_t n) {
  return static_cast<std::size_t>(n);
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("a container breaks its promise: ") + what);
}

scalar_bytes value_at(const type_description& type, const void* values, std::size_t n) {
  scalar_bytes made;
  std::memcpy(made.data(), static_cast<const std::byte*>(values) + n * type.size, type.size);
  if (type.code == type_code::boolean)
    require(static_cast<unsigned char>(made.bytes[0]) <= 1, "a bool is 0 or 1");
  return made;
}

std::vector<std::byte> packed(const type_description& type, const auto& entries) {
  std::vector<std::byte> values;
  for (const auto& [where, value] : entries)
    values.insert(values.end(), value.bytes.begin(),
                  value.bytes.begin() + static_cast<std::ptrdiff_t>(type.size));
  return values;
}

template <class T>
T random_builtin(flavour how, dice& random) {
  using limits = std::numeric_limits<T>;
  if (how == flavour::edge && random.chance(0.6)) {
    if constexpr (std::is_floating_point_v<T>) {
      const T values[] = {limits::infinity(), -limits::infinity(), limits::max(), T(0), T(-0.0)};
      return values[random.roll(5)];
    } else if constexpr (!std::is_same_v<T, bool>) {
      const T values[] = {limits::max(), T(limits::max() - 1), T(limits::max() - 2),
                          limits::min(), T(limits::min() + 1), T(limits::max() / 2)};
      return values[random.roll(6)];
    }
  }
  if (how == flavour::real) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(static_cast<double>(random.next() >> 11) * 0x1p-50 - 4.0);
    else
      return arithmetic::convert<T>(random.next());
  }
  if (how == flavour::weighted)
    return arithmetic::convert<T>(1 + static_cast<std::int64_t>(random.next() % 1000003));
  return arithmetic::convert<T>(std::is_unsigned_v<T> ? random.roll(5) : random.roll(9) - 4);
}

}  // namespace

scalar_bytes random_value(const type_description& type, flavour how, dice& random) {
  if (type.code != type_code::record)
    return with_builtin_type(
        type.code, [&]<class T>() { return scalar_bytes::of(random_builtin<T>(how, random)); });
  scalar_bytes made;
  for (const field_description& field : type.fields) {
    const scalar_bytes part = random_value(describe(field.code), how, random);
    std::memcpy(made.bytes.data() + field.offset, part.data(), describe(field.code).size);
  }
  return made;
}

host_vector random_vector(const type_description& type, index_t size, double density, flavour how,
                          dice& random) {
  host_vector made{&type, size, {}};
  for (index_t i = 0; i < size; ++i)
    if (random.chance(density)) made.entries.emplace(i, random_value(type, how, random));
  return made;
}

host_matrix random_matrix(const type_description& type, index_t rows, index_t columns,
                          double density, flavour how, dice& random) {
  host_matrix made{&type, rows, columns, {}};
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j)
      if (random.chance(density))
        made.entries.emplace(std::pair{i, j}, random_value(type, how, random));
  return made;
}

void make_iso(host_matrix& m) {
  for (auto& [where, value] : m.entries) value = m.entries.begin()->second;
}

detail::vector_base make(const context& where, const host_vector& from, vector_storage storage) {
  std::vector<index_t> indices;
  for (const auto& [i, value] : from.entries) indices.push_back(i);
  const std::vector<std::byte> values = packed(*from.type, from.entries);
  detail::vector_base made = detail::build_vector(where.state(), *from.type, from.size, indices,
                                                  values.data(), duplicates::error);
  detail::convert(made, storage);
  if (storage == vector_storage::bitmap && from.size > 0) {
    dice random(99);
    const auto* present = static_cast<const std::uint8_t*>(made.present->host());
    auto* to = static_cast<std::byte*>(made.values->host_write(detail::access::modify));
    for (index_t i = 0; i < from.size; ++i)
      if (!present[i])
        std::memcpy(to + as_size(i) * from.type->size,
                    random_value(*from.type, flavour::edge, random).data(), from.type->size);
  }
  return made;
}

detail::matrix_base make(const context& where, const host_matrix& from, bool wide, bool iso) {
  std::vector<std::uint32_t> row, column;
  for (const auto& [at, value] : from.entries) {
    row.push_back(static_cast<std::uint32_t>(at.first));
    column.push_back(static_cast<std::uint32_t>(at.second));
  }
  const std::vector<std::byte> values = packed(*from.type, from.entries);
  detail::matrix_base made = detail::build_matrix(
      where.state(), *from.type, from.rows, from.columns, row, column, values.data(),
      iso && !row.empty() ? detail::value_layout::iso : detail::value_layout::per_entry,
      duplicates::error);
  if (wide) widen(made);
  return made;
}

void widen(detail::matrix_base& m) {
  if (m.wide) return;
  const auto* narrow = static_cast<const std::uint32_t*>(m.offsets->host());
  detail::buffer_pointer offsets =
      detail::make_buffer(m.context, (as_size(m.rows) + 1) * sizeof(std::uint64_t));
  auto* to = static_cast<std::uint64_t*>(offsets->host_write());
  for (index_t r = 0; r <= m.rows; ++r) to[r] = narrow[r];
  m.offsets = offsets;
  m.wide = true;
  detail::inspect_csr(m, {});
}

host_vector read(const detail::vector_base& from) {
  host_vector found{from.type, from.size, {}};
  require(from.nvals >= 0 && from.nvals <= from.size, "0 <= nvals <= size");
  if (from.storage == vector_storage::full) require(from.nvals == from.size, "full is full");
  if (from.size == 0) return found;
  if (from.storage == vector_storage::sparse) {
    if (from.nvals == 0) return found;
    const auto* indices = static_cast<const std::uint32_t*>(from.indices->host());
    const void* values = from.values->host();
    for (std::size_t n = 0; n < as_size(from.nvals); ++n) {
      require(indices[n] < as_size(from.size), "indices below the size");
      require(n == 0 || indices[n - 1] < indices[n], "indices strictly ascending");
      found.entries.emplace_hint(found.entries.end(), indices[n], value_at(*from.type, values, n));
    }
    return found;
  }
  const std::uint8_t* present = nullptr;
  if (from.storage == vector_storage::bitmap)
    present = static_cast<const std::uint8_t*>(from.present->host());
  const void* values = from.nvals > 0 ? from.values->host() : nullptr;
  for (index_t i = 0; i < from.size; ++i) {
    if (present) require(present[i] <= 1, "flags are 0 or 1");
    if (present && !present[i]) continue;
    require(values != nullptr, "nvals counts the entries");
    found.entries.emplace_hint(found.entries.end(), i, value_at(*from.type, values, as_size(i)));
  }
  require(static_cast<index_t>(found.entries.size()) == from.nvals, "nvals counts the entries");
  return found;
}

host_matrix read(const detail::matrix_base& from) {
  host_matrix found{from.type, from.rows, from.columns, {}};
  require(detail::offset_at(from, 0) == 0, "offsets begin at 0");
  require(detail::offset_at(from, from.rows) == from.nnz, "offsets end at nnz");
  const std::uint32_t* columns = nullptr;
  const void* values = nullptr;
  if (from.nnz > 0) {
    columns = static_cast<const std::uint32_t*>(from.column_indices->host());
    values = from.values->host();
  }
  index_t longest = 0, empty = 0;
  for (index_t r = 0; r < from.rows; ++r) {
    const index_t begin = detail::offset_at(from, r), end = detail::offset_at(from, r + 1);
    require(begin <= end && end <= from.nnz, "offsets ascend");
    longest = std::max(longest, end - begin);
    empty += begin == end;
    for (index_t e = begin; e < end; ++e) {
      require(columns[e] < as_size(from.columns), "columns below the width");
      require(e == begin || columns[e - 1] < columns[e], "columns strictly ascending");
      found.entries.emplace_hint(found.entries.end(), std::pair{r, index_t{columns[e]}},
                                 value_at(*from.type, values, from.iso ? 0 : as_size(e)));
    }
  }
  require(longest == from.longest_row, "longest_row");
  require(empty == from.empty_rows, "empty_rows");
  return found;
}

}  // namespace tropic::testing
