// SPDX-License-Identifier: Apache-2.0

// The key that identifies a program without generating its text. Every launch looks up its program
// by this key, so numbers are appended as bytes and no text is formatted.

#include <concepts>

#include "backends/device/program/program.hpp"

namespace tropic::detail {
namespace {

class key_writer {
 public:
  key_writer() { text_.reserve(240); }

  key_writer& operator<<(std::string_view part) {
    text_.append(part);
    return *this;
  }
  template <std::integral T>
  key_writer& operator<<(T number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    return *this;
  }
  key_writer& operator<<(const std::vector<std::uint64_t>& words) {
    for (const std::uint64_t word : words) *this << word;
    return *this;
  }
  key_writer& operator<<(const type_description& type) {
    if (type.code != type_code::record) return *this << type.name << ' ';
    *this << type.size;  // its name shows nowhere in a text
    for (const field_description& f : type.fields) *this << f.code << f.name << ' ' << f.offset;
    return *this << ' ';
  }
  key_writer& operator<<(const operator_description& op) {
    *this << op.text << '\0' << *op.x << *op.y << *op.z;
    for (const parameter_description& p : op.parameters) *this << p.name << ' ' << p.code;
    return *this;
  }
  key_writer& operator<<(const element_request& request) {
    *this << request.kind;
    for (const type_description* type : {request.u, request.v, request.z})
      if (type != nullptr)
        *this << *type;
      else
        *this << "- ";
    if (request.op != nullptr) *this << *request.op << request.bound_first << request.bound_second;
    return *this;
  }
  key_writer& operator<<(const round_request& request) {
    if (request.improves != nullptr) *this << *request.improves;
    if (request.keeps) *this << " keeps " << *request.keeps;
    return *this;
  }

  key_writer& operator<<(const monoid_description& monoid) {
    // The parameters are part of the text (t_add takes none).
    return *this << monoid.add << words_of(*monoid.add.z, monoid.identity.data())
                 << parameter_words_of(monoid.add);
  }
  key_writer& operator<<(const pass_request& request) {
    for (const pass_request::vector& v : request.vectors)
      *this << *v.type << v.read << v.written << v.flagged;
    for (const pass_request::step& step : request.steps) {
      *this << " step " << step.u << step.v << step.w << step.within.has_value()
            << step.within.value_or(0);
      if (step.op) *this << " op " << *step.op;
      if (step.monoid != nullptr) *this << " sum " << *step.monoid;
    }
    return *this;
  }

  std::string text() && { return std::move(text_); }

 private:
  template <class E>
    requires std::is_enum_v<E>
  key_writer& operator<<(E kind) {
    return *this << static_cast<std::underlying_type_t<E>>(kind);
  }

  std::string text_;
};

}  // namespace

std::string request_key(const program_request& request) {
  key_writer key;
  key << request.kernel;
  for (const auto& [name, value] : request.constants) key << ' ' << name << value;
  if (request.semiring != nullptr) {
    key << " semiring " << hash_of(*request.semiring) << request.vector_first
        << request.semiring->exits_at_first_product;
    // An add operator's parameters are part of the text (t_add takes none).
    if (!request.semiring->add.add.parameters.empty())
      key << parameter_words_of(request.semiring->add.add);
  }
  if (request.round != nullptr) key << " round " << *request.round;
  if (request.back != nullptr) key << " back " << *request.back->give << *request.back->take;
  if (request.elements != nullptr) key << " elements " << *request.elements;
  if (request.pass != nullptr) key << " pass " << *request.pass;
  if (request.monoid != nullptr) key << " monoid " << *request.monoid;
  if (request.accumulator != nullptr) key << " accumulate " << *request.accumulator;
  return std::move(key).text();
}

}  // namespace tropic::detail
