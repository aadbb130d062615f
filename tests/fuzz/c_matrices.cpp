// SPDX-License-Identifier: Apache-2.0

// Matrices: from CSR and COO, read and generated, inspected and exported.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "c_session.hpp"

namespace tropic::fuzz {

// Well-formed rows; then, unless they are trusted, some numbers are changed. The last offset stays
// within the arrays.
void session::from_csr() {
  tropic_csr csr = TROPIC_CSR_INIT;
  csr.size = odd_size(sizeof csr);
  csr.rows = dimension();
  csr.columns = in_.rarely(4) ? dimension() : csr.rows;
  std::vector<int64_t> offsets{0}, columns;
  for (int64_t row = 0; row < csr.rows; ++row) {
    const unsigned present = in_.byte();
    for (int64_t column = 0; column < std::min<int64_t>(csr.columns, 8); ++column)
      if ((present >> column & 1U) != 0 && columns.size() < most_entries) columns.push_back(column);
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  const std::size_t entries = columns.size();
  columns.resize(most_entries);
  csr.offset_type = index_type();
  csr.column_type = index_type();
  csr.type = type();
  const unsigned bits = in_.byte();
  csr.flags = bits % 4;  // trusted, borrowed
  if (bits >= 248) csr.flags |= bits;
  if (bits % 32 >= 24) {
    csr.flags &= ~TROPIC_TRUSTED;
    auto& changed = in_.rarely(2) ? offsets : columns;
    changed[in_.byte() % changed.size()] = index();
    offsets.back() = std::clamp<int64_t>(offsets.back(), -1, most_entries);
    if (tropic_type_size(csr.offset_type) < 8)
      offsets.back() = std::max<int64_t>(offsets.back(), 0);
  }
  if ((csr.flags & TROPIC_SYMMETRIC) != 0 && csr.rows == csr.columns)
    csr.flags &= ~TROPIC_SYMMETRIC;  // a promise that is not verified
  csr.iso = in_.rarely(5) ? 1 : 0;
  loans_.emplace_back();
  loan& first = loans_.back();
  first.offsets = indices(csr.offset_type, offsets);
  first.columns = indices(csr.column_type, columns);
  first.values = values(csr.type, entries);
  const bool small = tropic_type_size(csr.type) != 0 && small_values(csr.type, first.values);
  first.values.resize(most_entries * 16);
  loans_.push_back(first);
  loan* lent[] = {&*std::prev(loans_.end(), 2), &loans_.back()};
  const bool unnamed = in_.rarely(8);
  const bool no[] = {null(), null(), null(), null(), null(), null()};
  const auto created = [&](int w, tropic_matrix** result) {
    csr.offsets = or_null(lent[w]->offsets.data(), no[0]);
    csr.column_indices = or_null(lent[w]->columns.data(), no[1]);
    csr.values = or_null(lent[w]->values.data(), no[2]);
    csr.release = (csr.flags & TROPIC_BORROW) != 0 || unnamed ? &loan::release : nullptr;
    csr.data = lent[w];
    tropic_status status =
        tropic_matrix_from_csr(or_null(context_.of[w], no[3]), or_null(&csr, no[4]), result);
    // If the struct's size excludes `release`, the arrays are lent as long as the caller knows.
    lent[w]->taken = status == TROPIC_OK && csr.release != nullptr &&
                     csr.size >= offsetof(tropic_csr, data) + sizeof csr.data;
    if (no[5])
      require(tropic_matrix_from_csr(context_.of[w], &csr, nullptr) == TROPIC_USAGE,
              "made is NULL");
    return status;
  };
  if (csr.size < sizeof csr && csr.size > offsetof(tropic_csr, release)) csr.size = 3;
  keep(create_in_both<tropic_matrix>("tropic_matrix_from_csr", created), small);
}

void session::from_coo() {
  tropic_coo coo = TROPIC_COO_INIT;
  coo.size = odd_size(sizeof coo);
  coo.rows = in_.rarely(32) ? index() : dimension();
  coo.columns = in_.rarely(4) ? dimension() : coo.rows;
  coo.count = in_.below(20);
  std::vector<int64_t> rows, columns;
  for (int64_t e = 0; e < coo.count; ++e) {
    rows.push_back(in_.rarely(64) ? index() : in_.below(4));
    columns.push_back(in_.rarely(64) ? index() : in_.below(4));
  }
  coo.index_type = index_type();
  coo.type = type();
  coo.iso = in_.rarely(5) ? 1 : 0;
  coo.duplicates = rule();
  if (in_.rarely(32)) coo.flags = in_.byte() & ~TROPIC_SYMMETRIC;
  const auto row = indices(coo.index_type, rows), column = indices(coo.index_type, columns),
             held = values(coo.type, std::max<std::size_t>(rows.size(), 1));
  const bool small = false;  // repeated positions may be summed
  const bool no[] = {null(), null(), null(), null(), null()};
  coo.row_indices = or_null(row.data(), no[0]);
  coo.column_indices = or_null(column.data(), no[1]);
  coo.values = or_null(held.data(), no[2]);
  if (in_.rarely(40)) coo.count = -1;
  keep(create_in_both<tropic_matrix>("tropic_matrix_from_coo",
                                     [&](int w, tropic_matrix** result) {
                                       return tropic_matrix_from_coo(or_null(context_.of[w], no[3]),
                                                                     or_null(&coo, no[4]), result);
                                     }),
       small);
}

// A generator, or a file without a name, whose format is detected from its content.
void session::read() {
  constexpr const char* names[] = {"grid:3", "kron:3", "urand:4", "grid:",  "kron:-1",
                                   "grid:x", "",       "/",       "urand:", "nothing.mtx"};
  tropic_read_options options = TROPIC_READ_OPTIONS_INIT;
  options.size = odd_size(sizeof options);
  options.convert = in_.rarely(2) ? 1 : 0;
  options.type = type();
  options.undirected = in_.rarely(3) ? 1 : 0;
  options.duplicates = rule();
  const bool no[] = {null(), null(), null()};
  const unsigned choice = in_.below(14);
  std::string name = choice < std::size(names) ? names[choice] : "";
  int file = -1;
  if (choice >= std::size(names)) {
    file = memfd_create("fuzz", 0);
    require(file >= 0, "memfd_create");
    std::string text = choice % 2 == 0 ? "%%MatrixMarket matrix coordinate real general\n" : "";
    text += in_.text(200);
    require(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "write");
    name = "/proc/self/fd/" + std::to_string(file);
  }
  auto created =
      create_in_both<tropic_matrix>("tropic_matrix_read", [&](int w, tropic_matrix** result) {
        return tropic_matrix_read(or_null(context_.of[w], no[0]), or_null(name.c_str(), no[1]),
                                  or_null(&options, no[2]), result);
      });
  if (file >= 0) close(file);
  int64_t rows = 0, columns = 0;
  if (created)
    require(tropic_matrix_shape(created.of[0], &rows, &columns, nullptr) == TROPIC_OK, "");
  // A text may declare a large matrix; vectors for it are not tested here.
  if (rows <= 64 && columns <= 64) keep(std::move(created), false);
}

void session::keep(twin<tropic_matrix> created, bool small) {
  if (!created) return;
  const unsigned slot = in_.below(3);
  matrices_[slot] = std::move(created);
  small_[slot] = small;
}

void session::export_matrix() {
  auto& m = matrix();
  int64_t rows = 0, columns = 0, nnz = 0;
  const bool none = null() || !m;
  in_both("tropic_matrix_shape", [&](int w) {
    return tropic_matrix_shape(or_null(m.of[w], none), &rows, &columns, &nnz);
  });
  tropic_type held = TROPIC_BOOL;
  in_both("tropic_matrix_type",
          [&](int w) { return tropic_matrix_type(or_null(m.of[w], none), &held); });
  const tropic_type offset_type = index_type(), column_type = index_type(),
                    asked = in_.rarely(8) ? type() : held;
  const auto room = static_cast<std::size_t>(std::max(rows, nnz) + 1) * 8;
  const bool no[] = {null(), null(), null()};
  std::vector<std::byte> found[2];
  in_both("tropic_matrix_export_csr", [&](int w) {
    std::vector<std::byte> offsets(room), places(room), values(room);
    const tropic_status status = tropic_matrix_export_csr(
        or_null(m.of[w], none), offset_type, or_null(offsets.data(), no[0]), column_type,
        or_null(places.data(), no[1]), asked, or_null(values.data(), no[2]));
    if (status == TROPIC_OK)
      for (const auto* part : {&offsets, &places, &values})
        found[w].insert(found[w].end(), part->begin(), part->end());
    return status;
  });
  require(found[0] == found[1], "tropic_matrix_export_csr: other arrays");
  const int64_t i = index(), j = index();
  std::byte value[2][16] = {};
  int present[2] = {};
  in_both("tropic_matrix_get", [&](int w) {
    return tropic_matrix_get(or_null(m.of[w], none), i, j, asked, or_null(value[w], no[0]),
                             or_null(&present[w], no[1]));
  });
  require(present[0] == present[1] && std::memcmp(value[0], value[1], 16) == 0,
          "tropic_matrix_get: another entry");
}

}  // namespace tropic::fuzz
