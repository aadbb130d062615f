// SPDX-License-Identifier: Apache-2.0

// Tropic's own binary files.

#include "io/binary_format.hpp"
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
  options.type = type_code::boolean;
  EXPECT_EQ(
      message_of([&] { read(here / "a.tropic", options); }),
      (here / "a.tropic").string() + ": found the value 2, expected values that bool can hold");
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
  EXPECT_EQ(m.column[1], 4U);  // the owner keeps it
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

TEST(Binary, RefusesDuplicates) {
  const folder here;
  const coordinates m = read_text("1 1\n0 1\n1 1\n", file_format::edge_list, "");
  EXPECT_EQ(message_of([&] { write(here / "a.tropic", m); }),
            (here / "a.tropic").string() +
                ": two entries at (1, 1); a Tropic file holds each position once");
  EXPECT_EQ(here.files(), 0U);
}

TEST(Binary, DamageIsNamed) {
  const folder here;
  write(here / "a.tropic", sample());
  const std::string whole = bytes_of(here / "a.tropic");
  const auto refused = [&](const std::string& bytes) {
    return message_of([&] { read_text(bytes, file_format::binary, "f"); });
  };
  const auto with_header = [&](auto&& change) {
    detail::binary_header header;
    std::string bytes = whole;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header);
    header.checksum = header.own_checksum();
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  };
  const auto with_word = [&](std::size_t at, std::uint32_t word) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &word, sizeof word);
    return bytes;
  };
  EXPECT_EQ(refused(""), "f: found an empty file, expected a Tropic file");
  EXPECT_EQ(refused(std::string(200, 'x')),
            "f: found 'xxxxxxxx', expected the mark of a Tropic file, '\\x89TROPIC\\x0a'");
  EXPECT_EQ(
      refused(with_word(24, 99)),
      "f: found a header that does not match its checksum, expected an undamaged Tropic file");
  EXPECT_EQ(refused(whole.substr(0, whole.size() - 1)).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.version = 2; })),
            "f: found version 2, expected version 1");
  EXPECT_EQ(refused(with_header([](auto& h) { h.endianness = 0x04030201; })),
            "f: found the byte order of another machine, expected this machine's");
  EXPECT_EQ(refused(with_header([](auto& h) { h.entries = ~0ULL; })).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.rows = 1ULL << 32; })).substr(0, 8), "f: found");
  EXPECT_EQ(refused(with_header([](auto& h) { h.type = 11; })),
            "f: found value type 11, expected a built-in type");
  EXPECT_EQ(refused(with_word(128, 1)), "f: found row offsets from 1 to 4, expected 0 to 4");
  EXPECT_EQ(refused(with_word(132, 5)),
            "f: found row 0 from entry 0 to 5, expected offsets that ascend to 4");
  EXPECT_EQ(refused(with_word(192, 9)), "f: found column 9 in row 0, expected columns below 5");
  EXPECT_EQ(refused(with_word(192, 4)),
            "f: found column 4 behind column 4 in row 0, expected columns that ascend in each row");
  for (std::size_t n = 0; n < whole.size(); n += 7)
    EXPECT_NE(refused(whole.substr(0, n)), "(no error)");
}

}  // namespace
}  // namespace tropic::io::samples
