// SPDX-License-Identifier: Apache-2.0

// Folders are held open (O_PATH) during the walk, so that the file is created in the right folder
// even if that is renamed meanwhile. Links below /proc are special: their text need not name their
// target, so they are recognised instead of read.

#include "file_output/walk.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <vector>

namespace tropic::files {

namespace {

constexpr int most_links = 40;  // the kernel's own limit
constexpr int as_path = O_PATH | O_CLOEXEC;

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The number that the text consists of, or -1.
int number_of(std::string_view text) {
  int value = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

/// The descriptor that a name denotes, without access to the disk: some machines lack these links,
/// and a file created under that name would serve every program as its standard output.
int descriptor_by_name(std::string_view name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (name.starts_with(folder)) return number_of(name.substr(folder.size()));
  return -1;
}

/// Whether a folder holds the descriptors of this process: /proc/self/fd, or that of a thread.
bool holds_own_descriptors(int folder) {
  struct stat here {
  }, other{}, above{};
  if (::fstat(folder, &here) != 0) return false;
  if (::stat("/proc/self/fd", &other) == 0 && same(here, other)) return true;
  return ::fstatat(folder, "../..", &above, 0) == 0 && ::stat("/proc/self/task", &other) == 0 &&
         same(above, other);
}

/// In a folder that every user may write to, but where they may remove only their own files (/tmp),
/// a link of another user is not followed: it may have been created to make us overwrite a file.
bool may_follow(int folder, const struct stat& link) {
  struct stat here {};
  if (::fstat(folder, &here) != 0) return false;
  const bool is_shared = (here.st_mode & S_ISVTX) != 0 && (here.st_mode & S_IWOTH) != 0;
  return !is_shared || link.st_uid == ::geteuid() || link.st_uid == here.st_uid;
}

class walker {
 public:
  explicit walker(const std::string& name) : name_(name) {}

  walked run() {
    if (name_.empty()) fail(ENOENT);
    at_.own_descriptor = descriptor_by_name(name_);
    if (at_.own_descriptor >= 0) return std::move(at_);
    if (!name_.starts_with('/')) start(".");
    append(name_);
    while (!ahead_.empty()) {
      const std::string next = std::move(ahead_.back());
      ahead_.pop_back();
      if (!step(next)) break;
    }
    return std::move(at_);
  }

 private:
  [[noreturn]] void fail(int reason) const { refuse(name_, reason); }

  /// Puts the components of a path before the remaining ones. A trailing slash requires a folder,
  /// as "." does.
  void append(std::string_view path) {
    std::vector<std::string> parts;
    const bool is_absolute = path.starts_with('/');
    if (path.ends_with('/')) parts.emplace_back(".");
    while (!path.empty()) {
      const std::size_t slash = path.rfind('/');
      const std::string_view part = slash == std::string_view::npos ? path : path.substr(slash + 1);
      if (!part.empty()) parts.emplace_back(part);
      path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    if (is_absolute) start("/");
    ahead_.insert(ahead_.end(), parts.begin(), parts.end());
  }

  void start(const char* folder) {
    at_.folder = descriptor(::open(folder, as_path | O_DIRECTORY));
    if (!at_.folder) fail(errno);
  }

  void enter(const std::string& folder) {
    // "/." triggers an automounter.
    descriptor inside(
        ::openat(at_.folder.number(), (folder + "/.").c_str(), as_path | O_DIRECTORY));
    if (!inside) fail(errno);
    at_.folder = std::move(inside);
  }

  /// Resolves one component. Returns false at the end of the path.
  bool step(const std::string& next) {
    if (next == "." || next == "..") return enter(next), true;
    const bool is_last = ahead_.empty();
    const descriptor item(::openat(at_.folder.number(), next.c_str(), as_path | O_NOFOLLOW));
    if (!item) {
      if (errno != ENOENT || !is_last) fail(errno);
      at_.file = next;
      if (holds_own_descriptors(at_.folder.number())) at_.own_descriptor = number_of(next);
      return false;
    }
    struct stat status {};
    if (::fstat(item.number(), &status) != 0) fail(errno);
    if (S_ISLNK(status.st_mode)) return follow(next, item.number(), status);
    if (!is_last) return enter(next), true;
    if (S_ISDIR(status.st_mode)) return enter(next), false;
    at_.file = next;
    at_.exists = true;
    at_.status = status;
    return false;
  }

  bool follow(const std::string& next, int link, const struct stat& status) {
    if (++links_ > most_links) fail(ELOOP);
    struct statfs system {};
    struct stat folder {};
    if (::fstatfs(link, &system) != 0 || ::fstat(at_.folder.number(), &folder) != 0) fail(errno);
    constexpr ino_t proc_root = 1;  // /proc/self and /proc/mounts are ordinary links
    if (system.f_type == PROC_SUPER_MAGIC && folder.st_ino != proc_root) return jump(next);
    if (!may_follow(at_.folder.number(), status)) fail(EACCES);
    std::string text(4096, '\0');  // PATH_MAX
    const ssize_t length = ::readlinkat(link, "", text.data(), text.size());
    if (length < 0) fail(errno);
    append(std::string_view(text).substr(0, static_cast<std::size_t>(length)));
    return true;
  }

  /// A link created by the kernel.
  bool jump(const std::string& next) {
    if (!ahead_.empty()) return enter(next), true;
    at_.file = next;
    if (holds_own_descriptors(at_.folder.number()) && number_of(next) >= 0) {
      at_.own_descriptor = number_of(next);
      return false;
    }
    if (::fstatat(at_.folder.number(), next.c_str(), &at_.status, 0) != 0) fail(errno);
    at_.exists = true;
    at_.is_foreign = true;
    return false;
  }

  const std::string& name_;
  std::vector<std::string> ahead_;  // the next component is the last
  int links_ = 0;
  walked at_;
};

}  // namespace

walked walk(const std::string& name) {
  return walker(name).run();
}

}  // namespace tropic::files
