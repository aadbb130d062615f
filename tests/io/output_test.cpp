// SPDX-License-Identifier: Apache-2.0

// Writing by the library: sets of files, non-blocking descriptors, links and formats in io::write.
// tests/cli has the rules for each kind of target, through the program.

#include "file_output/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "file_output/temporaries.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

namespace fs = std::filesystem;

coordinates edges() {
  return read_text("0 1\n1 2\n", file_format::edge_list, "");
}
constexpr const char* text = "0 1\n1 2\n";

TEST(OutputSet, GetsAllItsNamesOrNone) {
  const folder here;
  here.put("old", "old\n");
  ::chmod((here / "old").c_str(), 0640);
  for (const bool fails : {true, false}) {
    files::output first(files::place(here / "old")), second(files::place(here / "new")),
        third(files::place(here / "third"));
    files::output* const all[] = {&first, &second, &third};
    for (files::output* one : all) one->write("complete\n");
    EXPECT_EQ(bytes_of(here / "old"), "old\n");
    EXPECT_FALSE(fs::exists(here / "new"));
    if (fails) {
      fs::create_directory(here / "third");
      EXPECT_EQ(message_of([&] { files::commit(all); }),
                (here / "third").string() + ": cannot write: Is a directory");
      EXPECT_EQ(bytes_of(here / "old"), "old\n");
      EXPECT_FALSE(fs::exists(here / "new"));
      fs::remove(here / "third");
    } else {
      files::commit(all);
    }
  }
  for (const char* name : {"old", "new", "third"}) EXPECT_EQ(bytes_of(here / name), "complete\n");
  EXPECT_EQ(here.files(), 3U);
}

TEST(OutputSet, IsNotOneFileByTwoSpellings) {
  // As on a file system that ignores case: both were new when they were looked up.
  const folder here;
  {
    files::output a(files::place(here / "n")), b(files::place(here / "n"));
    a.write("a");
    b.write("b");
    files::output* const all[] = {&a, &b};
    EXPECT_NE(message_of([&] { files::commit(all); }).find("found the same file as the output"),
              std::string::npos);
  }
  EXPECT_EQ(here.files(), 0U);
}

TEST(OutputSet, WithoutACommitLeavesNothing) {
  const folder here;
  here.put("f", "old\n");
  {
    files::output f(files::place(here / "f")), g(files::place(here / "g"));
    f.write("new");
    g.write("new");
    f.finish();
    EXPECT_EQ(here.files(), 3U);
  }
  EXPECT_EQ(here.files(), 1U);
  EXPECT_EQ(bytes_of(here / "f"), "old\n");
}

TEST(OutputSet, LosesItsTemporaryFilesWhereASignalEndsTheProcess) {
  const folder here;
  here.put("f", "old\n");
  {
    files::output f(files::place(here / "f")), g(files::place(here / "g"));
    EXPECT_EQ(here.files(), 3U);
    files::remove_temporaries();
    EXPECT_EQ(here.files(), 1U);
  }
  EXPECT_EQ(bytes_of(here / "f"), "old\n");
  // Complete files stay, and so do files without a record.
  files::output h(files::place(here / "h"));
  h.write("new");
  h.commit();
  files::remove_temporaries();
  EXPECT_EQ(bytes_of(here / "h"), "new");
  std::vector<std::unique_ptr<files::output>> many;
  for (int n = 0; n < 20; ++n)
    many.push_back(std::make_unique<files::output>(files::place(here / std::to_string(n))));
  EXPECT_EQ(here.files(), 22U);
  files::remove_temporaries();
  EXPECT_EQ(here.files(), 6U);  // the four that exceeded the table
  many.clear();
  EXPECT_EQ(here.files(), 2U);
}

TEST(Output, IsNeverReadableToMoreUsersThanTheFileThatItReplaces) {
  const folder here;
  ::chmod(here.put("secret", "old\n").c_str(), 0600);
  const mode_t before = ::umask(0);
  const files::output f(files::place(here / "secret"));
  ::umask(before);
  for (const auto& entry : fs::directory_iterator(here / ""))
    EXPECT_EQ(fs::status(entry).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Output, WaitsForADescriptorThatDoesNotWait) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const std::string much(1 << 20, 'x');
  std::thread reader([&] {
    ::fcntl(ends[0], F_SETFL, 0);
    std::string piece(1 << 16, '\0');
    for (std::size_t seen = 0; seen < much.size();)
      seen += static_cast<std::size_t>(
          std::max<ssize_t>(0, ::read(ends[0], piece.data(), piece.size())));
  });
  files::output(files::place("/proc/self/fd/" + std::to_string(ends[1]))).write(much);
  reader.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Output, ReportsThatItsReaderIsGone) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  files::output f(files::place("/proc/thread-self/fd/" + std::to_string(ends[1])));
  EXPECT_THROW(f.write("x"), files::output_closed);
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST(Output, KnowsTheDescriptorsOfEveryThread) {
  const folder here;
  const int file = ::open((here / "f").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  std::string path;
  std::thread([&] {
    path = "/proc/self/task/" + std::to_string(::gettid()) + "/fd/" + std::to_string(file);
    files::output(files::place(path)).write("thread\n");
  }).join();
  EXPECT_EQ(bytes_of(here / "f"), "thread\n");
  files::output(files::place("/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file)))
      .write("process\n");
  EXPECT_EQ(bytes_of(here / "f"), "thread\nprocess\n");
  ::close(file);
}

TEST(Output, FollowsLinksThroughTheKernelsFolders) {
  const folder here;
  const int there = ::open((here / "").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  write("/proc/self/fd/" + std::to_string(there) + "/a.el", edges());
  EXPECT_EQ(bytes_of(here / "a.el"), text);
  ::close(there);
}

TEST(WriteTo, FollowsLinksAndWritesIntoDescriptors) {
  const folder here;
  fs::create_symlink("b.data", here / "l.el");
  write(here / "l.el", edges());
  EXPECT_TRUE(fs::is_symlink(here / "l.el"));
  EXPECT_EQ(bytes_of(here / "b.data"), text);
  const int file = ::open((here / "log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::write(file, "head\n", 5), 5);
  fs::create_symlink("/proc/self/fd/" + std::to_string(file), here / "d.el");
  write(here / "d.el", edges());
  write(here / "d.el", edges());
  EXPECT_EQ(bytes_of(here / "log"), std::string("head\n") + text + text);
  ::close(file);
}

TEST(WriteTo, TakesTheFormatFromTheOptions) {
  const folder here;
  write_options to;
  to.format = format_named("el");
  write(here / "x.mtx", edges(), to);
  EXPECT_EQ(bytes_of(here / "x.mtx"), text);
  to.format = format_named("el.xz");
  write(here / "y.el.xz", edges(), to);
  EXPECT_EQ(read(here / "y.el.xz").entries(), 2);
  to.format = format_named("v");
  write(here / "z.w", edges(), to);
  EXPECT_EQ(bytes_of(here / "z.w.v") + bytes_of(here / "z.w.e"), std::string("0\n1\n2\n") + text);
  EXPECT_NE(message_of([&] { write("/dev/fd/1", edges(), to); }).find("two files"),
            std::string::npos);
  for (const char* no : {"", ".el", "gz", "el.", "x.el", "el.gz.gz", "/el", "EL"})
    EXPECT_FALSE(format_named(no)) << no;
}

TEST(WriteTo, KeepsBothHalvesOrNone) {
  const folder here;
  here.put("g.v", "old\n");
  fs::create_directory(here / "g.e");
  EXPECT_THROW(write(here / "g.e", edges()), error);
  EXPECT_EQ(bytes_of(here / "g.v"), "old\n");
  EXPECT_EQ(here.files(), 2U);
}

}  // namespace
}  // namespace tropic::io::samples
