// SPDX-License-Identifier: Apache-2.0

// The steps of a step_list in one pass: position i of every result depends on position i of its
// operands, so that all steps run over one block of positions before the next block. The block's
// values stay in the cache, and each vector is read and written once. A product comes first: its
// sums are written to a workspace, and the thread that completes the rows of a block runs the
// steps over it. Sums are per block, combined in order, as `reduce` does: results are those of one
// operation after the other, to the bit.
//
// Needed: vectors without gaps, at most one product, by pull, of a vector that no step writes.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/products/pull.hpp"
#include "backends/cpu/products/step_vectors.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// A step over positions [begin, end) of one block. Does not throw.
using block_function = std::function<void(std::size_t begin, std::size_t end)>;

}  // namespace

// Binds the steps of a list to arrays; then runs them.
class cpu_backend::step_runner {
 public:
  step_runner(cpu_backend& cpu, const memory_side& here) : cpu_(cpu), here_(here), vectors_(here) {}

  // False if the steps cannot run together; nothing has changed then.
  bool bind(std::span<const vector_step> steps) {
    return std::ranges::all_of(steps, [&](const vector_step& step) {
      return std::visit([&](const auto& s) { return bind(s); }, step);
    });
  }
  void run();

 private:
  struct bound_product {
    const vector_base& u;
    product p;
    const matrix_base* m;
    std::shared_ptr<const matrix_base> transposed{};
    product_arguments arguments{};
    std::optional<workspace_lease> sums{};
    hot_input hot{};

    bound_product(const vector_base& input, const product& of) : u(input), p(of), m(&of.matrix) {}
  };

  bool bind(const ewise_step&);
  bool bind(const apply_step&);
  bool bind(const sum_step&);
  bool bind(const product_step&);
  void add(const operator_description& op, operand_source x, operand_source y, vector_base& w);
  void add_sums_of_product(const product_step&);
  void run_block(std::size_t begin, std::size_t end) const {
    for (const block_function& step : steps_) step(begin, end);
  }
  void run_behind_product();

  std::size_t blocks() const { return (size_ + block_size - 1) / block_size; }
  // Vectors that are read or written by position have one size and no gaps.
  bool fits(const vector_base& v) {
    if (size_ == 0) size_ = as_size(v.size);
    return as_size(v.size) == size_ && size_ > 0;
  }
  bool can_read(const vector_base& v) { return fits(v) && vectors_.is_full(v); }
  bool can_write(const vector_base& w) { return fits(w) && !(product_ && &w == &product_->u); }
  operand_source values_of(const vector_base& v) const {
    return {vectors_.read(v), v.type->size, false};
  }

  cpu_backend& cpu_;
  const memory_side& here_;
  written_vectors vectors_;
  std::size_t size_ = 0;
  std::vector<block_function> steps_;
  std::list<step_sums> sums_;
  std::optional<bound_product> product_;
};

void cpu_backend::step_runner::add(const operator_description& op, operand_source x,
                                   operand_source y, vector_base& w) {
  std::byte* const z = vectors_.write(w);
  steps_.emplace_back([&op, x, y, z](std::size_t begin, std::size_t end) {
    entry_batch batch(op, x, y, z);
    batch.add_run(begin, begin, begin, end - begin, begin);
    batch.flush();
  });
}

bool cpu_backend::step_runner::bind(const ewise_step& s) {
  if (!can_read(s.u) || !can_read(s.v) || !can_write(s.w)) return false;
  add(s.op, values_of(s.u), values_of(s.v), s.w);
  return true;
}

bool cpu_backend::step_runner::bind(const apply_step& s) {
  if (!can_read(s.u) || !can_write(s.w)) return false;
  const bound_operands operands = operands_of(s.op, values_of(s.u));
  add(s.op.op, operands.x, operands.y, s.w);
  return true;
}

bool cpu_backend::step_runner::bind(const sum_step& s) {
  if (!can_read(s.u) || (s.v && !can_read(*s.v))) return false;
  if (s.mask && (s.mask->storage == vector_storage::sparse || vectors_.is_written(*s.mask)))
    return false;
  if (s.monoid.add.z->size > widest_term) return false;
  const step_sums& into = sums_.emplace_back(here_, s, blocks());
  const operand_source u = values_of(s.u);
  if (s.v == nullptr) {
    const auto* within = s.mask ? here_.read_as<std::uint8_t>(s.mask->present) : nullptr;
    steps_.emplace_back([&into, u, within](std::size_t begin, std::size_t end) {
      into.set(begin, [&](const summer& sum, std::byte* to) {
        return sum.sum_present(to, u.values, within, begin, end);
      });
    });
    return true;
  }
  const operand_source v = values_of(*s.v);
  steps_.emplace_back([&into, &op = s.op, u, v](std::size_t begin, std::size_t end) {
    into.set(begin, [&](const summer& sum, std::byte* to) {
      alignas(64) std::byte terms[block_size * widest_term];
      entry_batch batch(op, u, v, terms);
      batch.add_run(begin, begin, 0, end - begin, begin);
      batch.flush();
      sum.sum_block(to, terms, end - begin);
      return true;
    });
  });
  return true;
}

bool cpu_backend::step_runner::bind(const product_step& s) {
  const semiring_description* known =
      s.semiring.cpu_kernels[s.vector_first] == nullptr ? same_builtin(s.semiring) : nullptr;
  const product p{known ? *known : s.semiring, s.matrix, s.u, s.transposed, s.vector_first};
  const bool pulls = find_row(cpu_.kernels(), s.kernel)->unit != work_unit::frontier;
  if (product_ || !pulls || s.u.storage != vector_storage::full || vectors_.is_written(s.u) ||
      &s.u == &s.w || p.matrix.nnz == 0)
    return false;
  if (!fits(s.w) || (s.accumulates && !can_read(s.w))) return false;
  product_.emplace(s.u, p);
  if (!p.rows_are_output()) {
    product_->transposed = cpu_.transpose_of(p.matrix);
    product_->m = product_->transposed.get();
  }
  if (!s.accumulates && product_->m->empty_rows > 0) return false;
  product_arguments& arguments = product_->arguments;
  cpu_.bind_matrix(arguments, product_->p.semiring, *product_->m);
  arguments.u = here_.read(s.u.values);
  const cpu_kernel_table& kernels = cpu_.kernels_of(product_->p);
  cpu_.find_facts(arguments, product_->p, kernels, *product_->m, s.u);
  // Another kind of call than a product by the same kernels: further steps are in its time.
  cpu_.use_hot_columns(arguments, product_->p, *product_->m, s.u, product_->hot, &kernels.piece);
  add_sums_of_product(s);
  return true;
}

// The step that takes the sums of the rows of a block from the workspace.
void cpu_backend::step_runner::add_sums_of_product(const product_step& s) {
  product_arguments& arguments = product_->arguments;
  const std::size_t bytes = s.w.type->size;
  product_->sums.emplace(cpu_.workspaces_, cpu_.context_, size_, bytes);
  const workspace& sums = **product_->sums;
  arguments.w = sums.values;
  const bool may_have_gaps = !product_->p.cpu_kernels() || product_->m->empty_rows > 0;
  arguments.w_present = may_have_gaps ? sums.present : nullptr;
  std::byte* const w = vectors_.write(s.w);
  if (!s.accumulates) {
    steps_.emplace_back([w, &sums, bytes](std::size_t begin, std::size_t end) {
      std::memcpy(w + begin * bytes, sums.values + begin * bytes, (end - begin) * bytes);
    });
    return;
  }
  // x and y of an accumulator have the type of w.
  const bool floating = s.w.type->code == type_code::fp32 || s.w.type->code == type_code::fp64;
  if (arguments.w_present && floating) {
    steps_.emplace_back([&op = s.accumulator, w, &sums, present = arguments.w_present](
                            std::size_t begin, std::size_t end) {
      add_present_floating(op, w, sums.values, present, begin, end);
    });
    return;
  }
  steps_.emplace_back([&op = s.accumulator, w, &sums, bytes, present = arguments.w_present](
                          std::size_t begin, std::size_t end) {
    entry_batch batch(op, {w, bytes, false}, {sums.values, bytes, false}, w);
    if (present)
      add_present(batch, present, begin, end);
    else
      batch.add_run(begin, begin, begin, end - begin, begin);
    batch.flush();
  });
}

void cpu_backend::step_runner::run_behind_product() {
  std::vector<std::atomic<std::uint32_t>> rows_left(blocks());
  for (std::size_t block = 0; block < blocks(); ++block)
    rows_left[block] = static_cast<std::uint32_t>(std::min(block_size, size_ - block * block_size));
  std::uint8_t* const present = product_->arguments.w_present;
  const auto done = [&](std::size_t begin, std::size_t end) {
    while (begin < end) {
      const std::size_t block = begin / block_size, first = block * block_size;
      const std::size_t last = std::min(size_, first + block_size);
      const auto rows = static_cast<std::uint32_t>(std::min(end, last) - begin);
      if (rows_left[block].fetch_sub(rows, std::memory_order_acq_rel) == rows) {
        run_block(first, last);
        if (present) std::memset(present + first, 0, last - first);
      }
      begin += rows;
    }
  };
  if (present) (*product_->sums).begin_marking();
  const cpu_kernel_table& kernels = cpu_.kernels_of(product_->p);
  pull({kernels, product_->p, product_->arguments, *product_->m, here_.threads()}, done);
  product_->hot.call.end();
  (*product_->sums).all_cleared();
}

void cpu_backend::step_runner::run() {
  if (product_)
    run_behind_product();
  else
    for_chunks(here_.threads(), size_, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; begin += block_size) run_block(begin, std::min(end, begin + block_size));
    });
  vectors_.commit();
  for (const step_sums& s : sums_) s.combine(blocks());
}

bool cpu_backend::run_together(std::span<const vector_step> steps) {
  const memory_side here(context_, on_host_);
  step_runner runner(*this, here);
  if (!runner.bind(steps)) return false;
  runner.run();
  return true;
}

}  // namespace tropic::detail
