// SPDX-License-Identifier: Apache-2.0
#include "backends/profiled_backend.hpp"

#include <chrono>
#include <type_traits>

namespace tropic::detail {

namespace {

thread_local int unprofiled_depth = 0;

const char* name_of(const product& p) {
  return p.operation();
}

}  // namespace

unprofiled_scope::unprofiled_scope() {
  ++unprofiled_depth;
}
unprofiled_scope::~unprofiled_scope() {
  --unprofiled_depth;
}

template <class Work>
auto profiled_backend::noted(std::string_view operation, const Work& work,
                             std::uint64_t calls) const {
  if (unprofiled_depth > 0) return work();
  // What came before, as a copy between two operations, is not this one's.
  inner_->synchronize();
  const device_traffic before = inner_->traffic();
  const auto start = std::chrono::steady_clock::now();
  const auto finish = [&] {
    inner_->synchronize();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    note(operation, calls, taken.count(), before, inner_->traffic());
  };
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    finish();
  } else {
    const auto result = work();
    finish();
    return result;
  }
}

void profiled_backend::note(std::string_view operation, std::uint64_t calls, double seconds,
                            const device_traffic& before, const device_traffic& after) const {
  const std::lock_guard lock(mutex_);
  auto at = std::ranges::find(noted_, operation, &operation_profile::operation);
  if (at == noted_.end()) at = noted_.insert(at, {.operation = std::string(operation)});
  at->calls += calls;
  at->seconds += seconds;
  at->launches += after.launches - before.launches;
  at->bytes_copied += after.to_device - before.to_device + after.to_host - before.to_host;
}

std::vector<operation_profile> profiled_backend::profile() const {
  std::unique_lock lock(mutex_);
  std::vector<operation_profile> all = noted_;
  lock.unlock();
  std::erase_if(all, [](const operation_profile& o) { return o.calls == 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &operation_profile::seconds);
  return all;
}

void profiled_backend::forget() {
  const std::lock_guard lock(mutex_);
  noted_.clear();
}

// The choice of a kernel is part of the product that asks for it, which counts the call.
call_features profiled_backend::features(const product& p, const vector_rule& rule) {
  return noted(
      name_of(p), [&] { return inner_->features(p, rule); }, 0);
}
void profiled_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                                std::string_view kernel) {
  noted(name_of(p), [&] { inner_->multiply(w, p, rule, kernel); });
}

void profiled_backend::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  noted("mxm", [&] { inner_->mxm(c, p, rule); });
}
bool profiled_backend::reduce_mxm(void* result, const monoid_description& monoid,
                                  const matrix_product& p, const matrix_rule& rule) {
  return noted("reduce_mxm", [&] { return inner_->reduce_mxm(result, monoid, p, rule); });
}
void profiled_backend::spmm(vector_base& c, const full_product& p, const vector_rule& rule) {
  noted("mxm", [&] { inner_->spmm(c, p, rule); });
}

void profiled_backend::ewise(vector_base& w, combination combine, const operator_description& op,
                             const vector_base& u, const vector_base& v, const vector_rule& rule) {
  noted("ewise", [&] { inner_->ewise(w, combine, op, u, v, rule); });
}
void profiled_backend::ewise(matrix_base& c, combination combine, const operator_description& op,
                             const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  noted("ewise", [&] { inner_->ewise(c, combine, op, a, b, rule); });
}

void profiled_backend::apply(vector_base& w, const unary_description& op, const vector_base& u,
                             const vector_rule& rule) {
  noted("apply", [&] { inner_->apply(w, op, u, rule); });
}
void profiled_backend::apply(matrix_base& c, const unary_description& op, const matrix_base& a,
                             const matrix_rule& rule) {
  noted("apply", [&] { inner_->apply(c, op, a, rule); });
}

void profiled_backend::select(vector_base& w, const unary_description& op, const vector_base& u,
                              const vector_rule& rule) {
  noted("select", [&] { inner_->select(w, op, u, rule); });
}
void profiled_backend::select(matrix_base& c, const unary_description& op, const matrix_base& a,
                              const matrix_rule& rule) {
  noted("select", [&] { inner_->select(c, op, a, rule); });
}

void profiled_backend::reduce(vector_base& w, const monoid_description& monoid,
                              const matrix_base& a, bool transposed, const vector_rule& rule) {
  noted("reduce", [&] { inner_->reduce(w, monoid, a, transposed, rule); });
}
bool profiled_backend::reduce(void* result, const monoid_description& monoid,
                              const vector_base& u) {
  return noted("reduce", [&] { return inner_->reduce(result, monoid, u); });
}
bool profiled_backend::reduce(void* result, const monoid_description& monoid,
                              const matrix_base& a) {
  return noted("reduce", [&] { return inner_->reduce(result, monoid, a); });
}

void profiled_backend::assign(vector_base& w, const void* value, const positions& to,
                              const vector_rule& rule) {
  noted("assign", [&] { inner_->assign(w, value, to, rule); });
}
void profiled_backend::assign(vector_base& w, const vector_base& u, const positions& to,
                              const vector_rule& rule) {
  noted("assign", [&] { inner_->assign(w, u, to, rule); });
}
void profiled_backend::assign(matrix_base& c, const void* value, const positions& rows,
                              const positions& columns, const matrix_rule& rule) {
  noted("assign", [&] { inner_->assign(c, value, rows, columns, rule); });
}
void profiled_backend::assign(matrix_base& c, const matrix_base& a, const positions& rows,
                              const positions& columns, const matrix_rule& rule) {
  noted("assign", [&] { inner_->assign(c, a, rows, columns, rule); });
}

void profiled_backend::ewise_union(vector_base& w, const filled_operator& op, const vector_base& u,
                                   const vector_base& v, const vector_rule& rule) {
  noted("ewise_union", [&] { inner_->ewise_union(w, op, u, v, rule); });
}
void profiled_backend::ewise_union(matrix_base& c, const filled_operator& op, const matrix_base& a,
                                   const matrix_base& b, const matrix_rule& rule) {
  noted("ewise_union", [&] { inner_->ewise_union(c, op, a, b, rule); });
}

void profiled_backend::extract(vector_base& w, const vector_base& u, const positions& from,
                               const vector_rule& rule) {
  noted("extract", [&] { inner_->extract(w, u, from, rule); });
}
void profiled_backend::extract(vector_base& w, const matrix_line& line, const vector_rule& rule) {
  noted("extract", [&] { inner_->extract(w, line, rule); });
}
void profiled_backend::extract(matrix_base& c, const matrix_base& a, bool transposed,
                               const positions& rows, const positions& columns,
                               const matrix_rule& rule) {
  noted("extract", [&] { inner_->extract(c, a, transposed, rows, columns, rule); });
}

void profiled_backend::kronecker(matrix_base& c, const kronecker_product& p,
                                 const matrix_rule& rule) {
  noted("kronecker", [&] { inner_->kronecker(c, p, rule); });
}
void profiled_backend::concatenate(matrix_base& c, const tile_grid& grid) {
  noted("concatenate", [&] { inner_->concatenate(c, grid); });
}

std::optional<matrix_base> profiled_backend::permute(const matrix_base& a, const permutation& rows,
                                                     const permutation& columns) {
  constexpr const char* name = "permute";
  std::optional<matrix_base> result = noted(
      name, [&] { return inner_->permute(a, rows, columns); }, 0);
  if (result) note(name, 1, 0, {}, {});
  return result;
}
void profiled_backend::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  noted("gather", [&] { inner_->gather(to, u, order); });
}
void profiled_backend::transpose(matrix_base& c, const matrix_base& a, const matrix_rule& rule) {
  noted("transpose", [&] { inner_->transpose(c, a, rule); });
}

// If no rounds ran together, separate operations follow, which are noted themselves.
index_t profiled_backend::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                                  index_t first, index_t max_rounds) {
  constexpr const char* name = "iterate_until";
  const index_t rounds = noted(
      name, [&] { return inner_->iterate(w, frontier, i, first, max_rounds); }, 0);
  if (rounds > 0) note(name, 1, 0, {}, {});
  return rounds;
}
ordered_rounds profiled_backend::order_rounds(const vector_base& rounds) {
  return noted("order_rounds", [&] { return inner_->order_rounds(rounds); });
}
std::size_t profiled_backend::iterate_back(vector_base& x, const reverse_iteration& i,
                                           std::size_t last) {
  constexpr const char* name = "iterate_back";
  const std::size_t rounds = noted(
      name, [&] { return inner_->iterate_back(x, i, last); }, 0);
  if (rounds > 0) note(name, 1, 0, {}, {});
  return rounds;
}
bool profiled_backend::take_sums(vector_base& w, vector_base& sums, const iteration& i,
                                 index_t number) {
  constexpr const char* name = "take_sums";
  const bool took = noted(
      name, [&] { return inner_->take_sums(w, sums, i, number); }, 0);
  if (took) note(name, 1, 0, {}, {});
  return took;
}
bool profiled_backend::divide_frontier(vector_base& frontier, vector_base& waiting,
                                       const vector_base& w, const scalar_bytes& end) {
  constexpr const char* name = "divide_frontier";
  const bool divided = noted(
      name, [&] { return inner_->divide_frontier(frontier, waiting, w, end); }, 0);
  if (divided) note(name, 1, 0, {}, {});
  return divided;
}
std::optional<index_t> profiled_backend::connect(vector_base& label, const matrix_base& a) {
  constexpr const char* name = "connect";
  const std::optional<index_t> labels = noted(
      name, [&] { return inner_->connect(label, a); }, 0);
  if (labels) note(name, 1, 0, {}, {});
  return labels;
}
std::optional<peeling> profiled_backend::peel(vector_base& level, const vector_base& count,
                                              const matrix_base& a) {
  constexpr const char* name = "peel";
  const std::optional<peeling> found = noted(
      name, [&] { return inner_->peel(level, count, a); }, 0);
  if (found) note(name, 1, 0, {}, {});
  return found;
}
std::optional<std::vector<std::uint32_t>> profiled_backend::rows_by_entries(const matrix_base& a) {
  return noted(
      "rows_by_entries", [&] { return inner_->rows_by_entries(a); }, 0);
}
std::optional<std::int64_t> profiled_backend::count_triangles(const matrix_base& a) {
  constexpr const char* name = "count_triangles";
  const std::optional<std::int64_t> count = noted(
      name, [&] { return inner_->count_triangles(a); }, 0);
  if (count) note(name, 1, 0, {}, {});
  return count;
}
std::optional<found_communities> profiled_backend::find_communities(vector_base& community,
                                                                    const matrix_base& a,
                                                                    bool weighted,
                                                                    double resolution) {
  constexpr const char* name = "find_communities";
  const std::optional<found_communities> found = noted(
      name, [&] { return inner_->find_communities(community, a, weighted, resolution); }, 0);
  if (found) note(name, 1, 0, {}, {});
  return found;
}
bool profiled_backend::run_together(std::span<const vector_step> steps) {
  constexpr const char* name = "step_list";
  const bool ran = noted(
      name, [&] { return inner_->run_together(steps); }, 0);
  if (ran) note(name, 1, 0, {}, {});
  return ran;
}

}  // namespace tropic::detail
