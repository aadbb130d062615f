// SPDX-License-Identifier: Apache-2.0

// Programs that a package carries: the archive, where a runtime looks for a program, and what it
// does with archives that are damaged or of another architecture.

#include <sys/stat.h>

#include <fstream>

#include "backends/cuda/cuda.hpp"
#include "backends/cuda/precompile.hpp"
#include "backends/device/program/request_text.hpp"
#include "backends/kernels/texts.hpp"
#include "cuda_fixture.hpp"
#include "device_traits.hpp"
#include "semiring_samples.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace precompiled_test {
namespace {

using namespace tropic::detail;

std::string key_numbered(int n) {
  return program_cache::key_of(std::to_string(n), "", "");
}

class Archive : public ::testing::Test {
 protected:
  static constexpr int programs = 20;
  // Several blocks of programs, one of them larger than a block, one empty.
  void SetUp() override {
    for (int n = 0; n < programs; ++n) {
      const std::size_t size = n == 3 ? 0 : n == 8 ? 2200000 : 9000;
      std::string program(size, static_cast<char>('a' + n % 26));
      for (std::size_t at = 0; at < size; at += 97)
        program[at] = static_cast<char>(at * static_cast<std::size_t>(n + 1));
      all.emplace_back(key_numbered(n), std::move(program));
    }
    write_archive(file, "sm_90", all);
  }
  std::unique_ptr<program_archive> open(std::string_view architecture = "sm_90") {
    return program_archive::open(file, architecture, reason);
  }
  // Whether programs of the file are as they were written or refused with a reason.
  void expect_nothing_wrong() {
    const auto archive = open();
    if (archive == nullptr) {
      EXPECT_NE(reason, "");
      return;
    }
    for (const auto& [key, program] : all) {
      const auto found = archive->load(key, reason);
      if (!found) {
        EXPECT_NE(reason.find(key), std::string::npos);
        continue;
      }
      ASSERT_EQ(found->size(), program.size() + 1);
      EXPECT_EQ(std::memcmp(found->data(), program.c_str(), found->size()), 0);
    }
  }

  temporary_folder folder;
  const std::filesystem::path file = folder.path() / "sm_90.programs";
  compiled_programs all;
  std::string reason;
};

TEST_F(Archive, GivesBackWhatWasWritten) {
  const auto archive = open();
  ASSERT_NE(archive, nullptr) << reason;
  EXPECT_EQ(archive->size(), std::size_t{programs});
  for (const auto& [key, program] : all) {
    const auto found = archive->load(key, reason);
    ASSERT_TRUE(found) << reason;
    EXPECT_EQ(std::string(found->begin(), found->end() - 1), program);
    EXPECT_EQ(found->back(), 0);
  }
  EXPECT_FALSE(archive->load(key_numbered(programs), reason));
  EXPECT_EQ(reason, "");
}

TEST_F(Archive, OfNoProgramsIsOne) {
  write_archive(file, "sm_90", {});
  const auto archive = open();
  ASSERT_NE(archive, nullptr) << reason;
  EXPECT_FALSE(archive->load(key_numbered(1), reason));
}

TEST_F(Archive, ThatIsAbsentHasNoReasonAndAnotherFileHasOne) {
  EXPECT_EQ(program_archive::open(folder.path() / "none", "sm_90", reason), nullptr);
  EXPECT_EQ(reason, "");
  EXPECT_EQ(open("sm_80"), nullptr);
  EXPECT_NE(reason.find("of another architecture"), std::string::npos) << reason;
  std::ofstream(file) << "text";
  EXPECT_EQ(open(), nullptr);
  EXPECT_NE(reason.find("no archive"), std::string::npos) << reason;
  EXPECT_EQ(program_archive::open(folder.path(), "sm_90", reason), nullptr);
  EXPECT_NE(reason, "");
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(program_archive::open(pipe, "sm_90", reason), nullptr);
  EXPECT_NE(reason, "");
}

// Every byte of the header and the indexes, and some of the blocks.
TEST_F(Archive, DamageIsSeen) {
  std::string whole;
  {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto rewritten = [&](std::string bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    expect_nothing_wrong();
  };
  for (std::size_t at = 0; at < whole.size(); at += at < 2600 ? 1 + at / 100 : whole.size() / 40) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    rewritten(changed);
    if (at < 48) {
      EXPECT_EQ(open(), nullptr) << at;
    }
  }
  for (std::size_t cut = 0; cut < whole.size(); cut += whole.size() / 60) {
    rewritten(whole.substr(0, cut));
    EXPECT_EQ(open(), nullptr) << cut;
  }
  rewritten(whole + "more");
  EXPECT_EQ(open(), nullptr);
}

TEST_F(Archive, ThatIsCutWhileItIsOpenGivesNothingWrong) {
  const auto archive = open();
  ASSERT_NE(archive, nullptr);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  int given = 0;
  for (const auto& [key, program] : all) given += archive->load(key, reason).has_value() ? 1 : 0;
  EXPECT_LT(given, programs);
}

// --- where a runtime looks -----------------------------------------------------------------------

class Precompiled : public FakeCudaPrograms {
 protected:
  void SetUp() override {
    FakeCudaPrograms::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    std::string reason;
    compiler = nvrtc::open(reason);
    carry("sm_90");
  }
  void carry(const std::string& architecture, const std::string& file_of = "") {
    const device_program source = scale_program();
    std::filesystem::create_directories(folder.path() / "programs");
    write_archive(folder.path() / "programs" /
                      precompiled_programs::name_of(file_of.empty() ? architecture : file_of),
                  architecture,
                  {{precompiled_programs::key_of(source.text, nvrtc::options()),
                    compiler->compile(source, architecture)}});
  }
  // Opens a runtime and scales; how many programs were compiled, in the user's cache, precompiled.
  std::vector<int> use(const std::string& name = "t_scale") {
    const auto runtime = open();
    const device_array<std::uint32_t> values(*runtime, {3});
    const compiled_program* program = runtime->program(name, scale_program(name));
    if (name == "t_scale") {
      scale(*runtime, *program, values, 1, 7);
      EXPECT_EQ(values.read(), std::vector<std::uint32_t>{21});
    }
    return {runtime->compilations(), runtime->cache().hits(), runtime->precompiled().hits()};
  }

  temporary_folder folder;
  environment_variable programs{"TROPIC_PROGRAMS", (folder.path() / "programs").string()};
  std::shared_ptr<const nvrtc> compiler;
};

TEST_F(Precompiled, AreLoadedInsteadOfCompiled) {
  EXPECT_EQ(use(), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(use("t_other"), (std::vector<int>{1, 0, 0}));
  EXPECT_TRUE(notices.empty());
}

TEST_F(Precompiled, ComeAfterTheUsersCacheAndDoNotEnterIt) {
  const environment_variable where("TROPIC_CACHE_DIR", (folder.path() / "cache").string());
  const environment_variable on("TROPIC_CACHE", "on");
  EXPECT_EQ(use(), (std::vector<int>{0, 0, 1}));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "cache"));
  {
    const environment_variable without("TROPIC_PROGRAMS", "off");
    EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  }
  EXPECT_EQ(use(), (std::vector<int>{0, 1, 0}));
  EXPECT_TRUE(notices.empty());
}

// Those that NVRTC compiled are of a device's architecture and driver, not of NVRTC.
TEST_F(Precompiled, AndKeptOnesNeedNoNvrtc) {
  const environment_variable where("TROPIC_CACHE_DIR", (folder.path() / "cache").string());
  const environment_variable on("TROPIC_CACHE", "on");
  EXPECT_EQ(use("t_other"), (std::vector<int>{1, 0, 0}));
  const environment_variable none("TROPIC_NVRTC_LIBRARY", "/absent/libnvrtc.so");
  EXPECT_EQ(use(), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(use("t_other"), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(message_of<device_error>([&] { use("t_third"); }),
            "cuda:0 (Fake 0): a program that is not among the compiled ones is needed, but NVRTC "
            "cannot be opened (tried /absent/libnvrtc.so)");
  fake->set_capability(80);  // neither kept nor carried programs are for it
  EXPECT_THROW(use("t_other"), device_error);
  fake->set_capability(90);
  EXPECT_TRUE(notices.empty());
}

TEST_F(Precompiled, MakeADeviceUsableWithoutNvrtc) {
  const environment_variable none("TROPIC_NVRTC_LIBRARY", "/absent/libnvrtc.so");
  EXPECT_TRUE(cuda_devices()[0].available) << cuda_devices()[0].reason;
  EXPECT_EQ(context::cuda(1).name(), "cuda:1");
  fake->set_capability(80);
  EXPECT_FALSE(cuda_devices()[0].available);
  EXPECT_THROW(context::cuda(0), device_error);
  fake->set_capability(90);
  // Nor is an archive of any use that cannot be read.
  const auto file = folder.path() / "programs" / "sm_90.programs";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(cuda_devices()[0].reason, "NVRTC cannot be opened (tried /absent/libnvrtc.so)");
}

TEST_F(Precompiled, OfAnOlderDeviceOfTheGenerationServe) {
  fake->set_capability(103);
  carry("sm_100");
  EXPECT_EQ(use(), (std::vector<int>{0, 0, 1}));
  const auto runtime = open();
  runtime->program("t_scale", scale_program());
  EXPECT_EQ(runtime->precompiled().architecture(), "sm_100");
  // Neither those of another generation nor those of a newer device.
  for (const int capability : {89, 80, 110, 120}) {
    fake->set_capability(capability);
    EXPECT_EQ(use(), (std::vector<int>{1, 0, 0})) << capability;
  }
  carry("sm_89");
  fake->set_capability(86);
  EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  carry("sm_80");
  EXPECT_EQ(use(), (std::vector<int>{0, 0, 1}));
  EXPECT_TRUE(notices.empty());
}

TEST_F(Precompiled, UnderTheNameOfAnotherArchitectureAreNotUsed) {
  carry("sm_80", "sm_90");
  EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("sm_90.programs is not used: its programs are of another architecture"),
            std::string::npos)
      << notices[0];
}

TEST_F(Precompiled, ThatAreDamagedCostOneNotice) {
  const auto file = folder.path() / "programs" / "sm_90.programs";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("it is damaged"), std::string::npos) << notices[0];
  // The index is whole, the program is not.
  carry("sm_90");
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(-4, std::ios::end);
    bytes.write("????", 4);
  }
  EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_NE(notices[1].find("is damaged; compiling it"), std::string::npos) << notices[1];
}

TEST_F(Precompiled, ThatTheDriverRejectsAreCompiled) {
  fake->fail("cuModuleLoadDataEx", 1, 200);
  EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("the driver rejects"), std::string::npos) << notices[0];
}

TEST_F(Precompiled, AreNotNeeded) {
  for (const auto& [value, found] :
       {std::pair{"off", 0u}, std::pair{"/absent/folder", 1u}, std::pair{"", 0u}}) {
    const environment_variable where("TROPIC_PROGRAMS", value);
    notices.clear();
    EXPECT_EQ(use(), (std::vector<int>{1, 0, 0}));
    EXPECT_EQ(notices.size(), found) << value;
  }
}

// --- lists of programs ---------------------------------------------------------------------------

void expect_same_program(const program_request& request, const std::string& name) {
  const std::string line = line_of(request);
  ASSERT_NE(line, "") << name;
  const listed_request read(line);
  EXPECT_EQ(line_of(read.get()), line) << name;
  EXPECT_EQ(make_program(dialect::cuda, read.get()).text, make_program(dialect::cuda, request).text)
      << name;
}

TEST(ProgramList, ALineIsTheSameProgram) {
  auto all = builtin_semirings();
  for (named_semiring& s : user_semirings()) all.push_back(std::move(s));
  for (const named_semiring& s : all)
    for (const bool first : {false, true})
      expect_same_program({.kernel = "csr_vector",
                           .semiring = &s.semiring,
                           .vector_first = first,
                           .constants = {{"T_SHUFFLE", 1}, {"T_SUBGROUP", 32}, {"T_X", -3}}},
                          s.name);
  const semiring_description hops = all[all.size() - 4].semiring;
  expect_same_program({.kernel = "reduce", .monoid = &hops.add}, "monoid");
  const operator_description less =
                                 describe_operator<bool, std::int16_t, std::int16_t>(less_equal{}),
                             merge = describe_operator<float, float, float>(minimum{});
  element_request keeps{.kind = element_kind::select,
                        .op = &less,
                        .bound_second = true,
                        .u = &describe<std::int16_t>(),
                        .z = &describe<std::int16_t>()};
  const element_request both{.kind = element_kind::set_union,
                             .op = &merge,
                             .u = &describe<float>(),
                             .v = &describe<float>(),
                             .z = &describe<float>()};
  expect_same_program({.kernel = "elements", .elements = &keeps}, "select");
  expect_same_program({.kernel = "elements", .elements = &both, .accumulator = &merge}, "union");
  const semiring_description plus = describe_semiring(min_plus<std::int16_t>{});
  const round_request round{.improves = &less, .keeps = keeps}, none{};
  for (const round_request* r : {&round, &none})
    expect_same_program({.kernel = "take_sums", .semiring = &plus, .round = r}, "round");
  const operator_description take = describe_operator<std::int16_t, std::int16_t, float>(second{});
  const back_request back{.give = &merge, .take = &take};
  expect_same_program({.kernel = "rounds_back", .semiring = &plus, .back = &back}, "back");
  const monoid_description sum = describe_semiring(plus_times<float>{}).add;
  pass_request pass;
  pass.vectors = {{&describe<float>(), true, false, true}, {&describe<float>(), true, true, false}};
  pass.steps = {{.op = both, .u = 0, .v = 1, .w = 1, .within = 0}, {.u = 1, .monoid = &sum}};
  pass.steps[0].op->kind = element_kind::set_intersection;
  expect_same_program({.kernel = "pass", .pass = &pass}, "pass");
}

TEST(ProgramList, WhatHasNoLineIsLeftOut) {
  EXPECT_EQ(line_of({.kernel = "own", .text = "T_KERNEL void t_own(void) {}"}), "");
}

TEST(ProgramList, OtherLinesAreRefused) {
  const semiring_description semiring = describe_semiring(plus_times<float>{});
  const std::string line = line_of({.kernel = "csr_scalar", .semiring = &semiring});
  for (std::size_t cut = 0; cut < line.size(); ++cut)
    EXPECT_NE(message_of<error>([&] { listed_request(line.substr(0, cut)); }), "") << cut;
  EXPECT_THROW(listed_request("(program \"no_such_kernel\")"), error);
  EXPECT_THROW(listed_request(line + ")"), error);
  EXPECT_EQ(lines_of_programs("# a list\n\na\nb"), (std::vector<std::string>{"a", "b"}));
}

// The list was recorded on a device of capability 9.0.
TEST(ProgramList, EveryProgramIsInTheArchiveOfItsArchitecture) {
  int of_clusters = 0;
  for (const std::string& line : lines_of_programs(kernel_text("programs.list"))) {
    const listed_request request(line);
    EXPECT_TRUE(is_for(request.get(), "sm_90")) << line;
    of_clusters += !is_for(request.get(), "sm_80");
  }
  EXPECT_GT(of_clusters, 0);
  // Without clusters other programs take the place of those.
  const auto number_for = [](std::string_view architecture) {
    return std::ranges::count_if(builtin_programs(), [&](const std::string& line) {
      return is_for(listed_request(line).get(), architecture);
    });
  };
  EXPECT_EQ(number_for("sm_80"), number_for("sm_90"));
}

// What the library carries a list of can be read by this library.
TEST(ProgramList, OfTheLibraryIsReadable) {
  const auto lines = builtin_programs();
  EXPECT_GT(lines.size(), 50u);
  for (const std::string& line : lines) {
    const listed_request read(line);
    EXPECT_EQ(line_of(read.get()), line);
    EXPECT_FALSE(make_program(dialect::cuda, read.get()).text.empty());
  }
}

}  // namespace
}  // namespace precompiled_test
}  // namespace tropic::testing
