// SPDX-License-Identifier: Apache-2.0
//
// Jerasure as a program that takes requests
// (shredder-native/native/measure/coding_requests.h): jerasure multiplies by
// ISA-L's Cauchy matrix, jerasure-rs-van by the Vandermonde matrix that its
// users take.
extern "C" {
#include <jerasure.h>
#include <reed_sol.h>
}

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "measure/coding_requests.h"

namespace {

using namespace shredder::tools;

constexpr int kWordBits = 8;
constexpr std::uintptr_t kAlike = 16;

/// Its kernels end the program where shards lie differently.
void requireAlike(const CodingShape &shape, std::uint8_t *const *cells) {
  for (std::size_t i = 1; i < shape.shards(); i++) {
    std::uintptr_t apart = reinterpret_cast<std::uintptr_t>(cells[i]) -
                           reinterpret_cast<std::uintptr_t>(cells[0]);
    if (apart % kAlike != 0)
      throw std::invalid_argument("only shards that lie alike modulo 16");
  }
}

CodeStripe encoding(const CodingShape &shape, std::size_t bytes,
                    std::shared_ptr<std::vector<int>> matrix) {
  if (bytes % sizeof(long) != 0)
    throw std::invalid_argument("only multiples of 8 bytes");
  return [=](std::uint8_t *const *cells) {
    requireAlike(shape, cells);
    auto all = reinterpret_cast<char **>(const_cast<std::uint8_t **>(cells));
    jerasure_matrix_encode(
        static_cast<int>(shape.data), static_cast<int>(shape.parity), kWordBits,
        matrix->data(), all, all + shape.data, static_cast<int>(bytes));
  };
}

CodeStripe cauchy(const CodingShape &shape, std::size_t bytes) {
  if (shape.shards() > 256)
    throw std::invalid_argument("more than 256 shards");
  auto matrix = std::make_shared<std::vector<int>>();
  for (std::size_t i = shape.data; i < shape.shards(); i++) {
    for (std::size_t j = 0; j < shape.data; j++) {
      matrix->push_back(
          galois_single_divide(1, static_cast<int>(i ^ j), kWordBits));
    }
  }
  return encoding(shape, bytes, matrix);
}

CodeStripe vandermonde(const CodingShape &shape, std::size_t bytes) {
  int *made = reed_sol_vandermonde_coding_matrix(
      static_cast<int>(shape.data), static_cast<int>(shape.parity), kWordBits);
  if (made == nullptr)
    throw std::invalid_argument("no Vandermonde matrix of this shape");
  auto matrix = std::make_shared<std::vector<int>>(
      made, made + shape.data * shape.parity);
  std::free(made);
  return encoding(shape, bytes, matrix);
}

} // namespace

int main() {
  answerCodingRequests(
      {{"jerasure", cauchy}, {"jerasure-rs-van", vandermonde}});
  return 0;
}
