// SPDX-License-Identifier: Apache-2.0

// What the name refers to, and whether it can be written to. Both are checked before any work
// starts.

#include "file_output/place.hpp"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <tropic/error.hpp>

#include "file_output/walk.hpp"

namespace tropic::files {

namespace {

[[noreturn]] void refuse_found(const std::string& name, const std::string& found,
                               const std::string& expected) {
  throw usage_error(name + ": found " + found + ", expected " + expected);
}

bool is_one_file(const struct stat& a, const struct stat& b) {
  if (S_ISBLK(a.st_mode) && S_ISBLK(b.st_mode)) return a.st_rdev == b.st_rdev;
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether the file is a mount point, as a container's volume of a single file is.
bool is_mounted(int folder, const std::string& file) {
#ifdef STATX_MNT_ID
  struct statx of_folder {
  }, of_file{};
  return ::statx(folder, "", AT_EMPTY_PATH, STATX_MNT_ID, &of_folder) == 0 &&
         ::statx(folder, file.c_str(), AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &of_file) == 0 &&
         (of_folder.stx_mask & of_file.stx_mask & STATX_MNT_ID) != 0 &&
         of_folder.stx_mnt_id != of_file.stx_mnt_id;
#else
  static_cast<void>(folder), static_cast<void>(file);
  return false;
#endif
}

/// Whether a file or folder is append-only (chattr +a): no file in such a folder can be renamed or
/// removed, and such a file cannot be replaced. The permissions do not show this.
bool only_grows(int folder, const std::string& file) {
#ifdef STATX_ATTR_APPEND
  struct statx found {};
  return ::statx(folder, file.c_str(), AT_SYMLINK_NOFOLLOW | (file.empty() ? AT_EMPTY_PATH : 0), 0,
                 &found) == 0 &&
         (found.stx_attributes & found.stx_attributes_mask & STATX_ATTR_APPEND) != 0;
#else
  static_cast<void>(folder), static_cast<void>(file);
  return false;
#endif
}

}  // namespace

descriptor::~descriptor() {
  if (number_ >= 0) ::close(number_);
}

void refuse(const std::string& name, int reason) {
  throw error(name + ": cannot write: " + std::generic_category().message(reason));
}

place::place(const std::filesystem::path& name) : name_(name.string()) {
  walked way = walk(name_);
  folder_ = std::move(way.folder);
  file_ = std::move(way.file);
  if (way.own_descriptor >= 0) {
    found_descriptor(way.own_descriptor);
  } else if (file_.empty()) {
    refuse_found(name_, "a directory", "a file to write");
  } else if (way.is_foreign && S_ISREG(way.status.st_mode)) {
    refuse_found(name_, "a file that another process has open", "a name of the file");
  } else if (way.exists) {
    found_file(way.status);
  } else if (::fstat(folder_.number(), &status_) != 0 ||
             ::faccessat(folder_.number(), ".", W_OK | X_OK, 0) != 0) {
    refuse(name_, errno);
  } else if (only_grows(folder_.number(), "")) {
    refuse_found(name_, "a folder that keeps every file (chattr +a)",
                 "one in which a file can be renamed when it is complete");
  }
}

void place::found_descriptor(int number) {
  if (number == STDOUT_FILENO && name_ == "/dev/stdout") name_ = "standard output";
  if (number == STDERR_FILENO && name_ == "/dev/stderr") name_ = "standard error";
  kind_ = kind::open;
  number_ = number;
  folder_ = descriptor();
  const int flags = ::fcntl(number, F_GETFL);
  const std::string found = "descriptor " + std::to_string(number) + ", which is not open";
  if (flags < 0 || (flags & O_PATH) != 0) refuse_found(name_, found, "one that is");
  if ((flags & O_ACCMODE) == O_RDONLY) refuse_found(name_, found + " to writing", "one that is");
  if (::fstat(number, &status_) != 0) refuse(name_, errno);
}

void place::found_file(struct stat status) {
  status_ = status;
  if (S_ISDIR(status.st_mode)) refuse_found(name_, "a directory", "a file to write");
  kind_ = S_ISREG(status.st_mode) ? kind::regular : kind::special;
  if (kind_ == kind::regular && (status.st_mode & 0222) == 0)  // may be meant even by root
    refuse_found(name_, "a read-only file", "one that may be written to");
  if (::faccessat(folder(), file_.c_str(), W_OK, 0) != 0) refuse(name_, errno);
  if (kind_ == kind::regular) check_regular();
}

/// Whether a complete file can replace this one.
void place::check_regular() const {
  const auto refuse_to_replace = [&](const std::string& found, const std::string& expected) {
    refuse_found(name_, found,
                 expected +
                     ": a file is replaced only by a complete one ('-' with a redirection "
                     "writes in place)");
  };
  struct stat here {};
  if (::fstat(folder(), &here) != 0) refuse(name_, errno);
  if (::faccessat(folder(), ".", W_OK | X_OK, 0) != 0)
    refuse_to_replace("a folder in which no file can be created", "another folder");
  const uid_t user = ::geteuid();
  if ((here.st_mode & S_ISVTX) != 0 && user != 0 && user != status_.st_uid && user != here.st_uid)
    refuse_to_replace("a file of another user in a folder that protects it", "one of your own");
  if (only_grows(folder(), ""))
    refuse_to_replace("a folder that keeps every file (chattr +a)", "one that does not");
  if (only_grows(folder(), file_))
    refuse_to_replace("a file that only grows (chattr +a)", "one that may be replaced");
  if (is_mounted(folder(), file_))
    refuse_to_replace("a file that is mounted by itself", "a file in a mounted folder");
}

bool place::is_terminal() const {
  if (!S_ISCHR(status_.st_mode)) return false;
  if (kind_ == kind::open) return ::isatty(number_) != 0;
  const descriptor device(
      ::openat(folder(), file_.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  return device && ::isatty(device.number()) != 0;
}

bool place::is_same_file(const place& other) const {
  if (kind_ == kind::open && other.kind_ == kind::open && number_ == other.number_) return true;
  if ((kind_ == kind::absent) != (other.kind_ == kind::absent)) return false;
  if (kind_ == kind::absent && file_ != other.file_) return false;
  return kind_ == kind::absent ? is_one_file(status_, other.status_) : is_same_file(other.status_);
}

bool place::is_same_file(const struct stat& other) const {
  return kind_ != kind::absent && !S_ISCHR(status_.st_mode) && is_one_file(status_, other);
}

}  // namespace tropic::files
