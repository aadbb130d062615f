// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/hash.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

std::uint64_t hash_of(const semiring_description& semiring) {
  std::uint64_t hash = detail::fnv_basis;
  const auto mix = [&hash](const void* bytes, std::size_t count) {
    constexpr unsigned char end_of_part = 0xff;
    hash = detail::fnv(detail::fnv(hash, bytes, count), &end_of_part, 1);
  };
  const auto mix_type = [&](const type_description& t) {
    mix(t.name.data(), t.name.size());
    for (const field_description& f : t.fields) {
      mix(f.name.data(), f.name.size());
      mix(&f.code, sizeof(f.code));
      mix(&f.offset, sizeof(f.offset));
    }
  };
  for (const operator_description* op : {&semiring.add.add, &semiring.multiply}) {
    mix(op->text.data(), op->text.size());
    mix_type(*op->x);
    mix_type(*op->y);
    mix_type(*op->z);
    for (const parameter_description& p : op->parameters) {
      mix(p.name.data(), p.name.size());
      mix(&p.code, sizeof(p.code));
    }
  }
  mix(semiring.add.identity.data(), semiring.z().size);
  mix(&semiring.add.terminal_value, sizeof(terminal));
  return hash;
}

}  // namespace tropic
