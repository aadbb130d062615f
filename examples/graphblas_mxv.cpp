// SPDX-License-Identifier: Apache-2.0
//
// A GraphBLAS program that moves one kernel to a device: shortest paths from vertex 0 by rounds of
// w = min(w, A' w), by GrB_mxv and by tropic::graphblas::mxv, whose matrix stays on the device.
// Everything else stays as it was: the vectors are GrB_Vectors, before and after each product.
//
//   example_graphblas_mxv [DEVICE [VERTICES]]    times include every transfer

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <tropic/interop/graphblas.hpp>
#include <tropic/tropic.hpp>

namespace {

void ok(GrB_Info info, const char* what) {
  if (info == GrB_SUCCESS) return;
  std::cerr << "graphblas_mxv: " << what << " gives " << info << '\n';
  std::exit(1);
}

// A ring with seven shortcuts a vertex, of pseudo-random lengths.
GrB_Matrix make_graph(GrB_Index vertices) {
  std::vector<GrB_Index> from, to;
  std::vector<float> length;
  std::uint64_t state = 1;
  for (GrB_Index v = 0; v < vertices; ++v)
    for (int edge = 0; edge < 8; ++edge) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      from.push_back(v);
      to.push_back(edge == 0 ? (v + 1) % vertices : (state >> 33) % vertices);
      length.push_back(static_cast<float>(1 + (state >> 20) % 100));
    }
  GrB_Matrix a = nullptr;
  ok(GrB_Matrix_new(&a, GrB_FP32, vertices, vertices), "GrB_Matrix_new");
  ok(GrB_Matrix_build_FP32(a, from.data(), to.data(), length.data(), length.size(), GrB_MIN_FP32),
     "GrB_Matrix_build");
  return a;
}

GrB_Vector start(GrB_Index vertices) {
  GrB_Vector distances = nullptr;
  ok(GrB_Vector_new(&distances, GrB_FP32, vertices), "GrB_Vector_new");
  ok(GrB_Vector_setElement_FP32(distances, 0, 0), "GrB_Vector_setElement");
  return distances;
}

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool equal(GrB_Vector a, GrB_Vector b, GrB_Index size) {
  for (GrB_Index i = 0; i < size; ++i) {
    float x = -1, y = -1;
    const GrB_Info at_a = GrB_Vector_extractElement_FP32(&x, a, i);
    const GrB_Info at_b = GrB_Vector_extractElement_FP32(&y, b, i);
    if (at_a != at_b || x != y) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string device = argc > 1 ? argv[1] : "auto";
  const GrB_Index vertices = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20000;
  constexpr int rounds = 30;
  ok(GrB_init(GrB_NONBLOCKING), "GrB_init");
  GrB_Matrix a = make_graph(vertices);
  GrB_Vector theirs = start(vertices), ours = start(vertices);

  const double by_graphblas = seconds([&] {
    for (int n = 0; n < rounds; ++n)
      ok(GrB_mxv(theirs, nullptr, GrB_MIN_FP32, GrB_MIN_PLUS_SEMIRING_FP32, a, theirs, GrB_DESC_T0),
         "GrB_mxv");
    ok(GrB_Vector_wait(theirs, GrB_MATERIALIZE), "GrB_Vector_wait");
  });

  bool agrees = false;
  {
    const tropic::context where = tropic::context::named(device);
    const double by_tropic = seconds([&] {
      // [mxv]
      const tropic::graphblas::resident resident(a, where);
      for (int n = 0; n < rounds; ++n)
        tropic::graphblas::mxv(ours, nullptr, GrB_MIN_FP32, GrB_MIN_PLUS_SEMIRING_FP32, resident,
                               ours, GrB_DESC_T0);
      // [mxv]
    });
    agrees = equal(theirs, ours, vertices);
    std::cout << rounds << " rounds over " << vertices << " vertices\n"
              << "GrB_mxv                " << by_graphblas * 1e3 << " ms\n"
              << "tropic::graphblas::mxv " << by_tropic * 1e3 << " ms on " << where.name()
              << ", transfers included\n"
              << (agrees ? "the distances agree\n" : "the distances differ\n");
  }

  GrB_Vector_free(&theirs);
  GrB_Vector_free(&ours);
  GrB_Matrix_free(&a);
  GrB_finalize();
  return agrees ? 0 : 1;
}
