// SPDX-License-Identifier: Apache-2.0

// Operators as steps over arrays. The assembler walks the typed syntax tree as that of the
// evaluator does (evaluate.cpp), with three differences: a step that was emitted before is not
// emitted again; a step of constants is computed at once; and a record is a list of arrays, one
// for each field, so that only fields that are used are loaded. Arrays are then placed in as few
// places of scratch as their lifetimes allow, which keeps a block in the first-level cache.

#include <tropic/semirings/block_evaluator.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/typing.hpp>

namespace tropic {

using detail::block_step;
using expression::function;
using expression::node;
using expression::node_kind;

namespace {

bool is_comparison(node_kind kind) {
  return kind >= node_kind::equal && kind <= node_kind::greater_equal;
}

}  // namespace

class block_assembler {
 public:
  block_assembler(const operator_description& op, block_evaluator& out)
      : op_(op), tree_(*op.syntax), types_(expression::type_of(op)), out_(out) {}

  void run() {
    out_.x_bytes_ = op_.x->size;
    out_.y_bytes_ = op_.y->size;
    out_.z_bytes_ = op_.z->size;
    for (int n = 0; n <= block_evaluator::at_j; ++n) arrays_.push_back({});
    const value root = emit(tree_.root);
    const node_kind kind = tree_.at(tree_.root).kind;
    std::vector<array> results;
    if (op_.z->code != type_code::record)
      results = {converted(root, types_.at(tree_.root), *op_.z)[0]};
    else if (kind == node_kind::x || kind == node_kind::y)
      results = {kind == node_kind::x ? block_evaluator::at_x : block_evaluator::at_y};
    else
      results = root;
    place(results);
  }

 private:
  using array = std::uint16_t;       // number of an array: those of the arguments come first
  using value = std::vector<array>;  // one array, or one for each field of a record
  using instruction = block_evaluator::instruction;

  struct array_facts {
    bool is_constant = false;
    std::uint64_t bits = 0;
    std::size_t bytes = 0;
    int made_by = -1;  // the instruction, if any
  };

  array new_array(const array_facts& facts) {
    if (arrays_.size() > 32768)
      throw expression_error(op_.text, 0, "the expression needs too much room");
    arrays_.push_back(facts);
    return static_cast<array>(arrays_.size() - 1);
  }
  array constant(std::uint64_t bits, std::size_t bytes) {
    for (std::size_t n = 0; n < arrays_.size(); ++n)
      if (arrays_[n].is_constant && arrays_[n].bits == bits && arrays_[n].bytes == bytes)
        return static_cast<array>(n);
    return new_array({.is_constant = true, .bits = bits, .bytes = bytes});
  }
  // The array that a step makes of `used` arrays.
  array append_step(block_step run, const type_description& t, const std::array<array, 4>& from,
                    std::size_t used, std::uint16_t stride = 0) {
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(used);
    const bool is_constant =
        std::all_of(from.begin(), end, [&](array a) { return arrays_[a].is_constant; });
    if (is_constant) {
      std::uint64_t bits = 0;
      const auto bytes_of = [&](array a) {
        return reinterpret_cast<const std::byte*>(&arrays_[a].bits);
      };
      run({reinterpret_cast<std::byte*>(&bits), bytes_of(from[0]), bytes_of(from[1]),
           bytes_of(from[2]), bytes_of(from[3]), 1, 0});
      return constant(bits, t.size);
    }
    for (const instruction& s : code_)
      if (s.run == run && s.a == from[0] && s.b == from[1] && s.c == from[2] && s.d == from[3] &&
          s.stride == stride)
        return s.z;
    const array z = new_array({.bytes = t.size, .made_by = static_cast<int>(code_.size())});
    code_.push_back({run, z, from[0], from[1], from[2], from[3], stride});
    return z;
  }
  array one(block_step run, const type_description& t, array a) {
    return append_step(run, t, {a, a, a, a}, 1);
  }
  array two(block_step run, const type_description& t, array a, array b) {
    return append_step(run, t, {a, b, a, a}, 2);
  }

  value converted(const value& v, const type_description& from, const type_description& to) {
    if (from.code == to.code) return v;  // records of one type, or the same built-in
    return {one(detail::conversion_step(to.code, from.code), to, v[0])};
  }
  array operand(int n, type_code code) {
    return converted(emit(n), types_.at(n), describe(code))[0];
  }

  value argument(array from, const type_description& t) {
    if (t.code != type_code::record) return {from};
    value fields;
    for (const field_description& f : t.fields) {
      const std::size_t bytes = describe(f.code).size;
      // The address of the field is known only at run time: `b` is the offset of it.
      const auto offset = static_cast<array>(f.offset);
      const auto run = detail::load_step(bytes);
      const auto known = std::find_if(code_.begin(), code_.end(), [&](const instruction& s) {
        return s.run == run && s.a == from && s.b == offset && s.stride == t.size;
      });
      if (known != code_.end()) {
        fields.push_back(known->z);
        continue;
      }
      const array z = new_array({.bytes = bytes, .made_by = static_cast<int>(code_.size())});
      code_.push_back({run, z, from, offset, 0, 0, static_cast<std::uint16_t>(t.size)});
      fields.push_back(z);
    }
    return fields;
  }
  static bool is_load(const instruction& s) { return s.stride != 0; }

  value emit(int n) {
    const node& v = tree_.at(n);
    const type_description& t = types_.at(n);
    const type_code code = types_.operands_at(n);
    switch (v.kind) {
      case node_kind::x: return argument(block_evaluator::at_x, t);
      case node_kind::y: return argument(block_evaluator::at_y, t);
      case node_kind::i: return {block_evaluator::at_i};
      case node_kind::k: return {block_evaluator::at_k};
      case node_kind::j: return {block_evaluator::at_j};
      case node_kind::parameter: {
        const parameter_description& p = op_.parameters[static_cast<std::size_t>(v.index)];
        std::uint64_t bits = 0;
        std::memcpy(&bits, op_.object.bytes.data() + p.offset, t.size);
        return {constant(bits, t.size)};
      }
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::truth:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero: return {constant(expression::literal_bits(op_, v, t), t.size)};
      case node_kind::field: {
        const value record = emit(v.a);
        const auto fields = types_.at(v.a).fields;
        for (std::size_t f = 0; f < fields.size(); ++f)
          if (fields[f].name == op_.text.substr(v.text_begin, v.text_size)) return {record[f]};
        return {};  // typing has found the field
      }
      case node_kind::logical_not:
        return {
            one(detail::step_of(v.kind, type_code::boolean), t, operand(v.a, type_code::boolean))};
      case node_kind::negate:
      case node_kind::bit_not: return {one(detail::step_of(v.kind, code), t, operand(v.a, code))};
      case node_kind::shift_left:
      case node_kind::shift_right: {
        const array a = operand(v.a, code);
        return {two(detail::step_of(v.kind, code), t, a, operand(v.b, type_code::int64))};
      }
      case node_kind::conditional: return conditional(v, t);
      case node_kind::call: return call(v, t, code);
      default: {
        const array a = operand(v.a, code);
        return {two(detail::step_of(v.kind, code), t, a, operand(v.b, code))};
      }
    }
  }

  value conditional(const node& v, const type_description& t) {
    const value yes = converted(emit(v.b), types_.at(v.b), t);
    const value no = converted(emit(v.c), types_.at(v.c), t);
    if (yes == no) return yes;
    const node& test = tree_.at(v.a);
    const type_code compared = types_.operands_at(v.a);
    if (is_comparison(test.kind) && compared == t.code) {  // one step instead of two
      const array a = operand(test.a, compared), b = operand(test.b, compared);
      if (!arrays_[a].is_constant || !arrays_[b].is_constant)
        return {append_step(detail::comparing_choice_step(test.kind, compared), t,
                            {a, b, yes[0], no[0]}, 4)};
    }
    const array flag = operand(v.a, type_code::boolean);
    if (arrays_[flag].is_constant) return arrays_[flag].bits != 0 ? yes : no;
    value chosen;
    for (std::size_t f = 0; f < yes.size(); ++f) {
      const type_description& part = t.code == type_code::record ? describe(t.fields[f].code) : t;
      const auto choice = detail::choice_step(part.code);
      chosen.push_back(yes[f] == no[f] ? yes[f]
                                       : append_step(choice, part, {flag, yes[f], no[f], flag}, 3));
    }
    return chosen;
  }

  value call(const node& v, const type_description& t, type_code code) {
    const auto f = static_cast<function>(v.index);
    if (f == function::make) {
      value record;
      int given = v.a;
      for (const field_description& field : t.fields) {
        record.push_back(operand(given, field.code));
        given = tree_.at(given).next;
      }
      return record;
    }
    const array a = operand(v.a, code);
    const int second = tree_.at(v.a).next;
    if (second < 0) return {one(detail::step_of(f, code), t, a)};
    return {two(detail::step_of(f, code), t, a, operand(second, code))};
  }

  static constexpr int never = -1;

  // Keeps what the results need and assigns places.
  void place(const std::vector<array>& results) {
    const std::vector<int> last_use = last_uses(results);
    std::vector<std::uint16_t> place_of = place_operands(last_use);
    place_steps(last_use, place_of);
    place_results(results, place_of);
    const std::size_t scratch =
        std::max<std::size_t>(out_.places_ - block_evaluator::first_scratch, 1);
    out_.block_ = std::min(block_evaluator::largest_block,
                           (block_evaluator::scratch_bytes / 8 / scratch) & ~std::size_t{7});
  }

  // The last step that reads each array; after all steps if it is a result; `never` if no result
  // needs it.
  std::vector<int> last_uses(const std::vector<array>& results) const {
    std::vector<int> last_use(arrays_.size(), never);
    const int end = static_cast<int>(code_.size());
    for (const array r : results) last_use[r] = end;
    for (int n = end - 1; n >= 0; --n) {
      const instruction& s = code_[static_cast<std::size_t>(n)];
      if (last_use[s.z] == never) continue;
      const auto use = [&](array a) { last_use[a] = std::max(last_use[a], n); };
      use(s.a);
      if (!is_load(s))
        for (const array a : {s.b, s.c, s.d}) use(a);
    }
    return last_use;
  }

  std::uint16_t new_place() {
    if (out_.places_ - block_evaluator::first_scratch == block_evaluator::most_scratch)
      throw expression_error(op_.text, 0, "the expression needs too much room");
    return out_.places_++;
  }

  // Places of the operands, of copies of scalar operands, and of constants.
  std::vector<std::uint16_t> place_operands(const std::vector<int>& last_use) {
    const auto is_used = [&](array a) { return last_use[a] != never; };
    out_.uses_x_ = is_used(block_evaluator::at_x);
    out_.uses_y_ = is_used(block_evaluator::at_y);
    out_.uses_i_ = is_used(block_evaluator::at_i);
    out_.uses_k_ = is_used(block_evaluator::at_k);
    out_.uses_j_ = is_used(block_evaluator::at_j);

    std::vector<std::uint16_t> place_of(arrays_.size(), 0);
    for (int n = 0; n <= block_evaluator::at_j; ++n)
      place_of[static_cast<std::size_t>(n)] = static_cast<std::uint16_t>(n);
    if (out_.uses_x_ && op_.x->code != type_code::record) out_.x_copies_ = new_place();
    if (out_.uses_y_ && op_.y->code != type_code::record) out_.y_copies_ = new_place();
    for (std::size_t n = 0; n < arrays_.size(); ++n)
      if (arrays_[n].is_constant && last_use[n] != never) {
        place_of[n] = new_place();
        out_.constants_.push_back(
            {place_of[n], static_cast<std::uint16_t>(arrays_[n].bytes), arrays_[n].bits});
      }
    return place_of;
  }

  // The steps that are needed, over places, which are reused after the last use of an array.
  void place_steps(const std::vector<int>& last_use, std::vector<std::uint16_t>& place_of) {
    std::vector<std::uint16_t> free;
    for (int n = 0; n < static_cast<int>(code_.size()); ++n) {
      instruction s = code_[static_cast<std::size_t>(n)];
      if (last_use[s.z] == never) continue;
      const std::array<array, 4> from{s.a, s.b, s.c, s.d};
      const std::size_t used = is_load(s) ? 1 : 4;
      // The target before the operands are released: a step's arrays do not overlap.
      array target = 0;
      if (free.empty()) {
        target = new_place();
      } else {
        target = free.back();
        free.pop_back();
      }
      place_of[s.z] = target;
      s.z = target;
      s.a = place_of[from[0]];
      if (!is_load(s)) {
        s.b = place_of[from[1]];
        s.c = place_of[from[2]];
        s.d = place_of[from[3]];
      }
      out_.program_.push_back(s);
      for (std::size_t a = 0; a < used; ++a) {
        const bool again = std::find(from.begin(), from.begin() + static_cast<int>(a), from[a]) !=
                           from.begin() + static_cast<int>(a);
        if (!again && last_use[from[a]] == n && arrays_[from[a]].made_by >= 0)
          free.push_back(place_of[from[a]]);
      }
    }
  }

  void place_results(const std::vector<array>& results,
                     const std::vector<std::uint16_t>& place_of) {
    const bool is_operand = op_.z->code == type_code::record && results.size() == 1 &&
                            results[0] <= block_evaluator::at_y;
    if (op_.z->code != type_code::record || is_operand) {
      out_.result_ = place_of[results[0]];
      return;
    }
    std::size_t bytes = 0;
    for (std::size_t f = 0; f < results.size(); ++f) {
      const field_description& field = op_.z->fields[f];
      const std::size_t size = describe(field.code).size;
      out_.fields_.push_back({place_of[results[f]], static_cast<std::uint16_t>(field.offset),
                              detail::store_step(size)});
      bytes += size;
    }
    out_.has_padding_ = bytes != op_.z->size;
  }

  const operator_description& op_;
  const expression::tree& tree_;
  const expression::typing types_;
  block_evaluator& out_;
  std::vector<array_facts> arrays_;
  std::vector<instruction> code_;
};

block_evaluator::block_evaluator(const operator_description& op) {
  block_assembler(op, *this).run();
}

}  // namespace tropic
