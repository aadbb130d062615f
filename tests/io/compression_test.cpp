// SPDX-License-Identifier: Apache-2.0

// Packed files: whole ones read, anything less is refused and never taken for a shorter file.

#include "io/source.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

coordinates long_list() {
  coordinates m;
  m.rows = m.columns = 1000;
  m.type = type_code::int64;
  for (std::uint32_t k = 0; k < 200000; ++k) {
    m.row.push_back(k * 7919 % 1000);
    m.column.push_back(k * 104729 % 1000);
    const std::int64_t value = k * std::int64_t{1000003} % 65537;
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    m.values.insert(m.values.end(), bytes, bytes + sizeof value);
  }
  m.stored = m.entries();
  return m;
}

class Packed : public testing::TestWithParam<const char*> {
 protected:
  folder here;
  std::string ending = GetParam();
  std::string format = ending == ".gz" ? "gzip" : ending == ".xz" ? "xz" : "zstd";
  /// The complaint about a file names the byte of it near which it stopped.
  void expect_broken(const std::filesystem::path& path) {
    const std::string message = message_of([&] { read(path); });
    const std::string size = std::to_string(std::filesystem::file_size(path));
    const std::string begin = path.string() + ": found broken or truncated data ";
    const std::string end = " of " + size + ", expected whole " + format + " data";
    ASSERT_TRUE(message.starts_with(begin) && message.ends_with(end)) << message;
    const std::string place =
        message.substr(begin.size(), message.size() - begin.size() - end.size());
    const std::string_view word = ending == ".zst" ? "at byte " : "before byte ";
    ASSERT_TRUE(place.starts_with(word)) << message;
    EXPECT_LE(std::stoull(place.substr(word.size())), std::filesystem::file_size(path)) << message;
  }
};

TEST_P(Packed, FilesComeBackAsTheyWere) {
  const coordinates m = long_list();
  const auto path = here / ("a.mtx" + ending);
  write(path, m);
  expect_equal(read(path), m);
  EXPECT_LT(std::filesystem::file_size(path), write_text(m, file_format::matrix_market).size());
}

TEST_P(Packed, SeveralStreamsInARowAreOneText) {
  coordinates m = long_list();
  m.rows = m.columns = 1001;
  write(here / ("a.wel" + ending), m);
  const std::string once = bytes_of(here / ("a.wel" + ending));
  EXPECT_EQ(read(here.put("b.wel" + ending, once + once)).entries(), 2 * m.entries());
}

TEST_P(Packed, CutDamagedOrFalseFilesAreRefused) {
  write(here / ("a.wel" + ending), long_list());
  const std::string whole = bytes_of(here / ("a.wel" + ending));
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{5}, std::size_t{12}, std::size_t{100}, whole.size() / 2,
        whole.size() - 5, whole.size() - 1}) {
    const auto path = here.put("cut.wel" + ending, whole.substr(0, length));
    expect_broken(path);
  }
  const auto text = here.put("text.wel" + ending, "0 1 2\n");
  expect_broken(text);
  const auto trailing = here.put("trailing.wel" + ending, whole + "garbage");
  expect_broken(trailing);
  const auto empty = here.put("empty.wel" + ending, "");
  EXPECT_EQ(message_of([&] { read(empty); }),
            empty.string() + ": found an empty file, expected whole " + format + " data");
}

INSTANTIATE_TEST_SUITE_P(Each, Packed, testing::Values(".gz", ".xz", ".zst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

TEST(Source, APipeIsReadToItsEnd) {
  const folder here;
  const auto pipe = here / "p.el";
  ASSERT_EQ(
      ::system(
          ("mkfifo '" + pipe.string() + "' && (echo 0 1 > '" + pipe.string() + "') &").c_str()),
      0);
  for (int tries = 0; tries < 500 && !std::filesystem::exists(pipe); ++tries) ::usleep(10000);
  EXPECT_EQ(read(pipe).entries(), 1);
}

}  // namespace
}  // namespace tropic::io::samples
