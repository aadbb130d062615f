// SPDX-License-Identifier: Apache-2.0
// The words of C11 that operators are written in, for a compiler of the host. Results must be those
// of the evaluator: the compiler is given -ffp-contract=off and no option that relaxes arithmetic.

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "floating-point arithmetic of this compiler is not that of the types"
#endif

#define T_FUNCTION static inline

typedef unsigned char t_bool;  // 0 or 1
typedef signed char t_int8;
typedef short t_int16;
typedef int t_int32;
typedef long long t_int64;
typedef unsigned char t_uint8;
typedef unsigned short t_uint16;
typedef unsigned int t_uint32;
typedef unsigned long long t_uint64;
typedef float t_fp32;
typedef double t_fp64;

_Static_assert(sizeof(t_int16) == 2 && sizeof(t_int32) == 4 && sizeof(t_int64) == 8 &&
                   sizeof(t_fp32) == 4 && sizeof(t_fp64) == 8,
               "the types of this compiler have other sizes");

T_FUNCTION t_fp32 t_fp32_of_bits(t_uint32 bits) {
  t_fp32 value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
T_FUNCTION t_fp64 t_fp64_of_bits(t_uint64 bits) {
  t_fp64 value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
T_FUNCTION t_uint32 t_negative(t_uint32 a) { return 0u - a; }

#define t_word_fabs_fp32 fabsf
#define t_word_sqrt_fp32 sqrtf
#define t_word_exp_fp32 expf
#define t_word_log_fp32 logf
#define t_word_floor_fp32 floorf
#define t_word_ceil_fp32 ceilf
#define t_word_pow_fp32 powf
#define t_word_fabs_fp64 fabs
#define t_word_sqrt_fp64 sqrt
#define t_word_exp_fp64 exp
#define t_word_log_fp64 log
#define t_word_floor_fp64 floor
#define t_word_ceil_fp64 ceil
#define t_word_pow_fp64 pow
