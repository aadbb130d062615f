// SPDX-License-Identifier: Apache-2.0

// Targets of outputs: a link, a device, a pipe, an open descriptor, a file with permissions. Each
// way to write a file (results, convert, generate, pictures) behaves the same. Links to
// /proc/self/fd/1 are created by the test: a program that replaced one would do no harm.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "program.hpp"

namespace cli_tests {
namespace {

namespace fs = std::filesystem;

class Writing : public Program {
 protected:
  Writing() { write("g.el", "0 1\n1 2\n"); }

  static constexpr const char* levels = "0 0\n1 1\n2 2\n";
  struct command {
    std::string line;  // followed by the target
    std::string begins;
  };
  // One of each kind of writer.
  const std::vector<command> writers{
      {"tropic bfs g.el --quiet --output ", levels},
      {"tropic convert g.el --quiet --to el ", "0 1\n1 2\n"},
      {"tropic generate grid 2 --quiet --to el ", "0 1\n0 2\n1 0\n"},
      {"tropic explain g.el --device reference --quiet --picture ", "<svg"},
  };
  void expect_success(const std::string& line) const {
    const outcome found = run(line);
    EXPECT_EQ(found.exit_code, 0) << line << "\n" << found.err;
    EXPECT_EQ(found.out + found.err, "") << line;
  }
  // As a user without privileges, if the tests run as root.
  static std::string as_user() {
    return ::geteuid() != 0 ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  }
  bool can_be_a_user() const {
    fs::permissions(path("").parent_path().parent_path(), fs::perms::all);
    fs::permissions(path(""), fs::perms::all);
    return run(as_user() + "tropic --version").exit_code == 0;
  }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0) << name;
    return status.st_mode & 07777;
  }
};

TEST_F(Writing, ReachesTheFileOfDescriptorOne) {
  fs::create_symlink("/proc/self/fd/1", path("out"));
  fs::create_symlink("out", path("again"));
  for (const command& c : writers)
    for (const char* name : {"out", "again"}) {
      expect_success("{ echo header; " + c.line + name + "; echo footer; } > f");
      const std::string found = contents(path("f"));
      EXPECT_TRUE(found.starts_with("header\n" + c.begins)) << c.line << "\n" << found;
      EXPECT_TRUE(found.ends_with("\nfooter\n")) << c.line << "\n" << found;
      EXPECT_TRUE(fs::is_symlink(path("out")) && fs::is_symlink(path("again"))) << c.line;
    }
}

TEST_F(Writing, ReachesAnUnlinkedOrRotatedFile) {
  fs::create_symlink("/proc/self/fd/1", path("out"));
  for (const command& c : writers) {
    const outcome found =
        run("exec 3<>gone; rm gone; { echo header; " + c.line +
            "out; echo footer; } >&3; cat /proc/self/fd/3; exec 3>&-; exec 4>log; mv log old; { " +
            c.line + "out; } >&4; ! test -e log && test -s old");
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_TRUE(found.out.starts_with("header\n" + c.begins)) << c.line << "\n" << found.out;
    EXPECT_TRUE(found.out.ends_with("\nfooter\n")) << found.out;
    EXPECT_TRUE(contents(path("old")).starts_with(c.begins)) << c.line;
    EXPECT_TRUE(fs::is_symlink(path("out"))) << c.line;
  }
  EXPECT_TRUE(unexpected_files({"g.el", "out", "old"}).empty());
}

TEST_F(Writing, AppendsWhereTheDescriptorAppends) {
  write("log", "line 1\nline 2\n");
  for (const char* name : {"/proc/self/fd/3", "/proc/thread-self/fd/3", "/dev/fd/3"}) {
    write("log", "line 1\n");
    expect_success(std::string("tropic bfs g.el --quiet --output ") + name + " 3>>log");
    EXPECT_EQ(contents(path("log")), std::string("line 1\n") + levels) << name;
  }
  expect_success("exec tropic bfs g.el --quiet --output /proc/$BASHPID/fd/3 3>f");
  EXPECT_EQ(contents(path("f")), levels);
  // In place: text before and after the output is kept.
  write("f", "0123456789abcdefghi\n");
  expect_success("exec 3<>f; read -N 2 <&3; tropic bfs g.el --quiet --output /dev/fd/3");
  EXPECT_EQ(contents(path("f")), std::string("01") + levels + "efghi\n");
  expect_success("tropic bfs g.el --quiet --output >(cat > from_a_pipe); wait $!");
  EXPECT_EQ(contents(path("from_a_pipe")), levels);
  fs::create_symlink("/proc/self/fd/2", path("aside"));
  EXPECT_EQ(run("tropic bfs g.el --quiet --output aside 2>&1 >&- | cat").out, levels);
}

TEST_F(Writing, RefusesADescriptorThatIsNotOpenToWriting) {
  expect_refused("tropic bfs g.el --output /dev/fd/9", "/dev/fd/9: found descriptor 9");
  expect_refused("tropic bfs g.el --output /dev/fd/9 9<g.el", "/dev/fd/9: found descriptor 9");
  expect_refused("tropic convert g.el /proc/self/fd/8 --to el", "descriptor 8, which is not open");
  fs::create_symlink("/proc/self/fd/9", path("link"));
  expect_refused("tropic bfs g.el --output link", "link: found descriptor 9");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(Writing, NeverReplacesTheFileOfAnotherProcess) {
  write("theirs", "kept\n");
  expect_refused(
      "sleep 20 3>>theirs & trap 'kill %1' EXIT; sleep 0.1; "
      "tropic bfs g.el --output /proc/$!/fd/3",
      "a file that another process has open");
  EXPECT_EQ(contents(path("theirs")), "kept\n");
}

TEST_F(Writing, FollowsSymbolicLinks) {
  fs::create_directory(path("folder"));
  fs::create_directory_symlink("folder", path("way"));
  for (const command& c : writers) {
    for (const char* name : {"real", "folder/real", "new", "folder/new"}) fs::remove(path(name));
    write("real", "old\n");
    write("folder/real", "old\n");
    for (const auto& [target, link] : {std::pair{"real", "l"},
                                       {"../real", "folder/up"},
                                       {"new", "dangling"},
                                       {"folder/./../way/new", "far"},
                                       {"way/real", "through"},
                                       {"through", "twice"}}) {
      fs::remove(path(link));
      fs::create_symlink(target, path(link));
      const fs::path behind = path(link).parent_path() / target;
      expect_success(c.line + link);
      EXPECT_TRUE(fs::is_symlink(path(link))) << c.line << link;
      EXPECT_EQ(fs::read_symlink(path(link)), target);
      EXPECT_TRUE(contents(path(link)).starts_with(c.begins)) << c.line << link;
      EXPECT_TRUE(fs::is_regular_file(
          fs::path(link == std::string("twice") ? path("folder/real") : behind)));
      EXPECT_TRUE(fs::is_symlink(path("way")));
    }
  }
  const std::string absolute = path("absolute").string();
  fs::create_symlink(absolute, path("to_absolute"));
  expect_success("tropic bfs g.el --quiet --output to_absolute");
  EXPECT_EQ(contents(absolute), levels);
}

TEST_F(Writing, RefusesLinksThatLeadNowhere) {
  fs::create_symlink("loop", path("loop"));
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  fs::create_symlink("no/such/place", path("nowhere"));
  for (const command& c : writers) {
    expect_refused(c.line + "loop", "loop: cannot write: Too many levels of symbolic links");
    expect_refused(c.line + "a", "a: cannot write: Too many levels");
    expect_refused(c.line + "nowhere", "nowhere: cannot write: No such file or directory");
    expect_refused(c.line + "g.el/x", "g.el/x: cannot write: Not a directory");
    expect_refused(c.line + ".", ".: found a directory");
    expect_refused(c.line + "new/", "new/: ");
  }
  for (const char* name : {"loop", "a", "b", "nowhere"}) EXPECT_TRUE(fs::is_symlink(path(name)));
  EXPECT_TRUE(unexpected_files({"g.el", "loop", "a", "b", "nowhere"}).empty());
}

TEST_F(Writing, ReachesDevices) {
  if (::mknod(path("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0 ||
      ::mknod(path("full").c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0 ||
      run(": > null").exit_code != 0)
    GTEST_SKIP() << "makes device nodes, which this user or file system does not allow";
  fs::create_symlink("null", path("to_null"));
  for (const command& c : writers) {
    expect_success(c.line + "null");
    expect_success(c.line + "to_null");
    expect_refused(c.line + "full", "full: cannot write: No space left on device");
    EXPECT_TRUE(fs::is_character_file(path("null")) && fs::is_character_file(path("full")));
    EXPECT_TRUE(fs::is_symlink(path("to_null")));
  }
}

TEST_F(Writing, ReachesNamedPipes) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  for (const command& c : writers) {
    const outcome found = run("cat pipe & " + c.line + "pipe; wait");
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_TRUE(found.out.starts_with(c.begins)) << c.line << found.out;
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    // A reader that stops early ends the program silently.
    const outcome closed = run("true < pipe & " + c.line + "pipe; echo $?; wait");
    EXPECT_EQ(closed.out + closed.err, "0\n") << c.line;
  }
}

TEST_F(Writing, KeepsPermissionsOfTheFile) {
  for (const command& c : writers)
    for (const mode_t bits : {0600U, 0664U, 0777U, 0200U}) {
      write("f", "old\n");
      ASSERT_EQ(::chmod(path("f").c_str(), bits), 0);
      expect_success("umask 022; " + c.line + "f");
      EXPECT_EQ(mode("f"), bits) << c.line;
      ::chmod(path("f").c_str(), 0600);
      EXPECT_TRUE(contents(path("f")).starts_with(c.begins));
      for (const auto& [mask, result] : {std::pair{"022", 0644U}, {"077", 0600U}, {"0", 0666U}}) {
        fs::remove(path("new"));
        expect_success(std::string("umask ") + mask + "; " + c.line + "new");
        EXPECT_EQ(mode("new"), result) << c.line;
      }
    }
}

TEST_F(Writing, GivesAFileTheUsersMask) {
  expect_success("umask 0333; tropic convert g.el --quiet --to el new");
  EXPECT_EQ(mode("new"), 0444U);
}

TEST_F(Writing, KeepsOwnerAndGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "gives files to other users, which needs root";
  write("f", "old\n");
  ASSERT_EQ(::chown(path("f").c_str(), 4321, 1234), 0);
  expect_success("tropic bfs g.el --quiet --output f");
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 4321U);
  EXPECT_EQ(status.st_gid, 1234U);
  // If the group cannot be kept, its permissions are dropped: the new group gets those of others.
  if (!can_be_a_user()) GTEST_SKIP() << "cannot run the program as another user";
  ASSERT_EQ(::chown(path("f").c_str(), 65534, 1234), 0);
  ASSERT_EQ(::chmod(path("f").c_str(), 0664), 0);
  expect_success(as_user() + "tropic bfs g.el --quiet --output f");
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, 65534U);
  EXPECT_EQ(mode("f"), 0644U);
}

TEST_F(Writing, KeepsAccessLists) {
  // user::rw-, user:1000:rwx, group::---, mask::rwx, other::---
  constexpr unsigned char list[] = {2,   0,   0,   0,   1,   0,   6,  0,   255, 255, 255,
                                    255, 2,   0,   7,   0,   232, 3,  0,   0,   4,   0,
                                    0,   0,   255, 255, 255, 255, 16, 0,   7,   0,   255,
                                    255, 255, 255, 32,  0,   0,   0,  255, 255, 255, 255};
  write("f", "old\n");
  const char* const name = "system.posix_acl_access";
  if (::setxattr(path("f").c_str(), name, list, sizeof list, 0) != 0 ||
      ::setxattr(path("f").c_str(), "user.note", "mine", 4, 0) != 0)
    GTEST_SKIP() << "the file system has no access control lists or attributes";
  expect_success("tropic bfs g.el --quiet --output f");
  unsigned char found[sizeof list] = {};
  ASSERT_EQ(::getxattr(path("f").c_str(), name, found, sizeof found), ssize_t{sizeof list});
  EXPECT_TRUE(std::equal(std::begin(list), std::end(list), found));
  char note[4] = {};
  EXPECT_EQ(::getxattr(path("f").c_str(), "user.note", note, 4), 4);
  EXPECT_EQ(contents(path("f")), levels);
}

TEST_F(Writing, RefusesAReadOnlyFile) {
  write("f", "old\n");
  ASSERT_EQ(::chmod(path("f").c_str(), 0444), 0);
  for (const command& c : writers) {
    expect_refused(c.line + "f", "f: found a read-only file");
    EXPECT_EQ(contents(path("f")), "old\n");
  }
  if (!can_be_a_user()) GTEST_SKIP() << "cannot run the program as another user";
  ::chmod(path("f").c_str(), 0644);
  if (::geteuid() == 0)
    expect_refused(as_user() + "tropic bfs g.el --output f", "f: cannot write: Permission denied");
  EXPECT_EQ(contents(path("f")), "old\n");
}

TEST_F(Writing, RefusesAFolderThatTakesNoFile) {
  if (!can_be_a_user()) GTEST_SKIP() << "cannot run the program as another user";
  fs::create_directory(path("shut"));
  write("shut/f", "old\n");
  fs::permissions(path("shut/f"), fs::perms::all);
  ASSERT_EQ(::chmod(path("shut").c_str(), 0555), 0);
  for (const command& c : writers) {
    expect_refused(as_user() + c.line + "shut/f",
                   "shut/f: found a folder in which no file can be created");
    expect_refused(as_user() + c.line + "shut/n", "shut/n: cannot write: Permission denied");
  }
  EXPECT_EQ(contents(path("shut/f")), "old\n");
  // The workaround that the message names.
  expect_success(as_user() + "tropic bfs g.el --quiet --output - > shut/f");
  EXPECT_EQ(contents(path("shut/f")), levels);
  ::chmod(path("shut").c_str(), 0755);
}

TEST_F(Writing, RefusesWhatASharedFolderProtects) {
  if (::geteuid() != 0) GTEST_SKIP() << "gives links to other users, which needs root";
  fs::create_directory(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 01777), 0);
  write("precious", "kept\n");
  fs::create_symlink("../precious", path("shared/trap"));
  ASSERT_EQ(::lchown(path("shared/trap").c_str(), 4321, 4321), 0);
  expect_refused("tropic bfs g.el --output shared/trap", "shared/trap: cannot write: Permission");
  EXPECT_EQ(contents(path("precious")), "kept\n");
  if (!can_be_a_user()) GTEST_SKIP() << "cannot run the program as another user";
  write("shared/theirs", "kept\n");
  ::chmod(path("shared/theirs").c_str(), 0666);
  expect_refused(as_user() + "tropic bfs g.el --output shared/theirs",
                 "shared/theirs: found a file of another user in a folder that protects it");
  EXPECT_EQ(contents(path("shared/theirs")), "kept\n");
}

TEST_F(Writing, RefusesAMountedFile) {
  write("f", "old\n");
  write("behind", "old\n");
  if (run("unshare -m true").exit_code != 0) GTEST_SKIP() << "cannot mount files";
  expect_refused("unshare -m bash -c 'mount --bind behind f && tropic bfs g.el --output f'",
                 "f: found a file that is mounted by itself");
  EXPECT_EQ(contents(path("behind")), "old\n");
}

TEST_F(Writing, RefusesWhatOnlyGrows) {
  fs::create_directory(path("grows"));
  write("grows/f", "old\n");
  write("log", "old\n");
  if (run("chattr +a grows log").exit_code != 0) {
    run("chattr -a grows log");
    GTEST_SKIP() << "sets the attribute of append-only files, which this user or system does not";
  }
  for (const command& c : writers) {
    expect_refused(c.line + "grows/new",
                   "grows/new: found a folder that keeps every file (chattr +a)");
    expect_refused(c.line + "grows/f", "grows/f: found a folder that keeps every file (chattr +a)");
    expect_refused(c.line + "log", "log: ");
  }
  // In place it may grow, as any file.
  expect_success("tropic bfs g.el --quiet --output - >> log");
  run("chattr -a grows log");
  EXPECT_EQ(contents(path("log")), std::string("old\n") + levels);
  EXPECT_EQ(contents(path("grows/f")), "old\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("grows")), fs::directory_iterator()), 1);
}

TEST_F(Writing, LeavesOtherNamesOfAFileAsTheyWere) {
  for (const command& c : writers) {
    write("f", "old\n");
    fs::remove(path("snapshot"));
    fs::create_hard_link(path("f"), path("snapshot"));
    expect_success(c.line + "f");
    EXPECT_TRUE(contents(path("f")).starts_with(c.begins));
    EXPECT_EQ(contents(path("snapshot")), "old\n");
  }
}

TEST_F(Writing, TakesNamesOfAnyLength) {
  const std::string longest(255, 'n');
  expect_success("tropic bfs g.el --quiet --output " + longest);
  EXPECT_EQ(contents(path(longest)), levels);
  expect_refused("tropic bfs g.el --output n" + longest, "File name too long");
}

}  // namespace
}  // namespace cli_tests
