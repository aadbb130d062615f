// SPDX-License-Identifier: Apache-2.0

// Semirings by name and as text, products, plans.

#include <string>
#include <string_view>
#include <vector>

#include <tropic/semirings/builtins.hpp>

#include "c_session.hpp"

namespace tropic::fuzz {

void session::named_semiring() {
  static const std::vector<std::string> names = [] {
    const auto builtin = builtin_semiring_names();
    std::vector<std::string> all(builtin.begin(), builtin.end());
    all.insert(all.end(), {"", "plus"});  // not semirings
    return all;
  }();
  const char* name = names[in_.below(static_cast<unsigned>(names.size()))].c_str();
  const tropic_type t = type();
  const bool no[] = {null(), null()};
  auto created = create_in_both<tropic_semiring>(
      "tropic_semiring_named", [&](int w, tropic_semiring** result) {
        return tropic_semiring_named(or_null(context_.of[w], no[0]), or_null(name, no[1]), t,
                                     result);
      });
  if (!created) return;
  const bool floating = t == TROPIC_FP32 || t == TROPIC_FP64;
  const unsigned slot = in_.below(2);
  semirings_[slot] = std::move(created);
  rounds_[slot] = floating && std::string_view(name).starts_with("plus_");
  ordered_[slot] = false;
}

void session::text_semiring() {
  constexpr const char* texts[] = {"x + y", "t_min(x, y)", "x * y",  "x",     "y",     "x - y",
                                   "i + k", "0",           "t_inf",  "x | y", "1 / 0", "x &",
                                   "j",     "true",        "t_zero", ""};
  std::string parts[3];
  for (std::string& part : parts) {
    const unsigned choice = in_.below(18);
    part = choice < std::size(texts) ? texts[choice] : std::string(in_.text(in_.below(12)));
  }
  const tropic_type t = type();
  const bool no[] = {null(), null(), null(), null()};
  auto created = create_in_both<tropic_semiring>(
      "tropic_semiring_from_text", [&](int w, tropic_semiring** result) {
        return tropic_semiring_from_text(
            or_null(context_.of[w], no[0]), or_null(parts[0].c_str(), no[1]),
            or_null(parts[1].c_str(), no[2]), or_null(parts[2].c_str(), no[3]), t, result);
      });
  if (!created) return;
  const unsigned slot = in_.below(2);
  semirings_[slot] = std::move(created);
  ordered_[slot] = true;  // for any text: its sum may not be associative
}

void session::product() {
  const unsigned w_slot = in_.below(4), s_slot = in_.below(2), a_slot = in_.below(3);
  auto& w = vectors_[w_slot];
  auto& u = vector();
  auto& a = matrices_[a_slot];
  auto& s = semirings_[s_slot];
  const auto& mask = vector();
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  options.size = odd_size(sizeof options);
  const unsigned bits = in_.byte();
  const bool masked = (bits & 1U) != 0, vector_first = (bits & 32U) != 0;
  options.structure = bits >> 1U & 1U;
  options.complement = bits >> 2U & 1U;
  options.replace = bits >> 3U & 1U;
  options.transpose = bits >> 4U & 1U;
  constexpr const char* merges[] = {nullptr, nullptr, "plus",  "second",   "minus",
                                    "any",   "x - y", "x + i", "nonsense", "logical_or"};
  options.accumulate = merges[in_.below(10)];
  options.kernel = in_.rarely(24) ? in_.rarely(2) ? "" : "nonsense" : nullptr;
  options.expected_calls = in_.rarely(16) ? index() % 20 : 1;
  const bool no[] = {null(), null(), null(), null(), in_.rarely(6)};
  // Floating-point sums depend on their order, which differs between backends, unless they are
  // exact.
  const bool rounds = rounds_[s_slot] && !(small_[a_slot] && u && small(u));
  const pairs before = w ? pairs_of(w.of[0]) : pairs{};
  const tropic_status status = in_both("a product", [&](int world) {
    options.mask = masked ? mask.of[world] : nullptr;
    tropic_vector* to = or_null(w.of[world], no[0]);
    const tropic_semiring* semiring = or_null(s.of[world], no[1]);
    const tropic_matrix* matrix = or_null(a.of[world], no[2]);
    const tropic_vector* from = or_null(u.of[world], no[3]);
    const tropic_product_options* given = or_null(&options, no[4]);
    return vector_first ? tropic_vxm(to, semiring, from, matrix, given)
                        : tropic_mxv(to, semiring, matrix, from, given);
  });
  agree(w, status != TROPIC_OK || !(rounds || ordered_[s_slot]), "a product");
  if (status != TROPIC_OK && w)
    require(pairs_of(w.of[0]) == before, "a product that failed has changed its output");
  if (in_.rarely(16) && w && u && a && s)  // of two contexts
    require(tropic_mxv(w.of[0], s.of[0], a.of[1], u.of[0], nullptr) != TROPIC_OK,
            "a product of two contexts");
}
bool session::small(const twin<tropic_vector>& v) {
  return small_values(type_of(v.of[0]), pairs_of(v.of[0]).values);
}

void session::explain() {
  auto& s = semiring();
  auto& a = matrix();
  auto& u = vector();
  const int64_t calls = static_cast<int64_t>(in_.below(50)) - 1;  // from 50 on it measures
  in_both("tropic_explain", [&](int w) {
    char* json = nullptr;
    const tropic_status status = tropic_explain(s.of[w], a.of[w], u.of[w], calls, &json);
    require((json != nullptr) == (status == TROPIC_OK), "tropic_explain");
    require(json == nullptr || *json == '{', "tropic_explain: no JSON");
    tropic_string_free(json);
    return status;
  });
}

}  // namespace tropic::fuzz
