// SPDX-License-Identifier: Apache-2.0

// The steps of a step_list in one launch (pass.kernel), behind the product if there is one:
// position i of every result depends on position i of its operands, so that each vector is read and
// written once. Sums are those of `reduce`, to the bit: of the same stretches, in the same order.
//
// Needed: vectors without gaps, but for the result of the product, and at most one product, of a
// vector that no step writes; the other steps can then all follow it.

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "backends/device/products/product_runner.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

// Binds the steps of a list to vectors of a pass; then runs them.
class product_runner::pass {
 public:
  explicit pass(product_runner& runner) : runner_(runner), device_(runner.device_) {}

  // False if the steps cannot run together; nothing has changed then.
  bool bind(std::span<const vector_step> steps) {
    return std::ranges::all_of(steps, [&](const vector_step& step) {
      return std::visit([&](const auto& s) { return bind(s); }, step);
    });
  }
  bool run();

 private:
  // A vector of the pass, in the order of pass_request::vectors.
  struct operand {
    const vector_base* vector = nullptr;  // null: the result of the product
    vector_base* result = nullptr;        // the same where the list writes it
    bool only_flags = false;              // a mask
  };

  bool bind(const ewise_step&);
  bool bind(const apply_step&);
  bool bind(const sum_step&);
  bool bind(const product_step&);

  // Vectors that are read or written by position have one size and no gaps.
  bool fits(const vector_base& v) {
    if (size_ == 0) size_ = v.size;
    return v.size == size_ && size_ > 0;
  }
  const operand* find(const vector_base& v) const {
    const auto at = std::ranges::find_if(
        operands_, [&](const operand& o) { return o.vector == &v && !o.only_flags; });
    return at == operands_.end() ? nullptr : &*at;
  }
  bool is_written(const vector_base& v) const {
    const operand* known = find(v);
    return known != nullptr && known->result != nullptr;
  }
  bool can_read(const vector_base& v) {
    return fits(v) && (is_written(v) || v.storage == vector_storage::full);
  }
  bool can_write(const vector_base& w) { return fits(w) && &w != input_; }

  std::size_t add(const operand& o, const pass_request::vector& v) {
    operands_.push_back(o);
    request_.vectors.push_back(v);
    return operands_.size() - 1;
  }
  std::size_t number_of(const vector_base& v) {
    for (std::size_t n = 0; n < operands_.size(); ++n)
      if (operands_[n].vector == &v && !operands_[n].only_flags) return n;
    return add({.vector = &v}, {.type = v.type});
  }
  std::size_t reads(const vector_base& v) {
    const std::size_t n = number_of(v);
    if (operands_[n].result == nullptr) request_.vectors[n].read = true;
    return n;
  }
  std::size_t writes(vector_base& w) {
    const std::size_t n = number_of(w);
    operands_[n].result = &w;
    request_.vectors[n].written = true;
    return n;
  }
  void add_term(const sum_step&);
  bool make_product(vector_base& t);
  void launch(const compiled_program&, const program_request&, const vector_base& t);

  product_runner& runner_;
  device_context& device_;
  index_t size_ = 0;
  pass_request request_;
  std::vector<operand> operands_;
  std::vector<const sum_step*> sums_;
  const product_step* product_ = nullptr;
  const vector_base* input_ = nullptr;  // of the product
};

bool product_runner::pass::bind(const ewise_step& s) {
  if (!can_read(s.u) || !can_read(s.v) || !can_write(s.w)) return false;
  pass_request::step step{.op = element_request{.kind = element_kind::set_intersection,
                                                .op = &s.op,
                                                .u = s.op.x,
                                                .v = s.op.y,
                                                .z = s.op.z}};
  step.u = reads(s.u);
  step.v = reads(s.v);
  step.w = writes(s.w);
  request_.steps.push_back(std::move(step));
  return true;
}

bool product_runner::pass::bind(const apply_step& s) {
  if (!can_read(s.u) || !can_write(s.w)) return false;
  pass_request::step step{.op = one_operand(element_kind::apply, s.op, *s.u.type, s.op.op.z)};
  step.u = reads(s.u);
  step.w = writes(s.w);
  request_.steps.push_back(std::move(step));
  return true;
}

bool product_runner::pass::bind(const sum_step& s) {
  if (!can_read(s.u) || (s.v != nullptr && !can_read(*s.v))) return false;
  pass_request::step step{.monoid = &s.monoid};
  step.u = reads(s.u);
  if (s.v != nullptr) {
    step.op = element_request{
        .kind = element_kind::set_intersection, .op = &s.op, .u = s.op.x, .v = s.op.y, .z = s.op.z};
    step.v = reads(*s.v);
  }
  if (s.mask != nullptr && s.mask->storage != vector_storage::full) {
    if (s.mask->storage == vector_storage::sparse || is_written(*s.mask)) return false;
    step.within = add({.vector = s.mask, .only_flags = true},
                      {.type = &describe(type_code::uint8), .flagged = true});
  }
  sums_.push_back(&s);
  request_.steps.push_back(std::move(step));
  return true;
}

bool product_runner::pass::bind(const product_step& s) {
  if (product_ != nullptr || is_written(s.u) || &s.u == &s.w || !fits(s.w)) return false;
  if (s.u.storage != vector_storage::full || s.u.size == 0 || s.matrix.nnz == 0) return false;
  if (s.accumulates && !can_read(s.w)) return false;
  product_ = &s;
  input_ = &s.u;
  if (!s.accumulates) {
    // The result must have no gaps, which only a pull says beforehand.
    const product p{s.semiring, s.matrix, s.u, s.transposed, s.vector_first};
    const bool pushes = runner_.find_kernel(s.kernel)->unit == work_unit::frontier;
    if (pushes || (p.rows_are_output() ? s.matrix.empty_rows
                                       : runner_.matrices_.transpose_of(s.matrix)->empty_rows) > 0)
      return false;
  }
  pass_request::step step;
  const std::size_t t = add({}, {.type = &s.semiring.z(), .read = true, .flagged = true});
  if (s.accumulates) {
    step.op = element_request{.kind = element_kind::set_intersection,
                              .op = &s.accumulator,
                              .u = s.accumulator.x,
                              .v = s.accumulator.y,
                              .z = s.accumulator.z};
    step.u = reads(s.w);
    step.v = t;
    step.within = t;
  } else {
    step.u = t;
  }
  step.w = writes(s.w);
  request_.steps.push_back(std::move(step));
  return true;
}

bool product_runner::pass::make_product(vector_base& t) {
  if (product_ == nullptr) return true;
  const product_step& s = *product_;
  t = empty_vector(device_.context(), s.semiring.z(), size_);
  const product p{s.semiring, s.matrix, s.u, s.transposed, s.vector_first};
  if (!runner_.multiply(t, p, {}, s.kernel)) return false;
  return t.storage == vector_storage::full ||
         (s.accumulates && t.storage == vector_storage::bitmap);
}

void product_runner::pass::launch(const compiled_program& program, const program_request& request,
                                  const vector_base& t) {
  const auto n = static_cast<std::uint64_t>(size_);
  const std::size_t group = device_.group_size(128);
  const std::uint64_t groups =
      sums_.empty() ? device_.groups_over(n, group, 64) : runner_.vectors_.groups_of_sum(n);
  std::uint32_t full = 0;
  std::deque<const void*> handles;  // stay where they are: arguments refer to them
  arguments list{n};
  const auto pass_array = [&](const void* handle) {
    list.emplace_back(handles.emplace_back(handle));
  };
  std::vector<buffer_pointer> written(operands_.size());
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    const pass_request::vector& asked = request_.vectors[k];
    const operand& o = operands_[k];
    const vector_base& v = o.vector != nullptr ? *o.vector : t;
    if (asked.read) pass_array(device_.read(v.values));
    if (asked.written) {
      const bool in_place =
          v.storage == vector_storage::full && on_cpu::memory_side::is_exclusive(v.values);
      written[k] = in_place ? v.values : device_.allocate(as_size(v.size) * v.type->size);
      pass_array(device_.write(written[k], asked.read ? access::modify : access::overwrite));
    }
    if (!asked.flagged) continue;
    if (v.storage == vector_storage::full) full |= std::uint32_t{1} << k;
    pass_array(device_.read(v.storage == vector_storage::full ? nullptr : v.present));
  }
  std::vector<buffer_pointer> sums, found;
  for (const sum_step* s : sums_) {
    sums.push_back(device_.allocate(groups * s->monoid.add.z->size));
    found.push_back(device_.allocate(groups));
    pass_array(device_.write(sums.back()));
    pass_array(device_.write(found.back()));
  }
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  list.emplace_back(full);
  list.emplace_back(kernel_argument(parameters));
  constexpr const char* name = "step_list";
  device_.runtime().launch(name, program, "t_pass", list, groups, group);

  const buffer_pointer results = device_.allocate(request_.offset_of_sum(sums_.size()));
  if (!sums_.empty()) {
    list = {groups};
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      pass_array(device_.write(sums[k], access::modify));
      pass_array(device_.write(found[k], access::modify));
    }
    pass_array(device_.write(results));
    device_.runtime().launch(name, program, "t_join_sums", list, 1, group);
  }

  for (std::size_t k = 0; k < operands_.size(); ++k) {
    if (written[k] == nullptr) continue;
    vector_base& w = *operands_[k].result;
    w.values = std::move(written[k]);
    w.present = nullptr;
    w.indices = nullptr;
    w.storage = vector_storage::full;
    w.nvals = entry_count(w.size);
  }
  if (sums_.empty()) return;
  const auto* found_sums = static_cast<const std::byte*>(results->host());
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const std::size_t offset = request_.offset_of_sum(k), bytes = sums_[k]->monoid.add.z->size;
    if (found_sums[offset + bytes] != std::byte{0})
      std::memcpy(sums_[k]->result, found_sums + offset, bytes);
  }
}

bool product_runner::pass::run() {
  const std::size_t group = device_.group_size(128);
  std::size_t local_bytes = 0;
  for (const sum_step* s : sums_) local_bytes += group * (s->monoid.add.z->size + 1) + 16;
  if (request_.vectors.size() > pass_request::most_vectors ||
      local_bytes > device_.traits().local_bytes)
    return false;
  const program_request request{.kernel = "pass",
                                .pass = &request_,
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const compiled_program* program = device_.runtime().program(request);
  vector_base t;
  if (program == nullptr || !make_product(t)) return false;
  launch(*program, request, t);
  return true;
}

// One step alone has a program that others share.
bool product_runner::run_together(std::span<const vector_step> steps) {
  pass all(*this);
  return steps.size() > 1 && all.bind(steps) && all.run();
}

}  // namespace tropic::detail
