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
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "coding/erasure_coder.h"
#ifdef SHREDDER_WITH_ISAL
#include <isa-l/erasure_code.h>
#endif

namespace shredder::bench {
namespace {

using namespace shredder::coding;

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kPoolBytes = 320ULL << 20;
constexpr std::size_t kHotCellBytes = 64 << 10;
constexpr std::size_t kStreamCellBytes = 1 << 20;

struct Shape {
    std::size_t data;
    std::size_t parity;
};
constexpr Shape kShapes[] = {{6, 3}, {10, 4}, {17, 3}, {64, 128}, {192, 64}};

std::string text(const Shape& shape) {
    return std::to_string(shape.data) + "+" + std::to_string(shape.parity);
}

enum class Place { kStaggered, kJava };

const char* text(Place place) {
    return place == Place::kJava ? "java" : "staggered";
}

std::vector<const CodingForm*> formsHere() {
    const CpuFeatures& cpu = cpuFeatures();
    std::vector<const CodingForm*> forms;
    if (cpu.avx2) forms.push_back(&kCodingAvx2);
    if (cpu.avx2 && cpu.gfni) forms.push_back(&kCodingAvx2Gfni);
    if (cpu.avx512) forms.push_back(&kCodingAvx512);
    if (cpu.avx512 && cpu.gfni) forms.push_back(&kCodingAvx512Gfni);
    return forms;
}

/// Stripes of cells, all written once.
class Cells {
  public:
    Cells(const Shape& shape, std::size_t cellBytes, std::size_t stripes, Place place)
        : shards_(shape.data + shape.parity), data_(shape.data), stripes_(stripes) {
        std::size_t count = shards_ * stripes;
        // Room for the place in the page, whole pages.
        std::size_t stride = (cellBytes + 2 * kPageBytes) / kPageBytes * kPageBytes;
        memory_.reset(static_cast<std::uint8_t*>(::operator new[](count* stride + kPageBytes, kAlignment)));
        std::iota(memory_.get(), memory_.get() + count * stride, std::uint8_t{0});
        for (std::size_t i = 0; i < count; i++) {
            std::size_t inPage = place == Place::kJava ? 16 : 2'112 * i % kPageBytes;
            cells_.push_back(memory_.get() + i * stride + inPage);
        }
    }

    /// The cells of the next stripe, data first.
    std::uint8_t* const* next() {
        std::uint8_t* const* stripe = cells_.data() + at_ * shards_;
        at_ = (at_ + 1) % stripes_;
        return stripe;
    }
    std::size_t data() const { return data_; }

  private:
    static constexpr std::align_val_t kAlignment{kPageBytes};
    struct Delete {
        void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
    };
    std::size_t shards_;
    std::size_t data_;
    std::size_t stripes_;
    std::size_t at_ = 0;
    std::unique_ptr<std::uint8_t[], Delete> memory_;
    std::vector<std::uint8_t*> cells_;
};

/// How much of which cells a benchmark codes.
struct Setting {
    const char* name;
    std::size_t cellBytes;
    std::size_t stripesOf(const Shape& shape) const {
        return cellBytes == kHotCellBytes ? 1 : kPoolBytes / (cellBytes * (shape.data + shape.parity));
    }
};
constexpr Setting kHot{"hot", kHotCellBytes};
constexpr Setting kStream{"stream", kStreamCellBytes};

/// One benchmark: work(stripe) codes each stripe in turn.
template <typename Work>
void add(const std::string& name, const Shape& shape, const Setting& setting, Place place, Work work) {
    std::string full = name + "/" + text(shape) + "/" + setting.name + "/" + text(place);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        Cells cells(shape, setting.cellBytes, std::max<std::size_t>(1, setting.stripesOf(shape)), place);
        for (auto _ : state) {
            work(cells.next());
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(
            static_cast<std::int64_t>(state.iterations() * shape.data * setting.cellBytes));
    })->Unit(benchmark::kMicrosecond);
}

template <typename Vector>
[[gnu::always_inline]] inline void probeAs(std::uint8_t* const* cells, const Shape& shape,
                                           std::size_t bytes) {
    constexpr std::size_t kTogether = 128 / sizeof(Vector);
    for (std::size_t at = 0; at + 128 <= bytes; at += 128) {
        Vector sums[kTogether] = {};
        for (std::size_t j = 0; j < shape.data; j++) {
            for (std::size_t v = 0; v < kTogether; v++) {
                Vector loaded;
                std::memcpy(&loaded, cells[j] + at + v * sizeof(Vector), sizeof loaded);
                sums[v] ^= loaded;
            }
        }
        for (std::size_t i = shape.data; i < shape.data + shape.parity; i++) {
            std::memcpy(cells[i] + at, sums, sizeof sums);
        }
    }
}

using Lanes2 = long long __attribute__((vector_size(16)));
using Lanes4 = long long __attribute__((vector_size(32)));
using Lanes8 = long long __attribute__((vector_size(64)));

[[gnu::target("avx512f")]] void probeAvx512(std::uint8_t* const* cells, const Shape& shape,
                                            std::size_t bytes) {
    probeAs<Lanes8>(cells, shape, bytes);
}

[[gnu::target("avx2")]] void probeAvx2(std::uint8_t* const* cells, const Shape& shape, std::size_t bytes) {
    probeAs<Lanes4>(cells, shape, bytes);
}

void probeSse2(std::uint8_t* const* cells, const Shape& shape, std::size_t bytes) {
    probeAs<Lanes2>(cells, shape, bytes);
}

void addProbe(const Shape& shape, Place place) {
    auto probe = cpuFeatures().avx512 ? probeAvx512 : cpuFeatures().avx2 ? probeAvx2 : probeSse2;
    add("probe", shape, kStream, place,
        [=](std::uint8_t* const* cells) { probe(cells, shape, kStreamCellBytes); });
}

void addEncode(const CodingForm& form, const Shape& shape, const Setting& setting, Place place) {
    auto coder = std::make_shared<ErasureCoder>(Code{SHREDDER_CODE_RS, shape.data, shape.parity}, form, 1);
    add(std::string("encode/") + form.name, shape, setting, place,
        [=](std::uint8_t* const* cells) { coder->encode(cells, cells + shape.data, setting.cellBytes); });
}

void addMatrix(const CodingForm& form, const Shape& shape) {
    Code code{SHREDDER_CODE_RS, shape.data, shape.parity};
    if (!CauchyTransform::of(code, form)) return;
    auto matrix = std::make_shared<PreparedMatrix>(parityRows(code), form);
    add(std::string("matrix/") + form.name, shape, kHot, Place::kStaggered,
        [=](std::uint8_t* const* cells) { matrix->apply(cells, cells + shape.data, 0, kHotCellBytes); });
}

void addDecode(const CodingForm& form, const Shape& shape) {
    auto coder = std::make_shared<ErasureCoder>(Code{SHREDDER_CODE_RS, shape.data, shape.parity}, form, 1);
    std::size_t losses = std::min(shape.data, shape.parity);
    std::vector<std::size_t> wanted(losses);
    std::iota(wanted.begin(), wanted.end(), 0);
    add(std::string("decode/") + form.name, shape, kHot, Place::kStaggered, [=](std::uint8_t* const* cells) {
        const std::uint8_t* shards[kMostShards];
        std::copy_n(cells, shape.data + shape.parity, shards);
        std::fill_n(shards, losses, nullptr);
        coder->decode(shards, wanted, cells, kHotCellBytes);
    });
}

#ifdef SHREDDER_WITH_ISAL
void addIsal(const Shape& shape, const Setting& setting, Place place) {
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
    for (const Shape& shape : kShapes) {
        for (Place place : {Place::kStaggered, Place::kJava}) {
            addProbe(shape, place);
            for (const Setting& setting : {kHot, kStream}) {
                for (const CodingForm* form : formsHere()) {
                    addEncode(*form, shape, setting, place);
                }
#ifdef SHREDDER_WITH_ISAL
                addIsal(shape, setting, place);
#endif
            }
        }
        for (const CodingForm* form : formsHere()) {
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
