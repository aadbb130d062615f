// SPDX-License-Identifier: Apache-2.0

// Arrays in and out through the C ABI, of every type and every width of index, compared with the
// C++ API.

#include "interop/c/handles.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

constexpr tropic_type index_types[] = {TROPIC_INT32, TROPIC_UINT32, TROPIC_INT64, TROPIC_UINT64};

// Indices in one of the four types.
class index_array {
 public:
  index_array(tropic_type type, const std::vector<index_t>& from) : size_(tropic_type_size(type)) {
    bytes_.resize(from.size() * size_ / 4 + 2);
    for (std::size_t n = 0; n < from.size(); ++n)
      std::memcpy(data() + n * size_, &from[n], size_);  // little-endian
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(bytes_.data()); }
  std::vector<index_t> values(std::size_t count) {
    std::vector<index_t> result(count, 0);
    for (std::size_t n = 0; n < count; ++n) std::memcpy(&result[n], data() + n * size_, size_);
    return result;
  }

 private:
  std::size_t size_;
  std::vector<std::uint64_t> bytes_;
};

struct arrays {
  std::vector<index_t> offsets{0}, rows, columns;
  std::vector<scalar_bytes> padded;
  std::vector<std::byte> values;

  explicit arrays(const host_matrix& m) {
    index_t row = 0;
    for (const auto& [at, value] : m.entries) {
      for (; row < at.first; ++row) offsets.push_back(static_cast<index_t>(columns.size()));
      rows.push_back(at.first);
      columns.push_back(at.second);
      const auto* bytes = static_cast<const std::byte*>(value.data());
      values.insert(values.end(), bytes, bytes + m.type->size);
    }
    for (; row < m.rows; ++row) offsets.push_back(static_cast<index_t>(columns.size()));
  }
};

class CArrays : public OnContext {};

TEST_P(CArrays, MatricesOfEveryTypeComeAndGo) {
  const owned<tropic_context> c = handle_of(where());
  dice random(1);
  for (const type_description& type : builtin_types) {
    const host_matrix data = random_matrix(type, 9, 12, 0.3, flavour::edge, random);
    arrays from(data);
    const auto count = from.columns.size();
    for (const tropic_type offset_type : index_types)
      for (const tropic_type column_type : index_types)
        for (const unsigned flags : {0u, TROPIC_TRUSTED, TROPIC_BORROW}) {
          if (flags == TROPIC_BORROW && tropic_type_size(column_type) == 8) continue;
          index_array offsets(offset_type, from.offsets), columns(column_type, from.columns);
          tropic_csr csr = TROPIC_CSR_INIT;
          csr.rows = data.rows;
          csr.columns = data.columns;
          csr.offset_type = offset_type;
          csr.offsets = offsets.data();
          csr.column_type = column_type;
          csr.column_indices = columns.data();
          csr.type = c_type(type);
          csr.values = from.values.data();
          csr.flags = flags;
          const auto m = made_by<tropic_matrix>([&](tropic_matrix** result) {
            return tropic_matrix_from_csr(c.get(), &csr, result);
          });
          ASSERT_EQ(difference(data, read(m->base())), "") << type.name;
          EXPECT_EQ(m->base().column_indices->is_borrowed(), flags == TROPIC_BORROW);
          if (flags == TROPIC_BORROW) {
            EXPECT_EQ(m->base().offsets->host(), offsets.data());
            EXPECT_EQ(m->base().column_indices->host(), columns.data());
            EXPECT_EQ(m->base().values->host(), from.values.data());
          }

          const std::vector<index_t> none;
          index_array got_offsets(offset_type, std::vector<index_t>(from.offsets.size(), 77));
          index_array got_columns(column_type, std::vector<index_t>(count, 77));
          std::vector<std::byte> values(from.values.size());
          ASSERT_EQ(tropic_matrix_export_csr(m.get(), offset_type, got_offsets.data(), column_type,
                                             got_columns.data(), c_type(type), values.data()),
                    TROPIC_OK);
          EXPECT_EQ(got_offsets.values(from.offsets.size()), from.offsets);
          EXPECT_EQ(got_columns.values(count), from.columns);
          EXPECT_EQ(values, from.values);
        }
  }
}

TEST_P(CArrays, EntriesOfEveryTypeInAnyOrder) {
  const owned<tropic_context> c = handle_of(where());
  dice random(2);
  for (const type_description& type : builtin_types)
    for (const tropic_type index_type : index_types)
      for (const bool iso : {false, true}) {
        host_matrix data = random_matrix(type, 9, 12, 0.3, flavour::small, random);
        if (iso) make_iso(data);
        arrays from(data);
        const std::size_t count = from.rows.size(), bytes = type.size;
        for (std::size_t n = count; n > 1; --n) {  // shuffled
          const auto other = static_cast<std::size_t>(random.roll(static_cast<int>(n)));
          std::swap(from.rows[n - 1], from.rows[other]);
          std::swap(from.columns[n - 1], from.columns[other]);
          std::swap_ranges(&from.values[(n - 1) * bytes], &from.values[(n - 1) * bytes] + bytes,
                           &from.values[other * bytes]);
        }
        index_array rows(index_type, from.rows), columns(index_type, from.columns);
        tropic_coo coo = TROPIC_COO_INIT;
        coo.rows = data.rows;
        coo.columns = data.columns;
        coo.count = static_cast<index_t>(count);
        coo.index_type = index_type;
        coo.row_indices = rows.data();
        coo.column_indices = columns.data();
        coo.type = c_type(type);
        coo.values = from.values.data();
        coo.iso = iso;
        const auto m = made_by<tropic_matrix>(
            [&](tropic_matrix** result) { return tropic_matrix_from_coo(c.get(), &coo, result); });
        ASSERT_EQ(difference(data, read(m->base())), "") << type.name;
        EXPECT_EQ(m->base().iso, iso);
        // The single value of an iso matrix is exported once per entry.
        std::vector<std::byte> values(count * bytes);
        ASSERT_EQ(tropic_matrix_export_csr(m.get(), index_type, nullptr, index_type, nullptr,
                                           c_type(type), values.data()),
                  TROPIC_OK);
        EXPECT_EQ(values, arrays(data).values);
      }
}

TEST_P(CArrays, VectorsOfEveryTypeComeAndGo) {
  const owned<tropic_context> c = handle_of(where());
  dice random(3);
  for (const type_description& type : builtin_types)
    for (const double density : {0.3, 1.0}) {
      const host_vector data = random_vector(type, 21, density, flavour::edge, random);
      std::vector<index_t> indices;
      std::vector<std::byte> values;
      for (const auto& [at, value] : data.entries) {
        const auto* bytes = static_cast<const std::byte*>(value.data());
        indices.push_back(at);
        values.insert(values.end(), bytes, bytes + type.size);
      }
      const auto count = static_cast<index_t>(indices.size());
      const auto v = made_by<tropic_vector>([&](tropic_vector** result) {
        return density < 1
                   ? tropic_vector_from_pairs(c.get(), c_type(type), 21, count, indices.data(),
                                              values.data(), TROPIC_DUPLICATES_ERROR, result)
                   : tropic_vector_from_dense(c.get(), c_type(type), 21, values.data(), result);
      });
      ASSERT_EQ(difference(data, read(v->base)), "") << type.name;
      std::vector<index_t> got_indices(indices.size());
      std::vector<std::byte> got_values(values.size());
      index_t got = 0;
      ASSERT_EQ(tropic_vector_export_pairs(v.get(), c_type(type), count, got_indices.data(),
                                           got_values.data(), &got),
                TROPIC_OK);
      EXPECT_EQ(got, count);
      EXPECT_EQ(got_indices, indices);
      EXPECT_EQ(got_values, values);
      // One entry at a time into another vector.
      const auto w = made_by<tropic_vector>([&](tropic_vector** result) {
        return tropic_vector_new(c.get(), c_type(type), 21, result);
      });
      for (const auto& [at, value] : data.entries)
        ASSERT_EQ(tropic_vector_set(w.get(), at, c_type(type), value.data()), TROPIC_OK);
      EXPECT_EQ(difference(data, read(w->base)), "") << type.name;
      std::vector<std::byte> dense(21 * type.size, std::byte{9});
      const scalar_bytes missing{};
      ASSERT_EQ(tropic_vector_export_dense(w.get(), c_type(type), missing.data(), 21, dense.data()),
                TROPIC_OK);
      for (index_t i = 0; i < 21; ++i) {
        const auto found = data.entries.find(i);
        const scalar_bytes& expected = found == data.entries.end() ? missing : found->second;
        EXPECT_EQ(std::memcmp(&dense[static_cast<std::size_t>(i) * type.size], expected.data(),
                              type.size),
                  0);
      }
    }
}

TROPIC_ON_EVERY_CONTEXT(CArrays);

struct wrong_csr {
  const char* message;
  std::vector<index_t> offsets, columns;
  tropic_type type = TROPIC_INT64;
  unsigned flags = 0;
};

TEST(CArrays, RefusesWhatIsNoCsr) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const wrong_csr all[] = {
      {"csr->offsets start with 1, needed 0", {1, 2, 3}, {0, 1, 2}},
      {"csr->offsets fall after row 1, from 3 to 2", {0, 3, 2}, {0, 1}},
      {"csr->offsets end with -1", {0, 1, -1}, {0}},
      {"csr->offsets fall after row 0, from 0 to -5", {0, -5, 1}, {0}, TROPIC_INT32},
      {"csr->column_indices[1] is 4 in row 0, the matrix has 4 columns", {0, 2, 2}, {0, 4}},
      {"csr->column_indices[0] is -1 in row 0, the matrix has 4 columns", {0, 1, 1}, {-1}},
      {"csr->column_indices[0] is -1 in row 0, the matrix has 4 columns",
       {0, 1, 1},
       {-1},
       TROPIC_INT32},
      {"csr->column_indices[0] is 4294967297", {0, 1, 1}, {4294967297}},
      {"row 0 has column 1 twice, at entries 0 and 1", {0, 2, 2}, {1, 1}},
      {"row 1 has column 2 at entry 2 after 3", {0, 1, 3}, {1, 3, 2}, TROPIC_UINT32},
      {"csr->flags has 64, an unknown flag", {0, 1, 1}, {0}, TROPIC_INT32, 64},
      {"have 64 bits, those that are borrowed need 32",
       {0, 1, 1},
       {0},
       TROPIC_INT64,
       TROPIC_BORROW},
      {"TROPIC_SYMMETRIC requires a square matrix, this one is 2x4",
       {0, 1, 1},
       {0},
       TROPIC_INT32,
       TROPIC_SYMMETRIC},
  };
  const std::vector<double> values(8, 1.0);
  for (const wrong_csr& one : all) {
    index_array offsets(one.type, one.offsets), columns(one.type, one.columns);
    tropic_csr csr = TROPIC_CSR_INIT;
    csr.rows = 2;
    csr.columns = 4;
    csr.offset_type = csr.column_type = one.type;
    csr.offsets = offsets.data();
    csr.column_indices = columns.data();
    csr.values = values.data();
    csr.flags = one.flags;
    auto* result = reinterpret_cast<tropic_matrix*>(&csr);
    EXPECT_EQ(tropic_matrix_from_csr(c.get(), &csr, &result), TROPIC_USAGE) << one.message;
    EXPECT_EQ(result, nullptr);
    EXPECT_NE(std::string(tropic_last_error(c.get())).find(one.message), std::string::npos)
        << tropic_last_error(c.get());
  }
}

// Every pointer of a struct that is required, and every type that must be valid.
TEST(CArrays, NamesWhatIsMissing) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const std::int32_t offsets[] = {0, 1}, columns[] = {0};
  const auto refuses = [&](const char* message, auto change) {
    tropic_csr csr = TROPIC_CSR_INIT;
    csr.rows = csr.columns = 1;
    csr.offsets = offsets;
    csr.column_indices = columns;
    change(csr);
    tropic_matrix* result = nullptr;
    EXPECT_EQ(tropic_matrix_from_csr(c.get(), &csr, &result), TROPIC_USAGE) << message;
    EXPECT_NE(std::string(tropic_last_error(c.get())).find(message), std::string::npos)
        << tropic_last_error(c.get());
    tropic_matrix_free(result);
  };
  refuses("csr->offsets is NULL", [](tropic_csr& s) { s.offsets = nullptr; });
  refuses("csr->column_indices is NULL", [](tropic_csr& s) { s.column_indices = nullptr; });
  refuses("csr->values (iso) is NULL", [](tropic_csr& s) { s.iso = 1; });
  refuses("csr->offsets have type fp64", [](tropic_csr& s) { s.offset_type = TROPIC_FP64; });
  refuses("the type of csr->column_indices is 77, types are 0 to 10",
          [](tropic_csr& s) { s.column_type = static_cast<tropic_type>(77); });
  refuses("csr->type is -1", [](tropic_csr& s) { s.type = static_cast<tropic_type>(-1); });
  refuses("csr->size is 3", [](tropic_csr& s) { s.size = 3; });
  refuses("dimension -1", [](tropic_csr& s) { s.rows = -1; });
  refuses("dimension 4294967297", [](tropic_csr& s) { s.columns = 4294967297; });
  refuses("csr->release is for arrays that are borrowed",
          [](tropic_csr& s) { s.release = [](void*) {}; });
  refuses("csr->offsets does not lie at a multiple of 4 bytes",
          [](tropic_csr& s) { s.offsets = static_cast<const char*>(s.offsets) + 1; });
  const unsigned char two = 2;
  refuses("csr->values[0] is 2, a bool that is borrowed is 0 or 1", [&](tropic_csr& s) {
    s.type = TROPIC_BOOL;
    s.values = &two;
    s.flags = TROPIC_BORROW;
  });

  const auto refuses_coo = [&](const char* message, auto change) {
    tropic_coo coo = TROPIC_COO_INIT;
    coo.rows = coo.columns = coo.count = 1;
    coo.row_indices = coo.column_indices = columns;
    change(coo);
    tropic_matrix* result = nullptr;
    EXPECT_EQ(tropic_matrix_from_coo(c.get(), &coo, &result), TROPIC_USAGE) << message;
    EXPECT_NE(std::string(tropic_last_error(c.get())).find(message), std::string::npos)
        << tropic_last_error(c.get());
    tropic_matrix_free(result);
  };
  const std::int32_t negative = -3;
  refuses_coo("coo->row_indices is NULL", [](tropic_coo& s) { s.row_indices = nullptr; });
  refuses_coo("row index -3 of entry 0, needed 0 to 0",
              [&](tropic_coo& s) { s.row_indices = &negative; });
  refuses_coo("row index 1 of entry 0, needed 0 to 0",
              [&](tropic_coo& s) { s.row_indices = s.column_indices = &offsets[1]; });
  refuses_coo("coo->count is -1", [](tropic_coo& s) { s.count = -1; });
  refuses_coo("coo->flags has 1", [](tropic_coo& s) { s.flags = TROPIC_TRUSTED; });
  refuses_coo("duplicates is 6",
              [](tropic_coo& s) { s.duplicates = static_cast<tropic_duplicates>(6); });
}

TEST(CArrays, OffsetsThatDoNotFitAreRefusedBeforeAnythingIsWritten) {
  const owned<tropic_context> c = handle_of(context::cpu());
  detail::matrix_base wide = detail::empty_matrix(c->of->state(), describe<bool>(), 1, 4000000000);
  const auto m = handle_of(c, std::move(wide));
  std::int32_t offsets[] = {77, 77}, columns[] = {77};
  EXPECT_EQ(tropic_matrix_export_csr(m.get(), TROPIC_INT32, offsets, TROPIC_INT32, columns,
                                     TROPIC_BOOL, nullptr),
            TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr),
               "tropic_matrix_export_csr: column_type cannot hold 4000000000 columns");
  EXPECT_EQ(offsets[0], 77);
  EXPECT_EQ(tropic_matrix_export_csr(m.get(), TROPIC_INT32, offsets, TROPIC_UINT32, columns,
                                     TROPIC_BOOL, nullptr),
            TROPIC_OK);
  EXPECT_EQ(offsets[1], 0);
}

}  // namespace
}  // namespace tropic::testing
