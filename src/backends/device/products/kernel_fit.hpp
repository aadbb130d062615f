// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which matrices a kernel is planned for, and which it can hold: functions of the rows in
// kernel_table.cpp, whose types kernel_info::why_not and device_kernel::replacement state.

#include <string>

#include "backends/device/products/kernel_table.hpp"

namespace tropic::detail {

std::string why_no_dense_blocks(const matrix_base&, const inspected_pattern&, const work_mapping&);
std::string why_not_in_strips(const matrix_base&, const inspected_pattern&, const work_mapping&);
std::string why_no_hubs(const matrix_base&, const inspected_pattern&, const work_mapping&);
/// The time of a product by csr_hubs, relative to csr_segmented.
double factor_of_hubs(const inspected_pattern&, const work_mapping&);

std::string why_no_bits(const matrix_base&, const inspected_pattern&, const work_mapping&);
std::string why_not_planned(const matrix_base&, const inspected_pattern&, const work_mapping&);

const device_kernel* without_row_numbers(format_cache&, product_call&, std::string& why);
const device_kernel* without_blocks(format_cache&, product_call&, std::string& why);
const device_kernel* without_strips(format_cache&, product_call&, std::string& why);
const device_kernel* without_padding(format_cache&, product_call&, std::string& why);
const device_kernel* without_hubs(format_cache&, product_call&, std::string& why);
const device_kernel* without_bits(format_cache&, product_call&, std::string& why);

}  // namespace tropic::detail
