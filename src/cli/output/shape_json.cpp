// SPDX-License-Identifier: Apache-2.0
#include "cli/output/shape_json.hpp"

namespace tropic::cli {

nlohmann::ordered_json to_json(const detail::work_mapping& mapping) {
  return {{"unit", name_of(mapping.unit)},
          {"subgroup", mapping.subgroup_size},
          {"lanes", mapping.lanes},
          {"strip_rows", mapping.strip_rows},
          {"slots", mapping.slots}};
}

}  // namespace tropic::cli
