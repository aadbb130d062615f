// SPDX-License-Identifier: Apache-2.0
#include "cli/output/shape_json.hpp"

namespace tropic::cli {

nlohmann::ordered_json to_json(const detail::kernel_shape& shape) {
  return {{"unit", name_of(shape.unit)},
          {"subgroup", shape.subgroup_size},
          {"lanes", shape.lanes},
          {"strip_rows", shape.strip_rows},
          {"slots", shape.slots}};
}

}  // namespace tropic::cli
