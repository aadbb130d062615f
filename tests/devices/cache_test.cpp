// SPDX-License-Identifier: Apache-2.0

// The program cache: an entry is found again, a damaged one is recompiled with one notice, and a
// read-only folder has no effect except that notice.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "backends/device/program/program_cache.hpp"
#include "support/surroundings.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "opencl_fixture.hpp"
#include "semiring_samples.hpp"
#endif

namespace tropic::testing {
namespace {

using namespace tropic::detail;

class Cache : public ::testing::Test {
 protected:
  temporary_folder folder;
  environment_variable where{"TROPIC_CACHE_DIR", (folder.path() / "programs").string()};
  environment_variable on{"TROPIC_CACHE", "on"};
  std::vector<std::string> notices;
  program_cache::notice log = [this](std::string_view m) { notices.emplace_back(m); };
  const std::vector<unsigned char> binary{1, 2, 3, 250, 0, 7};
  const std::string key = program_cache::key_of("text", "options", "device");

  std::filesystem::path entry() const { return folder.path() / "programs" / key; }
};

TEST_F(Cache, GivesBackWhatWasStored) {
  program_cache cache(log);
  EXPECT_FALSE(cache.load(key));
  cache.store(key, binary);
  EXPECT_EQ(cache.load(key), binary);
  EXPECT_EQ(program_cache(log).load(key), binary);
  EXPECT_TRUE(notices.empty());
  // The folder contains only the entry.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(entry().parent_path()), {}), 1);
}

TEST_F(Cache, KeysDifferWithTextOptionsAndDevice) {
  EXPECT_EQ(key.size(), 32u);
  EXPECT_NE(key, program_cache::key_of("text ", "options", "device"));
  EXPECT_NE(key, program_cache::key_of("text", "option", "sdevice"));
  EXPECT_NE(key, program_cache::key_of("text", "options", "device, newer driver"));
}

TEST_F(Cache, DamagedEntriesAreNotTakenAndGiveOneNotice) {
  program_cache(log).store(key, binary);
  const auto size = std::filesystem::file_size(entry());
  const auto damage = [&](auto&& damage_file) {
    program_cache(log).store(key, binary);
    damage_file();
    notices.clear();
    program_cache cache(log);
    EXPECT_FALSE(cache.load(key));
    EXPECT_FALSE(cache.load(key));
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_NE(notices[0].find("damaged"), std::string::npos);
    cache.store(key, binary);
    EXPECT_EQ(cache.load(key), binary);
  };
  for (std::size_t cut = 0; cut < size; ++cut)
    damage([&] { std::filesystem::resize_file(entry(), cut); });
  for (std::size_t at = 0; at < size; ++at)
    damage([&] {
      std::fstream file(entry(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const int was = file.get();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(was ^ 0x10));
    });
  damage([&] { std::ofstream(entry(), std::ios::app) << "more"; });
}

// A header that states more bytes than any program has, in a file of that size.
TEST_F(Cache, AnEntryOfATebibyteIsDamaged) {
  program_cache(log).store(key, binary);
  {
    std::fstream file(entry(), std::ios::in | std::ios::out | std::ios::binary);
    const std::uint64_t bytes = std::uint64_t{1} << 40;
    std::vector<char> whole(std::filesystem::file_size(entry()));
    file.read(whole.data(), static_cast<std::streamsize>(whole.size()));
    const std::uint64_t held = binary.size();
    const auto* at =
        static_cast<const char*>(::memmem(whole.data(), whole.size(), &held, sizeof(held)));
    ASSERT_NE(at, nullptr);
    file.seekp(at - whole.data());
    file.write(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
  }
  std::error_code problem;
  std::filesystem::resize_file(
      entry(), (std::uint64_t{1} << 40) + std::filesystem::file_size(entry()) - binary.size(),
      problem);
  if (problem) GTEST_SKIP() << "no sparse file of a tebibyte here: " << problem.message();
  EXPECT_FALSE(program_cache(log).load(key));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("damaged"), std::string::npos);
}

TEST_F(Cache, APipeInPlaceOfAnEntryIsIgnored) {
  program_cache(log).store(key, binary);
  std::filesystem::remove(entry());
  ASSERT_EQ(::mkfifo(entry().c_str(), 0600), 0);
  EXPECT_FALSE(program_cache(log).load(key));
}

TEST_F(Cache, AFolderThatCannotBeMadeIsOneNotice) {
  std::ofstream(folder.path() / "file") << "in the way";
  const environment_variable blocked("TROPIC_CACHE_DIR",
                                     (folder.path() / "file/programs").string());
  program_cache cache(log);
  cache.store(key, binary);
  cache.store(key, binary);
  EXPECT_FALSE(cache.load(key));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("file/programs"), std::string::npos) << notices[0];
}

TEST_F(Cache, AnEntryThatCannotBeReplacedIsOneNotice) {
  std::filesystem::create_directories(entry() / "in the way");
  program_cache cache(log);
  cache.store(key, binary);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(entry().parent_path()), {}), 1);
}

TEST_F(Cache, AnEntryThatIsALinkIsFollowed) {
  std::filesystem::create_directories(entry().parent_path());
  const auto elsewhere = folder.path() / "elsewhere";
  std::filesystem::create_symlink(elsewhere, entry());
  program_cache cache(log);
  cache.store(key, binary);
  EXPECT_TRUE(std::filesystem::is_symlink(entry()));
  EXPECT_TRUE(std::filesystem::is_regular_file(elsewhere));
  EXPECT_EQ(cache.load(key), binary);
  std::filesystem::permissions(elsewhere, std::filesystem::perms::owner_read);
  cache.store(key, binary);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("a read-only file"), std::string::npos) << notices[0];
}

TEST_F(Cache, IsWhereTheEnvironmentSays) {
  EXPECT_EQ(program_cache(log).folder(), folder.path() / "programs");
  const environment_variable none("TROPIC_CACHE_DIR", ""), xdg("XDG_CACHE_HOME", "/x"),
      home("HOME", "/h");
  EXPECT_EQ(program_cache(log).folder(), "/x/tropic");
  const environment_variable no_xdg("XDG_CACHE_HOME", "");
  EXPECT_EQ(program_cache(log).folder(), "/h/.cache/tropic");
  const environment_variable off("TROPIC_CACHE", "off");
  EXPECT_TRUE(program_cache(log).folder().empty());
}

#ifdef TROPIC_WITH_OPENCL

class CacheOnOpenCL : public Cache {
 protected:
  void SetUp() override {
    if (open_runtime() == nullptr) GTEST_SKIP() << "no usable OpenCL device";
  }
  // Compiles plus_times in a separate runtime; returns {compilations, hits}.
  std::pair<int, int> compile() {
    const auto runtime = open_runtime(log);
    const semiring_description semiring = describe_semiring(plus_times<std::int32_t>{});
    const program_request request{.kernel = "csr_scalar", .semiring = &semiring};
    EXPECT_NE(runtime->program(request), nullptr);
    EXPECT_EQ(runtime->program(request), runtime->program(request));  // in memory
    // It runs: one row, 6 * 7.
    const std::uint32_t offsets[] = {0, 1}, column = 0;
    const std::int32_t six = 6, seven = 7, none = -1;
    const device_bytes o(*runtime, offsets, 8), c(*runtime, &column, 4), a(*runtime, &six, 4),
        u(*runtime, &seven, 4), w(*runtime, &none, 4);
    const cl_ulong rows = 1;
    const cl_uint no = 0;
    const void* nothing = runtime->nothing();
    const std::vector<std::uint64_t> parameters = {0};
    // rows, offsets, mask, operands (operands.h)
    const kernel_argument arguments[] = {rows,       o.memory(), no,      nothing,    no,
                                         c.memory(), a.memory(), no,      u.memory(), nothing,
                                         no,         w.memory(), nothing, no,         parameters};
    runtime->launch("mxv", *runtime->program(request), "t_csr_scalar", arguments, 1, 1);
    EXPECT_EQ(read_as<std::int32_t>(w.read().data()), 42);
    return {runtime->compilations(), runtime->cache().hits()};
  }
  std::filesystem::path only_entry() const {
    return std::filesystem::directory_iterator(folder.path() / "programs")->path();
  }
};

TEST_F(CacheOnOpenCL, ASecondRunCompilesNothing) {
  EXPECT_EQ(compile(), std::make_pair(1, 0));
  EXPECT_EQ(compile(), std::make_pair(0, 1));
  EXPECT_TRUE(notices.empty());
}

TEST_F(CacheOnOpenCL, ADamagedEntryIsCompiledAgain) {
  compile();
  std::filesystem::resize_file(only_entry(), std::filesystem::file_size(only_entry()) / 2);
  EXPECT_EQ(compile(), std::make_pair(1, 0));
  EXPECT_EQ(notices.size(), 1u);
  EXPECT_EQ(compile(), std::make_pair(0, 1));
}

TEST_F(CacheOnOpenCL, AnEntryThatTheDriverRefusesIsCompiledAgain) {
  compile();
  program_cache(log).store(only_entry().filename().string(), binary);  // complete, but no program
  EXPECT_EQ(compile(), std::make_pair(1, 0));
  EXPECT_EQ(notices.size(), 1u);
  EXPECT_EQ(compile(), std::make_pair(0, 1));
}

TEST_F(CacheOnOpenCL, WithoutACacheItStillRuns) {
  std::ofstream(folder.path() / "programs") << "in the way";
  EXPECT_EQ(compile(), std::make_pair(1, 0));
  EXPECT_EQ(notices.size(), 1u);
  const environment_variable off("TROPIC_CACHE", "off");
  EXPECT_EQ(compile(), std::make_pair(1, 0));
  EXPECT_EQ(notices.size(), 1u);
}

#endif

}  // namespace
}  // namespace tropic::testing
