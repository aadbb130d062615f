// SPDX-License-Identifier: Apache-2.0

// Operators as straight-line code: an assembler turns the typed syntax tree into steps over
// registers, one a node, each conversion a separate step; the evaluator runs them in order.

#include <tropic/semirings/evaluate.hpp>

#include <cstring>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic {

using expression::function;
using expression::node;
using expression::node_kind;

// Registers are 8 bytes apart; records take as many as they need.
struct evaluator::registers {
  alignas(16) std::byte bytes[8 * 1024];
  const void* x;
  const void* y;
  index_t i, k, j;
  const std::byte* parameters;

  template <class T>
  T get(std::uint16_t r) const {
    T value;
    std::memcpy(&value, bytes + 8 * std::size_t{r}, sizeof(T));
    return value;
  }
  template <class T>
  void set(std::uint16_t r, T value) {
    std::memcpy(bytes + 8 * std::size_t{r}, &value, sizeof(T));
  }
};

namespace {

using instruction = evaluator::instruction;
using registers = evaluator::registers;
using step = evaluator::step;

template <class F>
step for_integers(type_code code, F f) {
  return with_builtin_type(code, [&]<class T>() -> step {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return f.template operator()<T>();
    else
      return nullptr;
  });
}
template <class F>
step for_numbers(type_code code, F f) {
  return with_builtin_type(code, [&]<class T>() -> step {
    if constexpr (!std::is_same_v<T, bool>)
      return f.template operator()<T>();
    else
      return nullptr;
  });
}
template <class F>
step for_reals(type_code code, F f) {
  return code == type_code::fp32 ? f.template operator()<float>() : f.template operator()<double>();
}

#define TWO(rule)                                                         \
  for_numbers(code, []<class T>() -> step {                               \
    return [](const instruction& s, registers& r) {                       \
      r.set<T>(s.target, arithmetic::rule(r.get<T>(s.a), r.get<T>(s.b))); \
    };                                                                    \
  })
#define TWO_INTEGERS(expression)                      \
  for_integers(code, []<class T>() -> step {          \
    return [](const instruction& s, registers& r) {   \
      const T a = r.get<T>(s.a), b = r.get<T>(s.b);   \
      r.set<T>(s.target, static_cast<T>(expression)); \
    };                                                \
  })
#define SHIFT(rule)                                                             \
  for_integers(code, []<class T>() -> step {                                    \
    return [](const instruction& s, registers& r) {                             \
      r.set<T>(s.target, arithmetic::rule(r.get<T>(s.a), r.get<index_t>(s.b))); \
    };                                                                          \
  })
#define COMPARE(sign)                                          \
  for_numbers(code, []<class T>() -> step {                    \
    return [](const instruction& s, registers& r) {            \
      r.set<bool>(s.target, r.get<T>(s.a) sign r.get<T>(s.b)); \
    };                                                         \
  })
#define LOGIC(sign)                                                   \
  for_numbers(code, []<class T>() -> step {                           \
    return [](const instruction& s, registers& r) {                   \
      r.set<bool>(                                                    \
          s.target, r.get<T>(s.a) != T {} sign r.get<T>(s.b) != T{}); \
    };                                                                \
  })
#define ONE_REAL(rule)                                                                          \
  for_reals(code, []<class T>() -> step {                                                       \
    return [](const instruction& s, registers& r) { r.set<T>(s.target, rule(r.get<T>(s.a))); }; \
  })

step step_of(node_kind kind, type_code code) {
  switch (kind) {
    case node_kind::add: return TWO(add);
    case node_kind::subtract: return TWO(subtract);
    case node_kind::multiply: return TWO(multiply);
    case node_kind::divide: return TWO(divide);
    case node_kind::modulo: return TWO_INTEGERS(arithmetic::modulo(a, b));
    case node_kind::bit_and: return TWO_INTEGERS(a & b);
    case node_kind::bit_or: return TWO_INTEGERS(a | b);
    case node_kind::bit_xor: return TWO_INTEGERS(a ^ b);
    case node_kind::shift_left: return SHIFT(shift_left);
    case node_kind::shift_right: return SHIFT(shift_right);
    case node_kind::equal: return COMPARE(==);
    case node_kind::not_equal: return COMPARE(!=);
    case node_kind::less: return COMPARE(<);
    case node_kind::less_equal: return COMPARE(<=);
    case node_kind::greater: return COMPARE(>);
    case node_kind::greater_equal: return COMPARE(>=);
    case node_kind::logical_and: return LOGIC(&&);
    case node_kind::logical_or: return LOGIC(||);
    case node_kind::negate:
      return for_numbers(code, []<class T>() -> step {
        return [](const instruction& s, registers& r) {
          r.set<T>(s.target, arithmetic::negate(r.get<T>(s.a)));
        };
      });
    case node_kind::bit_not:
      return for_integers(code, []<class T>() -> step {
        return [](const instruction& s, registers& r) {
          r.set<T>(s.target, static_cast<T>(~r.get<T>(s.a)));
        };
      });
    default: return nullptr;
  }
}

step step_of(function f, type_code code) {
  switch (f) {
    case function::minimum: return TWO(minimum);
    case function::maximum: return TWO(maximum);
    case function::power: return TWO(power);
    case function::tropical_plus: return TWO(tropical_plus);
    case function::tropical_plus_max: return TWO(tropical_plus_max);
    case function::square_root: return ONE_REAL(std::sqrt);
    case function::exponential: return ONE_REAL(std::exp);
    case function::logarithm: return ONE_REAL(std::log);
    case function::floor: return ONE_REAL(std::floor);
    case function::ceiling: return ONE_REAL(std::ceil);
    case function::absolute:
      return for_numbers(code, []<class T>() -> step {
        return [](const instruction& s, registers& r) {
          r.set<T>(s.target, arithmetic::absolute(r.get<T>(s.a)));
        };
      });
    case function::is_nan:
      return with_builtin_type(code, []<class T>() -> step {
        return [](const instruction& s, registers& r) {
          r.set<bool>(s.target, r.get<T>(s.a) != r.get<T>(s.a));
        };
      });
    case function::make: break;
  }
  return nullptr;
}

void load_constant(const instruction& s, registers& r) {
  r.set<std::uint64_t>(s.target, s.literal);
}
void load_x(const instruction& s, registers& r) {
  std::memcpy(r.bytes + 8 * std::size_t{s.target}, r.x, s.bytes);
}
void load_y(const instruction& s, registers& r) {
  std::memcpy(r.bytes + 8 * std::size_t{s.target}, r.y, s.bytes);
}
void load_i(const instruction& s, registers& r) {
  r.set(s.target, r.i);
}
void load_k(const instruction& s, registers& r) {
  r.set(s.target, r.k);
}
void load_j(const instruction& s, registers& r) {
  r.set(s.target, r.j);
}
void load_parameter(const instruction& s, registers& r) {
  std::memcpy(r.bytes + 8 * std::size_t{s.target}, r.parameters + s.literal, 8);
}
void load_field(const instruction& s, registers& r) {  // from within a record's registers
  std::memcpy(r.bytes + 8 * std::size_t{s.target}, r.bytes + 8 * std::size_t{s.a} + s.literal,
              s.bytes);
}
void store_field(const instruction& s, registers& r) {
  std::memcpy(r.bytes + 8 * std::size_t{s.target} + s.literal, r.bytes + 8 * std::size_t{s.a},
              s.bytes);
}
void choose(const instruction& s, registers& r) {
  const std::uint16_t from = r.get<bool>(s.a) ? s.b : s.c;
  std::memmove(r.bytes + 8 * std::size_t{s.target}, r.bytes + 8 * std::size_t{from}, s.bytes);
}
void invert(const instruction& s, registers& r) {
  r.set(s.target, !r.get<bool>(s.a));
}

step conversion(type_code to, type_code from) {
  return with_builtin_type(to, [&]<class To>() -> step {
    return with_builtin_type(from, [&]<class From>() -> step {
      return [](const instruction& s, registers& r) {
        r.set<To>(s.target, arithmetic::convert<To>(r.get<From>(s.a)));
      };
    });
  });
}

}  // namespace

class assembler {
 public:
  assembler(const operator_description& op, evaluator& out)
      : op_(op), tree_(*op.syntax), types_(expression::type_of(op)), out_(out) {}

  void run() {
    out_.x_bytes_ = op_.x->size;
    out_.y_bytes_ = op_.y->size;
    for (const parameter_description& p : op_.parameters) {
      const std::size_t at = out_.parameters_.size();
      out_.parameters_.resize(at + 8);
      std::memcpy(out_.parameters_.data() + at, op_.object.bytes.data() + p.offset,
                  describe(p.code).size);
    }
    const std::uint16_t root = emit(tree_.root);
    out_.result_ = converted(root, types_.at(tree_.root), *op_.z);
    out_.result_bytes_ = op_.z->size;
  }

 private:
  std::uint16_t allocate(const type_description& t) {
    const std::size_t words = (t.size + 7) / 8;
    if (next_ + words > sizeof(registers::bytes) / 8)
      throw expression_error(op_.text, 0, "the expression needs too much room");
    const auto at = static_cast<std::uint16_t>(next_);
    next_ += words;
    return at;
  }
  std::uint16_t push(step run, const type_description& t, std::uint16_t a = 0, std::uint16_t b = 0,
                     std::uint16_t c = 0, std::uint64_t literal = 0) {
    const std::uint16_t target = allocate(t);
    out_.program_.push_back({run, target, a, b, c, static_cast<std::uint32_t>(t.size), literal});
    return target;
  }
  std::uint16_t converted(std::uint16_t r, const type_description& from,
                          const type_description& to) {
    if (from.code == to.code) return r;  // records of one type, or the same built-in
    return push(conversion(to.code, from.code), to, r);
  }
  std::uint16_t operand(int n, type_code code) {
    return converted(emit(n), types_.at(n), describe(code));
  }

  std::uint16_t constant(const node& v, const type_description& t) {
    return push(load_constant, t, 0, 0, 0, expression::literal_bits(op_, v, t));
  }

  std::uint16_t emit(int n) {
    const node& v = tree_.at(n);
    const type_description& t = types_.at(n);
    const type_code code = types_.operands_at(n);
    switch (v.kind) {
      case node_kind::x: return push(load_x, t);
      case node_kind::y: return push(load_y, t);
      case node_kind::i: return push(load_i, t);
      case node_kind::k: return push(load_k, t);
      case node_kind::j: return push(load_j, t);
      case node_kind::parameter:
        return push(load_parameter, t, 0, 0, 0, 8 * static_cast<std::uint64_t>(v.index));
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::truth:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero: return constant(v, t);
      case node_kind::field: {
        const std::uint16_t record = emit(v.a);
        for (const field_description& f : types_.at(v.a).fields)
          if (f.name == op_.text.substr(v.text_begin, v.text_size))
            return push(load_field, t, record, 0, 0, f.offset);
        return 0;  // typing has found the field
      }
      case node_kind::logical_not: return push(invert, t, operand(v.a, type_code::boolean));
      case node_kind::negate:
      case node_kind::bit_not: return push(step_of(v.kind, code), t, operand(v.a, code));
      case node_kind::shift_left:
      case node_kind::shift_right: {
        const std::uint16_t a = operand(v.a, code);
        return push(step_of(v.kind, code), t, a, operand(v.b, type_code::int64));
      }
      case node_kind::conditional: {
        const std::uint16_t test = operand(v.a, type_code::boolean);
        const std::uint16_t yes = converted(emit(v.b), types_.at(v.b), t);
        return push(choose, t, test, yes, converted(emit(v.c), types_.at(v.c), t));
      }
      case node_kind::call: return call(v, t, code);
      default: {
        const std::uint16_t a = operand(v.a, code);
        return push(step_of(v.kind, code), t, a, operand(v.b, code));
      }
    }
  }

  std::uint16_t call(const node& v, const type_description& t, type_code code) {
    const auto f = static_cast<function>(v.index);
    if (f == function::make) {
      const std::uint16_t record = allocate(t);
      int argument = v.a;
      for (const field_description& field : t.fields) {
        const std::uint16_t value = operand(argument, field.code);
        out_.program_.push_back({store_field, record, value, 0, 0,
                                 static_cast<std::uint32_t>(describe(field.code).size),
                                 field.offset});
        argument = tree_.at(argument).next;
      }
      return record;
    }
    const std::uint16_t a = operand(v.a, code);
    const int second = tree_.at(v.a).next;
    return push(step_of(f, code), t, a, second >= 0 ? operand(second, code) : a);
  }

  const operator_description& op_;
  const expression::tree& tree_;
  const expression::typing types_;
  evaluator& out_;
  std::size_t next_ = 0;
};

evaluator::evaluator(const operator_description& op) {
  assembler(op, *this).run();
}

void evaluator::operator()(void* z, const void* x, const void* y, index_t i, index_t k,
                           index_t j) const {
  registers r;
  r.x = x;
  r.y = y;
  r.i = i;
  r.k = k;
  r.j = j;
  r.parameters = parameters_.data();
  for (const instruction& s : program_) s.run(s, r);
  std::memcpy(z, r.bytes + 8 * std::size_t{result_}, result_bytes_);
}

}  // namespace tropic
