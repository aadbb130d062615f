// SPDX-License-Identifier: Apache-2.0

// Vectors: created, changed one entry at a time, exported, freed.

#include "c_session.hpp"

namespace tropic::fuzz {

void session::new_vector() {
  const tropic_type t = type();
  const int64_t size = in_.rarely(12) ? index() : dimension();
  const bool none = null();
  keep(create_in_both<tropic_vector>("tropic_vector_new", [&](int w, tropic_vector** result) {
    return tropic_vector_new(or_null(context_.of[w], none), t, size, result);
  }));
}
void session::dense_vector() {
  const tropic_type t = type();
  const int64_t size = dimension();
  const auto held = values(t, static_cast<std::size_t>(size));
  const bool no[] = {null(), null()};
  keep(create_in_both<tropic_vector>(
      "tropic_vector_from_dense", [&](int w, tropic_vector** created) {
        return tropic_vector_from_dense(or_null(context_.of[w], no[0]), t, size,
                                        or_null(held.data(), no[1]), created);
      }));
}
void session::vector_of_pairs() {
  const tropic_type t = type();
  const int64_t size = in_.rarely(12) ? index() : dimension();
  std::vector<int64_t> at(in_.below(8));
  for (int64_t& one : at) one = in_.rarely(64) ? index() : in_.below(4);
  const auto held = values(t, at.size());
  const tropic_duplicates d = rule();
  const int64_t count = in_.rarely(40) ? -1 : static_cast<int64_t>(at.size());
  const bool no[] = {null(), null(), null()};
  keep(create_in_both<tropic_vector>(
      "tropic_vector_from_pairs", [&](int w, tropic_vector** created) {
        return tropic_vector_from_pairs(or_null(context_.of[w], no[0]), t, size, count,
                                        or_null(at.data(), no[1]), or_null(held.data(), no[2]), d,
                                        created);
      }));
}
void session::copy_vector() {
  auto& from = vector();
  keep(create_in_both<tropic_vector>("tropic_vector_copy", [&](int w, tropic_vector** created) {
    return tropic_vector_copy(from.of[w], created);
  }));
}
void session::keep(twin<tropic_vector> created) {
  if (!created) return;
  auto& slot = vector();
  slot = std::move(created);
  agree(slot, true, "a new vector");
}

tropic_type session::asked_of(const twin<tropic_vector>& v) {
  return !v || in_.rarely(16) ? type() : type_of(v.of[0]);
}
void session::set_element() {
  auto& v = vector();
  const tropic_type t = asked_of(v);
  const auto value = values(t, 1);
  const int64_t at = index();
  const bool no[] = {null(), null()};
  in_both("tropic_vector_set", [&](int w) {
    return tropic_vector_set(or_null(v.of[w], no[0]), at, t, or_null(value.data(), no[1]));
  });
  agree(v, true, "tropic_vector_set");
}
void session::remove_element() {
  auto& v = vector();
  const int64_t at = index();
  in_both("tropic_vector_remove", [&](int w) { return tropic_vector_remove(v.of[w], at); });
  agree(v, true, "tropic_vector_remove");
}
void session::get_elements() {
  auto& v = vector();
  const tropic_type t = asked_of(v);
  const int64_t at = index();
  const bool no[] = {null(), null(), null()};
  std::byte value[2][16] = {};
  int present[2] = {};
  in_both("tropic_vector_get", [&](int w) {
    return tropic_vector_get(or_null(v.of[w], no[0]), at, t, or_null(value[w], no[1]),
                             or_null(&present[w], no[2]));
  });
  require(present[0] == present[1] && std::memcmp(value[0], value[1], 16) == 0,
          "tropic_vector_get: another entry");
  if (in_.rarely(8))
    for (const int w : worlds) {
      require(tropic_vector_size(v.of[w], nullptr) == TROPIC_USAGE, "size is NULL");
      require(tropic_vector_nvals(v.of[w], nullptr) == TROPIC_USAGE, "nvals is NULL");
      require(tropic_vector_type(v.of[w], nullptr) == TROPIC_USAGE, "type is NULL");
    }
}
void session::export_vector() {
  auto& v = vector();
  const tropic_type t = asked_of(v);
  const auto missing = values(t, 1);
  const int64_t size = v ? size_of(v.of[0]) : 0;
  // Arrays of the right length or less: a vector of 2^32 is not exported.
  const int64_t capacity = size > 64 ? 64 : in_.rarely(8) ? size - 1 : size;
  const bool no[] = {null(), in_.rarely(4), null(), null(), null()};
  std::vector<std::byte> found[2];
  in_both("tropic_vector_export_dense", [&](int w) {
    found[w].resize(64 * 8);
    return tropic_vector_export_dense(or_null(v.of[w], no[0]), t, or_null(missing.data(), no[1]),
                                      capacity, or_null(found[w].data(), no[2]));
  });
  require(found[0] == found[1], "tropic_vector_export_dense: other values");
  const int64_t room = in_.rarely(8) ? static_cast<int64_t>(in_.below(3)) - 1 : 64;
  in_both("tropic_vector_export_pairs", [&](int w) {
    std::vector<int64_t> at(64);
    std::vector<std::byte> entries(64 * 8);
    int64_t count = -7;
    return tropic_vector_export_pairs(v.of[w], t, room, or_null(at.data(), no[2]),
                                      or_null(entries.data(), no[3]), or_null(&count, no[4]));
  });
}

void session::free_one() {
  switch (in_.below(3)) {
    case 0: matrix() = {}; return;
    case 1: vector() = {}; return;
    default: semiring() = {};
  }
}

}  // namespace tropic::fuzz
