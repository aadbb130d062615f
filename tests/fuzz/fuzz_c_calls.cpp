// SPDX-License-Identifier: Apache-2.0

// Sequences of calls of the C interface, decoded from bytes: what is made, with which arguments,
// which of them are NULL or out of range. Pointers are valid or NULL, arrays as long as they are
// said to be: all else is for the library to refuse. Each call is made on the reference and on the
// cpu, or the fake device, whose invalid memory is poisoned: statuses and results agree, a failure
// has a message, makes nothing and changes nothing, and at the end all memory is given back.
//
// `fuzz_c_calls --seeds DIR` writes the first inputs.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "c_session.hpp"
#include "interop/c/support.hpp"

namespace {

using namespace tropic::fuzz;
using tropic::type_code;

constexpr int64_t beyond = (int64_t{1} << 32) + 1;
constexpr std::size_t most_entries = 64;
constexpr std::size_t most_workspace = 1 << 14;

class session {
 public:
  explicit session(decisions& in) : in_(in) {
    fake_ = (in_.byte() & 1U) != 0;
    make_contexts();
    for (int step = 0; step < 60 && !in_.done(); ++step) take_step();
  }
  ~session() {
    for (auto& m : matrices_) m = {};
    for (auto& v : vectors_) v = {};
    for (auto& s : semirings_) s = {};
    for (const int w : worlds) {
      std::size_t used = 1;
      require(tropic_context_memory(context_.of[w], &used, nullptr) == TROPIC_OK,
              "tropic_context_memory");
      // Beside the reference a context keeps workspaces, a few words for each output position.
      require(used <= (w == 0 ? 0 : most_workspace), "memory that is not given back");
    }
    context_ = {};
    for (const loan& l : loans_)
      require(l.released == (l.taken ? 1 : 0), "a loan not given back once");
  }
  session(const session&) = delete;

 private:
  void take_step() {
    switch (in_.below(24)) {
      case 0: return other_contexts();
      case 1:
      case 2: return from_csr();
      case 3: return from_coo();
      case 4: return read();
      case 5: return free_one();
      case 6: return new_vector();
      case 7: return dense_vector();
      case 8: return vector_of_pairs();
      case 9: return copy_vector();
      case 10: return set_element();
      case 11: return remove_element();
      case 12: return get_elements();
      case 13: return export_vector();
      case 14: return export_matrix();
      case 15: return named_semiring();
      case 16: return text_semiring();
      case 17:
      case 18:
      case 19: return product();
      case 20: return explain();
      case 21: return search();
      case 22: return rank();
      default: return ask_context();
    }
  }

  // --- arguments ---------------------------------------------------------------------------------

  template <class T>
  T* or_null(T* pointer, bool null) const {
    return null ? nullptr : pointer;
  }
  bool null() { return in_.rarely(29); }
  auto& matrix() { return matrices_[in_.below(3)]; }
  auto& vector() { return vectors_[in_.below(4)]; }
  auto& semiring() { return semirings_[in_.below(2)]; }

  tropic_type type() {
    const unsigned given = in_.byte();
    if (given >= 252) return static_cast<tropic_type>(static_cast<int>(given) - 254);  // -2 to 1
    return static_cast<tropic_type>(static_cast<int>(given % 12));                     // 11 is none
  }
  tropic_type index_type() {
    constexpr tropic_type types[] = {TROPIC_INT32, TROPIC_UINT32, TROPIC_INT64, TROPIC_UINT64};
    return in_.rarely(16) ? type() : types[in_.below(4)];
  }
  tropic_duplicates rule() {
    return static_cast<tropic_duplicates>(static_cast<int>(in_.below(16) % 7));
  }
  int64_t dimension() {
    constexpr int64_t sizes[] = {4, 4, 4, 3, 1, 0, 7, 33};
    return sizes[in_.below(8)];
  }
  int64_t index() {
    const unsigned given = in_.byte();
    if (given < 200) return given % 9;
    constexpr int64_t odd[] = {-1,
                               32,
                               beyond,
                               std::numeric_limits<int64_t>::min(),
                               std::numeric_limits<int64_t>::max(),
                               4294967295};
    return odd[given % 6];
  }
  std::size_t odd_size(std::size_t right) {
    const unsigned given = in_.byte();
    return given < 245 ? right : given < 248 ? right - 8 : given < 251 ? right + 8 : given - 251;
  }

  // Values of a type, quarters of a byte for floating ones; its ends now and then.
  std::vector<std::byte> values(tropic_type type, std::size_t count) {
    if (tropic_type_size(type) == 0) return std::vector<std::byte>(16 * count + 16);
    std::vector<std::byte> made(count * tropic_type_size(type));
    tropic::with_builtin_type(static_cast<type_code>(static_cast<int>(type)), [&]<class T>() {
      using limits = std::numeric_limits<T>;
      for (std::size_t e = 0; e < count; ++e) {
        const auto given = static_cast<signed char>(in_.byte());
        T value;
        if (given == 127)
          value = limits::has_infinity ? limits::infinity() : limits::max();
        else if (given == -128)
          value = limits::has_quiet_NaN ? limits::quiet_NaN() : limits::lowest();
        else if constexpr (std::is_floating_point_v<T>)
          value = static_cast<T>(given) / 4;
        else
          value = static_cast<T>(given);
        std::memcpy(made.data() + e * sizeof(T), &value, sizeof(T));
      }
    });
    return made;
  }
  // Numbers in an index type; those that do not fit are cut.
  static std::vector<std::byte> indices(tropic_type type, const std::vector<int64_t>& from) {
    const std::size_t bytes = std::max<std::size_t>(tropic_type_size(type), 4);
    std::vector<std::byte> made(from.size() * std::max<std::size_t>(bytes, 8));
    for (std::size_t e = 0; e < from.size(); ++e)
      std::memcpy(made.data() + e * bytes, &from[e], std::min<std::size_t>(bytes, 8));
    return made;
  }

  // --- contexts ----------------------------------------------------------------------------------

  void make_contexts() {
    tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
    options.memory_limit = memory_limit;
    for (const int w : worlds) {
      options.threads = w == 0 ? 1 : 2;
      const tropic_status status =
          tropic_context_new(w == 0 ? "reference" : "cpu", &options, &context_.of[w]);
      require(status == TROPIC_OK, "tropic_context_new");
    }
    if (fake_) context_.of[1]->of->where = tropic::context::fake_device(bounded(1));
  }

  void other_contexts() {
    if (in_.rarely(4)) {  // what was made in the old ones lives on
      twin<tropic_context> old = std::move(context_);
      make_contexts();
      return;
    }
    constexpr const char* devices[] = {"cpu", "reference", "", "cpu:1", "nothing", "Cpu", "cpu "};
    const char* device = or_null(devices[in_.below(7)], null());
    tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
    options.size = odd_size(sizeof options);
    options.threads = static_cast<int>(in_.below(4)) - 1;
    options.memory_limit = in_.byte();
    const bool no_options = null(), no_result = null();
    tropic_context* made = nullptr;
    const tropic_status status =
        tropic_context_new(device, or_null(&options, no_options), or_null(&made, no_result));
    check_status(status);
    require((made != nullptr) == (status == TROPIC_OK), "tropic_context_new");
    tropic_context_free(made);
  }

  void ask_context() {
    const bool none = null(), no_result = null();
    switch (in_.below(8)) {
      case 0: {
        const char* name = nullptr;
        in_both("tropic_context_name", [&](int w) {
          return tropic_context_name(or_null(context_.of[w], none), or_null(&name, no_result));
        });
        return require(none || no_result || *name != '\0', "a context without a name");
      }
      case 1: {
        int threads = 1;
        in_both("tropic_context_threads", [&](int w) {
          return tropic_context_threads(or_null(context_.of[w], none),
                                        or_null(&threads, no_result));
        });
        return require(threads >= 1, "a context without threads");
      }
      case 2:
        in_both("tropic_context_memory", [&](int w) {
          std::size_t used = 0, limit = 0;
          return tropic_context_memory(or_null(context_.of[w], none), or_null(&used, no_result),
                                       &limit);
        });
        return;
      case 3:
        in_both("tropic_context_synchronize",
                [&](int w) { return tropic_context_synchronize(or_null(context_.of[w], none)); });
        return;
      case 4:
        in_both("tropic_context_kernels", [&](int w) {
          char* json = nullptr;
          const tropic_status status =
              tropic_context_kernels(or_null(context_.of[w], none), or_null(&json, no_result));
          require((json != nullptr) == (status == TROPIC_OK), "tropic_context_kernels");
          tropic_string_free(json);
          return status;
        });
        return;
      case 5:
        for (const int w : worlds) tropic_context_cancel(or_null(context_.of[w], none));
        return;
      case 6:
        for (const int w : worlds) tropic_context_resume(or_null(context_.of[w], none));
        return;
      default: {
        const tropic_type given = type();
        const char* name = tropic_type_name(given);
        require((name == nullptr) == (tropic_type_size(given) == 0), "tropic_type_name");
        tropic_status_name(static_cast<tropic_status>(static_cast<int>(in_.byte()) - 9));
        for (const int w : worlds) tropic_last_error(context_.of[w]);
      }
    }
  }

  // --- matrices ----------------------------------------------------------------------------------

  // Well-formed rows; then, unless they are trusted, a number changed here and there. The last
  // offset stays within what the arrays hold.
  void from_csr() {
    tropic_csr csr = TROPIC_CSR_INIT;
    csr.size = odd_size(sizeof csr);
    csr.rows = dimension();
    csr.columns = in_.rarely(4) ? dimension() : csr.rows;
    std::vector<int64_t> offsets{0}, columns;
    for (int64_t row = 0; row < csr.rows; ++row) {
      const unsigned present = in_.byte();
      for (int64_t column = 0; column < std::min<int64_t>(csr.columns, 8); ++column)
        if ((present >> column & 1U) != 0 && columns.size() < most_entries)
          columns.push_back(column);
      offsets.push_back(static_cast<int64_t>(columns.size()));
    }
    const std::size_t entries = columns.size();
    columns.resize(most_entries);
    csr.offset_type = index_type();
    csr.column_type = index_type();
    csr.type = type();
    const unsigned how = in_.byte();
    csr.flags = how % 4;  // trusted, borrowed
    if (how >= 248) csr.flags |= how;
    if (how % 32 >= 24) {
      csr.flags &= ~TROPIC_TRUSTED;
      auto& changed = in_.rarely(2) ? offsets : columns;
      changed[in_.byte() % changed.size()] = index();
      offsets.back() = std::clamp<int64_t>(offsets.back(), -1, most_entries);
      if (tropic_type_size(csr.offset_type) < 8)
        offsets.back() = std::max<int64_t>(offsets.back(), 0);
    }
    if ((csr.flags & TROPIC_SYMMETRIC) != 0 && csr.rows == csr.columns)
      csr.flags &= ~TROPIC_SYMMETRIC;  // a promise that is not checked
    csr.iso = in_.rarely(5) ? 1 : 0;
    loans_.emplace_back();
    loan& first = loans_.back();
    first.offsets = indices(csr.offset_type, offsets);
    first.columns = indices(csr.column_type, columns);
    first.values = values(csr.type, entries);
    const bool small = tropic_type_size(csr.type) != 0 && small_values(csr.type, first.values);
    first.values.resize(most_entries * 16);
    loans_.push_back(first);
    loan* lent[] = {&*std::prev(loans_.end(), 2), &loans_.back()};
    const bool unnamed = in_.rarely(8);
    const bool no[] = {null(), null(), null(), null(), null(), null()};
    const auto made = [&](int w, tropic_matrix** result) {
      csr.offsets = or_null(lent[w]->offsets.data(), no[0]);
      csr.column_indices = or_null(lent[w]->columns.data(), no[1]);
      csr.values = or_null(lent[w]->values.data(), no[2]);
      csr.release = (csr.flags & TROPIC_BORROW) != 0 || unnamed ? &loan::release : nullptr;
      csr.data = lent[w];
      tropic_status status =
          tropic_matrix_from_csr(or_null(context_.of[w], no[3]), or_null(&csr, no[4]), result);
      // A size that leaves `release` out lends for as long as the caller knows.
      lent[w]->taken = status == TROPIC_OK && csr.release != nullptr &&
                       csr.size >= offsetof(tropic_csr, data) + sizeof csr.data;
      if (no[5])
        require(tropic_matrix_from_csr(context_.of[w], &csr, nullptr) == TROPIC_USAGE,
                "made is NULL");
      return status;
    };
    if (csr.size < sizeof csr && csr.size > offsetof(tropic_csr, release)) csr.size = 3;
    keep(made_in_both<tropic_matrix>("tropic_matrix_from_csr", made), small);
  }

  void from_coo() {
    tropic_coo coo = TROPIC_COO_INIT;
    coo.size = odd_size(sizeof coo);
    coo.rows = in_.rarely(32) ? index() : dimension();
    coo.columns = in_.rarely(4) ? dimension() : coo.rows;
    coo.count = in_.below(20);
    std::vector<int64_t> rows, columns;
    for (int64_t e = 0; e < coo.count; ++e) {
      rows.push_back(in_.rarely(64) ? index() : in_.below(4));
      columns.push_back(in_.rarely(64) ? index() : in_.below(4));
    }
    coo.index_type = index_type();
    coo.type = type();
    coo.iso = in_.rarely(5) ? 1 : 0;
    coo.duplicates = rule();
    if (in_.rarely(32)) coo.flags = in_.byte() & ~TROPIC_SYMMETRIC;
    const auto row = indices(coo.index_type, rows), column = indices(coo.index_type, columns),
               held = values(coo.type, std::max<std::size_t>(rows.size(), 1));
    const bool small = false;  // repeated positions may be summed
    const bool no[] = {null(), null(), null(), null(), null()};
    coo.row_indices = or_null(row.data(), no[0]);
    coo.column_indices = or_null(column.data(), no[1]);
    coo.values = or_null(held.data(), no[2]);
    if (in_.rarely(40)) coo.count = -1;
    keep(made_in_both<tropic_matrix>("tropic_matrix_from_coo",
                                     [&](int w, tropic_matrix** result) {
                                       return tropic_matrix_from_coo(or_null(context_.of[w], no[3]),
                                                                     or_null(&coo, no[4]), result);
                                     }),
         small);
  }

  // A generator, or a file that has no name and is told by its content.
  void read() {
    constexpr const char* names[] = {"grid:3", "kron:3", "urand:4", "grid:",  "kron:-1",
                                     "grid:x", "",       "/",       "urand:", "nothing.mtx"};
    tropic_read_options options = TROPIC_READ_OPTIONS_INIT;
    options.size = odd_size(sizeof options);
    options.convert = in_.rarely(2) ? 1 : 0;
    options.type = type();
    options.undirected = in_.rarely(3) ? 1 : 0;
    options.duplicates = rule();
    const bool no[] = {null(), null(), null()};
    const unsigned which = in_.below(14);
    std::string name = which < std::size(names) ? names[which] : "";
    int file = -1;
    if (which >= std::size(names)) {
      file = memfd_create("fuzz", 0);
      require(file >= 0, "memfd_create");
      std::string text = which % 2 == 0 ? "%%MatrixMarket matrix coordinate real general\n" : "";
      text += in_.text(200);
      require(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "write");
      name = "/proc/self/fd/" + std::to_string(file);
    }
    auto made =
        made_in_both<tropic_matrix>("tropic_matrix_read", [&](int w, tropic_matrix** result) {
          return tropic_matrix_read(or_null(context_.of[w], no[0]), or_null(name.c_str(), no[1]),
                                    or_null(&options, no[2]), result);
        });
    if (file >= 0) close(file);
    int64_t rows = 0, columns = 0;
    if (made) require(tropic_matrix_shape(made.of[0], &rows, &columns, nullptr) == TROPIC_OK, "");
    // A text may say of a large matrix; vectors over it are not what is tried here.
    if (rows <= 64 && columns <= 64) keep(std::move(made), false);
  }

  void keep(twin<tropic_matrix> made, bool small) {
    if (!made) return;
    const unsigned slot = in_.below(3);
    matrices_[slot] = std::move(made);
    small_[slot] = small;
  }

  void export_matrix() {
    auto& m = matrix();
    int64_t rows = 0, columns = 0, nnz = 0;
    const bool none = null() || !m;
    in_both("tropic_matrix_shape", [&](int w) {
      return tropic_matrix_shape(or_null(m.of[w], none), &rows, &columns, &nnz);
    });
    tropic_type held = TROPIC_BOOL;
    in_both("tropic_matrix_type",
            [&](int w) { return tropic_matrix_type(or_null(m.of[w], none), &held); });
    const tropic_type offset_type = index_type(), column_type = index_type(),
                      asked = in_.rarely(8) ? type() : held;
    const auto room = static_cast<std::size_t>(std::max(rows, nnz) + 1) * 8;
    const bool no[] = {null(), null(), null()};
    std::vector<std::byte> found[2];
    in_both("tropic_matrix_export_csr", [&](int w) {
      std::vector<std::byte> offsets(room), places(room), values(room);
      const tropic_status status = tropic_matrix_export_csr(
          or_null(m.of[w], none), offset_type, or_null(offsets.data(), no[0]), column_type,
          or_null(places.data(), no[1]), asked, or_null(values.data(), no[2]));
      if (status == TROPIC_OK)
        for (const auto* part : {&offsets, &places, &values})
          found[w].insert(found[w].end(), part->begin(), part->end());
      return status;
    });
    require(found[0] == found[1], "tropic_matrix_export_csr: other arrays");
    const int64_t i = index(), j = index();
    std::byte value[2][16] = {};
    int present[2] = {};
    in_both("tropic_matrix_get", [&](int w) {
      return tropic_matrix_get(or_null(m.of[w], none), i, j, asked, or_null(value[w], no[0]),
                               or_null(&present[w], no[1]));
    });
    require(present[0] == present[1] && std::memcmp(value[0], value[1], 16) == 0,
            "tropic_matrix_get: another entry");
  }

  // --- vectors -----------------------------------------------------------------------------------

  void new_vector() {
    const tropic_type t = type();
    const int64_t size = in_.rarely(12) ? index() : dimension();
    const bool none = null();
    keep(made_in_both<tropic_vector>("tropic_vector_new", [&](int w, tropic_vector** result) {
      return tropic_vector_new(or_null(context_.of[w], none), t, size, result);
    }));
  }
  void dense_vector() {
    const tropic_type t = type();
    const int64_t size = dimension();
    const auto held = values(t, static_cast<std::size_t>(size));
    const bool no[] = {null(), null()};
    keep(made_in_both<tropic_vector>("tropic_vector_from_dense", [&](int w, tropic_vector** made) {
      return tropic_vector_from_dense(or_null(context_.of[w], no[0]), t, size,
                                      or_null(held.data(), no[1]), made);
    }));
  }
  void vector_of_pairs() {
    const tropic_type t = type();
    const int64_t size = in_.rarely(12) ? index() : dimension();
    std::vector<int64_t> at(in_.below(8));
    for (int64_t& one : at) one = in_.rarely(64) ? index() : in_.below(4);
    const auto held = values(t, at.size());
    const tropic_duplicates d = rule();
    const int64_t count = in_.rarely(40) ? -1 : static_cast<int64_t>(at.size());
    const bool no[] = {null(), null(), null()};
    keep(made_in_both<tropic_vector>("tropic_vector_from_pairs", [&](int w, tropic_vector** made) {
      return tropic_vector_from_pairs(or_null(context_.of[w], no[0]), t, size, count,
                                      or_null(at.data(), no[1]), or_null(held.data(), no[2]), d,
                                      made);
    }));
  }
  void copy_vector() {
    auto& from = vector();
    keep(made_in_both<tropic_vector>("tropic_vector_copy", [&](int w, tropic_vector** made) {
      return tropic_vector_copy(from.of[w], made);
    }));
  }
  void keep(twin<tropic_vector> made) {
    if (!made) return;
    auto& slot = vector();
    slot = std::move(made);
    agree(slot, true, "a new vector");
  }

  tropic_type asked_of(const twin<tropic_vector>& v) {
    return !v || in_.rarely(16) ? type() : type_of(v.of[0]);
  }
  void set_element() {
    auto& v = vector();
    const tropic_type t = asked_of(v);
    const auto value = values(t, 1);
    const int64_t at = index();
    const bool no[] = {null(), null()};
    in_both("tropic_vector_set", [&](int w) {
      return tropic_vector_set(or_null(v.of[w], no[0]), at, t, or_null(value.data(), no[1]));
    });
    agree(v, true, "tropic_vector_set");
  }
  void remove_element() {
    auto& v = vector();
    const int64_t at = index();
    in_both("tropic_vector_remove", [&](int w) { return tropic_vector_remove(v.of[w], at); });
    agree(v, true, "tropic_vector_remove");
  }
  void get_elements() {
    auto& v = vector();
    const tropic_type t = asked_of(v);
    const int64_t at = index();
    const bool no[] = {null(), null(), null()};
    std::byte value[2][16] = {};
    int present[2] = {};
    in_both("tropic_vector_get", [&](int w) {
      return tropic_vector_get(or_null(v.of[w], no[0]), at, t, or_null(value[w], no[1]),
                               or_null(&present[w], no[2]));
    });
    require(present[0] == present[1] && std::memcmp(value[0], value[1], 16) == 0,
            "tropic_vector_get: another entry");
    if (in_.rarely(8))
      for (const int w : worlds) {
        require(tropic_vector_size(v.of[w], nullptr) == TROPIC_USAGE, "size is NULL");
        require(tropic_vector_nvals(v.of[w], nullptr) == TROPIC_USAGE, "nvals is NULL");
        require(tropic_vector_type(v.of[w], nullptr) == TROPIC_USAGE, "type is NULL");
      }
  }
  void export_vector() {
    auto& v = vector();
    const tropic_type t = asked_of(v);
    const auto missing = values(t, 1);
    const int64_t size = v ? size_of(v.of[0]) : 0;
    // Room for what there is, or for less: a vector of 2^32 is not exported.
    const int64_t capacity = size > 64 ? 64 : in_.rarely(8) ? size - 1 : size;
    const bool no[] = {null(), in_.rarely(4), null(), null(), null()};
    std::vector<std::byte> found[2];
    in_both("tropic_vector_export_dense", [&](int w) {
      found[w].resize(64 * 8);
      return tropic_vector_export_dense(or_null(v.of[w], no[0]), t, or_null(missing.data(), no[1]),
                                        capacity, or_null(found[w].data(), no[2]));
    });
    require(found[0] == found[1], "tropic_vector_export_dense: other values");
    const int64_t room = in_.rarely(8) ? static_cast<int64_t>(in_.below(3)) - 1 : 64;
    in_both("tropic_vector_export_pairs", [&](int w) {
      std::vector<int64_t> at(64);
      std::vector<std::byte> entries(64 * 8);
      int64_t count = -7;
      return tropic_vector_export_pairs(v.of[w], t, room, or_null(at.data(), no[2]),
                                        or_null(entries.data(), no[3]), or_null(&count, no[4]));
    });
  }

  void free_one() {
    switch (in_.below(3)) {
      case 0: matrix() = {}; return;
      case 1: vector() = {}; return;
      default: semiring() = {};
    }
  }

  // --- semirings and products --------------------------------------------------------------------

  void named_semiring() {
    constexpr const char* names[] = {
        "plus_times", "min_plus",   "max_plus",   "min_times",  "max_times",   "or_and",
        "and_or",     "xor_and",    "min_max",    "max_min",    "plus_min",    "any_pair",
        "plus_pair",  "min_first",  "min_second", "max_second", "plus_first",  "plus_second",
        "any_first",  "any_second", "any_firstj", "min_firstj", "any_secondi", "min_secondi",
        "",           "plus"};
    const char* name = names[in_.below(std::size(names))];
    const tropic_type t = type();
    const bool no[] = {null(), null()};
    auto made = made_in_both<tropic_semiring>(
        "tropic_semiring_named", [&](int w, tropic_semiring** result) {
          return tropic_semiring_named(or_null(context_.of[w], no[0]), or_null(name, no[1]), t,
                                       result);
        });
    if (!made) return;
    const bool floating = t == TROPIC_FP32 || t == TROPIC_FP64;
    const unsigned slot = in_.below(2);
    semirings_[slot] = std::move(made);
    rounds_[slot] = floating && std::string_view(name).starts_with("plus_");
    ordered_[slot] = false;
  }

  void text_semiring() {
    constexpr const char* texts[] = {"x + y", "t_min(x, y)", "x * y",  "x",     "y",     "x - y",
                                     "i + k", "0",           "t_inf",  "x | y", "1 / 0", "x &",
                                     "j",     "true",        "t_zero", ""};
    std::string parts[3];
    for (std::string& part : parts) {
      const unsigned which = in_.below(18);
      part = which < std::size(texts) ? texts[which] : std::string(in_.text(in_.below(12)));
    }
    const tropic_type t = type();
    const bool no[] = {null(), null(), null(), null()};
    auto made = made_in_both<tropic_semiring>(
        "tropic_semiring_from_text", [&](int w, tropic_semiring** result) {
          return tropic_semiring_from_text(
              or_null(context_.of[w], no[0]), or_null(parts[0].c_str(), no[1]),
              or_null(parts[1].c_str(), no[2]), or_null(parts[2].c_str(), no[3]), t, result);
        });
    if (!made) return;
    const unsigned slot = in_.below(2);
    semirings_[slot] = std::move(made);
    ordered_[slot] = true;  // whatever the text says: its sum may not be associative
  }

  void product() {
    const unsigned w_slot = in_.below(4), s_slot = in_.below(2), a_slot = in_.below(3);
    auto& w = vectors_[w_slot];
    auto& u = vector();
    auto& a = matrices_[a_slot];
    auto& s = semirings_[s_slot];
    const auto& mask = vector();
    tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
    options.size = odd_size(sizeof options);
    const unsigned how = in_.byte();
    const bool masked = (how & 1U) != 0, vector_first = (how & 32U) != 0;
    options.structure = how >> 1U & 1U;
    options.complement = how >> 2U & 1U;
    options.replace = how >> 3U & 1U;
    options.transpose = how >> 4U & 1U;
    constexpr const char* merges[] = {nullptr, nullptr, "plus",  "second",   "minus",
                                      "any",   "x - y", "x + i", "nonsense", "logical_or"};
    options.accumulate = merges[in_.below(10)];
    options.kernel = in_.rarely(24) ? in_.rarely(2) ? "" : "nonsense" : nullptr;
    options.expected_calls = in_.rarely(16) ? index() % 20 : 1;
    const bool no[] = {null(), null(), null(), null(), in_.rarely(6)};
    // Sums of floating numbers have an order, which is each backend's own, unless they are exact.
    const bool rounds = rounds_[s_slot] && !(small_[a_slot] && u && small(u));
    const pairs before = w ? pairs_of(w.of[0]) : pairs{};
    const tropic_status status = in_both("a product", [&](int world) {
      options.mask = masked ? mask.of[world] : nullptr;
      tropic_vector* to = or_null(w.of[world], no[0]);
      const tropic_semiring* ring = or_null(s.of[world], no[1]);
      const tropic_matrix* matrix = or_null(a.of[world], no[2]);
      const tropic_vector* from = or_null(u.of[world], no[3]);
      const tropic_product_options* given = or_null(&options, no[4]);
      return vector_first ? tropic_vxm(to, ring, from, matrix, given)
                          : tropic_mxv(to, ring, matrix, from, given);
    });
    agree(w, status != TROPIC_OK || !(rounds || ordered_[s_slot]), "a product");
    if (status != TROPIC_OK && w)
      require(pairs_of(w.of[0]) == before, "a product that failed has changed its output");
    if (in_.rarely(16) && w && u && a && s)  // of two contexts
      require(tropic_mxv(w.of[0], s.of[0], a.of[1], u.of[0], nullptr) != TROPIC_OK,
              "a product of two contexts");
  }
  static bool small(const twin<tropic_vector>& v) {
    return small_values(type_of(v.of[0]), pairs_of(v.of[0]).values);
  }

  void explain() {
    auto& s = semiring();
    auto& a = matrix();
    auto& u = vector();
    const int64_t calls = static_cast<int64_t>(in_.below(50)) - 1;  // from 50 on it measures
    in_both("tropic_explain", [&](int w) {
      char* json = nullptr;
      const tropic_status status = tropic_explain(s.of[w], a.of[w], u.of[w], calls, &json);
      require((json != nullptr) == (status == TROPIC_OK), "tropic_explain");
      require(json == nullptr || *json == '{', "tropic_explain: no JSON");
      tropic_string_free(json);
      return status;
    });
  }

  // --- algorithms --------------------------------------------------------------------------------

  void search() {
    auto& a = matrix();
    const int64_t source = index();
    const bool shortest = in_.rarely(2), no_options = in_.rarely(3);
    const bool no[] = {null(), in_.rarely(8), in_.rarely(8)};
    tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
    options.size = odd_size(sizeof options);
    constexpr double deltas[] = {0, 1, 0.25, 1e300, -1, INFINITY, NAN, 1e-300};
    options.delta = deltas[in_.below(8)];
    twin<tropic_vector> first, second;
    const tropic_status status = in_both("a search", [&](int w) {
      tropic_vector** one = or_null(&first.of[w], no[1]);
      tropic_vector** two = or_null(&second.of[w], no[2]);
      const tropic_matrix* graph = or_null(a.of[w], no[0]);
      return shortest ? tropic_sssp(graph, source, or_null(&options, no_options), one, two)
                      : tropic_bfs(graph, source, one, two);
    });
    require(bool(first) == (status == TROPIC_OK && !no[1]) &&
                bool(second) == (status == TROPIC_OK && !no[2]),
            "results of a search and its status");
    keep(std::move(first));
    keep(std::move(second));
  }

  void rank() {
    auto& a = matrix();
    auto& preference = vector();
    tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
    options.size = odd_size(sizeof options);
    constexpr double numbers[] = {0.85, 0.5, 0, 1, -1, 2, NAN, INFINITY};
    options.damping = numbers[in_.below(8)];
    options.tolerance = numbers[in_.below(8)] / 1e6;
    options.max_iterations = static_cast<int64_t>(in_.below(8)) - 1;
    options.iterations = static_cast<int64_t>(in_.below(8)) - 2;
    options.weighted = in_.rarely(2) ? 1 : 0;
    const bool prefers = in_.rarely(3), no_options = in_.rarely(8);
    const bool no[] = {null(), null(), in_.rarely(4), in_.rarely(4)};
    in_both("tropic_pagerank", [&](int w) {
      options.preference = prefers ? preference.of[w] : nullptr;
      tropic_vector* ranks = nullptr;
      int64_t iterations = -1;
      double change = 0;
      const tropic_status status = tropic_pagerank(
          or_null(a.of[w], no[0]), or_null(&options, no_options), or_null(&ranks, no[1]),
          or_null(&iterations, no[2]), or_null(&change, no[3]));
      require((ranks != nullptr) == (status == TROPIC_OK), "tropic_pagerank");
      if (ranks != nullptr) {
        const pairs found = pairs_of(ranks);
        require(static_cast<int64_t>(found.indices.size()) == size_of(ranks), "ranks with gaps");
        check_ranks(w, found);
      }
      tropic_vector_free(ranks);
      return status;
    });
  }
  void check_ranks(int world, const pairs& found) {
    std::vector<double> ranks(found.indices.size());
    if (!ranks.empty()) std::memcpy(ranks.data(), found.values.data(), found.values.size());
    if (world == 0) {
      ranks_ = std::move(ranks);
      return;
    }
    // Sums in another order; a tolerance may then be met an iteration earlier.
    for (std::size_t v = 0; v < ranks.size(); ++v)
      if (std::isfinite(ranks[v]) && std::isfinite(ranks_[v]))
        require(std::fabs(ranks[v] - ranks_[v]) < 1e-4, "tropic_pagerank: other ranks");
  }

  decisions& in_;
  bool fake_ = false;
  std::list<loan> loans_;  // longer than what borrows of them
  twin<tropic_context> context_;
  std::array<twin<tropic_matrix>, 3> matrices_;
  std::array<twin<tropic_vector>, 4> vectors_;
  std::array<twin<tropic_semiring>, 2> semirings_;
  bool small_[3] = {};                     // matrices of values whose sums are exact
  bool rounds_[2] = {}, ordered_[2] = {};  // semirings whose sums depend on their order
  std::vector<double> ranks_;
};

int write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (unsigned seed = 0; seed < 16; ++seed) {
    std::string bytes;
    std::uint32_t state = seed * 2654435761U + 1;
    for (unsigned n = 0; n < 200; ++n) {
      state = state * 1664525U + 1013904223U;
      bytes += static_cast<char>(state >> 24U);
    }
    std::ofstream(folder / ("seed-" + std::to_string(seed)), std::ios::binary) << bytes;
  }
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count == 3 && std::string_view((*arguments)[1]) == "--seeds")
    std::exit(write_seeds((*arguments)[2]));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  decisions in(data, size);
  try {
    const session all(in);
  } catch (const worlds_apart&) {
  }
  return 0;
}
