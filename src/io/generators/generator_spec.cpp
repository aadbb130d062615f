// SPDX-License-Identifier: Apache-2.0

// Generators by name, wherever a command accepts a file: `kron:20`, `urand:18:8:42`, `grid:1000`,
// `paper:dc2`.

#include <algorithm>
#include <charconv>
#include <string>
#include <tropic/generators.hpp>
#include <vector>

namespace tropic {

namespace {

constexpr std::string_view forms =
    "kron:SCALE[:DEGREE[:SEED]], urand:SCALE[:DEGREE[:SEED]], grid:SIDE or paper:NAME";

std::vector<std::string_view> fields_of(std::string_view spec) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t colon = spec.find(':');
    fields.push_back(spec.substr(0, colon));
    if (colon == std::string_view::npos) return fields;
    spec.remove_prefix(colon + 1);
  }
}

template <class T>
T number_in(std::string_view spec, std::string_view field) {
  T value{};
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (code != std::errc() || end != field.data() + field.size())
    throw usage_error(std::string(spec) + ": found '" + std::string(field) +
                      "', expected a natural number as in " + std::string(forms));
  return value;
}

}  // namespace

bool is_generator_spec(std::string_view spec) {
  return spec.starts_with("kron:") || spec.starts_with("urand:") || spec.starts_with("grid:") ||
         spec.starts_with("paper:");
}

io::coordinates generate(std::string_view spec, const generator_options& options) {
  const std::vector<std::string_view> fields = fields_of(spec);
  const bool has_one = fields[0] == "grid" || fields[0] == "paper";
  const std::size_t limit = has_one ? 2 : 4;
  if (!is_generator_spec(spec) || fields.size() > limit)
    throw usage_error(std::string(spec) + ": expected " + std::string(forms));
  if (fields[0] == "paper") return paper(fields[1], options);
  const auto size = number_in<std::uint32_t>(spec, fields[1]);
  if (fields[0] == "grid") return grid(size, options);
  const auto scale = static_cast<int>(std::min<std::uint32_t>(size, 1000));
  const index_t degree = fields.size() > 2 ? number_in<std::uint32_t>(spec, fields[2]) : 16;
  const std::uint64_t seed = fields.size() > 3 ? number_in<std::uint64_t>(spec, fields[3]) : 0;
  return fields[0] == "kron" ? kron(scale, degree, seed, options)
                             : urand(scale, degree, seed, options);
}

}  // namespace tropic
