// SPDX-License-Identifier: Apache-2.0

// Tropic's own binary files.

#include "io/binary/binary_format.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

coordinates sample() {
  return read_text(
      "%%MatrixMarket matrix coordinate integer general\n3 5 4\n3 2 7\n1 5 1\n1 1 2\n3 1 9\n",
      file_format::matrix_market, "sample");
}

TEST(Binary, ReadsBackInRowOrderWithItsType) {
  const folder here;
  write(here / "a.tropic", sample());
  const coordinates m = read(here / "a.tropic");
  EXPECT_EQ(places_of(m), (places{{0, 0}, {0, 4}, {2, 0}, {2, 1}}));
  EXPECT_EQ(values_of<std::int64_t>(m), (std::vector<std::int64_t>{2, 1, 9, 7}));
  EXPECT_EQ(m.columns, 5);
  write(here / "b.tropic.zst", m);
  expect_equal(read(here / "b.tropic.zst"), m);
  read_options options;
  options.type = type_code::uint8;
  EXPECT_EQ(values_of<std::uint8_t>(read(here / "a.tropic", options)),
            (std::vector<std::uint8_t>{2, 1, 9, 7}));
  options.type = type_code::int8;
  coordinates wide = m;
  wide.values.assign(4 * sizeof(std::int64_t), std::byte{1});
  write(here / "c.tropic", wide);
  EXPECT_EQ(
      message_of([&] { read(here / "c.tropic", options); }),
      (here / "c.tropic").string() +
          ": found the value 72340172838076673 at byte 256, expected values that int8 can hold");
}

TEST(Binary, EveryValueButZeroIsReadAsTrue) {
  const folder here;
  read_options options;
  options.type = type_code::boolean;
  for (const char* field : {"integer", "real"}) {
    const coordinates m = read_text("%%MatrixMarket matrix coordinate " + std::string(field) +
                                        " general\n3 3 4\n1 1 2\n1 2 0\n2 1 -1\n3 3 256\n",
                                    file_format::matrix_market, "m");
    write(here / "a.tropic", m);
    EXPECT_EQ(values_of<bool>(read(here / "a.tropic", options)),
              (decltype(values_of<bool>(m)){true, false, true, true}))
        << field;
  }
}

TEST(Binary, MapsInPlaceAndAligned) {
  const folder here;
  write(here / "a.tropic", sample());
  const mapped_csr m = map_binary(here / "a.tropic");
  EXPECT_EQ(m.entries, 4);
  EXPECT_TRUE(m.offsets64.empty());
  EXPECT_EQ((std::vector<std::uint32_t>(m.offsets32.begin(), m.offsets32.end())),
            (std::vector<std::uint32_t>{0, 2, 2, 4}));
  EXPECT_EQ((std::vector<std::uint32_t>(m.column.begin(), m.column.end())),
            (std::vector<std::uint32_t>{0, 4, 0, 1}));
  for (const void* array :
       {static_cast<const void*>(m.offsets32.data()), static_cast<const void*>(m.column.data()),
        static_cast<const void*>(m.values.data())})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % 64, 0U);
  std::filesystem::remove(here / "a.tropic");
  EXPECT_EQ(m.column[1], 4U);  // kept alive by the owner
}

TEST(Binary, KeepsPatternsSymmetryAndVertexNumbers) {
  const folder here;
  coordinates m = read_ldbc_text("900\n-5\n7\n", "-5 7\n7 900\n", "g");
  m.first_vertex_id = 0;
  write(here / "a.tropic", m);
  expect_equal(read(here / "a.tropic"), m);
  const coordinates symmetric = read_text("2 1 1\n2 7\n1 7\n", file_format::metis, "");
  write(here / "b.tropic", symmetric);
  expect_equal(read(here / "b.tropic"), symmetric);
  write(here / "c.tropic", read_text("# none\n", file_format::edge_list, ""));
  EXPECT_EQ(read(here / "c.tropic").rows, 0);
}

TEST(Binary, RefusesDuplicateEntries) {
  const folder here;
  const coordinates m = read_text("1 1\n0 1\n1 1\n", file_format::edge_list, "");
  EXPECT_EQ(message_of([&] { write(here / "a.tropic", m); }),
            (here / "a.tropic").string() +
                ": two entries at (1, 1); a Tropic file holds each position once");
  EXPECT_EQ(here.files(), 0U);
}

std::string bytes_of_matrix(const coordinates& m) {
  const folder here;
  write(here / "a.tropic", m);
  return bytes_of(here / "a.tropic");
}

std::string refused(const std::string& bytes) {
  return message_of([&] { read_text(bytes, file_format::binary, "f"); });
}

/// Applies `change` to the header of a file and corrects its checksum.
template <class F>
std::string changed(std::string bytes, F&& change) {
  detail::binary_header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  header.checksum = header.own_checksum();
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::string marked_symmetric(const coordinates& m) {
  return changed(bytes_of_matrix(m),
                 [](auto& h) { h.flags |= detail::binary_header::symmetric_flag; });
}

TEST(Binary, ASymmetricFlagOverOtherEntriesIsRefusedByTheEntry) {
  // Found by fuzz_readers: it was written back as half of itself.
  EXPECT_EQ(refused(marked_symmetric(read_text("0 1\n1 2\n", file_format::edge_list, "g"))),
            "f: found the entry (0, 1) in a matrix marked symmetric at byte 192, expected an entry "
            "at (1, 0)");
  EXPECT_EQ(refused(marked_symmetric(
                read_text("0 1 5\n1 0 5\n2 1 7\n1 2 -7\n", file_format::weighted_edge_list, "g"))),
            "f: found the entry (1, 2) = -7 in a matrix marked symmetric at byte 200, expected the "
            "same value at (2, 1)");
  EXPECT_EQ(refused(marked_symmetric(read_text(
                "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 2 1 2\n2 1 1 -2\n",
                file_format::matrix_market, "g"))),
            "f: found the entry (0, 1) = 1.000000 + 2.000000i in a matrix marked symmetric at byte "
            "192, expected the same value at (1, 0)");
  // By any reader, with any number of threads, unless the file is trusted.
  const folder here;
  coordinates large;
  large.rows = large.columns = 100'000;
  large.pattern = true;
  large.values = {std::byte{1}};
  for (std::uint32_t k = 0; k + 1 < 100'000; ++k) {
    large.row.insert(large.row.end(), {k, k + 1});
    large.column.insert(large.column.end(), {k + 1, k});
  }
  large.stored = large.entries();
  const auto good = here.put("good.tropic", marked_symmetric(large));
  large.column.back() = 5;
  const auto bad = here.put("bad.tropic", marked_symmetric(large));
  for (const int threads : {1, 2, 5}) {
    EXPECT_TRUE(map_binary(good, {.threads = threads}).symmetric);
    EXPECT_THROW(map_binary(bad, {.threads = threads}), input_error);
  }
  EXPECT_TRUE(map_binary(bad, {.trusted = true}).symmetric);
  large.symmetric = true;
  EXPECT_EQ(message_of([&] { write(here / "x.tropic", large); }),
            (here / "x.tropic").string() +
                ": a matrix marked symmetric has entries without their mirror images");
}

TEST(Binary, SymmetryIsOfValuesAndNotOfTheirBits) {
  const std::string zeros =
      "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 0\n2 1 -0\n2 3 nan\n3 2 -nan\n";
  EXPECT_EQ(refused(marked_symmetric(read_text(zeros, file_format::matrix_market, "g"))), no_error);
}

TEST(Binary, NumbersOfTheHeaderAreChecked) {
  const std::string whole = bytes_of_matrix(sample());
  const auto with = [&](auto&& change) { return refused(changed(whole, change)); };
  EXPECT_EQ(with([](auto& h) { h.first_vertex_id = std::numeric_limits<std::int64_t>::max(); }),
            "f: found vertex numbers from 9223372036854775807 at byte 48, expected a first one "
            "from 0 that leaves room for 3");
  EXPECT_NE(with([](auto& h) { h.first_vertex_id = -1; }), no_error);
  EXPECT_EQ(with([](auto& h) { h.first_vertex_id = std::numeric_limits<std::int64_t>::max() - 3; }),
            no_error);
  EXPECT_EQ(with([](auto& h) { h.reserved[1] = 7; }),
            "f: found a reserved word of 7 at byte 104, expected 0");
  EXPECT_EQ(with([](auto& h) { h.endianness = 5; }),
            "f: found the byte order mark 5 at byte 12, expected 16909060");
  std::string padded = whole;
  padded[150] = '!';
  EXPECT_EQ(refused(padded), "f: found '!' between two arrays at byte 150, expected 0");
  coordinates numbered = sample();
  numbered.first_vertex_id = -5;
  const folder here;
  EXPECT_EQ(message_of([&] { write(here / "a.tropic", numbered); }),
            (here / "a.tropic").string() + ": vertex numbers must be from 0 on and of 64 bits");
}

TEST(Binary, ValuesOfPatternsAndBoolsAndVertexNumbersAreChecked) {
  std::string pattern = bytes_of_matrix(read_text("0 1\n", file_format::edge_list, "g"));
  const auto values_at = [](const std::string& bytes) {
    detail::binary_header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return static_cast<std::size_t>(header.values_at);
  };
  std::size_t at = values_at(pattern);
  pattern[at] = 2;
  EXPECT_EQ(refused(pattern), "f: found a bool that is neither 0 nor 1 at byte " +
                                  std::to_string(at) + ", expected 0 or 1");
  pattern[at] = 0;
  EXPECT_EQ(refused(pattern),
            "f: found a pattern of 0s at byte " + std::to_string(at) + ", expected one of 1s");
  std::string ldbc = bytes_of_matrix(read_ldbc_text("900\n-5\n7\n", "-5 7\n", "g"));
  detail::binary_header header;
  std::memcpy(&header, ldbc.data(), sizeof header);
  const auto ids_at = static_cast<std::size_t>(header.vertex_ids_at);
  std::memcpy(ldbc.data() + ids_at + 8, ldbc.data() + ids_at, 8);
  EXPECT_EQ(refused(ldbc), "f: found vertex number -5 after -5 at byte " +
                               std::to_string(ids_at + 8) + ", expected numbers that ascend");
}

TEST(Binary, DamageIsNamed) {
  const folder here;
  write(here / "a.tropic", sample());
  const std::string whole = bytes_of(here / "a.tropic");
  const auto with_header = [&](auto&& change) { return changed(whole, change); };
  const auto with_word = [&](std::size_t at, std::uint32_t word) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &word, sizeof word);
    return bytes;
  };
  EXPECT_EQ(refused(""), "f: found an empty file, expected a Tropic file");
  EXPECT_EQ(
      refused(std::string(200, 'x')),
      "f: found 'xxxxxxxx' at byte 0, expected the mark of a Tropic file, '\\x89TROPIC\\x0a'");
  EXPECT_EQ(refused(with_word(24, 99)),
            "f: found a header that does not match its checksum at byte 120, expected an undamaged "
            "Tropic file");
  EXPECT_EQ(refused(whole.substr(0, whole.size() - 1)).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.version = 2; })),
            "f: found version 2 at byte 8, expected version 1");
  EXPECT_EQ(refused(with_header([](auto& h) { h.endianness = 0x04030201; })),
            "f: found the byte order of another machine at byte 12, expected this machine's");
  EXPECT_EQ(refused(with_header([](auto& h) { h.entries = ~0ULL; })).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.rows = 1ULL << 32; })).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.type = 11; })),
            "f: found value type 11 at byte 16, expected a built-in type");
  EXPECT_EQ(refused(with_word(128, 1)),
            "f: found row offsets from 1 to 4 at byte 128, expected 0 to 4");
  EXPECT_EQ(refused(with_word(132, 5)),
            "f: found row 0 from entry 0 to 5 at byte 132, expected offsets that ascend to 4");
  EXPECT_EQ(refused(with_word(192, 9)),
            "f: found column 9 in row 0 at byte 192, expected columns below 5");
  EXPECT_EQ(refused(with_word(196, 5)),  // the last one of its row
            "f: found column 5 in row 0 at byte 196, expected columns below 5");
  EXPECT_EQ(refused(with_word(192, 4)),
            "f: found column 4 after column 4 in row 0 at byte 196, expected columns that ascend "
            "in each row");
  for (std::size_t n = 0; n < whole.size(); n += 7)
    EXPECT_NE(refused(whole.substr(0, n)), no_error);
}

}  // namespace
}  // namespace tropic::io::samples
