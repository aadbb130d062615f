// SPDX-License-Identifier: Apache-2.0

// The end of a round of iterate_until in one launch (take_sums.kernel); the host reads four counts.

#include <algorithm>

#include "backends/device/products/product_runner.hpp"
#include "backends/device/rounds/round_arguments.hpp"

namespace tropic::detail {

bool product_runner::take_sums(vector_base& w, vector_base& sums, const iteration& i,
                               index_t number) {
  enum : std::size_t { kept, added, added_beyond, added_rounds, counter_count };  // of the kernel
  const auto n = static_cast<std::uint64_t>(w.size);
  const std::size_t group = device_.group_size(128);
  if (n == 0 || n > std::numeric_limits<std::uint32_t>::max() || group < counter_count)
    return false;
  const round_request conditions = conditions_of(i);
  const program_request request{.kernel = "take_sums",
                                .semiring = &i.semiring,
                                .vector_first = true,
                                .round = &conditions,
                                .constants = {{"T_GROUP_SIZE", static_cast<long>(group)}}};
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return false;
  for (vector_base* changed : {&w, i.beyond, i.round})
    if (changed != nullptr && !can_write(*changed)) return false;
  vectors_.spread(sums);

  // Flags that are not shared become those of the next frontier.
  const bool keeps_flags = is_bitmap(&sums) && on_cpu::memory_side::is_exclusive(sums.present);
  const buffer_pointer next = keeps_flags ? sums.present : device_.allocate(n),
                       counters = device_.allocate(counter_count * sizeof(std::uint32_t));
  counters->host_write();  // reserves the memory to read them into, before w changes
  const void *values = device_.read(sums.values),
             *present = device_.read(is_bitmap(&sums) && !keeps_flags ? sums.present : nullptr);
  const std::uint32_t flags =
      flags_of_round(w, i) | (is_bitmap(&sums) ? round_flags::sums_bitmap : 0);
  const std::uint32_t in_place = keeps_flags;
  void *to_next = device_.write(next, keeps_flags ? access::modify : access::overwrite),
       *to_counters = device_.write(counters);
  // Not uploaded: a copy would wait for the product.
  device_.runtime().fill(to_counters, 0, counters->bytes());
  const changed_arguments to_w(device_, &w), beyond(device_, i.beyond), round(device_, i.round);
  const std::int64_t round_number = number;
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const kernel_argument list[] = {n,
                                  values,
                                  present,
                                  flags,
                                  to_w.values,
                                  to_w.present,
                                  beyond.values,
                                  beyond.present,
                                  round.values,
                                  round.present,
                                  round_number,
                                  to_next,
                                  in_place,
                                  to_counters,
                                  kernel_argument(parameters)};
  device_.runtime().launch("iterate_until", *program, "t_take_sums", list,
                           device_.groups_over((n + 15) / 16, group, 16), group);  // T_FLAGS each

  const auto* found = static_cast<const std::uint32_t*>(counters->host());
  const auto grow = [](vector_base* v, std::uint32_t by) {
    if (is_bitmap(v)) v->nvals = entry_count(index_t{v->nvals} + by);
  };
  grow(&w, found[added]);
  grow(i.beyond, found[added_beyond]);
  grow(i.round, found[added_rounds]);
  sums.storage = vector_storage::bitmap;
  sums.present = next;
  sums.nvals = entry_count(static_cast<index_t>(found[kept]));
  return true;
}

}  // namespace tropic::detail
