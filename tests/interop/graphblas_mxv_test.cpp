// SPDX-License-Identifier: Apache-2.0

// tropic::graphblas::mxv compared with GrB_mxv: every mapped semiring, masks, accumulators,
// descriptors, on the CPU and on a device. Values are small: where sums saturate the two differ by
// design.

#include <gtest/gtest.h>

#include "interop/graphblas_objects.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace graphblas_mxv_test {
namespace {

using peer::rules;

std::vector<context> contexts() {
  return {context::cpu(), context::fake_device(), context::reference()};
}

type_code operand_type(const graphblas::mapped_semiring& semiring, dice& random) {
  return semiring.positional ? all_types[random.roll(std::size(all_types))] : semiring.type;
}

struct accumulator_pair {
  const char* name;
  GrB_BinaryOp (*of)(type_code);
};
#define TROPIC_OPERATOR_OF(NAME)                                                             \
  {                                                                                          \
    #NAME, [](type_code code) -> GrB_BinaryOp {                                              \
      static constexpr type_code codes[] = {                                                 \
          type_code::boolean, type_code::int8,  type_code::int16,  type_code::int32,         \
          type_code::int64,   type_code::uint8, type_code::uint16, type_code::uint32,        \
          type_code::uint64,  type_code::fp32,  type_code::fp64};                            \
      const GrB_BinaryOp all[] = {NAME##_BOOL,   NAME##_INT8,  NAME##_INT16,  NAME##_INT32,  \
                                  NAME##_INT64,  NAME##_UINT8, NAME##_UINT16, NAME##_UINT32, \
                                  NAME##_UINT64, NAME##_FP32,  NAME##_FP64};                 \
      for (std::size_t n = 0; n < std::size(codes); ++n)                                     \
        if (codes[n] == code) return all[n];                                                 \
      return nullptr;                                                                        \
    }                                                                                        \
  }
const std::vector<accumulator_pair>& accumulators() {
  static const std::vector<accumulator_pair> all{
      TROPIC_OPERATOR_OF(GrB_PLUS),  TROPIC_OPERATOR_OF(GrB_MINUS),  TROPIC_OPERATOR_OF(GrB_TIMES),
      TROPIC_OPERATOR_OF(GrB_DIV),   TROPIC_OPERATOR_OF(GrB_MIN),    TROPIC_OPERATOR_OF(GrB_MAX),
      TROPIC_OPERATOR_OF(GrB_FIRST), TROPIC_OPERATOR_OF(GrB_SECOND), TROPIC_OPERATOR_OF(GrB_ONEB),
      TROPIC_OPERATOR_OF(GxB_PAIR),  TROPIC_OPERATOR_OF(GxB_LOR),    TROPIC_OPERATOR_OF(GxB_LAND),
      TROPIC_OPERATOR_OF(GxB_LXOR),  TROPIC_OPERATOR_OF(GxB_ISEQ),   TROPIC_OPERATOR_OF(GxB_ISNE)};
  return all;
}

struct trial {
  host_matrix a;
  host_vector u, w, mask;
  bool transposed;
};
trial make_trial(const type_description& in, const type_description& out, dice& random) {
  trial t;
  t.transposed = random.chance(0.5);
  const index_t rows = 1 + random.roll(12), columns = 1 + random.roll(12);
  t.a = random_matrix(in, rows, columns, 0.3, flavour::small, random);
  t.u = random_vector(in, t.transposed ? rows : columns, random.chance(0.3) ? 1 : 0.5,
                      flavour::small, random);
  const index_t outputs = t.transposed ? columns : rows;
  t.w = random_vector(out, outputs, 0.4, flavour::small, random);
  t.mask = random_vector(describe<std::int8_t>(), outputs, 0.6, flavour::small, random);
  return t;
}

// The sign of a minimum or maximum of zeros depends on the order of the operands, in GrB_mxv too.
// Comparisons do not see it, but a division by it does: operands are made non-zero.
void exclude_zeros(trial& t) {
  const auto exclude = [](const type_description& type, auto& entries) {
    with_builtin_type(type.code, [&]<class T>() {
      for (auto& [at, value] : entries)
        if (value.template as<T>() == T{}) value = scalar_bytes::of(T{1});
    });
  };
  exclude(*t.a.type, t.a.entries);
  exclude(*t.u.type, t.u.entries);
}

struct outcome {
  host_vector theirs, ours;
};
outcome run(const trial& t, GrB_Semiring semiring, GrB_BinaryOp accumulator, const rules& r,
            const context& where) {
  const peer::peer_matrix a = peer::to_peer(t.a);
  const peer::peer_vector u = peer::to_peer(t.u), mask = peer::to_peer(t.mask);
  const peer::peer_vector theirs = peer::to_peer(t.w), ours = peer::to_peer(t.w);
  const GrB_Vector m = r.has_mask() ? mask.get() : nullptr;
  const peer::peer_descriptor desc = peer::descriptor(r, t.transposed);
  TROPIC_GRB(GrB_mxv(theirs, m, accumulator, semiring, a, u, desc));
  const graphblas::resident resident(a, where);
  graphblas::mxv(ours, m, accumulator, semiring, resident, u, desc);
  EXPECT_EQ(difference(t.a, entries_of(*t.a.type, a.get())), "");
  EXPECT_EQ(difference(t.u, entries_of(*t.u.type, u.get())), "");
  return {entries_of(*t.w.type, theirs.get()), entries_of(*t.w.type, ours.get())};
}

// The possible values of any sum: one of its products.
bool is_allowed(const trial& t, bool first, bool positional, index_t row, const scalar_bytes& z) {
  for (const auto& [at, value] : t.a.entries) {
    const index_t i = t.transposed ? at.second : at.first;
    const index_t k = t.transposed ? at.first : at.second;
    const auto operand = t.u.entries.find(k);
    if (i != row || operand == t.u.entries.end()) continue;
    if (positional ? z.as<std::int64_t>() == k
                   : same_value(*t.w.type, first ? value : operand->second, z))
      return true;
  }
  return false;
}

TEST(GraphBlasMxv, EqualsGrbMxvForEveryMappedSemiring) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const std::vector<context> where = contexts();
  int turn = 0;
  for (const graphblas::mapped_semiring& semiring : graphblas::mapped_semirings()) {
    const std::string ours(semiring.ours);
    const bool any = ours.starts_with("any_") && ours != "any_pair";
    for (int mask = 0; mask < 5; ++mask)
      for (const bool accumulate : {false, true})
        for (const bool replace : {false, true}) {
          const type_code in = operand_type(semiring, random);
          const type_code out = semiring.type;
          const rules r{mask, accumulate, replace};
          trial t = make_trial(describe(in), describe(out), random);
          // An accumulator would hide which operand `any` chose.
          const GrB_BinaryOp accumulator =
              !accumulate ? nullptr
              : any
                  ? peer::type_of(out) == GrB_BOOL ? GrB_FIRST_BOOL : peer::objects_of(out).first
                  : accumulators()[static_cast<std::size_t>(turn) % accumulators().size()].of(out);
          if (accumulator == GrB_DIV_FP32 || accumulator == GrB_DIV_FP64) exclude_zeros(t);
          const outcome found =
              run(t, semiring.theirs, accumulator, r, where[static_cast<std::size_t>(turn++) % 3]);
          SCOPED_TRACE(std::string(semiring.their_name) + ", mask " + std::to_string(mask) +
                       ", accumulate " + std::to_string(accumulate) + ", replace " +
                       std::to_string(replace));
          if (!any) {
            ASSERT_EQ(difference(found.theirs, found.ours), "");
            continue;
          }
          ASSERT_EQ(found.theirs.entries.size(), found.ours.entries.size());
          for (const auto& [row, value] : found.ours.entries) {
            ASSERT_TRUE(found.theirs.entries.contains(row));
            const auto former = t.w.entries.find(row);
            const bool kept =
                former != t.w.entries.end() && same_value(*t.w.type, former->second, value);
            ASSERT_TRUE(kept ||
                        is_allowed(t,
                                   ours.find("first") != std::string::npos && !semiring.positional,
                                   semiring.positional, row, value));
          }
        }
  }
}

TEST(GraphBlasMxv, EqualsGrbMxvForEveryAccumulator) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const context where = context::cpu();
  for (const type_code code : all_types)
    for (const accumulator_pair& accumulator : accumulators())
      for (int mask = 0; mask < 5; ++mask) {
        trial t = make_trial(describe(code), describe(code), random);
        if (accumulator.of(code) == GrB_DIV_FP32 || accumulator.of(code) == GrB_DIV_FP64)
          exclude_zeros(t);
        GrB_Semiring semiring = nullptr;
        for (const graphblas::mapped_semiring& known : graphblas::mapped_semirings())
          if (known.type == code &&
              known.ours == (code == type_code::boolean ? "or_and" : "plus_times"))
            semiring = known.theirs;
        const outcome found =
            run(t, semiring, accumulator.of(code), {mask, true, mask % 2 == 0}, where);
        ASSERT_EQ(difference(found.theirs, found.ours), "")
            << accumulator.name << " over " << describe(code).name << ", mask " << mask;
      }
}

TEST(GraphBlasMxv, ComplementOfNoMaskWritesNothing) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const bool replace : {false, true})
    for (const bool structural : {false, true}) {
      const trial t = make_trial(describe<float>(), describe<float>(), random);
      const peer::peer_matrix a = peer::to_peer(t.a);
      const peer::peer_vector u = peer::to_peer(t.u);
      const peer::peer_vector theirs = peer::to_peer(t.w), ours = peer::to_peer(t.w);
      const peer::peer_descriptor desc =
          peer::descriptor({structural ? 4 : 3, false, replace}, t.transposed);
      TROPIC_GRB(GrB_mxv(theirs, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a, u, desc));
      graphblas::mxv(ours, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a.get(), u, desc,
                     context::cpu());
      EXPECT_EQ(difference(entries_of(describe<float>(), theirs.get()),
                           entries_of(describe<float>(), ours.get())),
                "");
    }
}

TEST(GraphBlasMxv, OutputMayBeMaskAndOperand) {
  dice random(7);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const host_matrix matrix =
        random_matrix(describe<std::int64_t>(), 9, 9, 0.3, flavour::small, random);
    const host_vector vector =
        random_vector(describe<std::int64_t>(), 9, 0.5, flavour::small, random);
    const peer::peer_matrix a = peer::to_peer(matrix);
    const peer::peer_vector theirs = peer::to_peer(vector), ours = peer::to_peer(vector);
    TROPIC_GRB(GrB_mxv(theirs, theirs, GrB_PLUS_INT64, GrB_MIN_PLUS_SEMIRING_INT64, a, theirs,
                       GrB_DESC_SC));
    graphblas::mxv(ours, ours, GrB_PLUS_INT64, GrB_MIN_PLUS_SEMIRING_INT64, a.get(), ours,
                   GrB_DESC_SC, context::cpu());
    EXPECT_EQ(difference(entries_of(describe<std::int64_t>(), theirs.get()),
                         entries_of(describe<std::int64_t>(), ours.get())),
              "");
  }
}

// The multiply reads no value of A, or of u: any type is accepted, even complex ones.
TEST(GraphBlasMxv, OperandsThatAreNotLookedAtHoldAnyType) {
  dice random(8);
  const host_matrix matrix = random_matrix(describe<double>(), 12, 12, 0.3, flavour::small, random);
  const peer::peer_matrix a = peer::to_peer(matrix);
  const host_vector vector = random_vector(describe<float>(), 12, 0.5, flavour::small, random);
  const peer::peer_vector u = peer::to_peer(vector);
  const graphblas::resident resident(a, context::fake_device());
  const auto compare = [&](GrB_Semiring semiring, type_code out) {
    GrB_Vector theirs = nullptr, ours = nullptr;
    TROPIC_GRB(GrB_Vector_new(&theirs, peer::type_of(out), 12));
    TROPIC_GRB(GrB_Vector_new(&ours, peer::type_of(out), 12));
    const peer::peer_vector keep_theirs(theirs), keep_ours(ours);
    TROPIC_GRB(GrB_mxv(theirs, nullptr, nullptr, semiring, a, u, nullptr));
    for (int repeat = 0; repeat < 2; ++repeat)
      graphblas::mxv(ours, nullptr, nullptr, semiring, resident, u);
    EXPECT_EQ(difference(entries_of(describe(out), theirs), entries_of(describe(out), ours)), "");
  };
  compare(GxB_ANY_PAIR_BOOL, type_code::boolean);
  compare(GxB_PLUS_PAIR_INT64, type_code::int64);
  compare(GrB_MIN_SECOND_SEMIRING_FP32, type_code::fp32);
  compare(GxB_MIN_FIRSTJ_INT64, type_code::int64);
  compare(GxB_MIN_SECONDI_INT64, type_code::int64);
}

TEST(GraphBlasMxv, ResidentStaysAsItWasUntilRefreshed) {
  GrB_Matrix object = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&object, GrB_FP64, 2, 2));
  const peer::peer_matrix a(object);
  TROPIC_GRB(GrB_Matrix_setElement_FP64(a, 2, 0, 1));
  GrB_Vector vector = nullptr;
  TROPIC_GRB(GrB_Vector_new(&vector, GrB_FP64, 2));
  const peer::peer_vector u(vector);
  TROPIC_GRB(GrB_Vector_setElement_FP64(u, 10, 1));
  TROPIC_GRB(GrB_Vector_new(&vector, GrB_FP64, 2));
  const peer::peer_vector w(vector);
  const context device = context::fake_device();
  graphblas::resident resident(a, device);
  EXPECT_EQ(resident.nvals(), 1);
  const auto result = [&] {
    graphblas::mxv(w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, resident, u);
    double found = -1;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&found, w, 0);
    return info == GrB_SUCCESS ? found : -1;
  };
  EXPECT_EQ(result(), 20);
  TROPIC_GRB(GrB_Matrix_setElement_FP64(a, 3, 0, 1));
  EXPECT_EQ(result(), 20);
  resident.refresh();
  EXPECT_EQ(result(), 30);
  TROPIC_GRB(GrB_Matrix_resize(a, 3, 3));
  resident.refresh();
  EXPECT_EQ(resident.rows(), 3);
  EXPECT_THROW(result(), usage_error);  // u has two entries
}

// A large matrix is copied once; later products copy only vectors.
TEST(GraphBlasMxv, ResidentIsNotMovedAgain) {
  dice random(9);
  const host_matrix matrix =
      random_matrix(describe<double>(), 100, 100, 0.5, flavour::small, random);
  const peer::peer_matrix a = peer::to_peer(matrix);
  const peer::peer_vector u =
      peer::to_peer(random_vector(describe<double>(), 100, 1, flavour::small, random));
  const peer::peer_vector w =
      peer::to_peer(random_vector(describe<double>(), 100, 1, flavour::small, random));
  const context device = context::fake_device();
  const graphblas::resident resident(a, device);
  const auto moved = device.traffic().to_device;
  const addresses of_a = look_at(a.get()), of_u = look_at(u.get());
  graphblas::mxv(w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, resident, u);
  EXPECT_LT(device.traffic().to_device - moved, 3000u);
  // Inputs are not unpacked either.
  EXPECT_EQ(look_at(a.get()).values, of_a.values);
  EXPECT_EQ(look_at(u.get()).values, of_u.values);
}

TEST(GraphBlasMxv, RunsOnEveryDeviceThatIsHere) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const device_info& device : devices()) {
    if (!device.available) continue;
    SCOPED_TRACE(device.name);
    const context where = context::named(device.name);
    const trial t = make_trial(describe<float>(), describe<float>(), random);
    for (const rules& r : {rules{0, false, false}, rules{3, true, false}, rules{2, true, true}}) {
      const outcome found =
          run(t, GrB_MIN_PLUS_SEMIRING_FP32, r.accumulate ? GrB_MIN_FP32 : nullptr, r, where);
      ASSERT_EQ(difference(found.theirs, found.ours), "");
    }
  }
}

TEST(GraphBlasMxv, RefusesByName) {
  dice random(10);
  const trial t = [&] {
    trial result;
    result.a = random_matrix(describe<float>(), 5, 6, 0.5, flavour::small, random);
    result.u = random_vector(describe<float>(), 6, 0.5, flavour::small, random);
    result.w = random_vector(describe<float>(), 5, 0.5, flavour::small, random);
    return result;
  }();
  const peer::peer_matrix a = peer::to_peer(t.a);
  const peer::peer_vector u = peer::to_peer(t.u), w = peer::to_peer(t.w);
  const graphblas::resident resident(a, context::cpu());
  const auto message = [&](GrB_Semiring semiring, GrB_BinaryOp accumulator = nullptr,
                           GrB_Vector mask = nullptr) {
    const std::string found =
        message_of([&] { graphblas::mxv(w, mask, accumulator, semiring, resident, u); });
    EXPECT_EQ(difference(t.w, entries_of(describe<float>(), w.get())), "");
    return found;
  };
  const peer::peer_semiring user_semiring = peer::semiring_of(GrB_MAX_MONOID_FP32, GrB_DIV_FP32);
#if GxB_IMPLEMENTATION_MAJOR >= 10
  EXPECT_EQ(message(user_semiring),
            "mxv: Tropic has no counterpart of the semiring GxB_MAX_DIV_FP32");
  EXPECT_EQ(message(GxB_PLUS_DIV_FP32),
            "mxv: Tropic has no counterpart of the semiring GxB_PLUS_DIV_FP32");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, GxB_RMINUS_FP32),
            "mxv: Tropic has no accumulator over fp32 like GxB_RMINUS_FP32");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, GrB_PLUS_INT8),
            "mxv: Tropic has no accumulator over fp32 like GrB_PLUS_INT8");
#else
  EXPECT_EQ(message(user_semiring),
            "mxv: Tropic has no counterpart of the semiring max_div over float");
  EXPECT_EQ(message(GxB_PLUS_DIV_FP32),
            "mxv: Tropic has no counterpart of the semiring plus_div over float");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, GxB_RMINUS_FP32),
            "mxv: Tropic has no accumulator over fp32 like rminus over float");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, GrB_PLUS_INT8),
            "mxv: Tropic has no accumulator over fp32 like plus over int8_t");
#endif
  EXPECT_EQ(message(nullptr), "mxv: the semiring is GrB_NULL");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP64),
            "mxv: w holds float, expected fp64; nothing is typecast");
  const peer::peer_vector short_mask =
      peer::to_peer(random_vector(describe<bool>(), 4, 1, flavour::small, random));
  EXPECT_NE(message(GrB_PLUS_TIMES_SEMIRING_FP32, nullptr, short_mask), no_error);
  EXPECT_EQ(message_of([&] {
              graphblas::mxv(u, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, resident, u);
            }).substr(0, 5),
            "mxv: ");
  EXPECT_EQ(message_of([&] {
              graphblas::mxv(w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, GrB_Matrix{}, u,
                             nullptr, context::cpu());
            }),
            "mxv: A is GrB_NULL");
}

}  // namespace
}  // namespace graphblas_mxv_test
}  // namespace tropic::testing
