// SPDX-License-Identifier: Apache-2.0

// Graphs of NetworkX as arrays. NetworkX keeps a graph as a dictionary of dictionaries, which is
// read here without making an object for each edge. Unusual graphs (rows of other classes,
// neighbours that are no nodes, weights that are not plain numbers) are left to the general code in
// python/tropic/_networkx_graph.py, which also raises the errors.

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "core.hpp"

namespace tropic::python {

namespace {

using std::int64_t;

template <class T>
nb::object to_numpy(std::vector<T>&& values, nb::dlpack::dtype type) {
  values.reserve(1);  // so that data() is not null
  auto* held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held,
                          [](void* gone) noexcept { delete static_cast<std::vector<T>*>(gone); });
  const std::size_t count = held->size();
  return nb::cast(nb::ndarray<nb::numpy>(held->data(), 1, &count, owner, nullptr, type));
}

/// An int of Python that fits, but no bool and no other subclass.
std::optional<int64_t> exact_integer(PyObject* value) {
  if (!PyLong_CheckExact(value)) return std::nullopt;
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow != 0) return std::nullopt;
  return number;
}

/// The numbers of nodes by their labels: an array if these are small ints, otherwise a hash table,
/// which finds what a dictionary finds. Unlike a dictionary's, its lookups have two steps, so that
/// the memory accesses of many lookups overlap.
class numbering {
 public:
  static constexpr int64_t none = -1, unknown = -2;

  explicit numbering(const std::vector<PyObject*>& nodes) : nodes_(nodes) {
    const auto count = static_cast<int64_t>(nodes.size()), most = 4 * count + 1024;
    int64_t end = 0, number = 0;
    for (PyObject* const one : nodes) {
      const std::optional<int64_t> label = exact_integer(one);
      if (!label || *label < 0 || *label >= most) {
        insert_all();
        return;
      }
      ascending_ = ascending_ && *label == number++;
      end = std::max(end, *label + 1);
    }
    end_ = ascending_ ? count : end;
    if (ascending_) return;
    by_label_.assign(static_cast<std::size_t>(end), none);
    for (number = 0; number < count; ++number)
      by_label_[static_cast<std::size_t>(*exact_integer(nodes[static_cast<std::size_t>(number)]))] =
          number;
  }

  /// `unknown` if the label has to be looked up. Runs no Python code.
  int64_t of_integer(PyObject* label) const {
    if (end_ == unknown) return unknown;
    const std::optional<int64_t> found = exact_integer(label);
    if (!found) return unknown;
    if (*found < 0 || *found >= end_) return none;
    return ascending_ ? *found : by_label_[static_cast<std::size_t>(*found)];
  }

  // These two may run Python code: __hash__ and __eq__ of labels.

  Py_hash_t prepare(PyObject* label) {
    if (slots_.empty()) insert_all();
    const Py_hash_t hash = hash_of(label);
    __builtin_prefetch(&slots_[first_slot(hash)]);
    return hash;
  }
  int64_t find(PyObject* label, Py_hash_t hash) const {
    return slots_[slot_of(label, hash)].number;
  }

 private:
  struct slot {
    std::uint32_t hash = 0;  // a part of it
    std::int32_t number = static_cast<std::int32_t>(none);
  };

  static Py_hash_t hash_of(PyObject* label) {
    const Py_hash_t hash = PyObject_Hash(label);
    if (hash == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return hash;
  }
  static std::uint64_t mixed(Py_hash_t hash) {
    return static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15U;
  }
  static std::uint32_t part(Py_hash_t hash) { return static_cast<std::uint32_t>(mixed(hash)); }
  std::size_t first_slot(Py_hash_t hash) const {
    return static_cast<std::size_t>(mixed(hash) >> shift_);
  }

  void insert_all() {
    const std::size_t size = std::max<std::size_t>(16, std::bit_ceil(2 * nodes_.size()));
    shift_ = 64 - std::countr_zero(size);
    slots_.resize(size);
    hashes_.reserve(nodes_.size());
    for (PyObject* const one : nodes_) {
      const Py_hash_t hash = hash_of(one);
      slots_[slot_of(one, hash)] = {part(hash), static_cast<std::int32_t>(hashes_.size())};
      hashes_.push_back(hash);
    }
  }

  // That of an equal label, otherwise a free one.
  std::size_t slot_of(PyObject* label, Py_hash_t hash) const {
    for (std::size_t n = first_slot(hash);; n = (n + 1) & (slots_.size() - 1)) {
      const slot& here = slots_[n];
      if (here.number < 0) return n;
      if (here.hash != part(hash)) continue;
      const auto number = static_cast<std::size_t>(here.number);
      if (nodes_[number] == label) return n;
      if (hashes_[number] != hash) continue;
      const int equal = PyObject_RichCompareBool(nodes_[number], label, Py_EQ);
      if (equal < 0) throw nb::python_error();
      if (equal == 1) return n;
    }
  }

  const std::vector<PyObject*>& nodes_;
  int64_t end_ = unknown;  // one above the largest label if all are small ints
  bool ascending_ = true;  // the labels are 0, 1, 2, ...
  std::vector<int64_t> by_label_;
  std::vector<slot> slots_;
  std::vector<Py_hash_t> hashes_;
  int shift_ = 0;
};

/// Weights as NumPy makes an array of them: bool, int64 or float64, whichever has them all.
class number_list {
 public:
  void reserve(std::size_t count) { bits_.reserve(count); }

  /// False if it is not a float, a bool or an int that fits; subclasses are left out.
  bool add(PyObject* value) {
    if (PyFloat_CheckExact(value)) {
      if (!fractions_) become_fractions();
      bits_.push_back(std::bit_cast<int64_t>(PyFloat_AsDouble(value)));
      return true;
    }
    int64_t number = 0;
    if (value == Py_True || value == Py_False) {
      number = value == Py_True;
    } else {
      const std::optional<int64_t> found = exact_integer(value);
      // The least one is left to the general code, which refuses it among floats.
      if (!found || *found == std::numeric_limits<int64_t>::min()) return false;
      number = *found;
      truths_ = false;
    }
    bits_.push_back(fractions_ ? std::bit_cast<int64_t>(static_cast<double>(number)) : number);
    return true;
  }

  nb::object to_array() && {
    if (fractions_) return to_numpy(std::move(bits_), nb::dtype<double>());
    if (!truths_ || bits_.empty()) return to_numpy(std::move(bits_), nb::dtype<int64_t>());
    return to_numpy(std::vector<std::uint8_t>(bits_.begin(), bits_.end()), nb::dtype<bool>());
  }

 private:
  void become_fractions() {
    fractions_ = true;
    for (int64_t& one : bits_) one = std::bit_cast<int64_t>(static_cast<double>(one));
  }

  std::vector<int64_t> bits_;  // of doubles if fractions_
  bool fractions_ = false, truths_ = true;
};

// Most of the time is spent waiting for memory, as the objects of a graph are scattered. So the
// edges are read in batches, and each batch in steps whose memory accesses overlap.
//
// Lookups may run Python code (__hash__ and __eq__ of labels or names of attributes), which may
// change any dictionary. So a batch takes references to what it uses before its first lookup, and
// reading ends if the size of a dictionary has changed.
class edge_reader {
 public:
  edge_reader(numbering& numbers, bool several, nb::handle weight, nb::handle missing)
      : numbers_(numbers), several_(several), weight_(weight), missing_(missing) {}

  /// False if the general code is needed.
  bool read(PyObject* adjacency) {
    std::size_t entries = 0;
    const Py_ssize_t count = PyDict_Size(adjacency);
    Py_ssize_t position = 0;
    PyObject *label = nullptr, *row = nullptr;
    while (PyDict_Next(adjacency, &position, &label, &row) != 0) {
      if (!PyDict_CheckExact(row)) return false;
      entries += static_cast<std::size_t>(PyDict_Size(row));
    }
    rows_.reserve(entries);
    columns_.reserve(entries);
    if (weighted()) weights_.reserve(entries);
    position = 0;
    int64_t number = 0;
    for (; PyDict_Next(adjacency, &position, &label, &row) != 0; ++number)
      if (!read_row(number, nb::borrow(row))) return false;
    return flush() && number == count && PyDict_Size(adjacency) == count;
  }

  nb::tuple result() && {
    nb::object weights = nb::none();
    if (weighted()) weights = std::move(weights_).to_array();
    return nb::make_tuple(to_numpy(std::move(rows_), nb::dtype<int64_t>()),
                          to_numpy(std::move(columns_), nb::dtype<int64_t>()), weights);
  }

 private:
  struct entry {
    int64_t row, column;
    PyObject *label, *edge;  // edge: a dictionary of parallel ones in a multigraph
    std::size_t times;
    Py_hash_t hash;
  };

  bool weighted() const { return !weight_.is_none() && numeric_; }

  bool read_row(int64_t number, const nb::object& row) {
    if (!PyDict_CheckExact(row.ptr())) return false;
    const Py_ssize_t count = PyDict_Size(row.ptr());
    Py_ssize_t position = 0, seen = 0;
    bool flushed = false;
    PyObject *label = nullptr, *edge = nullptr;
    for (; PyDict_Next(row.ptr(), &position, &label, &edge) != 0; ++seen) {
      __builtin_prefetch(label);
      if (several_ || weighted()) __builtin_prefetch(edge);
      batch_[filled_++] = {number, 0, label, edge, 1, 0};
      if (filled_ < batch_.size()) continue;
      flushed = true;
      if (!flush()) return false;
    }
    // Python code may have removed the row from the graph. Then only `row` keeps the edges of an
    // unfinished batch alive.
    return seen == count && PyDict_Size(row.ptr()) == count && (!flushed || flush());
  }

  /// Adds the edges of the batch.
  bool flush() {
    const std::span<entry> batch(batch_.data(), std::exchange(filled_, 0));
    bool known = true;
    for (entry& one : batch) {
      one.column = numbers_.of_integer(one.label);
      if (one.column == numbering::none) return false;
      known = known && one.column != numbering::unknown;
    }
    if (several_ && !split(batch)) return false;
    if (weighted()) {
      if (!several_)
        for (const entry& one : batch) edges_.push_back(one.edge);
      // No Python code has run since the batch was read, so that its borrowed references are valid.
      if (add_first_attributes()) edges_.clear();
      for (PyObject* const edge : edges_) held_.push_back(nb::borrow(edge));
    }
    if (!known && !look_up(batch)) return false;
    for (const entry& one : batch) {
      for (std::size_t n = 0; n < one.times; ++n) {
        rows_.push_back(one.row);
        columns_.push_back(one.column);
      }
    }
    if (weighted()) numeric_ = add_attributes();
    edges_.clear();
    held_.clear();
    return true;
  }

  // Counts parallel edges, and lists them if they have weights.
  bool split(std::span<entry> batch) {
    for (entry& one : batch) {
      if (!PyDict_CheckExact(one.edge)) return false;
      one.times = static_cast<std::size_t>(PyDict_Size(one.edge));
      if (!weighted()) continue;
      Py_ssize_t position = 0;
      PyObject *key = nullptr, *edge = nullptr;
      while (PyDict_Next(one.edge, &position, &key, &edge) != 0) {
        __builtin_prefetch(edge);
        edges_.push_back(edge);
      }
    }
    return true;
  }

  bool look_up(std::span<entry> batch) {
    for (const entry& one : batch)
      if (one.column == numbering::unknown) held_.push_back(nb::borrow(one.label));
    for (entry& one : batch)
      if (one.column == numbering::unknown) one.hash = numbers_.prepare(one.label);
    for (entry& one : batch) {
      if (one.column == numbering::unknown) one.column = numbers_.find(one.label, one.hash);
      if (one.column < 0) return false;
    }
    return true;
  }

  // Most often the weight is the only attribute, or the first one, of every edge. Runs no
  // Python code. False, with nothing added, if that is not so.
  bool add_first_attributes() {
    values_.clear();
    for (PyObject* const edge : edges_) {
      if (!PyDict_CheckExact(edge)) return false;
      Py_ssize_t position = 0;
      PyObject *name = nullptr, *value = missing_.ptr();
      if (PyDict_Next(edge, &position, &name, &value) != 0 && name != weight_.ptr()) return false;
      __builtin_prefetch(value);
      values_.push_back(value);
    }
    for (PyObject* const value : values_) numeric_ = numeric_ && weights_.add(value);
    return true;
  }

  bool add_attributes() {
    for (PyObject* const edge : edges_) {
      if (!PyDict_CheckExact(edge)) return false;
      PyObject* value = PyDict_GetItemWithError(edge, weight_.ptr());
      if (value == nullptr) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        value = missing_.ptr();
      }
      if (!weights_.add(value)) return false;
    }
    return true;
  }

  numbering& numbers_;
  bool several_;
  nb::handle weight_, missing_;
  bool numeric_ = true;
  std::vector<int64_t> rows_, columns_;
  number_list weights_;
  std::array<entry, 512> batch_;
  std::size_t filled_ = 0;
  std::vector<PyObject*> edges_;  // of the batch, dictionaries of attributes
  std::vector<PyObject*> values_;
  std::vector<nb::object> held_;
};

// (rows, columns, weights), with None for weights that need the general code; None if all do.
std::optional<nb::tuple> networkx_entries(nb::handle adjacency, nb::list nodes, truth several,
                                          nb::handle weight, nb::handle missing) {
  if (!PyDict_CheckExact(adjacency.ptr()) || nodes.size() > std::size_t{1} << 31)
    return std::nullopt;
  std::vector<PyObject*> labels;
  labels.reserve(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    labels.push_back(PyList_GetItem(nodes.ptr(), static_cast<Py_ssize_t>(n)));
  numbering numbers(labels);
  edge_reader reader(numbers, several, weight, missing);
  if (!reader.read(adjacency.ptr())) return std::nullopt;
  return std::move(reader).result();
}

}  // namespace

void bind_networkx(nb::module_& m) {
  m.def("networkx_entries", networkx_entries, nb::arg("adjacency"), nb::arg("nodes"),
        nb::arg("several"), nb::arg("weight").none(), nb::arg("missing").none());
}

}  // namespace tropic::python
