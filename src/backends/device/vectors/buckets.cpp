// SPDX-License-Identifier: Apache-2.0

// A frontier at the end of a bucket, in one launch (buckets.kernel); the host reads two counts.

#include <limits>
#include <type_traits>

#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {
namespace {

enum : std::size_t { inside, waiting_ones, counter_count };  // of the kernel

}  // namespace

bool vector_operations::divide_frontier(vector_base& frontier, vector_base& waiting,
                                        const vector_base& w, const scalar_bytes& end) {
  const auto n = static_cast<std::uint64_t>(frontier.size);
  if (n == 0 || n > std::numeric_limits<std::uint32_t>::max()) return false;
  return with_builtin_type(w.type->code, [&]<class T>() {
    if constexpr (std::is_same_v<T, bool>) {
      return false;
    } else {
      const monoid_description minimum = describe_monoid<minimum_monoid<T>>();
      const compiled_program* program =
          device_.runtime().program({.kernel = "buckets", .monoid = &minimum});
      if (program == nullptr) return false;
      vector_base of_now = frontier, values = w;
      spread(of_now);
      spread(values);
      vector_base later = of_now;
      later.storage = vector_storage::bitmap;
      later.values = device_.allocate(n * sizeof(T));
      later.present = device_.allocate(n);
      const buffer_pointer flags = device_.allocate(n),
                           counters = device_.allocate(counter_count * sizeof(std::uint32_t));
      counters->host_write();  // reserves the memory to read them into
      const void *from = device_.read(of_now.values), *present = device_.read(of_now.present),
                 *of_w = device_.read(values.values), *w_present = device_.read(values.present);
      const std::uint32_t bitmap = of_now.storage == vector_storage::bitmap,
                          w_bitmap = values.storage == vector_storage::bitmap;
      const T bound = end.as<T>();
      void *to_flags = device_.write(flags), *to_values = device_.write(later.values),
           *to_present = device_.write(later.present), *to_counters = device_.write(counters);
      device_.runtime().fill(to_counters, 0, counters->bytes());
      const kernel_argument list[] = {n,        from,      present,    bitmap,
                                      of_w,     w_present, w_bitmap,   bound,
                                      to_flags, to_values, to_present, to_counters};
      device_.launch_over(n, "iterate_until", *program, "t_divide_frontier", list);
      const auto* found = static_cast<const std::uint32_t*>(counters->host());
      of_now.storage = vector_storage::bitmap;
      of_now.present = flags;
      of_now.nvals = entry_count(static_cast<index_t>(found[inside]));
      later.nvals = entry_count(static_cast<index_t>(found[waiting_ones]));
      frontier = std::move(of_now);
      waiting = std::move(later);
      return true;
    }
  });
}

}  // namespace tropic::detail
