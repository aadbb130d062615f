// SPDX-License-Identifier: Apache-2.0
#pragma once

// GraphBLAS.h, conversion of its errors and types, its memory functions, owned handles.

// GraphBLAS 7 does not say itself that it is C; what it includes must be included before.
#include <complex.h>

#include <cinttypes>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

extern "C" {
#if __has_include(<GraphBLAS.h>)
#include <GraphBLAS.h>
#else
#include <suitesparse/GraphBLAS.h>
#endif
}

#if !defined(GxB_IMPLEMENTATION_MAJOR) || GxB_IMPLEMENTATION_MAJOR < 7
#error "tropic/interop/graphblas.hpp needs SuiteSparse:GraphBLAS 7 or newer"
#endif

#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>

// A function declared as C++ before has a mangled name, which no library defines. Two declarations
// of a C function in different namespaces are one function; of C++ they are two, and a call that
// sees both is ambiguous: GrB_init of as_c is found by name, the global one by its argument's type.
namespace tropic::graphblas::linkage {
namespace as_c {
extern "C" decltype(::GrB_init) GrB_init;
}
using namespace as_c;
template <class Mode>
inline constexpr bool is_c = requires(Mode mode) { GrB_init(mode); };
static_assert(is_c<GrB_Mode>,
              "tropic: GraphBLAS.h of this version does not say that it is C, and was included "
              "without extern \"C\": include tropic/interop/graphblas.hpp before it, or write "
              "extern \"C\" { #include <GraphBLAS.h> }");
}  // namespace tropic::graphblas::linkage

namespace tropic::graphblas {

/// A call of GraphBLAS that failed: what() has its name, its code and the text of GrB_error.
class TROPIC_API graphblas_error : public error {
 public:
  graphblas_error(GrB_Info info, const std::string& message) : error(message), info(info) {}
  GrB_Info info;
};

/// How GraphBLAS allocates the arrays that go in and out of it without a copy.
struct memory_functions {
  void* (*allocate)(std::size_t) = std::malloc;
  void (*release)(void*) = std::free;
};

/// A GraphBLAS object, freed by the destructor, which must run before GrB_finalize.
template <class Handle, GrB_Info (*Free)(Handle*)>
class owned {
 public:
  explicit owned(Handle handle = nullptr) noexcept : handle_(handle) {}
  owned(owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  owned& operator=(owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~owned() {
    if (handle_ != nullptr) Free(&handle_);
  }
  Handle get() const { return handle_; }
  operator Handle() const { return handle_; }
  /// The handle, which the caller frees from now on.
  Handle release() { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_;
};
using owned_matrix = owned<GrB_Matrix, GrB_Matrix_free>;
using owned_vector = owned<GrB_Vector, GrB_Vector_free>;

namespace internal {
inline memory_functions& given_functions() {
  static memory_functions given;
  return given;
}
}  // namespace internal

/// Only for GraphBLAS 7, which cannot report them: the functions passed to GxB_init. Later versions
/// are queried. Call it once, before any array is exchanged.
inline void use_memory_functions(memory_functions given) {
  internal::given_functions() = given;
}

namespace internal {

inline memory_functions functions() {
  memory_functions used = given_functions();
#if GxB_IMPLEMENTATION_MAJOR >= 8
  void* found = nullptr;
  if (GxB_Global_Option_get_FUNCTION(GxB_MALLOC_FUNCTION, &found) == GrB_SUCCESS && found)
    used.allocate = reinterpret_cast<void* (*)(std::size_t)>(found);
  found = nullptr;
  if (GxB_Global_Option_get_FUNCTION(GxB_FREE_FUNCTION, &found) == GrB_SUCCESS && found)
    used.release = reinterpret_cast<void (*)(void*)>(found);
#endif
  return used;
}

inline std::string name_of(GrB_Info info) {
  switch (info) {
    case GrB_UNINITIALIZED_OBJECT: return "GrB_UNINITIALIZED_OBJECT";
    case GrB_NULL_POINTER: return "GrB_NULL_POINTER";
    case GrB_INVALID_VALUE: return "GrB_INVALID_VALUE";
    case GrB_INVALID_INDEX: return "GrB_INVALID_INDEX";
    case GrB_DOMAIN_MISMATCH: return "GrB_DOMAIN_MISMATCH";
    case GrB_DIMENSION_MISMATCH: return "GrB_DIMENSION_MISMATCH";
    case GrB_OUTPUT_NOT_EMPTY: return "GrB_OUTPUT_NOT_EMPTY";
    case GrB_NOT_IMPLEMENTED: return "GrB_NOT_IMPLEMENTED";
    case GrB_PANIC: return "GrB_PANIC";
    case GrB_OUT_OF_MEMORY: return "GrB_OUT_OF_MEMORY";
    case GrB_INSUFFICIENT_SPACE: return "GrB_INSUFFICIENT_SPACE";
    case GrB_INVALID_OBJECT: return "GrB_INVALID_OBJECT";
    case GrB_INDEX_OUT_OF_BOUNDS: return "GrB_INDEX_OUT_OF_BOUNDS";
    case GrB_EMPTY_OBJECT: return "GrB_EMPTY_OBJECT";
    default: return "GrB_Info " + std::to_string(static_cast<int>(info));
  }
}

inline GrB_Info text_of(const char** text, GrB_Matrix a) {
  return GrB_Matrix_error(text, a);
}
inline GrB_Info text_of(const char** text, GrB_Vector v) {
  return GrB_Vector_error(text, v);
}
inline GrB_Info text_of(const char** text, GrB_Descriptor d) {
  return GrB_Descriptor_error(text, d);
}
inline GrB_Info text_of(const char** text, std::nullptr_t) {
  *text = nullptr;
  return GrB_SUCCESS;
}

/// Throws if `call` failed; `object` is the argument of GrB_error.
template <class Object = std::nullptr_t>
void check(GrB_Info info, const char* call, Object object = nullptr) {
  if (info == GrB_SUCCESS) return;
  std::string message = std::string(call) + ": " + name_of(info);
  const char* text = nullptr;
  if (object != nullptr && text_of(&text, object) == GrB_SUCCESS && text != nullptr && *text)
    message += std::string(": ") + text;
  throw graphblas_error(info, message);
}

// Every call by its type's name: m(C++ type, GraphBLAS name).
#define TROPIC_GRAPHBLAS_NUMBERS(m)                                                         \
  m(std::int8_t, INT8) m(std::int16_t, INT16) m(std::int32_t, INT32) m(std::int64_t, INT64) \
      m(std::uint8_t, UINT8) m(std::uint16_t, UINT16) m(std::uint32_t, UINT32)              \
          m(std::uint64_t, UINT64) m(float, FP32) m(double, FP64)
#define TROPIC_GRAPHBLAS_TYPES(m) m(bool, BOOL) TROPIC_GRAPHBLAS_NUMBERS(m)

inline GrB_Type type_of(type_code code) {
#define TROPIC_GRAPHBLAS_TYPE(T, NAME) \
  if (code == builtin_code<T>()) return GrB_##NAME;
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_TYPE)
#undef TROPIC_GRAPHBLAS_TYPE
  return nullptr;
}
/// Tropic's type; null for complex and user-defined types.
inline const type_description* description_of(GrB_Type type) {
#define TROPIC_GRAPHBLAS_TYPE(T, NAME) \
  if (type == GrB_##NAME) return &describe<T>();
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_TYPE)
#undef TROPIC_GRAPHBLAS_TYPE
  return nullptr;
}

inline std::string type_name(GrB_Matrix a) {
  char name[GxB_MAX_NAME_LEN] = "";
  check(GxB_Matrix_type_name(name, a), "GxB_Matrix_type_name", a);
  return name;
}
inline std::string type_name(GrB_Vector v) {
  char name[GxB_MAX_NAME_LEN] = "";
  check(GxB_Vector_type_name(name, v), "GxB_Vector_type_name", v);
  return name;
}
inline GrB_Type type_of(GrB_Matrix a) {
  GrB_Type type = nullptr;
  check(GxB_Matrix_type(&type, a), "GxB_Matrix_type", a);
  return type;
}
inline GrB_Type type_of(GrB_Vector v) {
  GrB_Type type = nullptr;
  check(GxB_Vector_type(&type, v), "GxB_Vector_type", v);
  return type;
}

struct shape {
  GrB_Index rows, columns;
};
inline shape shape_of(GrB_Matrix a) {
  shape found{};
  check(GrB_Matrix_nrows(&found.rows, a), "GrB_Matrix_nrows", a);
  check(GrB_Matrix_ncols(&found.columns, a), "GrB_Matrix_ncols", a);
  return found;
}
inline shape shape_of(GrB_Vector v) {
  shape found{0, 1};
  check(GrB_Vector_size(&found.rows, v), "GrB_Vector_size", v);
  return found;
}
/// Finishes what is pending, as counting needs it.
inline GrB_Index entries_of(GrB_Matrix a) {
  GrB_Index found = 0;
  check(GrB_Matrix_nvals(&found, a), "GrB_Matrix_nvals", a);
  return found;
}
inline GrB_Index entries_of(GrB_Vector v) {
  GrB_Index found = 0;
  check(GrB_Vector_nvals(&found, v), "GrB_Vector_nvals", v);
  return found;
}

/// Throws if an object is absent, larger than Tropic's maximum, or of another type than `wanted`.
template <class Object>
void check_object(const char* what, Object object, const type_description* wanted = nullptr) {
  if (object == nullptr) throw usage_error(std::string(what) + " is GrB_NULL");
  const shape size = shape_of(object);
  constexpr GrB_Index largest = GrB_Index{1} << 32;
  if (size.rows > largest || size.columns > largest)
    throw usage_error(std::string(what) + " is " + std::to_string(size.rows) + "x" +
                      std::to_string(size.columns) + ", Tropic's maximum dimension is 2^32");
  const GrB_Type type = type_of(object);
  if (wanted != nullptr && type != type_of(wanted->code))
    throw usage_error(std::string(what) + " holds " + type_name(object) + ", expected " +
                      std::string(wanted->name) + "; nothing is typecast");
}

/// An array from GraphBLAS's allocator on its way there.
class block {
 public:
  block() = default;
  explicit block(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const memory_functions used = functions();
    release_ = used.release;
    data_ = used.allocate(bytes);
    if (data_ == nullptr)
      throw out_of_memory(bytes, out_of_memory::unknown, "an array for GraphBLAS");
  }
  block(block&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(other.bytes_),
        release_(other.release_) {}
  block& operator=(block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~block() {
    if (data_ != nullptr) release_(data_);
  }
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void* hand_over() { return std::exchange(data_, nullptr); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  void (*release_)(void*) = nullptr;
};

}  // namespace internal
}  // namespace tropic::graphblas
