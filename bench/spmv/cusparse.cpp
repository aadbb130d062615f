// SPDX-License-Identifier: Apache-2.0
#include "cusparse.hpp"

#include <dlfcn.h>

#include <string>
#include <tropic/error.hpp>
#include <type_traits>

namespace bench {

std::unique_ptr<cusparse> cusparse::open() {
  for (const char* name :
       {"libcusparse.so.12", "libcusparse.so.13", "/usr/local/cuda/lib64/libcusparse.so.12",
        "/usr/local/cuda/lib64/libcusparse.so"}) {
    void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) continue;
    auto opened = std::unique_ptr<cusparse>(new cusparse);
    bool all = true;
    const auto find = [&](auto& function, void* from, const char* symbol) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(from, symbol));
      all = all && function != nullptr;
    };
    find(opened->create_, library, "cusparseCreate");
    find(opened->create_csr_, library, "cusparseCreateCsr");
    find(opened->destroy_matrix_, library, "cusparseDestroySpMat");
    find(opened->create_vector_, library, "cusparseCreateDnVec");
    find(opened->destroy_vector_, library, "cusparseDestroyDnVec");
    find(opened->buffer_size_, library, "cusparseSpMV_bufferSize");
    find(opened->preprocess_, library, "cusparseSpMV_preprocess");
    find(opened->multiply_, library, "cusparseSpMV");
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr) return nullptr;
    find(opened->wait_, driver, "cuCtxSynchronize");
    if (all && opened->create_(&opened->handle_) == 0) return opened;
  }
  return nullptr;
}

/// An algorithm with its descriptors and memory.
struct cusparse::run {
  run(const cusparse& library, const product& p, int algorithm)
      : library_(library),
        p_(p),
        algorithm_(algorithm),
        value_(p.value_bytes() == 4 ? 0 : 1),
        bytes_(static_cast<std::size_t>(p.a.rows) * p.value_bytes()) {
    constexpr int int32 = 2, int64 = 3, zero_based = 0;
    auto& memory = *p.on.runtime;
    const auto pointer = [](const void* from) { return const_cast<void*>(from); };
    y_ = memory.allocate(bytes_);
    expect(library.create_csr_(&matrix_, p.a.rows, p.a.columns, p.a.nnz,
                               pointer(p.a.offsets->device()),
                               pointer(p.a.column_indices->device()), pointer(p.a.values->device()),
                               p.a.wide ? int64 : int32, int32, zero_based, value_));
    expect(library.create_vector_(&x_, p.a.columns, pointer(p.x.values->device()), value_));
    expect(library.create_vector_(&out_, p.a.rows, y_, value_));
    expect(library.buffer_size_(library.handle_, 0, one(), matrix_, x_, zero(), out_, value_,
                                algorithm_, &work_bytes_));
    work_bytes_ += 16;
    work_ = memory.allocate(work_bytes_);
    memory.finish();
    expect(library.preprocess_(library.handle_, 0, one(), matrix_, x_, zero(), out_, value_,
                               algorithm_, work_));
  }
  ~run() {
    if (out_ != nullptr) library_.destroy_vector_(out_);
    if (x_ != nullptr) library_.destroy_vector_(x_);
    if (matrix_ != nullptr) library_.destroy_matrix_(matrix_);
    if (work_ != nullptr) p_.on.runtime->deallocate(work_, work_bytes_);
    if (y_ != nullptr) p_.on.runtime->deallocate(y_, bytes_);
  }
  run(const run&) = delete;
  run& operator=(const run&) = delete;

  void operator()(int calls) {
    for (int call = 0; call < calls; ++call)
      expect(library_.multiply_(library_.handle_, 0, one(), matrix_, x_, zero(), out_, value_,
                                algorithm_, work_));
    expect(library_.wait_());
  }
  bool is_right() const {
    std::vector<unsigned char> got(bytes_);
    p_.on.runtime->to_host(got.data(), y_, bytes_);
    return p_.is_right(got.data());
  }

 private:
  static void expect(int status) {
    if (status != 0)
      throw tropic::device_error("cuSPARSE returned status " + std::to_string(status));
  }
  const void* one() const { return value_ == 0 ? static_cast<const void*>(&one32_) : &one64_; }
  const void* zero() const { return value_ == 0 ? static_cast<const void*>(&zero32_) : &zero64_; }

  const cusparse& library_;
  const product& p_;
  int algorithm_, value_;  // cusparseSpMVAlg_t, cudaDataType
  std::size_t bytes_ = 0, work_bytes_ = 0;
  void *matrix_ = nullptr, *x_ = nullptr, *out_ = nullptr, *y_ = nullptr, *work_ = nullptr;
  float one32_ = 1, zero32_ = 0;
  double one64_ = 1, zero64_ = 0;
};

std::vector<entrant> cusparse::entrants(const product& p) const {
  std::vector<entrant> both;
  for (const int algorithm : {2, 3}) {  // CUSPARSE_SPMV_CSR_ALG1 and _ALG2
    const auto algorithm_run = std::make_shared<run>(*this, p, algorithm);
    both.push_back({"cusparse ALG" + std::to_string(algorithm - 1),
                    [algorithm_run](int calls) { (*algorithm_run)(calls); },
                    [algorithm_run] { return algorithm_run->is_right(); }});
  }
  return both;
}

}  // namespace bench
