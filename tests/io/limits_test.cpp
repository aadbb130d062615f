// SPDX-License-Identifier: Apache-2.0

// Small files with large content: memory and decompression stop at their limits, and the error
// names the file and the bytes.

#include <sys/resource.h>

#include <chrono>
#include <thread>
#include <tropic/read_matrix.hpp>
#include <tropic/vector.hpp>

#include "io/input/unpack.hpp"
#include "io/memory.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// `ENDING` names a compression: 80 MiB of a comment and an edge, in about ten thousand bytes.
class Bombs : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr std::size_t unpacked = 80 * mebibyte;
  folder here;

  std::filesystem::path bomb() const {
    const std::string ending = std::string(".el") + GetParam();
    coordinates edge = read_text("0 1\n", file_format::edge_list, "edge");
    write_options with_comment;
    with_comment.comment.assign(8 * mebibyte, 'x');
    write(here / ("once" + ending), edge, with_comment);
    const std::string once = bytes_of(here / ("once" + ending));
    std::string all;
    for (int copy = 0; copy < 10; ++copy) all += once;
    return here.put("bomb" + ending, all);
  }
};

TEST_P(Bombs, AreRefusedForTheirRatioOnTheWay) {
  const auto path = bomb();
  ASSERT_GT(unpacked / std::filesystem::file_size(path), default_unpack_ratio);
  const std::string message = message_of([&] { read(path); });
  EXPECT_TRUE(message.starts_with(path.string() + ": found ")) << message;
  EXPECT_NE(message.find("expected at most " + std::to_string(default_unpack_ratio) + " to 1"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("read_options::unpack_ratio"), std::string::npos) << message;
  // Stopped before the end: the first number of the message is the decompressed size at that point.
  const std::size_t stopped = std::stoull(message.substr(path.string().size() + 8));
  EXPECT_GT(stopped, detail::harmless_text);
  EXPECT_LT(stopped, detail::harmless_text + mebibyte);
}

TEST_P(Bombs, AreFoundBeforeOtherData) {
  const std::string ending = std::string(".el") + GetParam();
  coordinates noise;
  noise.rows = noise.columns = 1 << 20;
  noise.pattern = true;
  noise.values = {std::byte{1}};
  for (std::uint32_t k = 0; k < 100'000; ++k) {
    noise.row.push_back(k * 2654435761U >> 12);
    noise.column.push_back(k * 2246822519U >> 12);
  }
  noise.stored = noise.entries();
  write(here / ("noise" + ending), noise);
  const auto path =
      here.put("both" + ending, bytes_of(bomb()) + bytes_of(here / ("noise" + ending)));
  ASSERT_LT(unpacked / std::filesystem::file_size(path), default_unpack_ratio / 2);
  EXPECT_THROW(read(path), input_error);
  read_options any;
  any.unpack_ratio = 0;
  EXPECT_EQ(read(path, any).entries(), 100'010);
}

TEST_P(Bombs, AreReadIfTheCallerAllowsThem) {
  const auto path = bomb();
  read_options any;
  any.unpack_ratio = 0;
  EXPECT_EQ(read(path, any).entries(), 10);
  any.unpack_ratio = 100'000'000;
  EXPECT_EQ(read(path, any).entries(), 10);
}

TEST_P(Bombs, StopAtTheMemoryLimit) {
  const auto path = bomb();
  read_options options;
  options.unpack_ratio = 0;
  options.memory_limit = 20 * mebibyte;
  try {
    read(path, options);
    FAIL() << "no error";
  } catch (const out_of_memory& failure) {
    const std::string message = failure.what();
    EXPECT_TRUE(message.starts_with(path.string() +
                                    ": unpacking within the memory limit of 20971520 bytes: "))
        << message;
    EXPECT_GT(failure.required, failure.available);
    EXPECT_LE(failure.available, options.memory_limit);
    EXPECT_LT(failure.required, options.memory_limit + mebibyte);
  }
  // A decoder may hold its window of the text in addition to the text.
  options.memory_limit = 2 * unpacked + mebibyte;
  EXPECT_EQ(read(path, options).entries(), 10);
}

TEST_P(Bombs, SmallTextsAreReadAtAnyRatio) {
  const std::string ending = GetParam();
  coordinates edge = read_text("0 1\n", file_format::edge_list, "edge");
  write_options with_comment;
  with_comment.comment.assign(32 * mebibyte, 'x');
  write(here / ("a.el" + ending), edge, with_comment);
  read_options strict;
  strict.unpack_ratio = 1;
  EXPECT_EQ(read(here / ("a.el" + ending), strict).entries(), 1);
}

INSTANTIATE_TEST_SUITE_P(Each, Bombs, ::testing::Values(".gz", ".xz", ".zst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

struct text_sample {
  const char* name;
  file_format format;
  std::string text;
};

/// A thousand entries and more in every format.
std::vector<text_sample> samples_of_all_formats() {
  std::string mm = "%%MatrixMarket matrix coordinate real general\n1000 1000 1000\n";
  std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n1000 1000 999\n";
  std::string array = "%%MatrixMarket matrix array real skew-symmetric\n50 50\n";
  std::string gr = "p sp 1000 1000\n", el, wel, metis = "1000 500\n", ldbc;
  for (int k = 0; k < 1000; ++k) {
    const std::string a = std::to_string(k + 1), b = std::to_string((k + 7) % 1000 + 1);
    mm += a + " " + b + " 0.5\n";
    if (k > 0) symmetric += a + " " + std::to_string(k) + " 2\n";
    gr += "a " + a + " " + b + " 3\n";
    el += a + " " + b + "\n";
    wel += a + " " + b + " 1.5\n";
    metis += std::to_string((k ^ 1) + 1) + "\n";
    ldbc += std::to_string(k * 1000) + " " + std::to_string((k + 1) * 1000) + " 4\n";
  }
  for (int k = 0; k < 50 * 49 / 2; ++k) array += "1\n";
  return {{"matrix market", file_format::matrix_market, mm},
          {"symmetric", file_format::matrix_market, symmetric},
          {"array", file_format::matrix_market, array},
          {"dimacs", file_format::dimacs, gr},
          {"edge list", file_format::edge_list, el},
          {"weighted", file_format::weighted_edge_list, wel},
          {"metis", file_format::metis, metis},
          {"ldbc", file_format::ldbc, ldbc}};
}

TEST(Limits, HoldForTheEntriesOfEveryFormat) {
  for (const text_sample& s : samples_of_all_formats())
    for (const bool undirected : {false, true}) {
      read_options options;
      options.undirected = undirected;
      const coordinates whole = read_text(s.text, s.format, "f", options);
      ASSERT_GE(whole.entries(), 1000) << s.name;
      // The smallest sufficient limit.
      std::size_t low = 1, high = mebibyte;
      while (low < high) {
        options.memory_limit = low + (high - low) / 2;
        const std::string message = message_of([&] { read_text(s.text, s.format, "f", options); });
        if (message == no_error) {
          high = options.memory_limit;
          continue;
        }
        const std::string limit =
            " within the memory limit of " + std::to_string(options.memory_limit) + " bytes: ";
        EXPECT_TRUE(message.starts_with("f: ")) << s.name << ": " << message;
        EXPECT_NE(message.find(limit), std::string::npos) << s.name << ": " << message;
        low = options.memory_limit + 1;
      }
      const std::size_t held = whole.row.size() * 8 + (whole.pattern ? 0 : whole.values.size()) +
                               whole.vertex_ids.size() * 8;
      EXPECT_GE(high, held) << s.name;
      EXPECT_LE(high, 3 * held + 100) << s.name;
      // Memory that the caller holds counts.
      options.memory_limit = high + 500;
      options.memory_used = 500;
      expect_equal(read_text(s.text, s.format, "f", options), whole);
      options.memory_used = 501;
      EXPECT_THROW(read_text(s.text, s.format, "f", options), out_of_memory) << s.name;
    }
}

TEST(Limits, CountTheTextOfPipesAndPackedFilesAndNotThatOfMappedOnes) {
  const folder here;
  std::string text = "# " + std::string(4 * mebibyte, 'x') + "\n0 1\n";
  const auto plain = here.put("a.el", text);
  write_options with_comment;
  with_comment.comment.assign(4 * mebibyte, 'x');
  write(here / "a.el.gz", read(plain), with_comment);
  read_options options;
  options.memory_limit = mebibyte;
  EXPECT_EQ(read(plain, options).entries(), 1);
  EXPECT_THROW(read(here / "a.el.gz", options), out_of_memory);

  const auto pipe = here / "p.el";
  ASSERT_EQ(::system(("mkfifo '" + pipe.string() + "'").c_str()), 0);
  const auto feed = [&] {
    return std::thread([&] {
      (void)!::system(
          ("cat '" + plain.string() + "' > '" + pipe.string() + "' 2>/dev/null").c_str());
    });
  };
  std::thread feeder = feed();
  const std::string message = message_of([&] { read(pipe, options); });
  feeder.join();
  EXPECT_TRUE(
      message.starts_with(pipe.string() + ": reading within the memory limit of 1048576 bytes: "))
      << message;
  options.memory_limit = 5 * mebibyte;
  feeder = feed();
  EXPECT_EQ(read(pipe, options).entries(), 1);
  feeder.join();
}

TEST(Limits, HoldForTropicFilesPackedAndExpanded) {
  const folder here;
  coordinates m;
  m.rows = m.columns = 10000;
  m.type = type_code::int32;
  for (std::uint32_t k = 0; k < 10000; ++k) {
    m.row.push_back(k);
    m.column.push_back(k);
  }
  m.stored = 10000;
  m.values.resize(40000);
  write(here / "a.tropic", m);
  write(here / "a.tropic.gz", m);
  read_options options;
  options.memory_limit = 100'000;
  EXPECT_EQ(message_of([&] { read(here / "a.tropic", options); }),
            (here / "a.tropic").string() +
                ": expanding the entries within the memory limit of 100000 bytes: 120000 bytes "
                "required, 100000 bytes free");
  EXPECT_EQ(map_binary(here / "a.tropic", {.memory_limit = 100'000}).memory, 0U);
  EXPECT_THROW(map_binary(here / "a.tropic.gz", {.memory_limit = 100'000}), out_of_memory);
  options.memory_limit = 120'000;
  EXPECT_EQ(read(here / "a.tropic", options).entries(), 10000);
  EXPECT_GE(map_binary(here / "a.tropic.gz", {.memory_limit = mebibyte}).memory, 120'000U);
}

// A few bytes may declare 2^32 rows. That costs nothing in the readers, and the matrix is rejected
// before it is built.
TEST(Limits, HugeShapesOfTinyFilesAreRefusedAtOnceByNameShapeAndBytes) {
  const folder here;
  const std::vector<std::filesystem::path> files{
      here.put("a.el", "0 4294967295\n"),
      here.put("a.mtx",
               "%%MatrixMarket matrix coordinate real general\n4294967296 4294967296 1\n1 1 5\n"),
      here.put("a.gr", "p sp 4294967296 1\na 1 2 3\n"),
      here.put("a.graph", "4294967296 1\n2\n1\n")};
  context_options small;
  small.memory_limit = std::size_t{1} << 30;
  const context where = context::cpu(small);
  for (const auto& file : files) {
    std::string message;
    const double seconds = seconds_of(
        [&] { message = message_of([&] { read_matrix<double>(where, file.string()); }); });
    EXPECT_LT(seconds, 2) << file;
    EXPECT_TRUE(message.starts_with(file.string() + ": the 4294967296x4294967296 matrix of "))
        << message;
    EXPECT_NE(message.find(" within the memory limit of 1073741824 bytes: 1030792151"),
              std::string::npos)
        << message;
    EXPECT_EQ(read(file).rows, index_t{1} << 32);
  }
}

TEST(Limits, OfTheContextAreThoseOfReadMatrixAndWhatItHoldsCounts) {
  const folder here;
  const text_sample s = samples_of_all_formats()[5];
  const std::string file = here.put("a.wel", s.text).string();
  context_options options;
  options.memory_limit = 200'000;
  const context where = context::cpu(options);
  EXPECT_EQ(read_matrix<double>(where, file).nvals(), 1000);
  const vector<double> other(where, 20'000, 1.0);
  const std::string message = message_of([&] { read_matrix<double>(where, file); });
  EXPECT_TRUE(message.starts_with(file + ": ")) << message;
  EXPECT_NE(message.find(" within the memory limit of 200000 bytes: "), std::string::npos)
      << message;
  read_options of_its_own;
  of_its_own.memory_limit = mebibyte;
  EXPECT_EQ(read_matrix<double>(context::cpu(), file, duplicates::sum, of_its_own).nvals(), 1000);
}

// As the allocator of the address sanitizer does, instead of throwing.
#ifdef __SANITIZE_ADDRESS__
constexpr bool ends_where_memory_is_short = true;
#else
constexpr bool ends_where_memory_is_short = false;
#endif

TEST(Limits, OfTheProcessAreSeenAsFreeMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_GT(detail::available_memory(), 0U);
  EXPECT_EXIT(
      {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        struct rlimit limit {};
        ::getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = pages * static_cast<std::size_t>(::getpagesize()) + 64 * mebibyte;
        if (::setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
        const std::size_t left = detail::available_memory();
        if (left > 64 * mebibyte || left < 32 * mebibyte) std::exit(3);
        if (ends_where_memory_is_short) {
          std::fputs("a.el: ", stderr);
          std::_Exit(0);
        }
        // The folder is removed before the process exits.
        const bool is_named = [] {
          const folder here;
          std::string text;
          for (int k = 0; k < 1'000'000; ++k) text += "1 2\n";
          here.put("a.el", text);
          text = {};
          const std::string message = message_of([&] {
            read_options options;
            options.undirected = true;
            options.threads = 1;
            const coordinates first = read(here / "a.el", options);
            const coordinates second = read(here / "a.el", options);
            const coordinates third = read(here / "a.el", options);
            const coordinates fourth = read(here / "a.el", options);
            const coordinates fifth = read(here / "a.el", options);
          });
          std::fprintf(stderr, "%s\n", message.c_str());
          return message.starts_with((here / "a.el").string() + ": ") &&
                 message.find(" bytes required, ") != std::string::npos;
        }();
        std::exit(is_named ? 0 : 4);
      },
      ::testing::ExitedWithCode(0), "a.el: ");
}

}  // namespace
}  // namespace tropic::io::samples
