// SPDX-License-Identifier: Apache-2.0
// Of programs that need fp64.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double t_fp64;
#define t_fp64_of_bits(bits) as_double((t_uint64)(bits))
