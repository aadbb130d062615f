// SPDX-License-Identifier: Apache-2.0

// Containers put together and taken apart, of the C ABI.

#include <vector>

#include "interop/c/output.hpp"

using namespace tropic::c_abi;

namespace {

void check_count(const call& c, int64_t count, const char* what) {
  if (count < 1 || count > 1 << 24)
    c.refuse(std::string(what) + " is " + std::to_string(count) + ", allowed are 1 to 2^24");
}

// The first of an array of handles, for the context of messages.
template <class Handle>
const Handle* first_of(const Handle* const* handles, int64_t count) {
  return handles != nullptr && count > 0 ? handles[0] : nullptr;
}

}  // namespace

tropic_status tropic_matrix_concatenate(int64_t rows, int64_t columns,
                                        const tropic_matrix* const* tiles, tropic_matrix** result) {
  return guarded(
      context_of(first_of(tiles, rows)), "tropic_matrix_concatenate", [&](const call& by) {
        by.need(result, "result") = nullptr;
        check_count(by, rows, "rows");
        check_count(by, columns, "columns");
        by.need(tiles, "tiles");
        std::vector<const tropic::detail::matrix_base*> bases;
        for (int64_t n = 0; n < rows * columns; ++n)
          bases.push_back(&by.need(tiles[n], "a tile").base());
        by.begin(*tiles[0]->of);
        *result = new_matrix(tiles[0]->of,
                             tropic::detail::concatenate(bases, static_cast<std::size_t>(columns)));
      });
}

tropic_status tropic_matrix_split(const tropic_matrix* a, int64_t rows, const int64_t* heights,
                                  int64_t columns, const int64_t* widths, tropic_matrix** tiles) {
  return guarded(context_of(a), "tropic_matrix_split", [&](const call& by) {
    check_count(by, rows, "rows");
    check_count(by, columns, "columns");
    by.need(tiles, "tiles");
    const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
    std::fill(tiles, tiles + m * n, nullptr);
    by.need(a, "a");
    by.need(heights, "heights");
    by.need(widths, "widths");
    by.begin(*a->of);
    std::vector<std::unique_ptr<tropic_matrix>> created;
    for (tropic::detail::matrix_base& tile :
         tropic::detail::split(a->base(), {heights, m}, {widths, n}))
      created.emplace_back(new_matrix(a->of, std::move(tile)));
    for (std::size_t t = 0; t < created.size(); ++t) tiles[t] = created[t].release();
  });
}

tropic_status tropic_vector_concatenate(int64_t count, const tropic_vector* const* parts,
                                        tropic_vector** result) {
  return guarded(context_of(first_of(parts, count)), "tropic_vector_concatenate",
                 [&](const call& by) {
                   by.need(result, "result") = nullptr;
                   check_count(by, count, "count");
                   by.need(parts, "parts");
                   std::vector<const tropic::detail::vector_base*> bases;
                   for (int64_t n = 0; n < count; ++n)
                     bases.push_back(&by.need(parts[n], "a part").base);
                   by.begin(*parts[0]->of);
                   *result = new_vector(parts[0]->of, tropic::detail::concatenate(bases));
                 });
}
