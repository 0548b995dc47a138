// SPDX-License-Identifier: Apache-2.0
//
// What the coder does on one thread. Rates are bytes_per_second of data, parity not counted, by the thread's
// CPU time. Names, stable; CODE is data+parity; PLACE is staggered (each buffer 2,112 bytes further in its
// page than the last) or java (all at page + 16, as Java's direct buffers of 1 MiB lie):
//
//   probe/CODE/stream/PLACE            reads and writes as much without arithmetic: the limit of a stream
//   encode/FORM/CODE/hot/PLACE         the same cells of 64 KiB again and again
//   encode/FORM/CODE/stream/PLACE      cells of 1 MiB, out of a pool of 320 MiB
//   matrix/FORM/CODE/hot/staggered     the same by the matrix, where encode takes the transform
//   decode/FORM/CODE/hot/staggered     as many losses as there is parity, data first
//   isal/CODE/hot/PLACE                ISA-L's ec_encode_data on the same buffers, where it was there to
//   build isal/CODE/stream/PLACE
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "coding/erasure_coder.h"
#include "measure/coding_cells.h"
#ifdef SHREDDER_WITH_ISAL
#include <isa-l/erasure_code.h>
#endif

namespace shredder::bench {
namespace {

using namespace shredder::coding;
using tools::CellPlace;
using tools::CodingCells;
using tools::CodingShape;
using tools::probeMemory;

constexpr std::size_t kPoolBytes = 320ULL << 20;
constexpr std::size_t kHotCellBytes = 64 << 10;
constexpr std::size_t kStreamCellBytes = 1 << 20;

constexpr CodingShape kShapes[] = {{6, 3}, {10, 4}, {17, 3}, {64, 128}, {192, 64}};

std::string text(const CodingShape& shape) {
    return std::to_string(shape.data) + "+" + std::to_string(shape.parity);
}

const char* text(CellPlace place) {
    return place == CellPlace::kJava ? "java" : "staggered";
}

/// How much of which cells a benchmark codes.
struct Setting {
    const char* name;
    std::size_t cellBytes;
    std::size_t stripesOf(const CodingShape& shape) const {
        return cellBytes == kHotCellBytes ? 1 : kPoolBytes / (cellBytes * (shape.data + shape.parity));
    }
};
constexpr Setting kHot{"hot", kHotCellBytes};
constexpr Setting kStream{"stream", kStreamCellBytes};

/// One benchmark: work(stripe) codes each stripe in turn.
template <typename Work>
void add(const std::string& name, const CodingShape& shape, const Setting& setting, CellPlace place,
         Work work) {
    std::string full = name + "/" + text(shape) + "/" + setting.name + "/" + text(place);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        CodingCells cells(shape, setting.cellBytes, std::max<std::size_t>(1, setting.stripesOf(shape)),
                          place);
        for (auto _ : state) {
            work(cells.next());
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(
            static_cast<std::int64_t>(state.iterations() * shape.data * setting.cellBytes));
    })->Unit(benchmark::kMicrosecond);
}

void addProbe(const CodingShape& shape, CellPlace place) {
    add("probe", shape, kStream, place,
        [=](std::uint8_t* const* cells) { probeMemory(shape, cells, 0, kStreamCellBytes); });
}

void addEncode(const CodingForm& form, const CodingShape& shape, const Setting& setting, CellPlace place) {
    auto coder = std::make_shared<ErasureCoder>(Code{SHREDDER_CODE_RS, shape.data, shape.parity}, form, 1);
    add(std::string("encode/") + form.name, shape, setting, place,
        [=](std::uint8_t* const* cells) { coder->encode(cells, cells + shape.data, setting.cellBytes); });
}

void addMatrix(const CodingForm& form, const CodingShape& shape) {
    Code code{SHREDDER_CODE_RS, shape.data, shape.parity};
    if (!CauchyTransform::of(code, form)) return;
    auto matrix = std::make_shared<PreparedMatrix>(parityRows(code), form);
    add(std::string("matrix/") + form.name, shape, kHot, CellPlace::kStaggered,
        [=](std::uint8_t* const* cells) { matrix->apply(cells, cells + shape.data, 0, kHotCellBytes); });
}

void addDecode(const CodingForm& form, const CodingShape& shape) {
    auto coder = std::make_shared<ErasureCoder>(Code{SHREDDER_CODE_RS, shape.data, shape.parity}, form, 1);
    std::size_t losses = std::min(shape.data, shape.parity);
    std::vector<std::size_t> wanted(losses);
    std::iota(wanted.begin(), wanted.end(), 0);
    add(std::string("decode/") + form.name, shape, kHot, CellPlace::kStaggered,
        [=](std::uint8_t* const* cells) {
            const std::uint8_t* shards[kMostShards];
            std::copy_n(cells, shape.data + shape.parity, shards);
            std::fill_n(shards, losses, nullptr);
            coder->decode(shards, wanted, cells, kHotCellBytes);
        });
}

#ifdef SHREDDER_WITH_ISAL
void addIsal(const CodingShape& shape, const Setting& setting, CellPlace place) {
    int data = static_cast<int>(shape.data);
    int parity = static_cast<int>(shape.parity);
    std::vector<std::uint8_t> matrix((shape.data + shape.parity) * shape.data);
    gf_gen_cauchy1_matrix(matrix.data(), data + parity, data);
    auto tables = std::make_shared<std::vector<std::uint8_t>>(32 * shape.data * shape.parity);
    ec_init_tables(data, parity, matrix.data() + shape.data * shape.data, tables->data());
    add("isal", shape, setting, place, [=](std::uint8_t* const* cells) {
        ec_encode_data(static_cast<int>(setting.cellBytes), data, parity, tables->data(),
                       const_cast<std::uint8_t**>(cells), const_cast<std::uint8_t**>(cells) + shape.data);
    });
}
#endif

void addAll() {
    for (const CodingShape& shape : kShapes) {
        for (CellPlace place : {CellPlace::kStaggered, CellPlace::kJava}) {
            addProbe(shape, place);
            for (const Setting& setting : {kHot, kStream}) {
                for (const CodingForm* form : codingForms(cpuFeatures())) {
                    addEncode(*form, shape, setting, place);
                }
#ifdef SHREDDER_WITH_ISAL
                addIsal(shape, setting, place);
#endif
            }
        }
        for (const CodingForm* form : codingForms(cpuFeatures())) {
            addMatrix(*form, shape);
            addDecode(*form, shape);
        }
    }
}

}  // namespace
}  // namespace shredder::bench

int main(int argc, char** argv) {
    shredder::bench::addAll();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
