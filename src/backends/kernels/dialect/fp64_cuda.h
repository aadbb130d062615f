// SPDX-License-Identifier: Apache-2.0
// Of programs that need fp64.
typedef double t_fp64;
#define t_fp64_of_bits(bits) __longlong_as_double((t_int64)(bits))
