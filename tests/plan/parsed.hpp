// SPDX-License-Identifier: Apache-2.0
#pragma once

// A reader of the XML that pictures consist of, strict enough to check that it is well formed: tags
// balance, attributes are quoted and not repeated, & and < occur only where allowed, text is UTF-8
// with characters that XML allows.

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::parsed {

struct element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;    // with entities resolved
  std::string inside;  // classes of the enclosing groups
  std::size_t depth = 0;

  const std::string& operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end())
      throw std::runtime_error("<" + name + "> has no attribute " + attribute);
    return found->second;
  }
  double number(const std::string& attribute) const {
    std::size_t read = 0;
    const std::string& text_of = (*this)[attribute];
    const double value = std::stod(text_of, &read);
    if (read != text_of.size()) throw std::runtime_error("found '" + text_of + "', not a number");
    return value;
  }
};

class reader {
 public:
  explicit reader(std::string_view xml) : xml_(xml) {
    check_characters();
    std::vector<std::size_t> open;
    while (at_ < xml_.size()) {
      if (xml_[at_] != '<') {
        const std::string text = content('<');
        if (!open.empty())
          found_[open.back()].text += text;
        else if (text.find_first_not_of("\n ") != text.npos)
          fail("text outside of the root");
      } else if (xml_.substr(at_).starts_with("</")) {
        at_ += 2;
        const std::string ended = name();
        if (open.empty() || found_[open.back()].name != ended)
          fail("</" + ended + "> ends nothing");
        open.pop_back();
        take('>');
      } else {
        ++at_;
        if (open.empty() && !found_.empty()) fail("a second root");
        element e;
        e.name = name();
        e.depth = open.size();
        for (const std::size_t around : open)
          if (const auto c = found_[around].attributes.find("class");
              c != found_[around].attributes.end())
            e.inside += " " + c->second + " ";
        while (at_ < xml_.size() && xml_[at_] == ' ') {
          ++at_;
          const std::string key = name();
          take('=');
          take('"');
          if (!e.attributes.emplace(key, content('"')).second) fail(key + " is repeated");
          take('"');
        }
        const bool closed = xml_.substr(at_).starts_with("/>");
        at_ += closed;
        take('>');
        found_.push_back(e);
        if (!closed) open.push_back(found_.size() - 1);
      }
    }
    if (!open.empty()) fail("<" + found_[open.back()].name + "> has no end");
  }
  const std::vector<element>& elements() const { return found_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " before '" + std::string(xml_.substr(at_, 40)) + "'");
  }
  void take(char c) {
    if (at_ >= xml_.size() || xml_[at_] != c) fail(std::string("no ") + c);
    ++at_;
  }
  std::string name() {
    std::string taken;
    while (at_ < xml_.size() && (std::isalnum(static_cast<unsigned char>(xml_[at_])) != 0 ||
                                 xml_[at_] == '-' || xml_[at_] == ':'))
      taken += xml_[at_++];
    if (taken.empty()) fail("no name");
    return taken;
  }
  std::string content(char end) {
    const std::map<std::string_view, char> entities = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    std::string taken;
    while (at_ < xml_.size() && xml_[at_] != end) {
      if (xml_[at_] == '<' || xml_[at_] == '>') fail("a raw angle");
      if (xml_[at_] == '&') {
        const std::size_t stop = xml_.find(';', at_);
        if (stop == xml_.npos) fail("a raw &");
        const auto found = entities.find(xml_.substr(at_, stop + 1 - at_));
        if (found == entities.end()) fail("an unknown entity");
        taken += found->second;
        at_ = stop + 1;
      } else {
        taken += xml_[at_++];
      }
    }
    return taken;
  }
  void check_characters() const {
    for (std::size_t i = 0; i < xml_.size();) {
      const auto c = static_cast<unsigned char>(xml_[i]);
      if (c < 0x20 && c != '\n') throw std::runtime_error("a control character");
      if (c >= 0x80 && (c < 0xc2 || c > 0xf4)) throw std::runtime_error("not UTF-8");
      const std::size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
      for (std::size_t k = 1; k < length; ++k)
        if (i + k >= xml_.size() || (static_cast<unsigned char>(xml_[i + k]) & 0xc0) != 0x80)
          throw std::runtime_error("not UTF-8");
      i += length;
    }
  }

  std::string_view xml_;
  std::size_t at_ = 0;
  std::vector<element> found_;
};

inline std::vector<element> parse(std::string_view xml) {
  return reader(xml).elements();
}

}  // namespace tropic::parsed
