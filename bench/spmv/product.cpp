// SPDX-License-Identifier: Apache-2.0
#include "product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "../paired.hpp"

namespace bench {

using namespace tropic;

namespace {

detail::device_backend& backend_of(const context& where) {
  auto* backend = dynamic_cast<detail::device_backend*>(where.state()->executor.get());
  if (backend == nullptr) throw usage_error(where.name() + " has no device kernels");
  return *backend;
}

/// Calls f(double(element)) for the n elements of a type.
template <class F>
void for_each_value(type_code code, const void* values, std::size_t n, F&& f) {
  with_builtin_type(code, [&]<class T>() {
    const auto* typed = static_cast<const T*>(values);
    for (std::size_t k = 0; k < n; ++k) f(k, static_cast<double>(typed[k]));
  });
}

}  // namespace

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

device::device(const std::string& name)
    : where(context::named(name)), runtime(&backend_of(where).runtime()) {}

double device::bandwidth() const {
  return backend_of(where).copy_bandwidth();
}

product::product(const device& d, const csr& from, const semiring_description& s,
                 boolean_contents of)
    : on(d), semiring(s) {
  const auto state = on.where.state();
  const auto entries = static_cast<std::size_t>(from.entries());
  a.context = state;
  a.type = &semiring.a();
  a.rows = from.rows;
  a.columns = from.columns;
  a.nnz = from.entries();
  a.wide = entries > 0xffffffffU;
  a.column_indices = detail::make_buffer(state, entries * sizeof(std::uint32_t));
  std::memcpy(a.column_indices->host_write(), from.column.data(), entries * sizeof(std::uint32_t));
  if (a.wide) {
    a.offsets = detail::make_buffer(state, from.offsets.size() * sizeof(std::uint64_t));
    std::ranges::copy(from.offsets, static_cast<std::uint64_t*>(a.offsets->host_write()));
  } else {
    a.offsets = detail::make_buffer(state, from.offsets.size() * sizeof(std::uint32_t));
    std::ranges::transform(from.offsets, static_cast<std::uint32_t*>(a.offsets->host_write()),
                           [](std::uint64_t o) { return static_cast<std::uint32_t>(o); });
  }
  a.iso = of.pattern;
  a.values = detail::make_buffer(state, (a.iso ? 1 : entries) * a.type->size);
  with_builtin_type(a.type->code, [&]<class T>() {
    auto* values = static_cast<T*>(a.values->host_write());
    std::uint64_t random = 1;
    for (std::size_t e = 0; e < (a.iso ? 1 : entries); ++e) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const double uniform = static_cast<double>(random >> 11) * 0x1p-53;
      if constexpr (std::is_floating_point_v<T>)
        values[e] = static_cast<T>(0.5 + uniform);
      else if constexpr (std::is_same_v<T, bool>)
        values[e] = a.iso || uniform < 0.5;
      else
        values[e] = static_cast<T>(1 + (random >> 33) % 3);
    }
  });
  detail::inspect_csr(a, {});
  // Where no boolean is true, no disjunction exits early: all entries are read.
  with_builtin_type(semiring.x().code, [&]<class T>() {
    const T zero{};
    x = detail::filled_vector(state, describe<T>(), a.columns, &zero);
    auto* values = static_cast<T*>(x.values->host_write());
    for (index_t k = 0; k < a.columns; ++k)
      if constexpr (std::is_floating_point_v<T>)
        values[k] = static_cast<T>(1 + static_cast<double>(k % 7) / 8);
      else if constexpr (std::is_same_v<T, bool>)
        values[k] = of.one_in != 0 && k % of.one_in == of.one_in / 2;
      else
        values[k] = static_cast<T>(1 + k % 3);
  });
  if (semiring.name == "plus_times" && is_floating(semiring.z().code))
    expect_sums();
  else
    expect_as_cpu();
}

void product::run(const std::string& kernel, int calls) {
  plan forced;
  forced.kernel = kernel;
  run(forced, calls);
}

void product::run(const plan& forced, int calls) {
  detail::output_options<detail::vector_base> options;
  options.forced = &forced;
  for (int call = 0; call < calls; ++call) {
    y_ = detail::empty_vector(on.where.state(), semiring.z(), a.rows);
    detail::multiply("mxv", y_, semiring, {.matrix = a}, x, detail::factor_order::matrix_first,
                     options);
  }
  on.where.synchronize();
}

void product::expect_sums() {
  const auto rows = static_cast<std::size_t>(a.rows);
  expected_.resize(rows);
  slack_.resize(rows);
  const auto* column = static_cast<const std::uint32_t*>(a.column_indices->host());
  with_builtin_type(a.type->code, [&]<class T>() {
    const auto* value = static_cast<const T*>(a.values->host());
    const auto* factor = static_cast<const T*>(x.values->host());
    a.offsets->host();
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0, size = 0;
      const auto end = static_cast<std::size_t>(detail::offset_at(a, static_cast<index_t>(r) + 1));
      for (auto e = static_cast<std::size_t>(detail::offset_at(a, static_cast<index_t>(r)));
           e < end; ++e) {
        const double term = static_cast<double>(value[e]) * static_cast<double>(factor[column[e]]);
        sum += term;
        size += std::abs(term);
      }
      expected_[r] = sum;
      slack_[r] = size * (sizeof(T) == 4 ? 1e-5 : 1e-12);
    }
  });
}

void product::expect_as_cpu() {
  const context cpu = context::cpu();
  detail::vector_base y = detail::empty_vector(cpu.state(), semiring.z(), a.rows);
  detail::multiply("mxv", y, semiring, {.matrix = detail::copy_to(cpu.state(), a)},
                   detail::copy_to(cpu.state(), x), detail::factor_order::matrix_first, {});
  expected_ = values_of(y);
  const double relative = is_floating(semiring.z().code) ? 1e-5 : 0;
  slack_.resize(expected_.size());
  std::ranges::transform(expected_, slack_.begin(),
                         [&](double value) { return std::abs(value) * relative; });
}

/// 0 at positions without an entry.
std::vector<double> product::values_of(const detail::vector_base& y) const {
  detail::vector_base dense = y;
  if (dense.storage == vector_storage::sparse) detail::convert(dense, vector_storage::bitmap);
  const auto rows = static_cast<std::size_t>(a.rows);
  std::vector<double> values(rows);
  for_each_value(dense.type->code, dense.values->host(), rows,
                 [&](std::size_t r, double value) { values[r] = value; });
  if (dense.storage != vector_storage::full) {
    const auto* present = static_cast<const std::uint8_t*>(dense.present->host());
    for (std::size_t r = 0; r < rows; ++r)
      if (!present[r]) values[r] = 0;
  }
  return values;
}

bool product::is_right() const {
  const std::vector<double> got = values_of(y_);
  for (std::size_t r = 0; r < got.size(); ++r)
    if (!(got[r] == expected_[r] || std::abs(got[r] - expected_[r]) <= slack_[r])) return false;
  return true;
}

bool product::is_right(const void* y) const {
  bool right = true;
  for_each_value(a.type->code, y, expected_.size(), [&](std::size_t r, double value) {
    right = right && std::abs(value - expected_[r]) <= slack_[r];
  });
  return right;
}

double product::bytes_moved() const {
  const auto nnz = static_cast<double>(a.nnz), rows = static_cast<double>(a.rows);
  const auto bytes = static_cast<double>(value_bytes());
  return nnz * (4 + bytes) + (rows + 1) * (a.wide ? 8 : 4) +
         (static_cast<double>(a.columns) + rows) * bytes;
}

semiring_description semiring_named(const std::string& name, const std::string& type) {
  for (const type_description& t : builtin_types)
    if (t.name == type)
      if (const auto found = builtin_semiring(name, t.code)) return *found;
  throw usage_error("there is no semiring " + name + " over " + type);
}

void check(std::vector<entrant>& all) {
  for (entrant& one : all) {
    one.run(1);
    one.right = !one.is_right || one.is_right();
  }
}

double estimate(const entrant& one) {
  one.run(1);
  const double start = now();
  one.run(1);
  const double once = now() - start;
  if (once > 1e-3) return once;
  one.run(4);
  return (now() - start - once) / 4;
}

void measure(std::vector<entrant>& all, const batch_options& options) {
  std::vector<contestant> batches;
  std::vector<int> calls;
  for (const entrant& one : all) {
    const double fitting = options.batch / std::max(estimate(one), 1e-9);
    calls.push_back(static_cast<int>(std::clamp(fitting, 1.0, static_cast<double>(options.calls))));
    batches.push_back({one.name, [&one, n = calls.back()] { one.run(n); }});
  }
  const std::vector<timing> found = paired(batches, options.rounds, 0);
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].seconds = found[c].median / calls[c];
    all[c].ratio = found[c].ratio * calls[0] / calls[c];
  }
}

}  // namespace bench
