// SPDX-License-Identifier: Apache-2.0
#pragma once

// A sequence of calls of the C interface and the objects that they have created.

#include <array>
#include <list>
#include <vector>

#include "c_arguments.hpp"
#include "c_twins.hpp"

namespace tropic::fuzz {

class session : arguments {
 public:
  /// Makes calls until the input ends.
  explicit session(decisions& in);
  /// Frees everything and checks that all memory is released.
  ~session();
  session(const session&) = delete;

 private:
  void take_step();
  // fuzz_c_calls.cpp
  void make_contexts();
  void other_contexts();
  void ask_context();
  // c_matrices.cpp
  void from_csr();
  void from_coo();
  void read();
  void keep(twin<tropic_matrix> created, bool small);
  void export_matrix();
  // c_vectors.cpp
  void new_vector();
  void dense_vector();
  void vector_of_pairs();
  void copy_vector();
  void keep(twin<tropic_vector> created);
  tropic_type asked_of(const twin<tropic_vector>& v);
  void set_element();
  void remove_element();
  void get_elements();
  void export_vector();
  void free_one();
  // c_products.cpp
  void named_semiring();
  void text_semiring();
  void product();
  static bool small(const twin<tropic_vector>& v);
  void explain();
  // c_algorithms.cpp
  void search();
  void rank();
  void check_ranks(int world, const pairs& found);

  auto& matrix() { return matrices_[in_.below(3)]; }
  auto& vector() { return vectors_[in_.below(4)]; }
  auto& semiring() { return semirings_[in_.below(2)]; }

  bool fake_ = false;
  std::list<loan> loans_;  // outlives everything that borrows from them
  twin<tropic_context> context_;
  std::array<twin<tropic_matrix>, 3> matrices_;
  std::array<twin<tropic_vector>, 4> vectors_;
  std::array<twin<tropic_semiring>, 2> semirings_;
  bool small_[3] = {};                     // matrices of values whose sums are exact
  bool rounds_[2] = {}, ordered_[2] = {};  // semirings whose sums depend on their order
  std::vector<double> ranks_;
};

}  // namespace tropic::fuzz
