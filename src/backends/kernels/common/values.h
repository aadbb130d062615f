// SPDX-License-Identifier: Apache-2.0
// Values that conversions move as bytes, `bytes` each, none if bytes = 0.

typedef struct {
  T_GLOBAL const t_uint8* source;
  T_GLOBAL t_uint8* destination;
  t_uint32 bytes;
} t_values;

// Of kernels, in this order.
#define T_VALUES \
  T_GLOBAL const t_uint8 *T_RESTRICT from_values, T_GLOBAL t_uint8 *T_RESTRICT to_values, \
      t_uint32 value_bytes
#define T_UNPACK_VALUES {from_values, to_values, value_bytes}

T_FUNCTION void t_move_value(t_values values, t_uint64 source, t_uint64 place) {
  if (values.bytes == 4) {
    ((T_GLOBAL t_uint32*)values.destination)[place] =
        ((T_GLOBAL const t_uint32*)values.source)[source];
  } else if (values.bytes == 8) {
    ((T_GLOBAL t_uint64*)values.destination)[place] =
        ((T_GLOBAL const t_uint64*)values.source)[source];
  } else {
    for (t_uint32 n = 0; n < values.bytes; ++n)
      values.destination[place * values.bytes + n] = values.source[source * values.bytes + n];
  }
}

// One that is in the low bytes of a word.
T_FUNCTION void t_set_value(T_GLOBAL t_uint8* values, t_uint32 bytes, t_uint64 place,
                            t_uint64 value) {
  if (bytes == 4) {
    ((T_GLOBAL t_uint32*)values)[place] = (t_uint32)value;
  } else if (bytes == 8) {
    ((T_GLOBAL t_uint64*)values)[place] = value;
  } else {
    for (t_uint32 k = 0; k < bytes; ++k) values[place * bytes + k] = (t_uint8)(value >> 8 * k);
  }
}

T_FUNCTION void t_clear_value(t_values values, t_uint64 position) {
  for (t_uint32 n = 0; n < values.bytes; ++n) values.destination[position * values.bytes + n] = 0;
}
