// SPDX-License-Identifier: Apache-2.0

// Whether a step of reading, or of building a matrix from the result, fits the memory.

#include "io/memory.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <tropic/read_matrix.hpp>

#include "containers/memory/build_memory.hpp"

namespace tropic::io::detail {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

thread_local std::size_t latest = 0;

std::size_t difference(std::size_t a, std::size_t b) {
  return a > b ? a - b : 0;
}

}  // namespace

std::size_t bytes_for(std::size_t count, std::size_t size) {
  return size != 0 && count > unlimited / size ? unlimited : count * size;
}

std::size_t sum_of_bytes(std::size_t a, std::size_t b) {
  return a > unlimited - b ? unlimited : a + b;
}

void memory_room::require(std::size_t bytes, const std::string& what_for, std::size_t held) const {
  latest = difference(bytes, held);
  if (limit != 0 && bytes > difference(limit, used))
    throw out_of_memory(
        bytes, difference(limit, used),
        what_for + " within the memory limit of " + std::to_string(limit) + " bytes");
  // For small requests the system calls are not worth it, and malloc reports its own failure.
  if (latest < (std::size_t{1} << 22)) return;
  const std::size_t available = available_memory();
  if (latest > available) throw out_of_memory(latest, available, what_for);
}

void memory_tally::take(std::size_t bytes, const std::string& what_for) {
  const std::size_t before = taken_.fetch_add(bytes);
  try {
    // The machine is queried for large pieces only; for small ones each time that they add up to
    // one.
    constexpr std::size_t step = std::size_t{1} << 22;
    const bool adds_up = before / step != sum_of_bytes(before, bytes) / step;
    room_.require(sum_of_bytes(before, bytes), what_for,
                  adds_up ? before - std::min(before, step) : before);
  } catch (...) {
    taken_ -= bytes;
    throw;
  }
}

void require_memory(std::size_t count, std::size_t size, const std::string& what_for) {
  memory_room().require(bytes_for(count, size), what_for);
}

std::size_t bytes_of_vertices(const coordinates& m) {
  return m.vertex_ids.capacity() * sizeof(index_t) + m.vertex_names.bytes();
}

std::size_t bytes_held(const coordinates& m) {
  return (m.row.capacity() + m.column.capacity()) * sizeof(std::uint32_t) + m.values.capacity() +
         bytes_of_vertices(m);
}

std::size_t latest_requirement() {
  return latest;
}

}  // namespace tropic::io::detail

namespace tropic::detail {

std::size_t require_build_memory(const io::coordinates& from, const type_description& type,
                                 bool iso, std::size_t limit, std::size_t used,
                                 const std::string& file) {
  using namespace io::detail;
  const std::size_t entries = from.row.size();
  const std::size_t bytes =
      bytes_to_build(static_cast<std::size_t>(from.rows), entries, iso ? 0 : type.size);
  memory_room room;
  room.limit = limit;
  room.used = used;
  room.beside(bytes_held(from))
      .require(bytes, file + ": the " + std::to_string(from.rows) + "x" +
                          std::to_string(from.columns) + " matrix of " + std::to_string(entries) +
                          (entries == 1 ? " entry" : " entries"));
  return bytes;
}

void explain_build_failure(const std::string& file, std::size_t required) {
  try {
    throw;
  } catch (const out_of_memory& cause) {
    throw out_of_memory(file, cause);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(required, io::detail::available_memory(), file + ": building the matrix");
  }
}

}  // namespace tropic::detail
