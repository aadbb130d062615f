// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rounds of a product that spreads what has just changed, until nothing changes any more: the loop
// of breadth-first search and of shortest paths, as one operation. A device runs many rounds of a
// small frontier in one launch, which is worth it where rounds are many: a road network has over a
// thousand.

#include <limits>
#include <optional>

#include <tropic/product.hpp>

namespace tropic {

namespace detail {
struct iterate_request {
  const operator_description* improves = nullptr;
  const unary_description* keep = nullptr;
  vector_base* beyond = nullptr;
  vector_base* rounds = nullptr;
  index_t first_round = 1;
  index_t most_rounds = std::numeric_limits<index_t>::max();
  const scalar_bytes* bucket_width = nullptr;
  const char* name = "iterate_until";
};
TROPIC_API index_t iterate_until(vector_base& w, const semiring_description&, vector_base& frontier,
                                 const matrix_base& a, const iterate_request&);

/// A predicate of two values, or none.
template <value_type T>
class comparison {
 public:
  comparison() = default;
  template <class Op>
    requires(!std::is_same_v<Op, comparison>)
  comparison(const Op& op) : op_(describe_operator<bool, T, T>(op)), given_(true) {}
  const operator_description* get() const { return given_ ? &op_ : nullptr; }

 private:
  operator_description op_{};  // no std::optional: g++ 12 warns of its destructor (its bug 80635)
  bool given_ = false;
};
/// A predicate of one value, as `select` takes it, or none.
template <value_type T>
class condition {
 public:
  condition() = default;
  template <class Op>
    requires(!std::is_same_v<Op, condition>)
  condition(const Op& op) : op_(describe_unary<bool, T>(op)), given_(true) {}
  const unary_description* get() const { return given_ ? &op_ : nullptr; }

 private:
  unary_description op_{};
  bool given_ = false;
};
}  // namespace detail

template <value_type T>
struct iterate_options {
  /// Whether a sum takes the place of an entry: improves(sum, w(i)). Without it none does.
  detail::comparison<T> improves{};
  /// Which of the changed entries the next round starts from. Without it all do.
  detail::condition<T> keep{};
  /// Takes the changed entries that are not kept; what it has at other positions stays.
  vector<T>* beyond = nullptr;
  /// Takes the number of the round in which an entry of w changed last.
  vector<index_t>* rounds = nullptr;
  index_t first_round = 1;
  index_t most_rounds = std::numeric_limits<index_t>::max();
  /// Rounds take the frontier in buckets of this width, above 0 and finite, the lowest first:
  /// bucket q has the values in [q width, (q + 1) width). The rounds of a bucket go on until no
  /// value of it changes any more; entries past it wait. Needs `improves` to be less{}, and no
  /// `keep`.
  std::optional<T> bucket_width{};
  /// What the context's progress is told, and messages.
  const char* name = "iterate_until";
};

/// Until the frontier is empty, round after round:
///
///   sum = frontier' A                    over the semiring
///   changed = sum where w has no entry, or where improves(sum, w)
///   w<changed> = changed                 rounds<changed> = the round's number
///   frontier = changed where keep        beyond<the rest> = changed
///
/// With a bucket_width, `keep` is whether a value lies in the bucket, `beyond` the entries that
/// wait.
///
/// Returns how many rounds there were; the frontier has entries left only after `most_rounds`.
/// Cancel and progress are looked at between rounds, on a device between launches. Throws
/// usage_error where A is not square or sizes differ; cancelled.
template <value_type W, class S, value_type A>
index_t iterate_until(vector<W>& w, const S& semiring, vector<W>& frontier, const matrix<A>& a,
                      const std::type_identity_t<iterate_options<W>>& options = {}) {
  if constexpr (!detail::require_types<S, W, W, A>()) {
    return 0;
  } else {
    detail::iterate_request request{.improves = options.improves.get(),
                                    .keep = options.keep.get(),
                                    .first_round = options.first_round,
                                    .most_rounds = options.most_rounds,
                                    .name = options.name};
    scalar_bytes width;
    if (options.bucket_width) {
      width = scalar_bytes::of(*options.bucket_width);
      request.bucket_width = &width;
    }
    if (options.beyond != nullptr) request.beyond = &options.beyond->base();
    if (options.rounds != nullptr) request.rounds = &options.rounds->base();
    return detail::iterate_until(w.base(), describe_semiring(semiring), frontier.base(), a.base(),
                                 request);
  }
}

}  // namespace tropic
