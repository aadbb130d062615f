// SPDX-License-Identifier: Apache-2.0
// The words of strips (src/containers/formats/cmrs.hpp): column << 4 | row within the strip.

#define T_MOST_STRIP_ROWS 16
#define T_PADDING_WORD 0xffffffffu  // is no entry

#define T_ROW_OF(word) ((word) & 15u)
#define T_COLUMN_OF(word) ((word) >> 4)
