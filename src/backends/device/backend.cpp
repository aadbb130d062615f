// SPDX-License-Identifier: Apache-2.0

// Each operation: on the device, and if that cannot do it, on the host.

#include "backends/device/backend.hpp"

#include <algorithm>

#include "backends/union_in_steps.hpp"

namespace tropic::detail {

device_backend::device_backend(context_state& context, std::shared_ptr<device_runtime> runtime,
                               std::span<const device_kernel* const> kernels)
    : host_(context, cpu_backend::side::host),
      device_(context, std::move(runtime)),
      formats_(device_),
      vectors_(device_),
      matrices_(device_, vectors_),
      products_(device_, formats_, vectors_, matrices_, kernels) {}

// --- what plans ask ------------------------------------------------------------------------------

const kernel_info* device_backend::find_kernel(std::string_view text) const {
  return products_.find_kernel(text);
}

call_features device_backend::features(const product& p, const vector_rule& rule) {
  return products_.features(p, rule);
}

format_report device_backend::format_of(const matrix_base& a, std::string_view kernel) const {
  return products_.format_of(a, kernel);
}

work_mapping device_backend::mapping_of(const matrix_base& a, const kernel_info& kernel,
                                        std::size_t z_bytes, bool early_exit) const {
  return products_.mapping_of(a, kernel, z_bytes, early_exit);
}

std::string device_backend::identity() const {
  std::string line = runtime().identity();
  std::ranges::replace(line, '\n', ' ');
  return line;
}

pattern_counts device_backend::inspect(const matrix_base& a, std::uint64_t wanted) {
  const std::optional<pattern_counts> counts = matrices_.inspect(a, wanted);
  return counts ? *counts : host_.inspect(a, wanted);
}

// --- operations ----------------------------------------------------------------------------------

void device_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                              std::string_view kernel) {
  if (!products_.multiply(w, p, rule, kernel))
    host_.multiply(w, p, rule, host_.kernels().front()->name);
}

void device_backend::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  if (products_.mxm(c, p, rule)) return;
  matrix_product on_host = p;
  on_host.kernel = {};  // of the device
  host_.mxm(c, on_host, rule);
}
kernel_table device_backend::mxm_kernels() const {
  return products_.mxm_kernels();
}
mxm_explanation device_backend::explain_mxm(const matrix_product& p, const matrix_rule& rule) {
  return products_.explain_mxm(p, rule);
}
bool device_backend::reduce_mxm(void* result, const monoid_description& monoid,
                                const matrix_product& p, const matrix_rule& rule) {
  const std::optional<bool> any = products_.reduce_mxm(result, monoid, p, rule);
  return any ? *any : host_.reduce_mxm(result, monoid, p, rule);
}
void device_backend::spmm(vector_base& c, const full_product& p, const vector_rule& rule) {
  if (!products_.spmm(c, p, rule)) host_.spmm(c, p, rule);
}

void device_backend::ewise(vector_base& w, combination combine, const operator_description& op,
                           const vector_base& u, const vector_base& v, const vector_rule& rule) {
  if (!vectors_.ewise(w, combine, op, u, v, rule)) host_.ewise(w, combine, op, u, v, rule);
}
void device_backend::ewise(matrix_base& c, combination combine, const operator_description& op,
                           const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  if (!matrices_.ewise(c, combine, op, a, b, rule)) host_.ewise(c, combine, op, a, b, rule);
}

void device_backend::apply(vector_base& w, const unary_description& f, const vector_base& u,
                           const vector_rule& rule) {
  if (!vectors_.apply(w, f, u, rule)) host_.apply(w, f, u, rule);
}
void device_backend::apply(matrix_base& c, const unary_description& f, const matrix_base& a,
                           const matrix_rule& rule) {
  if (!matrices_.apply(c, f, a, rule)) host_.apply(c, f, a, rule);
}

void device_backend::select(vector_base& w, const unary_description& f, const vector_base& u,
                            const vector_rule& rule) {
  if (!vectors_.select(w, f, u, rule)) host_.select(w, f, u, rule);
}
void device_backend::select(matrix_base& c, const unary_description& f, const matrix_base& a,
                            const matrix_rule& rule) {
  if (!matrices_.select(c, f, a, rule)) host_.select(c, f, a, rule);
}

void device_backend::reduce(vector_base& w, const monoid_description& monoid, const matrix_base& a,
                            bool transposed, const vector_rule& rule) {
  if (!products_.reduce(w, monoid, a, transposed, rule))
    host_.reduce(w, monoid, a, transposed, rule);
}
bool device_backend::reduce(void* result, const monoid_description& monoid, const vector_base& u) {
  return vectors_.reduce(result, monoid, u) || host_.reduce(result, monoid, u);
}
bool device_backend::reduce(void* result, const monoid_description& monoid, const matrix_base& a) {
  return matrices_.reduce(result, monoid, a) || host_.reduce(result, monoid, a);
}

void device_backend::assign(vector_base& w, const void* value, const positions& to,
                            const vector_rule& rule) {
  if (!vectors_.assign(w, value, to, rule)) host_.assign(w, value, to, rule);
}
void device_backend::assign(vector_base& w, const vector_base& u, const positions& to,
                            const vector_rule& rule) {
  if (!vectors_.assign(w, u, to, rule)) host_.assign(w, u, to, rule);
}
void device_backend::assign(matrix_base& c, const void* value, const positions& rows,
                            const positions& columns, const matrix_rule& rule) {
  if (!matrices_.assign(c, value, rows, columns, rule)) host_.assign(c, value, rows, columns, rule);
}
void device_backend::assign(matrix_base& c, const matrix_base& a, const positions& rows,
                            const positions& columns, const matrix_rule& rule) {
  if (!matrices_.assign(c, a, rows, columns, rule)) host_.assign(c, a, rows, columns, rule);
}

void device_backend::extract(vector_base& w, const matrix_line& line, const vector_rule& rule) {
  if (!matrices_.extract(w, line, rule)) host_.extract(w, line, rule);
}

// On the host; the arrays of the operands and of the result move when one side asks for them.
void device_backend::extract(vector_base& w, const vector_base& u, const positions& from,
                             const vector_rule& rule) {
  host_.extract(w, u, from, rule);
}
void device_backend::extract(matrix_base& c, const matrix_base& a, bool transposed,
                             const positions& rows, const positions& columns,
                             const matrix_rule& rule) {
  host_.extract(c, a, transposed, rows, columns, rule);
}
void device_backend::kronecker(matrix_base& c, const kronecker_product& p,
                               const matrix_rule& rule) {
  host_.kronecker(c, p, rule);
}
void device_backend::concatenate(matrix_base& c, const tile_grid& grid) {
  host_.concatenate(c, grid);
}

// Each step on the device, as far as it can do it.
void device_backend::ewise_union(vector_base& w, const filled_operator& op, const vector_base& u,
                                 const vector_base& v, const vector_rule& rule) {
  union_in_steps(*this, w, op, u, v, rule);
}
void device_backend::ewise_union(matrix_base& c, const filled_operator& op, const matrix_base& a,
                                 const matrix_base& b, const matrix_rule& rule) {
  union_in_steps(*this, c, op, a, b, rule);
}

void device_backend::transpose(matrix_base& c, const matrix_base& a, const matrix_rule& rule) {
  matrices_.transpose(c, a, rule);
}

std::optional<matrix_base> device_backend::permute(const matrix_base& a, const permutation& rows,
                                                   const permutation& columns) {
  return matrices_.permute(a, rows, columns);
}

void device_backend::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  vectors_.gather(to, u, order);
}

index_t device_backend::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                                index_t first, index_t max_rounds) {
  return products_.iterate(w, frontier, i, first, max_rounds);
}

ordered_rounds device_backend::order_rounds(const vector_base& rounds) {
  std::optional<ordered_rounds> order = products_.order_rounds(rounds);
  return order ? std::move(*order) : host_.order_rounds(rounds);
}

std::size_t device_backend::iterate_back(vector_base& x, const reverse_iteration& i,
                                         std::size_t last) {
  return products_.iterate_back(x, i, last);
}

bool device_backend::take_sums(vector_base& w, vector_base& sums, const iteration& i,
                               index_t number) {
  return products_.take_sums(w, sums, i, number);
}

bool device_backend::divide_frontier(vector_base& frontier, vector_base& waiting,
                                     const vector_base& w, const scalar_bytes& end) {
  return vectors_.divide_frontier(frontier, waiting, w, end);
}

bool device_backend::run_together(std::span<const vector_step> steps) {
  return products_.run_together(steps);
}

std::optional<index_t> device_backend::connect(vector_base& label, const matrix_base& a) {
  const std::optional<index_t> labels = matrices_.connect(label, a);
  return labels ? labels : host_.connect(label, a);
}

std::optional<peeling> device_backend::peel(vector_base& level, const vector_base& count,
                                            const matrix_base& a) {
  const std::optional<peeling> found = matrices_.peel(level, count, a);
  return found ? found : host_.peel(level, count, a);
}

std::optional<std::vector<std::uint32_t>> device_backend::rows_by_entries(const matrix_base& a) {
  return matrices_.rows_by_entries(a);
}

std::optional<std::int64_t> device_backend::count_triangles(const matrix_base& a) {
  return matrices_.count_triangles(a);
}

std::optional<found_communities> device_backend::find_communities(vector_base& community,
                                                                  const matrix_base& a,
                                                                  bool weighted,
                                                                  double resolution) {
  const std::optional<found_communities> found =
      matrices_.find_communities(community, a, weighted, resolution);
  return found ? found : host_.find_communities(community, a, weighted, resolution);
}

// --- services to containers ----------------------------------------------------------------------

std::optional<hot_columns> device_backend::to_hot_columns(const matrix_base& a) {
  return matrices_.to_hot_columns(a);
}

void device_backend::examine(matrix_base& m, const csr_words& words, bool trusted) {
  if (!matrices_.examine(m, words, trusted)) host_.examine(m, words, trusted);
}

buffer_pointer device_backend::narrowed(const context_pointer& context, const buffer_pointer& wide,
                                        std::size_t count, index_t limit, const char* what) {
  buffer_pointer words = matrices_.narrowed(wide, count, limit);
  return words != nullptr ? words : host_.narrowed(context, wide, count, limit, what);
}

}  // namespace tropic::detail
