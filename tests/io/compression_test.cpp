// SPDX-License-Identifier: Apache-2.0

// Compressed files: complete ones are read, truncated or damaged ones are rejected and never taken
// for a shorter file.

#include "io/input/unpack.hpp"
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

class Packed : public ::testing::TestWithParam<const char*> {
 protected:
  folder here;
  std::string ending = GetParam();
  std::string format = ending == ".gz" ? "gzip" : ending == ".xz" ? "xz" : "zstd";
  /// The message names the byte of the file near which decompression stopped.
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

// The text consists of comment lines, so that any prefix is valid: only the compression shows the
// truncation.
TEST_P(Packed, FilesCutAtAnyByteAreRefused) {
  coordinates edge = read_text("0 1\n", file_format::edge_list, "edge");
  write_options options;
  for (int line = 0; line < 200'000; ++line) options.comment += "xx\n";  // several blocks of zstd
  write(here / ("a.el" + ending), edge, options);
  const std::string whole = bytes_of(here / ("a.el" + ending));
  ASSERT_LT(whole.size(), 4000U);
  const auto path = here / ("cut.el" + ending);
  for (std::size_t length = 1; length < whole.size(); ++length) {
    here.put("cut.el" + ending, whole.substr(0, length));
    ASSERT_NO_FATAL_FAILURE(expect_broken(path)) << "cut to " << length << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Packed, ::testing::Values(".gz", ".xz", ".zst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

using namespace std::string_view_literals;

// One frame of "0 1\n" with a checksum, once with a stated size and once with a window.
constexpr auto stated_frame = "\x28\xb5\x2f\xfd\x24\x04\x21\0\0\x30 1\n\x2a\xf1\x64\x54"sv;
std::string frame_with_window(char window) {
  return std::string("\x28\xb5\x2f\xfd\x04"sv) + window + std::string(stated_frame.substr(6));
}

TEST(Zstd, ExtentIsNothingUnlessAllFramesAreWhole) {
  const std::string skippable("\x50\x2a\x4d\x18\x02\0\0\0ab"sv);
  const std::string frame(stated_frame);
  for (const std::string& whole : {frame, skippable, frame + frame, frame + skippable + frame}) {
    EXPECT_EQ(detail::zstd_extent_of(whole).broken_at, std::nullopt);
    for (std::size_t length = 1; length < whole.size(); ++length) {
      const bool is_between = length == frame.size() || length == frame.size() + skippable.size() ||
                              (whole.size() == 2 * frame.size() && length == frame.size());
      if (is_between && whole != skippable) continue;
      const auto extent = detail::zstd_extent_of(std::string_view(whole).substr(0, length));
      ASSERT_TRUE(extent.broken_at) << length << " of " << whole.size();
      EXPECT_LE(*extent.broken_at, length);
    }
  }
}

TEST(Zstd, FilesWithoutTheirChecksumAreRefused) {
  const folder here;
  EXPECT_EQ(read(here.put("a.el.zst", stated_frame)).entries(), 1);
  const auto cut = here.put("b.el.zst", stated_frame.substr(0, stated_frame.size() - 4));
  EXPECT_EQ(
      message_of([&] { read(cut); }),
      cut.string() + ": found broken or truncated data at byte 13 of 13, expected whole zstd data");
}

TEST(Zstd, WindowsBeyondTheLimitAreNamedAndNotTakenForDamage) {
  const folder here;
  EXPECT_EQ(read(here.put("a.el.zst", frame_with_window('\x88'))).entries(), 1);  // 2^27
  const auto large = here.put("b.el.zst", frame_with_window('\x90'));             // 2^28
  EXPECT_EQ(message_of([&] { read(large); }),
            large.string() +
                ": found zstd data with a window of 268435456 bytes, expected one of at most "
                "134217728 (zstd --long=27 and below)");
}

TEST(Xz, DictionariesBeyondTheLimitAreNamedAndNotTakenForDamage) {
  const folder here;
  const auto with_dictionary = [](std::string_view size_and_check) {
    return std::string("\xfd\x37\x7a\x58\x5a\0\0\x04\xe6\xd6\xb4\x46\x02\0\x21\x01"sv) +
           std::string(size_and_check) +
           std::string(
               "\x01\0\x03\x30 1\n\0\x17\x52\xdf\xcc\x10\xe7\x33\x2f\0\x01\x1c\x04\x6f\x2c"
               "\x9c\xc1\x1f\xb6\xf3\x7d\x01\0\0\0\0\x04YZ"sv);
  };
  const auto small = here.put("a.el.xz", with_dictionary("\x1d\0\0\0\x75\xa8\xe4\x74"sv));
  EXPECT_EQ(read(small).entries(), 1);  // 96 MiB
  const auto large = here.put("b.el.xz", with_dictionary("\x1e\0\0\0\x9b\x07\x51\x66"sv));
  EXPECT_EQ(message_of([&] { read(large); }),
            large.string() +
                ": found xz data with a dictionary of more than 96 MiB, expected at most that (xz "
                "--lzma2=dict=96MiB and below)");
}

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
