// SPDX-License-Identifier: Apache-2.0

// Steps of iterate_back on the device (rounds_back.kernel). Positions are sorted by round once; the
// launches follow one another without a look at what they have done. Small rounds of graphs with
// short rows run many in one launch.

#include <algorithm>
#include <limits>
#include <string_view>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/rounds/round_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view name_of_steps = "iterate_back";
// Between two looks at the cancel token: some milliseconds.
constexpr std::size_t most_launches = 16, most_steps_of_a_launch = 1024;

// The arguments of every kernel, T_BACK.
class back_arguments {
 public:
  back_arguments(const device_context& device, const reverse_iteration& i, const vector_base& x,
                 const buffer_pointer& parts, const program_request& request)
      : m_(device, i.matrix),
        iso_(i.matrix.iso),
        columns_(device.read(i.matrix.column_indices)),
        a_(device.read(i.matrix.values)),
        numbers_(device.read(i.order.numbers)),
        positions_(device.read(i.order.positions)),
        w_(device.read(i.w.values)),
        x_(device.write(x.values, access::modify)),
        parts_(device.write(parts)),
        parameters_(parameter_words_of(request)) {}

  void append_to(arguments& list) const {
    list.insert(list.end(), {m_.offsets, m_.wide, columns_, a_, iso_, numbers_, positions_, w_, x_,
                             parts_, kernel_argument(parameters_)});
  }

 private:
  matrix_arguments m_;
  std::uint32_t iso_;
  const void *columns_, *a_, *numbers_, *positions_, *w_;
  void *x_, *parts_;
  std::vector<std::uint64_t> parameters_;
};

}  // namespace

void set_row_limits(program_request& request, const device_traits& device) {
  const row_round_limits limits(device);
  for (const auto& [name, value] :
       {std::pair<std::string_view, long>{"T_SHUFFLE", limits.lanes > 1},
        {"T_SUBGROUP", limits.subgroup},
        {"T_SUBGROUPS", limits.subgroups},
        {"T_LANES", limits.lanes},
        {"T_SHORT", row_round_limits::short_row},
        {"T_VERY_LONG", row_round_limits::very_long_row}})
    request.set_constant(name, value);
}
void set_row_round_limits(program_request& request, const device_traits& device) {
  set_row_limits(request, device);
  request.set_constant("T_TOGETHER", row_round_limits(device).groups);
}

std::optional<ordered_rounds> product_runner::order_rounds(const vector_base& rounds) {
  const auto n = static_cast<std::uint64_t>(rounds.size);
  if (n >= std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  vector_base numbers = rounds;
  vectors_.spread(numbers);
  // Both are on their way before either is waited for.
  const buffer_pointer minimum =
                           vectors_.sum_of(describe_monoid<minimum_monoid<index_t>>(), numbers),
                       maximum =
                           vectors_.sum_of(describe_monoid<maximum_monoid<index_t>>(), numbers);
  if (minimum == nullptr || maximum == nullptr) return std::nullopt;
  const index_t least = *static_cast<const index_t*>(minimum->host()),
                greatest = *static_cast<const index_t*>(maximum->host());
  const std::size_t all = rounds_between(least, greatest, rounds.size);
  const auto count = static_cast<std::uint32_t>(all);

  ordered_rounds order{.context = rounds.context, .size = rounds.size};
  order.numbers = device_.allocate(n * sizeof(std::uint32_t));
  order.device_starts = device_.allocate((all + 1) * sizeof(std::uint32_t));
  const compiled_program& program = *device_.runtime().program({.kernel = "order_rounds"});
  const std::uint32_t bitmap = is_bitmap(&numbers);
  const void *values = device_.read(numbers.values), *present = device_.read(numbers.present);
  void* to_numbers = device_.write(order.numbers);
  const kernel_argument number[] = {n, values, present, bitmap, least, count, to_numbers};
  device_.launch_over(n, name_of_steps, program, "t_number_rounds", number);
  const sorted_keys sorted =
      sort_keys(device_, name_of_steps, n, order.numbers, static_cast<index_t>(all) + 1);
  order.positions = sorted.order;
  const void* keys = device_.read(sorted.keys);
  void* to_starts = device_.write(order.device_starts);
  const kernel_argument find[] = {n, keys, count, to_starts};
  device_.launch_over(n, name_of_steps, program, "t_find_rounds", find);
  const auto* const found = static_cast<const std::uint32_t*>(order.device_starts->host());
  order.starts.assign(found, found + all + 1);
  return order;
}

std::size_t product_runner::iterate_back(vector_base& x, const reverse_iteration& i,
                                         std::size_t last) {
  if (i.order.numbers == nullptr || i.matrix.nnz == 0 ||
      i.matrix.longest_row > row_round_limits::longest_row)
    return 0;
  const back_request operators{.give = &i.give, .take = &i.take};
  program_request request{.kernel = "rounds_back", .semiring = &i.semiring, .back = &operators};
  set_row_round_limits(request, device_.traits());
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr || !can_write(x)) return 0;
  const row_round_limits limits(device_.traits());
  const buffer_pointer parts = device_.allocate(as_size(x.size) * i.give.z->size);
  const void* of_rounds = device_.read(i.order.device_starts);
  const back_arguments shared(device_, i, x, parts, request);
  const auto launch = [&](const char* kernel, arguments&& first, std::size_t groups) {
    arguments list = std::move(first);
    shared.append_to(list);
    device_.runtime().launch(name_of_steps, *program, kernel, list, groups, limits.group());
  };
  const std::uint64_t of_last = i.order.starts[last], given = i.order.size_of(last);
  launch("t_give_round", {of_last, given}, device_.groups_over(given, limits.group()));
  const bool together = i.matrix.longest_row <= row_round_limits::longest_together;
  const std::uint32_t any_long = i.matrix.longest_row > index_t{row_round_limits::short_row};
  std::size_t left = last;
  for (std::size_t n = 0; n < most_launches && left > 0; ++n) {
    std::size_t small = 0;
    while (together && small < std::min(left, most_steps_of_a_launch) &&
           i.order.size_of(left - small - 1) <= limits.most_rows())
      ++small;
    const auto round = static_cast<std::uint32_t>(left);
    if (small > 1) {
      const auto steps = static_cast<std::uint32_t>(small);
      launch("t_take_rounds", {round, steps, of_rounds, any_long}, limits.groups);
      left -= small;
    } else {
      const std::uint64_t first = i.order.starts[left - 1], count = i.order.size_of(left - 1);
      launch("t_take_round", {round, first, count, any_long}, limits.groups_over(count));
      --left;
    }
  }
  return last - left;
}

}  // namespace tropic::detail
