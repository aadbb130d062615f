// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/prelude.hpp"

#include <charconv>
#include <cstring>

#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/typing.hpp>

#include "backends/device/program/neutral.hpp"
#include "backends/kernels/texts.hpp"

namespace tropic::detail {

using expression::function;
using expression::node;
using expression::node_kind;

// Writes one operator's expression; follows the evaluator (evaluate.cpp) node by node.
class operator_writer {
 public:
  /// `first_word` < 0: parameters are written out as the values that they have now.
  operator_writer(prelude& out, const operator_description& op, int first_word)
      : out_(out),
        op_(op),
        tree_(*op.syntax),
        types_(expression::type_of(op)),
        first_word_(first_word) {}

  std::string result() { return converted(tree_.root, *op_.z); }

 private:
  std::string converted(int n, const type_description& to) {
    const type_description& from = types_.at(n);
    std::string value = emit(n);
    if (from.code == type_code::record) return value;
    return convert(to.code, from.code, value);
  }
  std::string operand(int n, type_code code) { return converted(n, describe(code)); }
  std::string convert(type_code to, type_code from, const std::string& value) {
    out_.built_in(to);
    return out_.helpers_.convert(to, from, value);
  }

  std::string two(rule r, const node& v, type_code code) {
    return out_.helpers_.use(r, code) + "(" + operand(v.a, code) + ", " + operand(v.b, code) + ")";
  }
  std::string one(rule r, int n, type_code code) {
    return out_.helpers_.use(r, code) + "(" + operand(n, code) + ")";
  }
  std::string infix(const node& v, type_code code, const char* sign, const std::string& type) {
    return "((" + type + ")(" + operand(v.a, code) + " " + sign + " " + operand(v.b, code) + "))";
  }
  std::string logic(const node& v, type_code code, const char* sign) {
    return "((t_bool)(" + operand(v.a, code) + " != 0 " + sign + " " + operand(v.b, code) +
           " != 0))";
  }

  std::string literal(const node& v, type_code code) {
    const std::string_view text = op_.text.substr(v.text_begin, v.text_size);
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    return with_builtin_type(code, [&]<class T>() {
      T value{};
      if (v.kind == node_kind::infinity)
        value = arithmetic::largest<T>();
      else if (v.kind == node_kind::lowest)
        value = arithmetic::smallest<T>();
      else if (v.kind == node_kind::one)
        value = T{1};
      else if (v.kind == node_kind::zero)
        value = T{};
      else if (hex || (v.kind == node_kind::integer && !is_floating(code))) {
        std::uint64_t whole = 0;
        const std::string_view digits = hex ? text.substr(2) : text;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), whole, hex ? 16 : 10)
                .ec != std::errc{})
          throw expression_error(op_.text, v.text_begin, "this integer does not fit 64 bits");
        if constexpr (std::is_same_v<T, float>)
          value = static_cast<float>(static_cast<double>(whole));
        else
          value = arithmetic::convert<T>(whole);
      } else {
        double real = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), real).ec != std::errc{})
          throw expression_error(op_.text, v.text_begin, "this number does not fit fp64");
        value = static_cast<T>(real);
      }
      return device_literal(code, &value);
    });
  }

  std::string parameter(const node& v, type_code code) {
    const auto index = static_cast<std::size_t>(v.index);
    if (first_word_ < 0)
      return device_literal(code, op_.object.bytes.data() + op_.parameters[index].offset);
    return out_.word(code, static_cast<std::size_t>(first_word_) + index);
  }

  std::string emit(int n) {
    const node& v = tree_.at(n);
    const type_description& t = types_.at(n);
    const type_code code = types_.operands_at(n);
    if (t.code != type_code::record) out_.built_in(t.code);
    out_.built_in(code);
    switch (v.kind) {
      case node_kind::x: return "x";
      case node_kind::y: return "y";
      case node_kind::i: return "i";
      case node_kind::k: return "k";
      case node_kind::j: return "j";
      case node_kind::parameter: return parameter(v, t.code);
      case node_kind::truth: return v.index ? "((t_bool)1)" : "((t_bool)0)";
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero: return literal(v, t.code);
      case node_kind::field: return field(v);
      case node_kind::logical_not: return "((t_bool)!" + operand(v.a, type_code::boolean) + ")";
      case node_kind::negate: return one(rule::negate, v.a, code);
      case node_kind::bit_not: return "((" + device_type(code) + ")~" + operand(v.a, code) + ")";
      case node_kind::shift_left: return shift(rule::shift_left, v, code);
      case node_kind::shift_right: return shift(rule::shift_right, v, code);
      case node_kind::add: return two(rule::add, v, code);
      case node_kind::subtract: return two(rule::subtract, v, code);
      case node_kind::multiply: return two(rule::multiply, v, code);
      case node_kind::divide: return two(rule::divide, v, code);
      case node_kind::modulo: return two(rule::modulo, v, code);
      case node_kind::bit_and: return infix(v, code, "&", device_type(code));
      case node_kind::bit_or: return infix(v, code, "|", device_type(code));
      case node_kind::bit_xor: return infix(v, code, "^", device_type(code));
      case node_kind::equal: return infix(v, code, "==", "t_bool");
      case node_kind::not_equal: return infix(v, code, "!=", "t_bool");
      case node_kind::less: return infix(v, code, "<", "t_bool");
      case node_kind::less_equal: return infix(v, code, "<=", "t_bool");
      case node_kind::greater: return infix(v, code, ">", "t_bool");
      case node_kind::greater_equal: return infix(v, code, ">=", "t_bool");
      case node_kind::logical_and: return logic(v, code, "&&");
      case node_kind::logical_or: return logic(v, code, "||");
      case node_kind::conditional:
        return "(" + operand(v.a, type_code::boolean) + " ? " + converted(v.b, t) + " : " +
               converted(v.c, t) + ")";
      case node_kind::call: return call(v, t, code);
    }
    return {};
  }

  std::string field(const node& v) {
    const auto fields = types_.at(v.a).fields;
    const std::string_view name = op_.text.substr(v.text_begin, v.text_size);
    std::size_t index = 0;
    while (fields[index].name != name) ++index;  // typing has found it
    return emit(v.a) + ".f" + std::to_string(index);
  }
  std::string shift(rule r, const node& v, type_code code) {
    return out_.helpers_.use(r, code) + "(" + operand(v.a, code) + ", " +
           operand(v.b, type_code::int64) + ")";
  }
  std::string call(const node& v, const type_description& t, type_code code) {
    const auto pair = [&](rule r) {
      return out_.helpers_.use(r, code) + "(" + operand(v.a, code) + ", " +
             operand(tree_.at(v.a).next, code) + ")";
    };
    switch (static_cast<function>(v.index)) {
      case function::minimum: return pair(rule::minimum);
      case function::maximum: return pair(rule::maximum);
      case function::power: return pair(rule::power);
      case function::tropical_plus: return pair(rule::tropical_plus);
      case function::tropical_plus_max: return pair(rule::tropical_plus_max);
      case function::absolute: return one(rule::absolute, v.a, code);
      case function::square_root: return one(rule::square_root, v.a, code);
      case function::exponential: return one(rule::exponential, v.a, code);
      case function::logarithm: return one(rule::logarithm, v.a, code);
      case function::floor: return one(rule::floor, v.a, code);
      case function::ceiling: return one(rule::ceiling, v.a, code);
      case function::is_nan: return one(rule::is_nan, v.a, code);
      case function::make: break;
    }
    std::string record = out_.type_name(t) + "_of(";
    int argument = v.a;
    for (const field_description& f : t.fields) {
      record += (argument == v.a ? "" : ", ") + operand(argument, f.code);
      argument = tree_.at(argument).next;
    }
    return record + ")";
  }

  prelude& out_;
  const operator_description& op_;
  const expression::tree& tree_;
  const expression::typing types_;
  int first_word_;
};

std::string prelude::built_in(type_code code) {
  if (code == type_code::fp64) needs_fp64_ = true;
  return device_type(code);
}

std::string prelude::word(type_code code, std::size_t n) {
  const std::string type = built_in(code), bits = "parameters.word[" + std::to_string(n) + "]";
  if (code == type_code::fp32) return "t_fp32_of_bits((t_uint32)" + bits + ")";
  if (code == type_code::fp64) return "t_fp64_of_bits(" + bits + ")";
  return "((" + type + ")" + bits + ")";
}

std::string prelude::type_name(const type_description& type) {
  if (type.code != type_code::record) return built_in(type.code);
  for (const field_description& f : type.fields) built_in(f.code);
  std::size_t index = 0;
  while (index < records_.size() && !(records_[index] == type)) ++index;
  if (index == records_.size()) records_.push_back(type);
  return "t_record" + std::to_string(index);
}

void prelude::define_type(const std::string& name, const type_description& type) {
  definitions_ += "typedef " + type_name(type) + " " + name + ";\n";
}

void prelude::define_macro(const std::string& name, const std::string& value) {
  definitions_ += "#define " + name + " " + value + "\n";
}

void prelude::define_operator(const std::string& name, const operator_description& op, bool both) {
  const expression::tree& tree = *op.syntax;
  const int first_word = static_cast<int>(parameter_words_.size());
  const std::string body = operator_writer(*this, op, both ? -1 : first_word).result();
  std::string list;
  const auto take = [&list](bool used, const std::string& argument) {
    if (used) list += (list.empty() ? "" : ", ") + argument;
  };
  if (both || tree.uses_x) take(true, type_name(*op.x) + " x");  // else its type is not needed
  if (both || tree.uses_y) take(true, type_name(*op.y) + " y");
  take(tree.uses_i, "t_int64 i");
  take(tree.uses_k, "t_int64 k");
  take(tree.uses_j, "t_int64 j");
  if (!both) {
    take(true, "t_parameters parameters");
    const std::vector<std::uint64_t> words = parameter_words_of(op);
    parameter_words_.insert(parameter_words_.end(), words.begin(), words.end());
  }
  definitions_ += "T_FUNCTION " + type_name(*op.z) + " " + name + "(" + list + ") {\n  return " +
                  body + ";\n}\n";
}

void prelude::define_value(const std::string& name, const type_description& type,
                           const void* value) {
  const auto* bytes = static_cast<const std::byte*>(value);
  const std::string type_text = type_name(type);
  std::string text = type_text + "_of(";
  for (const field_description& f : type.fields)
    text += (&f == type.fields.data() ? "" : ", ") + device_literal(f.code, bytes + f.offset);
  text += ")";
  if (type.code != type_code::record) text = device_literal(type.code, value);
  definitions_ += "T_FUNCTION " + type_text + " " + name + "(void) { return " + text + "; }\n";
}

void prelude::define_bound(const std::string& name, const type_description& type) {
  const std::string type_text = type_name(type);
  const auto next = [this](type_code code) {
    parameter_words_.push_back(0);
    return word(code, parameter_words_.size() - 1);
  };
  std::string value;
  if (type.code == type_code::record) {
    for (const field_description& f : type.fields)
      value += (value.empty() ? "" : ", ") + next(f.code);
    value = type_text + "_of(" + value + ")";
  } else {
    value = next(type.code);
  }
  definitions_ += "T_FUNCTION " + type_text + " " + name +
                  "(t_parameters parameters) {\n  return " + value + ";\n}\n";
}

void prelude::define_terminal(const monoid_description& add) {
  std::string test = "0";
  const type_description& z = *add.add.z;
  const terminal kind = add.terminal_value;
  if (kind == terminal::any_value) {
    test = "1";
  } else if (kind != terminal::none && z.code != type_code::record) {
    test = "value == " + with_builtin_type(z.code, [&]<class T>() {
             const T end = kind == terminal::largest    ? arithmetic::largest<T>()
                           : kind == terminal::smallest ? arithmetic::smallest<T>()
                                                        : static_cast<T>(kind == terminal::one);
             return device_literal(z.code, &end);
           });
  }
  define_macro("T_TERMINAL", test == "0" ? "0" : test == "1" ? "2" : "1");
  definitions_ +=
      "T_FUNCTION t_int32 t_is_terminal(" + type_name(z) + " value) {\n  return " + test + ";\n}\n";
}

void prelude::define_neutral(const monoid_description& add) {
  const auto neutral = neutral_of(add);
  define_macro("T_HAS_NEUTRAL", neutral ? "1" : "0");
  if (neutral) define_value("t_neutral", *add.add.z, neutral->data());
  define_macro("T_ATOMIC_SUM", std::to_string(static_cast<int>(atomic_sum_of(add))));
}

std::vector<std::uint32_t> prelude::layout() const {
  std::vector<std::uint32_t> found;
  for (const type_description& record : records_) {
    found.push_back(static_cast<std::uint32_t>(record.size));
    for (const field_description& f : record.fields)
      found.push_back(static_cast<std::uint32_t>(f.offset));
  }
  return found;
}

std::string prelude::text() const {
  std::string result;
  if (needs_fp64_ && dialect_ != dialect::c)
    result += kernel_text(dialect_ == dialect::opencl ? "fp64_opencl.h" : "fp64_cuda.h");
  const std::size_t words = parameter_words_.empty() ? 1 : parameter_words_.size();
  result += "typedef struct {\n  t_uint64 word[" + std::to_string(words) + "];\n} t_parameters;\n";

  const bool on_host = dialect_ == dialect::c;
  std::string checks;
  int at = 0;
  const auto end_of = [](const field_description& f) { return f.offset + describe(f.code).size; };
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const std::string name = "t_record" + std::to_string(r);
    std::string fields, arguments, copies;
    const auto put = [&](const std::string& value) {
      checks += "  found[" + std::to_string(at++) + "] = (t_uint32)(" + value + ");\n";
    };
    checks += "  " + name + " r" + std::to_string(r) + ";\n";
    put("sizeof(" + name + ")");
    // What lies between fields is a field too: records are moved as words, all of them written.
    const auto fill_up = [&](std::size_t from, std::size_t to) {
      while (from < to) {
        std::size_t bytes = 4;
        while (from % bytes != 0 || from + bytes > to) bytes /= 2;
        const std::string name_of_gap = "gap" + std::to_string(from);
        fields += "  t_uint" + std::to_string(8 * bytes) + " " + name_of_gap + ";\n";
        copies += "  record." + name_of_gap + " = 0;\n";
        from += bytes;
      }
    };
    std::size_t filled = 0;
    for (std::size_t f = 0; f < records_[r].fields.size(); ++f) {
      fill_up(filled, records_[r].fields[f].offset);
      filled = end_of(records_[r].fields[f]);
      const std::string type = device_type(records_[r].fields[f].code);
      const std::string field = "f" + std::to_string(f);
      fields += "  " + type + " " + field + ";\n";
      arguments += (f == 0 ? "" : ", ") + type + " " + field;
      copies += "  record." + field + " = " + field + ";\n";
      put("(char*)&r" + std::to_string(r) + "." + field + " - (char*)&r" + std::to_string(r));
    }
    fill_up(filled, records_[r].size);
    std::string asserted;
    if (on_host) {
      const auto require = [&](const std::string& what, std::size_t value) {
        asserted += "_Static_assert(" + what + " == " + std::to_string(value) + ", \"layout\");\n";
      };
      require("sizeof(" + name + ")", records_[r].size);
      for (std::size_t f = 0; f < records_[r].fields.size(); ++f)
        require("offsetof(" + name + ", f" + std::to_string(f) + ")", records_[r].fields[f].offset);
    }
    result += "typedef struct {\n" + fields + "} " + name + ";\n" + asserted + "T_FUNCTION " +
              name + " " + name + "_of(" + arguments + ") {\n  " + name + " record;\n" + copies +
              "  return record;\n}\n";
  }
  result += helpers_.text() + definitions_;
  if (!records_.empty() && !on_host)
    result += "T_KERNEL void t_layout(T_GLOBAL t_uint32* found) {\n" + checks + "}\n";
  return result;
}

std::vector<std::uint64_t> parameter_words_of(const operator_description& op) {
  std::vector<std::uint64_t> words;
  for (const parameter_description& p : op.parameters)
    words.push_back(words_of(describe(p.code), op.object.bytes.data() + p.offset).front());
  return words;
}

std::vector<std::uint64_t> words_of(const type_description& type, const void* value) {
  std::vector<std::uint64_t> words;
  const auto take = [&](type_code code, std::size_t offset) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(value) + offset, describe(code).size);
    words.push_back(word);
  };
  if (type.code == type_code::record)
    for (const field_description& f : type.fields) take(f.code, f.offset);
  else
    take(type.code, 0);
  return words;
}

}  // namespace tropic::detail
