// SPDX-License-Identifier: Apache-2.0
//
// A program that called cub::DeviceSpmv (docs/migration.md): its matrix and its vectors are
// in its own arrays on the device, and stay there. Without a GPU the same arrays are on the host.
//
//   example_from_device_spmv [DEVICE]

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

namespace {

constexpr tropic::index_t rows = 4, columns = 4;

tropic::matrix<float> on_host(const tropic::context& where) {
  return tropic::matrix<float>::from_csr(
      where, rows, columns, tropic::adopt(std::vector<std::uint32_t>{0, 2, 3, 5, 7}),
      tropic::adopt(std::vector<std::uint32_t>{0, 2, 1, 0, 3, 2, 3}),
      tropic::adopt(std::vector<float>{2, 1, 3, 4, 5, 6, 7}));
}

// What the program has: on a device handles of memory, which here another context allocated.
struct arrays_on_device {
  tropic::device_array<std::uint32_t> offsets, column_indices;
  tropic::device_array<float> values, x;
};
arrays_on_device allocate_on(const tropic::context& where) {
  const auto lying = on_host(where).to_device_csr<std::uint32_t>();
  const auto x =
      tropic::vector<float>::from_array(where, tropic::adopt(std::vector<float>{1, 2, 3, 4}));
  return {lying.offsets, lying.indices, lying.values, x.to_device_array()};
}

void multiply_on_device(const tropic::context& gpu) {
  const auto [d_offsets, d_columns, d_values, d_x] = allocate_on(gpu);
  // [device_spmv]
  const auto a =
      tropic::matrix<float>::from_csr(gpu, rows, columns, d_offsets, d_columns, d_values);
  const auto x = tropic::vector<float>::from_array(gpu, d_x);
  tropic::vector<float> y(gpu, rows);
  tropic::mxv(y, tropic::plus_times<float>{}, a, x);  // or any other semiring
  const tropic::device_array<float> d_y = y.to_device_array();
  // [device_spmv]
  std::cout << "y lies on " << gpu.name() << ", " << d_y.size() << " values\n";
  for (const auto& [row, value] : y.entries()) std::cout << row << ' ' << value << '\n';
}

void multiply_on_host(const tropic::context& cpu) {
  const auto x =
      tropic::vector<float>::from_array(cpu, tropic::adopt(std::vector<float>{1, 2, 3, 4}));
  tropic::vector<float> y(cpu, rows);
  tropic::mxv(y, tropic::plus_times<float>{}, on_host(cpu), x);
  std::cout << "y lies on " << cpu.name() << ", " << y.size() << " values\n";
  for (const auto& [row, value] : y.entries()) std::cout << row << ' ' << value << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto where = tropic::context::named(argc > 1 ? argv[1] : "auto");
  if (where.name().starts_with("cuda") || where.name().starts_with("opencl"))
    multiply_on_device(where);
  else
    multiply_on_host(where);
}
