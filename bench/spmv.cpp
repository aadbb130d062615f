// SPDX-License-Identifier: Apache-2.0

// Products y = A x over plus_times on one device, kernel by kernel, beside cuSPARSE's on the same
// arrays in the same process, and as a share of the device's copy bandwidth.
//
//   tropic_bench_spmv MATRIX... [--device cuda:0] [--type fp32|fp64] [--semiring NAME]
//                     [--kernel SPEC]... [--rounds N] [--calls N]
//
// MATRIX is a file or a generator (kron:18). Each figure is the median over rounds of batches of
// calls; the contestants take turns in every round. cuSPARSE is opened at run time; without it, or
// on another device than CUDA, its rows are left out, and so they are for other semirings.

#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <tropic/detail/containers.hpp>
#include <tropic/detail/operations.hpp>
#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/tropic.hpp>

#include "backends/kernels/device_backend.hpp"

namespace {

using namespace tropic;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// cuSPARSE's generic API, as cusparse.h declares it.
class cusparse {
 public:
  static std::unique_ptr<cusparse> open() {
    for (const char* name :
         {"libcusparse.so.12", "libcusparse.so.13", "/usr/local/cuda/lib64/libcusparse.so.12",
          "/usr/local/cuda/lib64/libcusparse.so"})
      if (void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) {
        auto made = std::unique_ptr<cusparse>(new cusparse);
        bool all = true;
        const auto find = [&](auto& function, const char* symbol) {
          function =
              reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
          all = all && function != nullptr;
        };
        find(made->create, "cusparseCreate");
        find(made->create_csr, "cusparseCreateCsr");
        find(made->create_vector, "cusparseCreateDnVec");
        find(made->buffer_size, "cusparseSpMV_bufferSize");
        find(made->preprocess, "cusparseSpMV_preprocess");
        find(made->multiply, "cusparseSpMV");
        void* driver = dlopen("libcuda.so.1", RTLD_NOW);
        made->wait =
            driver ? reinterpret_cast<int (*)()>(dlsym(driver, "cuCtxSynchronize")) : nullptr;
        if (all && made->wait && made->create(&made->handle) == 0) return made;
      }
    return nullptr;
  }

  int (*create)(void**) = nullptr;
  int (*create_csr)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, int, int,
                    int, int) = nullptr;
  int (*create_vector)(void**, std::int64_t, void*, int) = nullptr;
  int (*buffer_size)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                     std::size_t*) = nullptr;
  int (*preprocess)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                    void*) = nullptr;
  int (*multiply)(void*, int, const void*, void*, void*, const void*, void*, int, int,
                  void*) = nullptr;
  int (*wait)() = nullptr;
  void* handle = nullptr;
};

struct contestant {
  std::string name;
  std::function<void(int)> run;  // that many calls, waited for
  std::vector<double> seconds{};
  bool agrees = true;
};

struct settings {
  std::string device = "cuda:0", type = "fp32", semiring = "plus_times";
  std::vector<std::string> matrices, kernels;
  int rounds = 11, calls = 20;
};

io::coordinates read_matrix_named(const std::string& name) {
  return is_generator_spec(name) ? generate(name) : io::read(name);
}

template <class T>
void race(const settings& s, const std::string& name, const context& where,
          detail::device_runtime& runtime, double bandwidth, cusparse* peer) {
  const io::coordinates c = read_matrix_named(name);
  std::mt19937_64 random(1);
  std::vector<T> values(c.row.size());
  for (T& v : values) v = static_cast<T>(0.5 + static_cast<double>(random() >> 11) * 0x1p-53);
  auto made = detail::build_matrix(where.state(), describe<T>(), c.rows, c.columns, c.row, c.column,
                                   values.data(), false, duplicates::first);
  const detail::matrix_base& a = made;
  const auto n = static_cast<std::size_t>(a.columns), m = static_cast<std::size_t>(a.rows);
  std::vector<T> x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<T>(1 + static_cast<double>(k % 7) / 8);
  const T zero{};
  auto u = detail::filled_vector(where.state(), describe<T>(), a.columns, &zero);
  std::copy(x.begin(), x.end(), static_cast<T*>(u.values->host_write()));
  const auto semiring = builtin_semiring(s.semiring, describe<T>().code);
  if (!semiring) throw usage_error("no semiring " + s.semiring + " over " + s.type);

  detail::vector_base w;
  const auto by_kernel = [&](const std::string& kernel) {
    return [&, kernel](int calls) {
      plan forced;
      forced.kernel = kernel;
      detail::output_options<detail::vector_base> how;
      how.forced = &forced;
      for (int call = 0; call < calls; ++call) {
        w = detail::empty_vector(where.state(), semiring->z(), a.rows);
        detail::multiply("mxv", w, *semiring, a, false, u, false, how);
      }
      where.synchronize();
    };
  };
  std::vector<contestant> all;
  std::vector<std::string> kernels = s.kernels;
  if (kernels.empty())
    for (const auto kernel : where.state()->executor->kernels()) kernels.emplace_back(kernel);
  for (const std::string& kernel : kernels) all.push_back({kernel, by_kernel(kernel)});

  void *grid = nullptr, *vector_x = nullptr, *vector_y = nullptr, *work = nullptr;
  void* y = nullptr;
  std::size_t work_bytes = 0;
  const T one{1};
  if (peer && s.semiring == "plus_times") {
    constexpr int int32 = 2, int64 = 3, zero_based = 0;
    const int value = sizeof(T) == 4 ? 0 : 1;
    const auto pointer = [](const void* p) { return const_cast<void*>(p); };
    y = runtime.allocate(m * sizeof(T));
    bool fine = peer->create_csr(&grid, a.rows, a.columns, a.nnz, pointer(a.offsets->device()),
                                 pointer(a.column_indices->device()), pointer(a.values->device()),
                                 a.wide ? int64 : int32, int32, zero_based, value) == 0;
    fine =
        fine && peer->create_vector(&vector_x, a.columns, pointer(u.values->device()), value) == 0;
    fine = fine && peer->create_vector(&vector_y, a.rows, y, value) == 0;
    for (const int algorithm : {2, 3}) {
      std::size_t bytes = 0;
      if (fine && peer->buffer_size(peer->handle, 0, &one, grid, vector_x, &zero, vector_y, value,
                                    algorithm, &bytes) == 0) {
        work_bytes = bytes + 16;
        work = runtime.allocate(work_bytes);
        runtime.finish();
        if (peer->preprocess(peer->handle, 0, &one, grid, vector_x, &zero, vector_y, value,
                             algorithm, work) == 0)
          all.push_back({"cusparse ALG" + std::to_string(algorithm - 1),
                         [&, work, algorithm, value](int calls) {
                           for (int call = 0; call < calls; ++call)
                             peer->multiply(peer->handle, 0, &one, grid, vector_x, &zero, vector_y,
                                            value, algorithm, work);
                           peer->wait();
                         }});
      }
    }
  }

  // What is right: a loop over the rows in long double.
  std::vector<double> expected(m), slack(m);
  const bool plus_times = s.semiring == "plus_times";
  const auto* column = static_cast<const std::uint32_t*>(a.column_indices->host());
  const auto* value = static_cast<const T*>(a.values->host());
  for (std::size_t r = 0; plus_times && r < m; ++r) {
    long double sum = 0, size = 0;
    const auto end = static_cast<std::size_t>(detail::offset_at(a, static_cast<index_t>(r) + 1));
    for (auto e = static_cast<std::size_t>(detail::offset_at(a, static_cast<index_t>(r))); e < end;
         ++e) {
      const long double term = static_cast<long double>(value[e]) * x[column[e]];
      sum += term;
      size += std::abs(term);
    }
    expected[r] = static_cast<double>(sum);
    slack[r] = static_cast<double>(size) * (sizeof(T) == 4 ? 1e-5 : 1e-13);
  }
  const auto right = [&](const T* got) {
    for (std::size_t r = 0; plus_times && r < m; ++r)
      if (!(std::abs(static_cast<double>(got[r]) - expected[r]) <= slack[r])) return false;
    return true;
  };
  for (contestant& one_of : all) {
    one_of.run(1);
    if (one_of.name.starts_with("cusparse")) {
      std::vector<T> got(m);
      runtime.to_host(got.data(), y, m * sizeof(T));
      one_of.agrees = right(got.data());
    } else if (plus_times) {
      auto dense = w;
      const auto* present =
          dense.present ? static_cast<const std::uint8_t*>(dense.present->host()) : nullptr;
      std::vector<T> got(m);
      const auto* from = static_cast<const T*>(dense.values->host());
      for (std::size_t r = 0; r < m; ++r) got[r] = present && !present[r] ? T{} : from[r];
      one_of.agrees = right(got.data());
    }
    one_of.run(2);
  }
  for (int round = 0; round < s.rounds; ++round)
    for (contestant& one_of : all) {
      const double start = now();
      one_of.run(s.calls);
      one_of.seconds.push_back((now() - start) / s.calls);
    }
  double best_peer = 0;
  for (const contestant& one_of : all)
    if (one_of.name.starts_with("cusparse")) {
      const double time = median(one_of.seconds);
      best_peer = best_peer == 0 ? time : std::min(best_peer, time);
    }
  const double nnz = static_cast<double>(a.nnz);
  const double moved = nnz * (4 + sizeof(T)) + static_cast<double>(m + 1) * 4 +
                       2.0 * static_cast<double>(n) * sizeof(T);
  fmt::print("{} {}x{} nnz {} longest {} empty {} {} {}\n", name, a.rows, a.columns, a.nnz,
             a.longest_row, a.empty_rows, s.semiring, s.type);
  for (const contestant& one_of : all) {
    const double time = median(one_of.seconds);
    fmt::print("  {:<46} {:>10.1f} us {:>7.0f} GB/s {:>5.2f} of copy", one_of.name, time * 1e6,
               moved / time / 1e9, moved / time / bandwidth);
    if (best_peer > 0) fmt::print(" {:>6.2f} x cusparse", best_peer / time);
    fmt::print("{}\n", one_of.agrees ? "" : "  WRONG");
  }
  if (y) runtime.deallocate(y, m * sizeof(T));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  settings s;
  CLI::App app("Products on one device, kernel by kernel, beside cuSPARSE's");
  app.add_option("MATRIX", s.matrices, "files or generators")->required();
  app.add_option("--device", s.device);
  app.add_option("--type", s.type)->check(CLI::IsMember({"fp32", "fp64"}));
  app.add_option("--semiring", s.semiring);
  app.add_option("--kernel", s.kernels, "kernels with their constants, in place of all");
  app.add_option("--rounds", s.rounds);
  app.add_option("--calls", s.calls);
  CLI11_PARSE(app, argc, argv);
  try {
    const context where = context::named(s.device);
    auto* backend = dynamic_cast<detail::device_backend*>(where.state()->executor.get());
    if (backend == nullptr) throw usage_error(s.device + " is no device with kernels");
    detail::device_runtime& runtime = backend->runtime();
    const double bandwidth = backend->copy_bandwidth();
    fmt::print("{} ({}): copy {:.0f} GB/s\n", s.device, runtime.traits().name, bandwidth / 1e9);
    const auto peer = s.device.starts_with("cuda") ? cusparse::open() : nullptr;
    if (s.device.starts_with("cuda") && !peer) fmt::print("cuSPARSE cannot be opened\n");
    for (const std::string& name : s.matrices) {
      if (s.type == "fp32")
        race<float>(s, name, where, runtime, bandwidth, peer.get());
      else
        race<double>(s, name, where, runtime, bandwidth, peer.get());
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "tropic_bench_spmv: {}\n", e.what());
    return 2;
  }
}
