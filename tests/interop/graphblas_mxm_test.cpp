// SPDX-License-Identifier: Apache-2.0

// tropic::graphblas::mxm compared with GrB_mxm: every mapped semiring, masks, accumulators,
// transposes, orientations, on the CPU and on devices. Values are small: where sums saturate the
// two differ by design.

#include <gtest/gtest.h>

#include "interop/graphblas_objects.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using peer::rules;

const context& context_of(int turn) {
  static const std::vector<context> all{context::cpu(), context::fake_device(),
                                        context::reference()};
  return all[static_cast<std::size_t>(turn) % all.size()];
}

struct trial {
  host_matrix a, b, c, mask;
  bool a_transposed, b_transposed;
};
trial make_trial(const type_description& in, const type_description& out, int transposes,
                 dice& random) {
  trial t;
  t.a_transposed = transposes & 1;
  t.b_transposed = transposes & 2;
  const index_t rows = 1 + random.roll(9), inner = 1 + random.roll(9), columns = 1 + random.roll(9);
  t.a = random_matrix(in, t.a_transposed ? inner : rows, t.a_transposed ? rows : inner, 0.35,
                      flavour::small, random);
  t.b = random_matrix(in, t.b_transposed ? columns : inner, t.b_transposed ? inner : columns, 0.35,
                      flavour::small, random);
  t.c = random_matrix(out, rows, columns, 0.3, flavour::small, random);
  t.mask = random_matrix(describe<std::int8_t>(), rows, columns, 0.6, flavour::small, random);
  return t;
}

enum class mask_kind { object, resident };
struct outcome {
  host_matrix theirs, ours;
};
outcome run(const trial& t, GrB_Semiring semiring, GrB_BinaryOp accumulator, const rules& r,
            const context& where, mask_kind kind = mask_kind::object, const held& layout = {}) {
  const peer::peer_matrix a = peer::to_peer(t.a), b = peer::to_peer(t.b);
  const peer::peer_matrix mask = peer::to_peer(t.mask);
  const graphblas::owned_matrix theirs = object_of(t.c, layout), ours = object_of(t.c, layout);
  const peer::peer_descriptor desc = peer::descriptor(r, t.a_transposed, t.b_transposed);
  TROPIC_GRB(GrB_mxm(theirs.get(), r.has_mask() ? mask.get() : nullptr, accumulator, semiring, a, b,
                     desc));
  const graphblas::resident first(a, where), second(b, where);
  if (r.has_mask() && kind == mask_kind::resident) {
    const graphblas::resident on_device(mask, where);
    graphblas::mxm(ours, on_device, accumulator, semiring, first, second, desc);
  } else {
    graphblas::mxm(ours, r.has_mask() ? mask.get() : nullptr, accumulator, semiring, first, second,
                   desc);
  }
  EXPECT_EQ(difference(t.a, entries_of(*t.a.type, a.get())), "");
  EXPECT_EQ(difference(t.b, entries_of(*t.b.type, b.get())), "");
  EXPECT_EQ(difference(t.mask, entries_of(*t.mask.type, mask.get())), "");
  int order = 0;
  TROPIC_GRB(GxB_Matrix_Option_get_INT32(ours.get(), GxB_FORMAT, &order));
  EXPECT_EQ(order, layout.by_column ? GxB_BY_COL : GxB_BY_ROW);
  return {entries_of(*t.c.type, theirs.get()), entries_of(*t.c.type, ours.get())};
}

// Whether the sums of `any` at (i, j) may be z: one of its products.
bool is_product(const trial& t, std::string_view ours, bool positional, index_t i, index_t j,
                const scalar_bytes& z) {
  for (const auto& [at_a, x] : t.a.entries)
    for (const auto& [at_b, y] : t.b.entries) {
      const auto [row, k] = t.a_transposed ? std::pair{at_a.second, at_a.first} : at_a;
      const auto [other_k, column] = t.b_transposed ? std::pair{at_b.second, at_b.first} : at_b;
      if (row != i || column != j || k != other_k) continue;
      if (positional ? z.as<std::int64_t>() == k
                     : same_value(*t.c.type, ours == "any_first" ? x : y, z))
        return true;
    }
  return false;
}

TEST(GraphBlasMxm, EqualsGrbMxmForEveryMappedSemiring) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  int turn = 0;
  for (const graphblas::mapped_semiring& semiring : graphblas::mapped_semirings()) {
    const bool any = semiring.ours.starts_with("any_") && semiring.ours != "any_pair";
    for (int mask = 0; mask < 5; ++mask)
      for (const bool accumulate : {false, true})
        for (const bool replace : {false, true}) {
          SCOPED_TRACE(std::string(semiring.their_name) + ", mask " + std::to_string(mask) +
                       ", accumulate " + std::to_string(accumulate) + ", replace " +
                       std::to_string(replace));
          const type_code in =
              semiring.positional ? all_types[random.roll(std::size(all_types))] : semiring.type;
          const trial t = make_trial(describe(in), describe(semiring.type), turn % 4, random);
          // Another accumulator would hide which operand `any` chose.
          const GrB_BinaryOp accumulator = !accumulate ? nullptr
                                           : semiring.type == type_code::boolean
                                               ? any ? GrB_FIRST_BOOL : GrB_LXOR
                                           : any ? peer::objects_of(semiring.type).first
                                                 : peer::objects_of(semiring.type).minus;
          const outcome found =
              run(t, semiring.theirs, accumulator, {mask, accumulate, replace}, context_of(turn),
                  turn % 5 == 0 ? mask_kind::resident : mask_kind::object,
                  {.by_column = turn % 3 == 0});
          ++turn;
          if (!any) {
            ASSERT_EQ(difference(found.theirs, found.ours), "");
            continue;
          }
          ASSERT_EQ(found.theirs.entries.size(), found.ours.entries.size());
          for (const auto& [at, value] : found.ours.entries) {
            ASSERT_TRUE(found.theirs.entries.contains(at));
            const auto former = t.c.entries.find(at);
            const bool kept =
                former != t.c.entries.end() && same_value(*t.c.type, former->second, value);
            ASSERT_TRUE(kept || is_product(t, semiring.ours, semiring.positional, at.first,
                                           at.second, value));
          }
        }
  }
}

TEST(GraphBlasMxm, ComplementOfNoMaskWritesNothing) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const bool replace : {false, true})
    for (const bool structural : {false, true}) {
      const trial t = make_trial(describe<float>(), describe<float>(), 0, random);
      const peer::peer_matrix a = peer::to_peer(t.a), b = peer::to_peer(t.b);
      const peer::peer_matrix theirs = peer::to_peer(t.c), ours = peer::to_peer(t.c);
      const peer::peer_descriptor desc =
          peer::descriptor({structural ? 4 : 3, false, replace}, false, false);
      TROPIC_GRB(GrB_mxm(theirs, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a, b, desc));
      graphblas::mxm(ours, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a.get(), b.get(), desc,
                     context::cpu());
      EXPECT_EQ(difference(entries_of(describe<float>(), theirs.get()),
                           entries_of(describe<float>(), ours.get())),
                "");
    }
}

// Triangles: C<L> = L L', where C, the mask and both operands may be one object.
TEST(GraphBlasMxm, OneObjectMayBeEverything) {
  dice random(7);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const host_matrix data =
        random_matrix(describe<std::int64_t>(), 9, 9, 0.4, flavour::small, random);
    const peer::peer_matrix theirs = peer::to_peer(data), ours = peer::to_peer(data);
    TROPIC_GRB(
        GrB_mxm(theirs, theirs, nullptr, GxB_PLUS_PAIR_INT64, theirs, theirs, GrB_DESC_RST1));
    graphblas::mxm(ours, ours.get(), nullptr, GxB_PLUS_PAIR_INT64, ours.get(), ours.get(),
                   GrB_DESC_RST1, context::fake_device());
    EXPECT_EQ(difference(entries_of(describe<std::int64_t>(), theirs.get()),
                         entries_of(describe<std::int64_t>(), ours.get())),
              "");
  }
}

// The pattern of a structural mask is all that matters, complex numbers included.
TEST(GraphBlasMxm, AStructuralMaskHoldsAnyType) {
  dice random(8);
  const trial t = make_trial(describe<double>(), describe<double>(), 0, random);
  const peer::peer_matrix a = peer::to_peer(t.a), b = peer::to_peer(t.b);
  GrB_Matrix object = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&object, GxB_FC64, static_cast<GrB_Index>(t.c.rows),
                            static_cast<GrB_Index>(t.c.columns)));
  const peer::peer_matrix mask(object);
  for (const auto& [at, value] : t.mask.entries)
    TROPIC_GRB(GxB_Matrix_setElement_FC64(mask, GxB_CMPLX(1, 2), static_cast<GrB_Index>(at.first),
                                          static_cast<GrB_Index>(at.second)));
  const peer::peer_matrix theirs = peer::to_peer(t.c), ours = peer::to_peer(t.c);
  TROPIC_GRB(GrB_mxm(theirs, mask, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a, b, GrB_DESC_RS));
  graphblas::mxm(ours, mask.get(), nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.get(), b.get(),
                 GrB_DESC_RS, context::cpu());
  EXPECT_EQ(difference(entries_of(describe<double>(), theirs.get()),
                       entries_of(describe<double>(), ours.get())),
            "");
  EXPECT_EQ(message_of([&] {
              graphblas::mxm(ours, mask.get(), nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a.get(),
                             b.get(), nullptr, context::cpu());
            }).substr(0, 25),
            "mxm: the mask holds GxB_F");
}

TEST(GraphBlasMxm, ResidentsAreNotMovedAgain) {
  dice random(9);
  const peer::peer_matrix a =
      peer::to_peer(random_matrix(describe<double>(), 100, 100, 0.5, flavour::small, random));
  const peer::peer_matrix c =
      peer::to_peer(random_matrix(describe<double>(), 100, 100, 0.01, flavour::small, random));
  const context device = context::fake_device();
  const graphblas::resident resident(a, device);
  const auto moved = device.traffic().to_device;
  graphblas::mxm(c, resident, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, resident, resident,
                 GrB_DESC_RST1);
  EXPECT_LT(device.traffic().to_device - moved, 3000u);
}

TEST(GraphBlasMxm, RunsOnEveryDeviceThatIsHere) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const device_info& device : devices()) {
    if (!device.available) continue;
    SCOPED_TRACE(device.name);
    const context where = context::named(device.name);
    for (const rules& r : {rules{0, false, false}, rules{3, true, false}, rules{2, true, true}}) {
      const trial t = make_trial(describe<float>(), describe<float>(), 2, random);
      const outcome found =
          run(t, GrB_MIN_PLUS_SEMIRING_FP32, r.accumulate ? GrB_MIN_FP32 : nullptr, r, where);
      ASSERT_EQ(difference(found.theirs, found.ours), "");
    }
  }
}

TEST(GraphBlasMxm, RefusesByName) {
  dice random(10);
  const host_matrix data = random_matrix(describe<float>(), 5, 6, 0.5, flavour::small, random);
  const host_matrix former = random_matrix(describe<float>(), 5, 5, 0.5, flavour::small, random);
  const peer::peer_matrix a = peer::to_peer(data), c = peer::to_peer(former);
  const graphblas::resident resident(a, context::cpu());
  const auto message = [&](GrB_Semiring semiring, GrB_BinaryOp accumulator = nullptr,
                           GrB_Descriptor desc = GrB_DESC_T1, GrB_Matrix mask = nullptr) {
    const std::string found = message_of(
        [&] { graphblas::mxm(c, mask, accumulator, semiring, resident, resident, desc); });
    EXPECT_EQ(difference(former, entries_of(describe<float>(), c.get())), "");
    return found;
  };
  EXPECT_EQ(message(nullptr), "mxm: the semiring is GrB_NULL");
  EXPECT_EQ(message(GxB_PLUS_DIV_FP32).substr(0, 46),
            "mxm: Tropic has no counterpart of the semiring");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, GxB_RMINUS_FP32).substr(0, 41),
            "mxm: Tropic has no accumulator over fp32 ");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP64),
            "mxm: C holds float, expected fp64; nothing is typecast");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, nullptr, nullptr),
            "mxm: A is 5x6, B is 5x6, needs 6 rows");
  EXPECT_EQ(message(GrB_PLUS_TIMES_SEMIRING_FP32, nullptr, GrB_DESC_T1, a),
            "mxm: C is 5x5, its mask 5x6");
  const graphblas::resident elsewhere(a, context::fake_device());
  EXPECT_NE(message_of([&] {
              graphblas::mxm(c, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, resident, elsewhere,
                             GrB_DESC_T1);
            }).find("containers of two contexts, "),
            std::string::npos);
  EXPECT_EQ(message_of([&] {
              graphblas::mxm(nullptr, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, resident,
                             resident);
            }),
            "mxm: C is GrB_NULL");
  EXPECT_EQ(message_of([&] {
              graphblas::mxm(c, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, a.get(), nullptr,
                             nullptr, context::cpu());
            }),
            "mxm: B is GrB_NULL");
  const graphblas::resident of_double(
      peer::to_peer(random_matrix(describe<double>(), 5, 6, 0.5, flavour::small, random)),
      context::cpu());
  EXPECT_EQ(message_of([&] {
              graphblas::mxm(c, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP32, resident, of_double,
                             GrB_DESC_T1);
            }),
            "mxm: B holds fp64, the semiring takes fp32; nothing is typecast");
}

}  // namespace
}  // namespace tropic::testing
