// SPDX-License-Identifier: Apache-2.0
//
// ISA-L with its Cauchy matrix, as a program that takes requests
// (shredder-native/native/measure/coding_requests.h).
#include <isa-l/erasure_code.h>

#include <memory>
#include <stdexcept>

#include "measure/coding_requests.h"

namespace {

using namespace shredder::tools;

CodeStripe encoding(const CodingShape &shape, std::size_t bytes) {
  if (shape.shards() > 256)
    throw std::invalid_argument("more than 256 shards");
  int data = static_cast<int>(shape.data);
  int parity = static_cast<int>(shape.parity);
  std::vector<std::uint8_t> matrix(shape.shards() * shape.data);
  gf_gen_cauchy1_matrix(matrix.data(), data + parity, data);
  auto tables = std::make_shared<std::vector<std::uint8_t>>(32 * shape.data *
                                                            shape.parity);
  ec_init_tables(data, parity, matrix.data() + shape.data * shape.data,
                 tables->data());
  return [=](std::uint8_t *const *cells) {
    ec_encode_data(static_cast<int>(bytes), data, parity, tables->data(),
                   const_cast<std::uint8_t **>(cells),
                   const_cast<std::uint8_t **>(cells) + shape.data);
  };
}

} // namespace

int main() {
  answerCodingRequests({{"isal", encoding}});
  return 0;
}
