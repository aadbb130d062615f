// SPDX-License-Identifier: Apache-2.0
#include "support/compare.hpp"

#include <cmath>
#include <cstring>
#include <sstream>

namespace tropic::testing {
namespace {

scalar_bytes field_of(const scalar_bytes& record, const field_description& field) {
  scalar_bytes part;
  std::memcpy(part.data(), record.bytes.data() + field.offset, describe(field.code).size);
  return part;
}

std::string place(index_t i) {
  return std::to_string(i);
}
std::string place(const std::pair<index_t, index_t>& p) {
  return "(" + std::to_string(p.first) + ", " + std::to_string(p.second) + ")";
}

template <class Host>
std::string entry_difference(const Host& expected, const Host& found) {
  if (!(*expected.type == *found.type)) return "the types differ";
  std::ostringstream text;
  int count = 0;
  const auto note = [&](const auto& at, const std::string& wanted, const std::string& got) {
    if (++count <= 4)
      text << "  at " << place(at) << ": expected " << wanted << ", found " << got << "\n";
  };
  for (const auto& [at, value] : expected.entries) {
    const auto other = found.entries.find(at);
    if (other == found.entries.end())
      note(at, to_text(*expected.type, value), "no entry");
    else if (!same_value(*expected.type, value, other->second))
      note(at, to_text(*expected.type, value), to_text(*expected.type, other->second));
  }
  for (const auto& [at, value] : found.entries)
    if (!expected.entries.contains(at)) note(at, "no entry", to_text(*found.type, value));
  if (count > 4) text << "  and " << count - 4 << " more\n";
  return text.str();
}

}  // namespace

bool same_value(const type_description& type, const scalar_bytes& a, const scalar_bytes& b) {
  if (type.code == type_code::record) {
    for (const field_description& field : type.fields)
      if (!same_value(describe(field.code), field_of(a, field), field_of(b, field))) return false;
    return true;
  }
  return with_builtin_type(type.code, [&]<class T>() {
    const T left = a.as<T>(), right = b.as<T>();
    return left == right || (left != left && right != right);
  });
}

std::string to_text(const type_description& type, const scalar_bytes& value) {
  std::ostringstream text;
  text.precision(17);
  if (type.code == type_code::record) {
    text << "{";
    for (const field_description& field : type.fields)
      text << " " << to_text(describe(field.code), field_of(value, field));
    text << " }";
  } else {
    with_builtin_type(type.code, [&]<class T>() { text << +value.as<T>(); });
  }
  return text.str();
}

std::string difference(const host_vector& expected, const host_vector& found) {
  if (expected.size != found.size) return "the sizes differ";
  return entry_difference(expected, found);
}
std::string difference(const host_matrix& expected, const host_matrix& found) {
  if (expected.rows != found.rows || expected.columns != found.columns) return "the shapes differ";
  return entry_difference(expected, found);
}

}  // namespace tropic::testing
