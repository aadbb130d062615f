// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <fmt/format.h>

#include <tropic/iterate.hpp>

#include "backends/buckets.hpp"
#include "operations/checks.hpp"
#include "operations/multiply.hpp"
#include "operations/step.hpp"

namespace tropic::detail {
namespace {

using options = output_options<vector_base>;

options where_stored(const vector_base& mask) {
  options o;
  o.mask = {&mask, true, false};
  return o;
}
options where_lacking(const vector_base& mask) {
  options o;
  o.mask = {&mask, true, true};
  return o;
}

// The sums that w takes.
vector_base changes(const vector_base& w, vector_base&& sums, const iteration& i) {
  if (i.improves == nullptr) return std::move(sums);
  const context_pointer& where = w.context;
  vector_base better = empty_vector(where, describe(type_code::boolean), w.size),
              changed = empty_vector(where, *w.type, w.size);
  ewise("ewise_multiply", better, ewise_positions::intersection, *i.improves, sums, w, {});
  options let;
  let.mask = {&better, false, false};
  assign(changed, sums, nullptr, let);
  if (w.storage == vector_storage::full || w.nvals == w.size) return changed;
  vector_base fresh = empty_vector(where, *w.type, w.size);
  assign(fresh, sums, nullptr, where_lacking(w));
  if (fresh.nvals > 0) assign(changed, fresh, nullptr, where_stored(fresh));
  return changed;
}

// The entries of w that no round of a bucket improves: those that are not above the least value of
// its frontier, if no product is less than what it is made of. They are found for the first round
// that gains by leaving them out.
class final_entries {
 public:
  explicit final_entries(const unary_description& are_final) : are_final_(are_final) {}

  const vector_base* where_useful(const backend& executor, const vector_base& w,
                                  const vector_base& frontier, const iteration& i) {
    if (!found_ && executor.gains_by_mask({i.semiring, i.matrix, frontier, false, true})) {
      found_ = empty_vector(w.context, *w.type, w.size);
      select(*found_, are_final_, w, {});
    }
    return found_ ? &*found_ : nullptr;
  }

 private:
  const unary_description& are_final_;
  std::optional<vector_base> found_{};
};

// The sums that a round needs.
options wanted_sums(const backend& executor, const vector_base& w, const vector_base& frontier,
                    const iteration& i, final_entries* settled) {
  if (i.improves == nullptr) return where_lacking(w);
  if (settled == nullptr) return {};
  const vector_base* found = settled->where_useful(executor, w, frontier, i);
  return found != nullptr ? where_lacking(*found) : options{};
}

// Appends what a round changed, if the rounds are listed.
void append_round(ordered_rounds* order, const vector_base& changed) {
  if (order == nullptr || changed.nvals == 0) return;
  vector_base list = changed;
  convert(list, vector_storage::sparse);
  auto* const positions = static_cast<std::uint32_t*>(order->positions->host_write(access::modify));
  std::memcpy(positions + order->starts.back(), list.indices->host(),
              static_cast<std::size_t>(list.nvals) * sizeof(std::uint32_t));
  order->starts.push_back(order->starts.back() + static_cast<std::uint64_t>(index_t{list.nvals}));
}

// Whether the neutral value of the sums improves no entry of w, so that a sum which is that value
// changes nothing.
bool neutral_changes_nothing(const vector_base& w, const iteration& i) {
  const monoid_description& add = i.semiring.add;
  if (i.improves == nullptr || w.nvals != w.size || !add.has_identity ||
      i.semiring.z().code == type_code::record)
    return false;
  return with_builtin_type(i.semiring.z().code, [&]<class T>() {
    const T neutral = add.identity.as<T>();
    return (i.improves->text == less::tropic_text && neutral == arithmetic::largest<T>()) ||
           (i.improves->text == greater::tropic_text && neutral == arithmetic::smallest<T>());
  });
}

void run_round(backend& executor, vector_base& w, vector_base& frontier, const iteration& i,
               index_t number, final_entries* settled) {
  vector_base sums = empty_vector(w.context, *w.type, w.size);
  multiply("vxm", sums,
           {.semiring = i.semiring,
            .matrix = i.matrix,
            .input = frontier,
            .vector_first = true,
            .neutral_is_none = neutral_changes_nothing(w, i)},
           wanted_sums(executor, w, frontier, i, settled));
  // What is not kept is a change, too.
  const bool listed_apart = i.order != nullptr && i.keep != nullptr;
  if (!listed_apart && executor.take_sums(w, sums, i, number)) {
    frontier = std::move(sums);
    append_round(i.order, frontier);
    return;
  }
  vector_base changed = changes(w, std::move(sums), i);
  assign(w, changed, nullptr, where_stored(changed));
  if (i.round != nullptr) assign(*i.round, &number, nullptr, where_stored(changed));
  append_round(i.order, changed);
  if (i.keep != nullptr) {
    vector_base kept = empty_vector(w.context, *w.type, w.size);
    select(kept, *i.keep, changed, {});
    if (i.beyond != nullptr && kept.nvals < changed.nvals) {
      vector_base outside = empty_vector(w.context, *w.type, w.size);
      assign(outside, changed, nullptr, where_lacking(kept));
      assign(*i.beyond, outside, nullptr, where_stored(outside));
    }
    changed = std::move(kept);
  }
  frontier = std::move(changed);
}

index_t run_rounds(backend& executor, vector_base& w, vector_base& frontier, const iteration& i,
                   const iterate_request& request, index_t done, final_entries* settled = nullptr);

// The entries of v that w has, too: a frontier without those that have been improved since.
template <class T>
vector_base entries_of_now(const vector_base& v, const vector_base& w) {
  vector_base same = empty_vector(w.context, describe(type_code::boolean), w.size),
              now = empty_vector(w.context, *w.type, w.size);
  ewise("ewise_multiply", same, ewise_positions::intersection,
        describe_operator<bool, T, T>(equal{}), v, w, {});
  options of_same;
  of_same.mask = {&same, false, false};
  assign(now, v, nullptr, of_same);
  return now;
}

// The entries of a frontier before the rounds of a bucket: those in it, unless they have been
// improved since, and those past it.
struct divided_frontier {
  vector_base now, waiting;
};

template <class T>
divided_frontier divide(backend& executor, const vector_base& w, const vector_base& frontier,
                        T least, T end) {
  divided_frontier result{frontier, empty_vector(w.context, *w.type, w.size)};
  if (least < end && executor.divide_frontier(result.now, result.waiting, w, scalar_bytes::of(end)))
    return result;
  vector_base current = empty_vector(w.context, *w.type, w.size);
  select(result.waiting, describe_unary<bool, T>(bind_second(greater_equal{}, end)), frontier, {});
  select(current, describe_unary<bool, T>(bind_second(less{}, end)), frontier, {});
  if (current.nvals == 0)
    std::swap(current, result.waiting);  // the end is the type's largest value
  result.now = entries_of_now<T>(current, w);
  return result;
}

// The rounds of the lowest bucket that holds an entry of the frontier (delta-stepping); entries
// past it wait, and go back into the frontier.
template <class T>
index_t run_bucket(backend& executor, vector_base& w, vector_base& frontier, const iteration& i,
                   const iterate_request& request, index_t done) {
  T least{};
  reduce(&least, describe_monoid<minimum_monoid<T>>(), frontier);
  const T end = buckets<T>{i.bucket_width->as<T>()}.end(least);
  const unary_description inside = describe_unary<bool, T>(bind_second(less{}, end));
  auto [now, waiting] = divide<T>(executor, w, frontier, least, end);

  iteration in_bucket = i;
  in_bucket.bucket_width = nullptr;
  in_bucket.keep = &inside;
  in_bucket.beyond = &waiting;
  // Nothing has been improved before the first bucket.
  const unary_description are_final = describe_unary<bool, T>(bind_second(less_equal{}, least));
  final_entries settled(are_final);
  const index_t rounds =
      run_rounds(executor, w, now, in_bucket, request, done,
                 request.lower_values_are_final && done > 0 ? &settled : nullptr);
  if (now.nvals > 0) assign(waiting, now, nullptr, where_stored(now));
  frontier = std::move(waiting);
  return rounds;
}

// Returns how many rounds there were, after `done` of them.
index_t run_rounds(backend& executor, vector_base& w, vector_base& frontier, const iteration& i,
                   const iterate_request& request, index_t done, final_entries* settled) {
  const context where(w.context);
  const index_t before = done;
  while (done < request.max_rounds && frontier.nvals > 0) {
    where.checkpoint(request.name);
    const index_t first = request.first_round + done;
    in_step(request.name, [&] {
      const index_t together = executor.iterate(w, frontier, i, first, request.max_rounds - done);
      if (together > 0) {
        done += together;
      } else if (i.bucket_width == nullptr) {
        run_round(executor, w, frontier, i, first, settled);
        ++done;
      } else {
        done += with_builtin_type(w.type->code, [&]<class T>() -> index_t {
          if constexpr (std::is_same_v<T, bool>)
            return 0;  // refused by check
          else
            return run_bucket<T>(executor, w, frontier, i, request, done);
        });
      }
    });
  }
  if (i.bucket_width != nullptr && frontier.nvals > 0)
    with_builtin_type(w.type->code, [&]<class T>() { frontier = entries_of_now<T>(frontier, w); });
  return done - before;
}

// Buckets have an order, that of the improvements.
void check_buckets(const iteration& i) {
  if (i.bucket_width == nullptr) return;
  const type_description& type = i.semiring.z();
  const bool is_ordered = type.code != type_code::boolean && type.code != type_code::record &&
                          i.improves != nullptr && i.improves->text == less::tropic_text;
  if (!is_ordered || i.keep != nullptr || i.beyond != nullptr)
    throw usage_error(
        "iterate_until: buckets need numbers as values and less as improves, and do not combine "
        "with keep or beyond");
  with_builtin_type(type.code, [&]<class T>() {
    const T width = i.bucket_width->as<T>();
    if (!(width > T{}))
      throw usage_error(
          fmt::format("iterate_until: the buckets' width is {}, expected a number above 0", width));
  });
}

void check_order(const iterate_request& request) {
  if (request.order != nullptr && (request.improves != nullptr || request.rounds != nullptr))
    throw usage_error(
        "iterate_until: found an order of rounds with rounds or improves, expected only one of "
        "them");
}

void check(const vector_base& w, const vector_base& frontier, const iteration& i) {
  constexpr const char* name = "iterate_until";
  if (i.matrix.rows != i.matrix.columns || w.size != i.matrix.rows || frontier.size != w.size)
    throw usage_error(std::string(name) + ": A is " + shape(i.matrix) + ", w has " + shape(w) +
                      ", the frontier " + shape(frontier) +
                      "; A must be square, w and the frontier need one position per row");
  for (const vector_base* optional_vector : {i.beyond, i.round})
    if (optional_vector != nullptr && optional_vector->size != w.size)
      throw usage_error(std::string(name) + ": w has " + shape(w) + ", " +
                        (optional_vector == i.beyond ? "beyond" : "rounds") + " " +
                        shape(*optional_vector));
  const vector_base* const written[] = {&w, &frontier, i.beyond, i.round};
  constexpr const char* names[] = {"w", "the frontier", "beyond", "rounds"};
  for (std::size_t n = 0; n < std::size(written); ++n)
    for (std::size_t m = 0; m < n; ++m)
      if (written[n] != nullptr && written[n] == written[m])
        throw usage_error(
            fmt::format("{}: {} and {} must be different vectors", name, names[m], names[n]));
  check_has_no_position(name, "the semiring's add", i.semiring.add.add);
  if (i.improves != nullptr) check_has_no_k(name, *i.improves);
  if (i.keep != nullptr) check_has_no_k(name, i.keep->op);
}

}  // namespace

index_t iterate_until(vector_base& w, const semiring_description& semiring, vector_base& frontier,
                      const matrix_base& a, const iterate_request& request) {
  backend& executor = common_backend("iterate_until", w, frontier, a);
  check_order(request);
  ordered_rounds order{.context = w.context, .size = w.size};
  vector_base numbers;  // to be sorted, where no backend lists the rounds
  const bool lists_rounds = request.order != nullptr && executor.lists_rounds();
  in_step(request.name, [&] {
    if (lists_rounds) {
      order.positions =
          make_buffer(w.context, static_cast<std::size_t>(w.size) * sizeof(std::uint32_t));
      order.positions->host_write();
    } else if (request.order != nullptr) {
      numbers = empty_vector(w.context, describe(type_code::int64), w.size);
      expect_dense(numbers);
    }
  });
  const iteration i{semiring,
                    a,
                    request.improves,
                    request.keep,
                    request.beyond,
                    request.order != nullptr && !lists_rounds ? &numbers : request.rounds,
                    lists_rounds ? &order : nullptr,
                    request.bucket_width,
                    request.name};
  for (const vector_base* optional_vector : {i.beyond, i.round})
    if (optional_vector != nullptr) common_backend("iterate_until", w, *optional_vector);
  check(w, frontier, i);
  check_buckets(i);
  const index_t rounds = run_rounds(executor, w, frontier, i, request, 0);
  if (request.order == nullptr) return rounds;
  if (!lists_rounds && numbers.nvals > 0)
    order = in_step(request.name, [&] { return executor.order_rounds(numbers); });
  *request.order = std::move(order);
  return rounds;
}

}  // namespace tropic::detail
