// SPDX-License-Identifier: Apache-2.0
#pragma once

// A locale whose numbers have a decimal comma and grouped digits, as a program with a user
// interface may set it. It is generated here: the machine need not have one.

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <string>

#include "support/surroundings.hpp"

namespace tropic::testing {

/// Sets the C locale and the global C++ locale of this process, and restores them.
class decimal_comma {
 public:
  decimal_comma() : before_(std::setlocale(LC_ALL, nullptr)) {
    std::locale::global(std::locale(std::locale::classic(), new punctuation));
    const std::string source = (folder_.path() / "source").string();
    std::ofstream(source) << "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                             "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    const std::string result = (folder_.path() / "xx_COMMA").string();
    const std::string command =
        "localedef --no-archive -c -i " + source + " " + result + " >/dev/null 2>&1";
    // It warns of missing categories, which gives exit status 1.
    static_cast<void>(std::system(command.c_str()));
    const environment_variable path("LOCPATH", folder_.path().string());
    is_set_ = std::setlocale(LC_NUMERIC, "xx_COMMA") != nullptr;
  }
  ~decimal_comma() {
    std::locale::global(std::locale::classic());
    std::setlocale(LC_ALL, before_.c_str());
  }
  decimal_comma(const decimal_comma&) = delete;
  decimal_comma& operator=(const decimal_comma&) = delete;

  /// Whether C's functions use it as well.
  bool is_set() const {
    char text[16];
    std::snprintf(text, sizeof(text), "%.1f", 0.5);
    return is_set_ && text == std::string("0,5");
  }

 private:
  struct punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  temporary_folder folder_;
  std::string before_;
  bool is_set_ = false;
};

}  // namespace tropic::testing
