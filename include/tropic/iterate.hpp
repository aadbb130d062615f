// SPDX-License-Identifier: Apache-2.0
#pragma once

// Repeats a product from the entries that changed last until nothing changes: the loop of
// breadth-first search and of shortest paths, as one operation. A device runs many rounds of a
// small frontier in one launch, which pays for graphs with many rounds: a road network needs over a
// thousand.

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <tropic/product.hpp>

namespace tropic {

namespace detail {
/// The positions that rounds changed, each once, sorted by round.
struct ordered_rounds {
  context_pointer context = nullptr;
  index_t size = 0;                      // of the vectors
  buffer_pointer positions = nullptr;    // uint32, ascending in each round
  std::vector<std::uint64_t> starts{0};  // of each round among the positions; and their number
  // On a device, as uint32: the round of each position, from 0 on, and `starts`.
  buffer_pointer numbers = nullptr, device_starts = nullptr;

  std::size_t rounds() const { return starts.size() - 1; }
  std::size_t size_of(std::size_t round) const {
    return static_cast<std::size_t>(starts[round + 1] - starts[round]);
  }
};
/// Throws usage_error if the numbers are further apart than `rounds` is long.
TROPIC_API ordered_rounds order_of(const vector_base& rounds);

struct iterate_request {
  const operator_description* improves = nullptr;
  const unary_description* keep = nullptr;
  vector_base* beyond = nullptr;
  vector_base* rounds = nullptr;
  ordered_rounds* order = nullptr;
  index_t first_round = 1;
  index_t max_rounds = std::numeric_limits<index_t>::max();
  const scalar_bytes* bucket_width = nullptr;
  bool lower_values_are_final = false;
  const char* name = "iterate_until";
};
TROPIC_API index_t iterate_until(vector_base& w, const semiring_description&, vector_base& frontier,
                                 const matrix_base& a, const iterate_request&);
TROPIC_API void iterate_back(vector_base& x, const semiring_description&, const matrix_base& a,
                             const vector_base& w, const ordered_rounds&,
                             const operator_description& give, const operator_description& take,
                             const char* name);

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

/// The positions that the rounds of an iterate_until changed, round by round.
class round_order {
 public:
  /// No rounds.
  round_order() = default;
  /// Sorts the positions of the entries of `rounds`, as iterate_options::rounds receives them, by
  /// round number. There is one round for each number from the smallest to the largest. Throws
  /// usage_error if these are more than rounds.size().
  explicit round_order(const vector<index_t>& rounds) : base_(detail::order_of(rounds.base())) {}

  index_t rounds() const { return static_cast<index_t>(base_.rounds()); }
  /// Number of positions of round n, counted from 0. n must be less than rounds(), which is not
  /// checked.
  index_t size_of(index_t n) const {
    return static_cast<index_t>(base_.size_of(static_cast<std::size_t>(n)));
  }

  detail::ordered_rounds& base() { return base_; }
  const detail::ordered_rounds& base() const { return base_; }

 private:
  detail::ordered_rounds base_;
};

template <value_type T>
struct iterate_options {
  /// Whether a sum replaces an entry: improves(sum, w(i)). Default: never.
  detail::comparison<T> improves{};
  /// Selects the changed entries that the next round starts from. Default: all.
  detail::condition<T> keep{};
  /// Receives the changed entries that are not kept; its entries at other positions stay.
  vector<T>* beyond = nullptr;
  /// Receives, for each entry of w, the number of the round in which it changed last.
  vector<index_t>* rounds = nullptr;
  /// Receives, when the iteration ends, the positions that each round changed, for iterate_back.
  /// Must not be combined with `improves` or `rounds`: usage_error.
  round_order* order = nullptr;
  index_t first_round = 1;
  index_t max_rounds = std::numeric_limits<index_t>::max();
  /// Divides the frontier into buckets of this width, which must be above 0, and takes the lowest
  /// bucket first: bucket q has the values in [q width, (q + 1) width). The rounds of a bucket
  /// continue until none of its values changes; entries past it wait. Requires a number type other
  /// than bool, and `improves` to be less{}. Must not be combined with `keep` or `beyond`.
  /// Otherwise iterate_until throws usage_error.
  std::optional<T> bucket_width{};
  /// With a bucket_width: promises that no product is less than the entry of the frontier that it
  /// is made of, as with weights that are not negative. Values below a bucket are then final, and
  /// devices do not compute sums that cannot replace them. If the promise does not hold, values may
  /// stay too large.
  bool lower_values_are_final = false;
  /// The name of the operation in progress reports and messages.
  const char* name = "iterate_until";
};

/// Until the frontier is empty, round after round:
///
///   sum = frontier' A                    over the semiring
///   changed = sum where w has no entry, or where improves(sum, w)
///   w<changed> = changed                 rounds<changed> = the round's number
///   frontier = changed where keep        beyond<the rest> = changed
///
/// With a bucket_width, `keep` is whether a value lies in the bucket, and `beyond` the entries that
/// wait.
///
/// Returns the number of rounds. The frontier is empty afterwards, unless `max_rounds` ended the
/// iteration. Between rounds, on a device between launches, the cancel token is checked and
/// progress is reported. Throws usage_error if A is not square, if sizes or contexts differ, if one
/// vector is passed in two places, or if options exclude each other; cancelled.
template <value_type W, class S, value_type A>
index_t iterate_until(vector<W>& w, const S& semiring, vector<W>& frontier, const matrix<A>& a,
                      const std::type_identity_t<iterate_options<W>>& options = {}) {
  if constexpr (!detail::require_types<S, W, W, A>()) {
    return 0;
  } else {
    detail::iterate_request request{.improves = options.improves.get(),
                                    .keep = options.keep.get(),
                                    .first_round = options.first_round,
                                    .max_rounds = options.max_rounds,
                                    .name = options.name};
    scalar_bytes width;
    if (options.bucket_width) {
      width = scalar_bytes::of(*options.bucket_width);
      request.bucket_width = &width;
      request.lower_values_are_final = options.lower_values_are_final;
    }
    if (options.beyond != nullptr) request.beyond = &options.beyond->base();
    if (options.rounds != nullptr) request.rounds = &options.rounds->base();
    if (options.order != nullptr) request.order = &options.order->base();
    return detail::iterate_until(w.base(), detail::describe_for_rounds(semiring), frontier.base(),
                                 a.base(), request);
  }
}

/// Goes back over the rounds of an iterate_until, from the last to the second, against the
/// direction of the edges. For k from the number of rounds - 1 down to 1:
///
///   part = give(w, x)                    at the positions of round k
///   sum = A part                         over the semiring, at those of round k - 1
///   x<sum> = take(sum, w)
///
/// `order` has the rounds as iterate_until stores them; no position may occur in two of them. w
/// must have an entry at each position of `order`, and x must be full. Between rounds, on a device
/// between launches, the cancel token is checked and progress is reported. Throws usage_error if A
/// is not square, sizes or contexts differ, x is not full, or w has fewer entries than `order` has
/// positions; cancelled.
template <value_type X, class S, value_type A, value_type W, class Give, class Take>
void iterate_back(vector<X>& x, const S& semiring, const matrix<A>& a, const vector<W>& w,
                  const round_order& order, const Give& give, const Take& take,
                  const char* name = "iterate_back") {
  using part = typename S::x_type;
  using sum = typename S::z_type;
  if constexpr (detail::require_types<S, sum, A, part>()) {
    detail::iterate_back(x.base(), detail::describe_for_mxv(semiring), a.base(), w.base(),
                         order.base(), describe_operator<part, W, X>(give),
                         describe_operator<X, sum, W>(take), name);
  }
}

}  // namespace tropic
