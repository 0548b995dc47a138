// SPDX-License-Identifier: Apache-2.0
//
// A thread has 32 bytes of eight shards in 64 registers, cut into bits: a register has one bit of each byte,
// so a product with a constant is a few XORs of registers. A warp has 1,024 bytes of its shards. The six
// layers of a transform over 64 shards are done three at a time: first warp w has shards 8 w .. 8 w + 7,
// then, by way of shared memory, shards w, w + 8, .. In the first way each warp has factors, and so
// instructions, of its own: as few as can be, since what the 128 KiB of an instruction cache don't hold costs
// an H200 more than the arithmetic.
#include "cuda/transform_program.h"

#include <utility>
#include <vector>

#include "coding/field.h"
#include "coding/transform.h"
#include "cuda/ptx_text.h"
#include "cuda/shared_sums.h"

namespace shredder {
namespace {

using coding::Code;

constexpr std::size_t kBlockShards = 64;
constexpr unsigned kLayers = 3;  // of a pass
constexpr std::size_t kPoints = 8;
constexpr std::size_t kBits = 8;

/// Registers of one value for each of a thread's shards and bits.
struct Values {
    const char* name;

    std::string at(std::size_t point, std::size_t bit) const {
        return std::string(name).append(std::to_string(point * kBits + bit));
    }
};

constexpr Values kWork{"v"};
/// With one block of data its coefficients, else the sum of all blocks' that are scaled.
constexpr Values kKept{"k"};

class TransformText : private PtxText {
  public:
    explicit TransformText(const Code& code) : code_(code) {}

    std::string text() {
        head();
        if (code_.data == kBlockShards) {
            oneBlockOfData();
        } else {
            oneBlockOfParity();
        }
        line("ret");
        return text_ + "}\n";
    }

  private:
    void oneBlockOfData() {
        shards(0, true);
        layers(0, 0, true);
        toCoefficients();
        layers(kLayers, 0, true);
        copy(kWork, kKept);
        for (std::size_t block = code_.data; block < code_.shards(); block += kBlockShards) {
            scale(kKept, kWork, coding::transformScale(kBlockShards, block, 0), false);
            evaluate(block, block);
        }
    }

    /// The blocks of data go through a loop, so that as many instructions as can be are the same for all of
    /// them.
    void oneBlockOfParity() {
        std::size_t blocks = code_.data / kBlockShards;
        line("mov.u32 block, 0");
        label("NEXT");
        shards(0, true);
        choose("block", blocks, [&](std::size_t i) { layers(0, i * kBlockShards, true); });
        toCoefficients();
        choose("block", blocks, [&](std::size_t i) {
            layers(kLayers, i * kBlockShards, true);
            std::uint8_t factor = coding::transformScale(kBlockShards, code_.data, i * kBlockShards);
            scale(kWork, kKept, factor, i != 0);
        });
        line("add.s64 list, list, " + std::to_string(8 * kBlockShards));
        line("add.u32 block, block, 1");
        line("setp.lt.u32 other, block, " + std::to_string(blocks));
        line("@other bra NEXT");
        copy(kKept, kWork);
        evaluate(code_.data, 0);
    }

    void head() {
        text_ +=
            ".version 7.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 exchange[];\n"
            ".visible .entry ";
        text_ += kTransformProgramName;
        text_ +=
            "(.param .align 8 .b8 shards[" + std::to_string(8 * coding::kMostShards) + "])\n.maxntid " +
            std::to_string(kTransformProgramThreads) +
            ", 1, 1\n.minnctapersm 2\n{\n"
            " .reg .pred other;\n .reg .b32 thread, lane, warp, block, own, across, v<64>, k<64>, t<16>;\n"
            " .reg .b64 at, place, list, param;\n";
        line("mov.u32 thread, %tid.x");
        line("and.b32 lane, thread, 31");
        line("shr.u32 warp, thread, 5");
        line("mov.u32 block, %ctaid.x");
        line("mul.wide.u32 at, block, " + std::to_string(kTransformProgramBytes));
        line("mul.wide.u32 place, lane, 16");
        line("add.s64 at, at, place");
        // A shard's 1,024 bytes in shared memory are two vectors for each lane.
        line("mov.u32 own, exchange");
        line("mad.lo.u32 own, lane, 16, own");
        line("mad.lo.u32 across, warp, 1024, own");
        line("mad.lo.u32 own, warp, 8192, own");
        // The pointer of the warp's first shard in a block.
        line("mov.b64 list, shards");
        line("mul.wide.u32 place, warp, " + std::to_string(8 * kPoints));
        line("add.s64 list, list, place");
    }

    static std::string vector(const Values& values, std::size_t point, std::size_t half) {
        std::string text = "{";
        for (std::size_t i = 0; i < 4; i++) {
            text += (i == 0 ? "" : ", ") + values.at(point, half * 4 + i);
        }
        return text + "}";
    }

    /// The warp's shards of a block, from or to global memory, as bits.
    void shards(std::size_t block, bool load) {
        if (!load) {
            for (std::size_t point = 0; point < kPoints; point++) {
                transpose(point);
            }
        }
        for (std::size_t point = 0; point < kPoints; point++) {
            line("ld.param.u64 place, [list+" + std::to_string(8 * (block + point)) + "]");
            line("add.s64 place, place, at");
            for (std::size_t half = 0; half < 2; half++) {
                std::string memory = "[place+" + std::to_string(512 * half) + "]";
                std::string values = vector(kWork, point, half);
                if (load) {
                    instruction("ld.global.cs.v4.u32", {values, memory});
                } else {
                    instruction("st.global.cs.v4.u32", {memory, values});
                }
            }
        }
        if (load) {
            for (std::size_t point = 0; point < kPoints; point++) {
                transpose(point);
            }
        }
    }

    /// Bit b of byte c of register i changes places with bit i of byte c of register b: its own inverse.
    void transpose(std::size_t point) {
        for (unsigned shift : {4U, 2U, 1U}) {
            std::string mask = shift == 4 ? "0x0F0F0F0F" : shift == 2 ? "0x33333333" : "0x55555555";
            for (std::size_t i = 0; i < kBits; i++) {
                if ((i & shift) != 0) continue;
                std::string low = kWork.at(point, i);
                std::string high = kWork.at(point, i + shift);
                line("shl.b32 t0, " + high + ", " + std::to_string(shift));
                line("shr.u32 t1, " + low + ", " + std::to_string(shift));
                // 0xE4: the first where the mask is set, the second elsewhere.
                instruction("lop3.b32", {low, low, "t0", mask, "0xE4"});
                instruction("lop3.b32", {high, "t1", high, mask, "0xE4"});
            }
        }
    }

    /// to[bit] (+)= factor * from, for one point.
    void product(const Values& from, std::size_t point, const Values& to, std::size_t target,
                 std::uint8_t factor, bool add) {
        if (factor == 0) return;  // only ever added
        std::vector<std::uint32_t> rows(kBits);
        for (std::size_t column = 0; column < kBits; column++) {
            auto image = coding::product(factor, static_cast<std::uint8_t>(1U << column));
            for (std::size_t bit = 0; bit < kBits; bit++) {
                rows[bit] |= static_cast<std::uint32_t>(image >> bit & 1) << column;
            }
        }
        SharedSums shared = sharedSums(std::move(rows), add);
        for (std::size_t part = 0; part < shared.parts.size(); part++) {
            sum(nameOfTerm(from, point, kBits + part), termsOf(from, point, shared.parts[part]));
        }
        for (std::size_t bit = 0; bit < kBits; bit++) {
            std::vector<std::string> terms = termsOf(from, point, shared.sums[bit]);
            if (add) terms.insert(terms.begin(), to.at(target, bit));
            sum(to.at(target, bit), terms);
        }
    }

    static std::string nameOfTerm(const Values& inputs, std::size_t point, std::size_t term) {
        return term < kBits ? inputs.at(point, term) : std::string("t").append(std::to_string(term));
    }

    static std::vector<std::string> termsOf(const Values& inputs, std::size_t point, std::uint32_t terms) {
        std::vector<std::string> names;
        for (std::size_t term = 0; term < 32; term++) {
            if ((terms >> term & 1) != 0) names.push_back(nameOfTerm(inputs, point, term));
        }
        return names;
    }

    /// Three layers of a transform; the thread's point p is shard begin + (p << lowest), others not counted.
    void layers(unsigned lowest, std::size_t begin, bool inverse) {
        for (unsigned step = 0; step < kLayers; step++) {
            unsigned layer = inverse ? step : kLayers - 1 - step;
            for (std::size_t a = 0; a < kPoints; a++) {
                if ((a >> layer & 1) != 0) continue;
                std::size_t b = a + (std::size_t{1} << layer);
                std::size_t first = a >> (layer + 1) << (layer + 1);
                std::uint8_t factor = coding::transformTwiddle(layer + lowest, begin + (first << lowest));
                if (!inverse) product(kWork, b, kWork, a, factor, true);
                for (std::size_t bit = 0; bit < kBits; bit++) {
                    line("xor.b32 " + kWork.at(b, bit) + ", " + kWork.at(b, bit) + ", " + kWork.at(a, bit));
                }
                if (inverse) product(kWork, b, kWork, a, factor, true);
            }
        }
    }

    /// Between coefficients of f(x) and of f(x + shard), over the three lowest layers: s is linear, so each
    /// factor s(x) of the basis becomes s(x) + s(shard).
    void moveOrigin(std::size_t shard) {
        for (unsigned layer = 0; layer < kLayers; layer++) {
            std::uint8_t factor = coding::transformTwiddle(layer, shard);
            for (std::size_t a = 0; a < kPoints; a++) {
                if ((a >> layer & 1) == 0)
                    product(kWork, a + (std::size_t{1} << layer), kWork, a, factor, true);
            }
        }
    }

    /// A thread's values in shared memory: its warp's own shards, or every eighth one.
    void exchange(bool own, bool load) {
        for (std::size_t point = 0; point < kPoints; point++) {
            for (std::size_t half = 0; half < 2; half++) {
                std::size_t offset = point * (own ? 1024 : 8192) + half * 512;
                std::string memory = std::string(own ? "[own+" : "[across+") + std::to_string(offset) + "]";
                std::string values = vector(kWork, point, half);
                if (load) {
                    instruction("ld.shared.v4.u32", {values, memory});
                } else {
                    instruction("st.shared.v4.u32", {memory, values});
                }
            }
        }
    }

    /// After the three lowest layers, done as if the warp were the first one: on to the three highest.
    void toCoefficients() {
        choose("warp", kPoints, [&](std::size_t warp) { moveOrigin(warp * kPoints); });
        line("bar.sync 0");  // nobody reads what was there before
        exchange(true, false);
        line("bar.sync 0");
        exchange(false, true);
    }

    /// The values at a block of parity, whose pointers begin `listed` shards behind list.
    void evaluate(std::size_t block, std::size_t listed) {
        layers(kLayers, block, false);
        line("bar.sync 0");
        exchange(false, false);
        line("bar.sync 0");
        exchange(true, true);
        choose("warp", kPoints, [&](std::size_t warp) { moveOrigin(block + warp * kPoints); });
        layers(0, 0, false);
        shards(listed, false);
    }

    void scale(const Values& from, const Values& to, std::uint8_t factor, bool add) {
        for (std::size_t point = 0; point < kPoints; point++) {
            product(from, point, to, point, factor, add);
        }
    }

    void copy(const Values& from, const Values& to) {
        for (std::size_t point = 0; point < kPoints; point++) {
            for (std::size_t bit = 0; bit < kBits; bit++) {
                line("mov.u32 " + to.at(point, bit) + ", " + from.at(point, bit));
            }
        }
    }

    Code code_;
};

}  // namespace

bool hasTransformProgram(const Code& code) {
    return code.kind == SHREDDER_CODE_RS && code.data % kBlockShards == 0 &&
           code.parity % kBlockShards == 0 && (code.data == kBlockShards || code.parity == kBlockShards);
}

std::string transformProgram(const Code& code) {
    return TransformText(code).text();
}

}  // namespace shredder
