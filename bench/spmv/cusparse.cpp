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
    find(opened->create_full_, library, "cusparseCreateDnMat");
    find(opened->destroy_full_, library, "cusparseDestroyDnMat");
    find(opened->full_buffer_size_, library, "cusparseSpMM_bufferSize");
    find(opened->full_preprocess_, library, "cusparseSpMM_preprocess");
    find(opened->full_multiply_, library, "cusparseSpMM");
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr) return nullptr;
    find(opened->wait_, driver, "cuCtxSynchronize");
    if (all && opened->create_(&opened->handle_) == 0) return opened;
  }
  return nullptr;
}

namespace {

constexpr int not_transposed = 0;

void expect(int status) {
  if (status != 0) throw tropic::device_error("cuSPARSE returned status " + std::to_string(status));
}

void* writable(const void* from) {
  return const_cast<void*>(from);  // as cuSPARSE declares what it only reads
}

}  // namespace

/// An algorithm with the descriptor of A, the result and its memory.
template <class Product>
struct cusparse::run {
  run(const cusparse& library, const Product& p, const product& on, std::size_t elements,
      int algorithm)
      : library_(library),
        p_(p),
        on_(on),
        algorithm_(algorithm),
        value_(on.value_bytes() == 4 ? 0 : 1),
        bytes_(elements * on.value_bytes()) {
    constexpr int int32 = 2, int64 = 3, zero_based = 0;
    result_ = memory().allocate(bytes_);
    expect(library.create_csr_(
        &matrix_, on.a.rows, on.a.columns, on.a.nnz, writable(on.a.offsets->device()),
        writable(on.a.column_indices->device()), writable(on.a.values->device()),
        on.a.wide ? int64 : int32, int32, zero_based, value_));
  }
  ~run() {
    if (matrix_ != nullptr) library_.destroy_matrix_(matrix_);
    if (work_ != nullptr) memory().deallocate(work_, work_bytes_);
    if (result_ != nullptr) memory().deallocate(result_, bytes_);
  }
  run(const run&) = delete;
  run& operator=(const run&) = delete;

  bool is_right() const {
    std::vector<unsigned char> got(bytes_);
    memory().to_host(got.data(), result_, bytes_);
    return p_.is_right(got.data());
  }

 protected:
  tropic::detail::device_runtime& memory() const { return *on_.on.runtime; }
  void take_work() {
    work_bytes_ += 16;
    work_ = memory().allocate(work_bytes_);
    memory().finish();
  }
  const void* one() const { return value_ == 0 ? static_cast<const void*>(&one32_) : &one64_; }
  const void* zero() const { return value_ == 0 ? static_cast<const void*>(&zero32_) : &zero64_; }

  const cusparse& library_;
  const Product& p_;
  const product& on_;
  int algorithm_, value_;  // of cuSPARSE, cudaDataType
  std::size_t bytes_ = 0, work_bytes_ = 0;
  void *matrix_ = nullptr, *result_ = nullptr, *work_ = nullptr;
  float one32_ = 1, zero32_ = 0;
  double one64_ = 1, zero64_ = 0;
};

struct cusparse::vector_run : cusparse::run<product> {
  vector_run(const cusparse& library, const product& p, int algorithm)
      : run(library, p, p, static_cast<std::size_t>(p.a.rows), algorithm) {
    expect(library.create_vector_(&x_, p.a.columns, writable(p.x.values->device()), value_));
    expect(library.create_vector_(&y_, p.a.rows, result_, value_));
    expect(library.buffer_size_(library.handle_, not_transposed, one(), matrix_, x_, zero(), y_,
                                value_, algorithm_, &work_bytes_));
    take_work();
    expect(library.preprocess_(library.handle_, not_transposed, one(), matrix_, x_, zero(), y_,
                               value_, algorithm_, work_));
  }
  ~vector_run() {
    if (y_ != nullptr) library_.destroy_vector_(y_);
    if (x_ != nullptr) library_.destroy_vector_(x_);
  }

  void operator()(int calls) {
    for (int call = 0; call < calls; ++call)
      expect(library_.multiply_(library_.handle_, not_transposed, one(), matrix_, x_, zero(), y_,
                                value_, algorithm_, work_));
    expect(library_.wait_());
  }

 private:
  void *x_ = nullptr, *y_ = nullptr;
};

struct cusparse::full_run : cusparse::run<full_product> {
  full_run(const cusparse& library, const full_product& p, int algorithm)
      : run(library, p, p.of, static_cast<std::size_t>(p.of.a.rows * p.columns), algorithm) {
    constexpr int by_rows = 2;
    const auto* values = p.b.cells.values->device();
    expect(library.create_full_(&b_, p.of.a.columns, p.columns, p.columns, writable(values), value_,
                                by_rows));
    expect(library.create_full_(&c_, p.of.a.rows, p.columns, p.columns, result_, value_, by_rows));
    expect(library.full_buffer_size_(library.handle_, not_transposed, not_transposed, one(),
                                     matrix_, b_, zero(), c_, value_, algorithm_, &work_bytes_));
    take_work();
    expect(library.full_preprocess_(library.handle_, not_transposed, not_transposed, one(), matrix_,
                                    b_, zero(), c_, value_, algorithm_, work_));
  }
  ~full_run() {
    if (c_ != nullptr) library_.destroy_full_(c_);
    if (b_ != nullptr) library_.destroy_full_(b_);
  }

  void operator()(int calls) {
    for (int call = 0; call < calls; ++call)
      expect(library_.full_multiply_(library_.handle_, not_transposed, not_transposed, one(),
                                     matrix_, b_, zero(), c_, value_, algorithm_, work_));
    expect(library_.wait_());
  }

 private:
  void *b_ = nullptr, *c_ = nullptr;
};

namespace {

template <class Run>
entrant entrant_of(const std::string& name, std::shared_ptr<Run> run) {
  return {"cusparse " + name, [run](int calls) { (*run)(calls); },
          [run] { return run->is_right(); }};
}

}  // namespace

std::vector<entrant> cusparse::entrants(const product& p) const {
  std::vector<entrant> all;  // CUSPARSE_SPMV_CSR_ALG1 and _ALG2
  for (const int algorithm : {2, 3})
    all.push_back(entrant_of("ALG" + std::to_string(algorithm - 1),
                             std::make_shared<vector_run>(*this, p, algorithm)));
  return all;
}

std::vector<entrant> cusparse::entrants(const full_product& p) const {
  std::vector<entrant> all;  // CUSPARSE_SPMM_CSR_ALG1 to _ALG3
  for (const auto& [number, algorithm] : {std::pair{1, 4}, std::pair{2, 6}, std::pair{3, 12}})
    all.push_back(entrant_of("ALG" + std::to_string(number),
                             std::make_shared<full_run>(*this, p, algorithm)));
  return all;
}

}  // namespace bench
