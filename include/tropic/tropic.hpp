// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole public API: containers, operations, semirings. Files are in io.hpp and generators.hpp,
// algorithms in tropic/algorithms.

#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/concatenate.hpp>
#include <tropic/context.hpp>
#include <tropic/diagonal.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/ewise_union.hpp>
#include <tropic/extract.hpp>
#include <tropic/full_matrix.hpp>
#include <tropic/full_operations.hpp>
#include <tropic/iterate.hpp>
#include <tropic/kronecker.hpp>
#include <tropic/matrix.hpp>
#include <tropic/measures.hpp>
#include <tropic/mxm.hpp>
#include <tropic/options.hpp>
#include <tropic/permute.hpp>
#include <tropic/plan.hpp>
#include <tropic/position_operators.hpp>
#include <tropic/positions.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/resize.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/record.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/steps.hpp>
#include <tropic/vector.hpp>
