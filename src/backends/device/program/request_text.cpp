// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/request_text.hpp"

#include <algorithm>
#include <charconv>
#include <deque>

#include <tropic/error.hpp>
#include <tropic/semirings/parse.hpp>

namespace tropic::detail {
namespace {

// --- writing -------------------------------------------------------------------------------------

class line_writer {
 public:
  line_writer& open(std::string_view head) {
    space();
    text_ += '(';
    text_ += head;
    return *this;
  }
  line_writer& close() {
    text_ += ')';
    return *this;
  }
  line_writer& word(std::string_view atom) {
    space();
    text_ += atom;
    return *this;
  }
  line_writer& number(long long n) { return word(std::to_string(n)); }
  line_writer& quoted(std::string_view part) {
    space();
    text_ += '"';
    for (const char c : part) {
      if (c == '\n') {
        text_ += "\\n";
        continue;
      }
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }
  line_writer& type(const type_description* t) {
    if (t == nullptr) return word("-");
    if (t->code != type_code::record) return word(t->name);
    open("record").quoted(t->name).number(static_cast<long long>(t->size));
    number(static_cast<long long>(t->alignment));
    for (const field_description& f : t->fields)
      word(f.name).word(describe(f.code).name).number(static_cast<long long>(f.offset));
    return close();
  }
  line_writer& op(const operator_description* o) {
    if (o == nullptr) return word("-");
    open("operator").quoted(o->text).type(o->x).type(o->y).type(o->z);
    for (const parameter_description& p : o->parameters)
      word(p.name).word(describe(p.code).name).number(static_cast<long long>(p.offset));
    return close();
  }
  line_writer& monoid(const monoid_description* m) {
    if (m == nullptr) return word("-");
    is_complete_ = is_complete_ && m->add.parameters.empty();
    open("monoid").op(&m->add);
    std::string identity;
    for (std::size_t n = 0; n < m->add.z->size; ++n) {
      constexpr char digits[] = "0123456789abcdef";
      const auto byte = std::to_integer<unsigned>(m->identity.bytes[n]);
      identity += {digits[byte >> 4], digits[byte & 15]};
    }
    word(identity).number(static_cast<int>(m->terminal_value)).number(m->idempotent);
    return number(m->exact).close();  // not in the text: it decides which programs there are
  }
  line_writer& elements(const element_request* e) {
    if (e == nullptr) return word("-");
    open("elements").number(static_cast<int>(e->kind)).op(e->op);
    number(e->bound_first).number(e->bound_second).type(e->u).type(e->v).type(e->z);
    return close();
  }
  std::string text() && { return is_complete_ ? std::move(text_) : std::string(); }

 private:
  void space() {
    if (!text_.empty() && text_.back() != '(') text_ += ' ';
  }
  std::string text_;
  bool is_complete_ = true;
};

const element_request* pointer(const std::optional<element_request>& e) {
  return e ? &*e : nullptr;
}

// --- reading -------------------------------------------------------------------------------------

struct item {
  std::string text;
  std::vector<item> list;
  bool is_list = false;
};

class line_reader {
 public:
  explicit line_reader(std::string_view line) : line_(line) {}
  [[noreturn]] void refuse() const {
    throw error("a list of programs: this line does not describe one: " + std::string(line_));
  }
  item all() {
    item result = next(0);
    if (at_ != line_.size()) refuse();
    return result;
  }

 private:
  item next(int depth) {
    skip();
    if (at_ == line_.size() || depth > 16) refuse();
    item result;
    if (line_[at_] == '(') {
      result.is_list = true;
      for (++at_; skip(), at_ < line_.size() && line_[at_] != ')';)
        result.list.push_back(next(depth + 1));
      if (at_ == line_.size()) refuse();
      ++at_;
    } else if (line_[at_] == '"') {
      for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
        const bool escaped = line_[at_] == '\\';
        if (escaped && ++at_ == line_.size()) refuse();
        result.text += escaped && line_[at_] == 'n' ? '\n' : line_[at_];
      }
      if (at_ == line_.size()) refuse();
      ++at_;
    } else {
      while (at_ < line_.size() && std::string_view(" ()\"").find(line_[at_]) == line_.npos)
        result.text += line_[at_++];
      if (result.text.empty()) refuse();
    }
    skip();
    return result;
  }
  void skip() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

std::string line_of(const program_request& r) {
  if (!r.text.empty()) return {};
  line_writer out;
  out.open("program").quoted(r.kernel);
  if (!r.constants.empty()) {
    out.open("constants");
    for (const auto& [name, value] : r.constants) out.word(name).number(value);
    out.close();
  }
  if (r.semiring != nullptr) {
    out.open("semiring").number(r.vector_first).op(&r.semiring->multiply);
    out.monoid(&r.semiring->add).number(r.semiring->exits_at_first_product).close();
  }
  if (r.elements != nullptr) out.elements(r.elements);
  if (r.round != nullptr) {
    out.open("round").op(r.round->improves).elements(pointer(r.round->keeps)).close();
  }
  if (r.back != nullptr) out.open("back").op(r.back->give).op(r.back->take).close();
  if (r.pass != nullptr) {
    out.open("pass");
    for (const pass_request::vector& v : r.pass->vectors)
      out.open("vector").type(v.type).number(v.read).number(v.written).number(v.flagged).close();
    for (const pass_request::step& s : r.pass->steps) {
      out.open("step").elements(pointer(s.op)).number(static_cast<long long>(s.u));
      out.number(static_cast<long long>(s.v)).number(static_cast<long long>(s.w));
      out.number(s.within ? static_cast<long long>(*s.within) : -1).monoid(s.monoid).close();
    }
    out.close();
  }
  if (r.monoid != nullptr) out.monoid(r.monoid);
  if (r.accumulator != nullptr) out.open("accumulator").op(r.accumulator).close();
  out.close();
  return std::move(out).text();
}

// Nothing here moves once it is referred to.
struct listed_request::contents {
  std::string line;
  program_request request;
  std::deque<std::string> texts;
  std::deque<type_description> types;
  std::deque<std::vector<field_description>> fields;
  std::deque<std::vector<parameter_description>> parameters;
  std::deque<expression::tree> trees;
  std::deque<operator_description> operators;
  std::deque<monoid_description> monoids;
  std::deque<element_request> elements;
  semiring_description semiring;
  round_request round;
  back_request back;
  pass_request pass;

  [[noreturn]] void refuse() const { line_reader(line).refuse(); }
  std::string_view keep(const item& i) { return texts.emplace_back(i.text); }
  long long number(const item& i) const {
    long long value = 0;
    const char* const end = i.text.data() + i.text.size();
    const auto read = std::from_chars(i.text.data(), end, value);
    if (i.is_list || read.ec != std::errc{} || read.ptr != end) refuse();
    return value;
  }
  std::size_t count(const item& i, std::size_t below) const {
    const long long value = number(i);
    if (value < 0 || static_cast<std::size_t>(value) >= below) refuse();
    return static_cast<std::size_t>(value);
  }
  bool flag(const item& i) const { return count(i, 2) != 0; }
  // A list that begins with that word and has at least so many items behind it.
  const std::vector<item>& list(const item& i, std::string_view head, std::size_t least) const {
    if (!i.is_list || i.list.size() < least + 1 || i.list[0].text != head) refuse();
    return i.list;
  }
  type_code code(const item& i) const {
    for (const type_description& known : builtin_types)
      if (!i.is_list && known.name == i.text) return known.code;
    refuse();
  }
  const type_description* type(const item& i, bool is_optional = false) {
    if (!i.is_list && i.text == "-" && is_optional) return nullptr;
    if (!i.is_list) return &describe(code(i));
    const std::vector<item>& parts = list(i, "record", 6);
    type_description& result = types.emplace_back();
    result.code = type_code::record;
    result.name = keep(parts[1]);
    result.size = count(parts[2], sizeof(scalar_bytes::bytes) + 1);
    result.alignment = count(parts[3], 1 << 8);
    std::vector<field_description>& all = fields.emplace_back();
    for (std::size_t n = 4; n + 2 < parts.size(); n += 3)
      all.push_back({keep(parts[n]), code(parts[n + 1]), count(parts[n + 2], result.size)});
    result.fields = all;
    return &result;
  }
  const operator_description* op(const item& i, bool is_optional = false) {
    if (!i.is_list && i.text == "-" && is_optional) return nullptr;
    const std::vector<item>& parts = list(i, "operator", 4);
    std::vector<parameter_description>& all = parameters.emplace_back();
    std::vector<std::string_view> names;
    for (std::size_t n = 5; n + 2 < parts.size(); n += 3) {
      all.push_back({keep(parts[n]), code(parts[n + 1]), count(parts[n + 2], 64)});
      names.push_back(all.back().name);
    }
    operator_description& result = operators.emplace_back();
    result.text = keep(parts[1]);
    trees.push_back(expression::parse(result.text, names));
    if (!trees.back().ok()) refuse();
    result.syntax = &trees.back();
    result.x = type(parts[2]);
    result.y = type(parts[3]);
    result.z = type(parts[4]);
    result.parameters = all;
    return &result;
  }
  const monoid_description* monoid(const item& i, bool is_optional = false) {
    if (!i.is_list && i.text == "-" && is_optional) return nullptr;
    const std::vector<item>& parts = list(i, "monoid", 5);
    monoid_description& result = monoids.emplace_back();
    result.add = *op(parts[1]);
    const std::string& identity = parts[2].text;
    if (identity.size() != 2 * result.add.z->size) refuse();
    for (std::size_t n = 0; n < result.add.z->size; ++n) {
      unsigned byte = 0;
      std::from_chars(identity.data() + 2 * n, identity.data() + 2 * n + 2, byte, 16);
      result.identity.bytes[n] = static_cast<std::byte>(byte);
    }
    result.terminal_value = static_cast<terminal>(count(parts[3], 16));
    result.idempotent = flag(parts[4]);
    result.exact = flag(parts[5]);
    return &result;
  }
  const element_request* element(const item& i) {
    if (!i.is_list && i.text == "-") return nullptr;
    const std::vector<item>& parts = list(i, "elements", 7);
    element_request& result = elements.emplace_back();
    result.kind = static_cast<element_kind>(
        count(parts[1], static_cast<std::size_t>(element_kind::set_intersection) + 1));
    result.op = op(parts[2], true);
    result.bound_first = flag(parts[3]);
    result.bound_second = flag(parts[4]);
    result.u = type(parts[5], true);
    result.v = type(parts[6], true);
    result.z = type(parts[7], true);
    return &result;
  }
  std::optional<element_request> optional_element(const item& i) {
    const element_request* const found = element(i);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  void read_pass(const std::vector<item>& parts) {
    for (const item& part : parts) {
      if (&part == parts.data()) continue;
      if (!part.is_list || part.list.empty()) refuse();
      if (part.list[0].text == "vector") {
        const std::vector<item>& v = list(part, "vector", 4);
        pass.vectors.push_back({type(v[1]), flag(v[2]), flag(v[3]), flag(v[4])});
        continue;
      }
      const std::vector<item>& s = list(part, "step", 6);
      pass_request::step step{.op = optional_element(s[1]),
                              .u = count(s[2], pass.vectors.size()),
                              .v = count(s[3], pass.vectors.size()),
                              .w = count(s[4], pass.vectors.size())};
      if (number(s[5]) >= 0) step.within = count(s[5], pass.vectors.size());
      step.monoid = monoid(s[6], true);
      pass.steps.push_back(std::move(step));
    }
    request.pass = &pass;
  }
  void read_part(const item& part) {
    if (!part.is_list || part.list.empty()) refuse();
    const std::string& head = part.list[0].text;
    if (head == "constants") {
      for (std::size_t n = 1; n + 1 < part.list.size(); n += 2)
        request.constants.emplace_back(keep(part.list[n]),
                                       static_cast<long>(number(part.list[n + 1])));
    } else if (head == "semiring") {
      const std::vector<item>& parts = list(part, "semiring", 4);
      request.vector_first = flag(parts[1]);
      semiring.multiply = *op(parts[2]);
      semiring.add = *monoid(parts[3]);
      semiring.exits_at_first_product = flag(parts[4]);
      request.semiring = &semiring;
    } else if (head == "elements") {
      request.elements = element(part);
      if (request.elements->z == nullptr) refuse();
    } else if (head == "round") {
      const std::vector<item>& parts = list(part, "round", 2);
      round.improves = op(parts[1], true);
      round.keeps = optional_element(parts[2]);
      request.round = &round;
    } else if (head == "back") {
      const std::vector<item>& parts = list(part, "back", 2);
      back.give = op(parts[1]);
      back.take = op(parts[2]);
      request.back = &back;
    } else if (head == "pass") {
      read_pass(part.list);
    } else if (head == "monoid") {
      request.monoid = monoid(part);
    } else if (head == "accumulator") {
      request.accumulator = op(list(part, "accumulator", 1)[1]);
    } else {
      refuse();
    }
  }
};

listed_request::listed_request(std::string_view line) : contents_(std::make_unique<contents>()) {
  contents& c = *contents_;
  c.line = line;
  const item all = line_reader(c.line).all();
  const std::vector<item>& parts = c.list(all, "program", 1);
  c.request.kernel = c.keep(parts[1]);
  for (std::size_t n = 2; n < parts.size(); ++n) c.read_part(parts[n]);
  if (!has_texts(c.request)) c.refuse();
}
listed_request::~listed_request() = default;
listed_request::listed_request(listed_request&&) noexcept = default;

const program_request& listed_request::get() const {
  return contents_->request;
}

}  // namespace tropic::detail
