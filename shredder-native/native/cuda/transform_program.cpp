// SPDX-License-Identifier: Apache-2.0
//
// A thread has 32 bytes of eight shards in 64 registers, cut into bits: a register has one bit of each byte,
// so a product with a constant is a few XORs of registers. A warp has 1,024 bytes of its shards. The six
// layers of a transform over 64 shards are done three at a time: first warp w has shards 8 w .. 8 w + 7,
// then, by way of shared memory, shards w, w + 8, .. In the first way each warp has factors, and so
// instructions, of its own.
#include "cuda/transform_program.h"

#include <vector>

#include "coding/field.h"
#include "coding/transform.h"

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

class TransformText {
  public:
    explicit TransformText(const Code& code) : code_(code) {}

    std::string text() {
        head();
        if (code_.data == kBlockShards) {
            interpolate(0);
            keep();
            for (std::size_t block = code_.data; block < code_.shards(); block += kBlockShards) {
                scale(kKept, kWork, coding::transformScale(kBlockShards, block, 0), false);
                evaluate(block);
            }
        } else {
            for (std::size_t block = 0; block < code_.data; block += kBlockShards) {
                interpolate(block);
                std::uint8_t factor = coding::transformScale(kBlockShards, code_.data, block);
                scale(kWork, kKept, factor, block != 0);
            }
            keep(kKept, kWork);
            evaluate(code_.data);
        }
        line("ret");
        return text_ + "}\n";
    }

  private:
    void line(const std::string& text) { text_ += " " + text + ";\n"; }
    void label(const std::string& name) { text_ += name + ":\n"; }

    void head() {
        text_ +=
            ".version 7.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 exchange[];\n"
            ".visible .entry ";
        text_ += kTransformProgramName;
        text_ +=
            "(.param .align 8 .b8 shards[" + std::to_string(8 * coding::kMostShards) + "])\n.maxntid " +
            std::to_string(kTransformProgramThreads) +
            ", 1, 1\n.minnctapersm 2\n{\n"
            " .reg .pred other;\n .reg .b32 thread, lane, warp, block, own, across, v<64>, k<64>, t<9>;\n"
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
                line(load ? "ld.global.cs.v4.u32 " + values + ", " + memory
                          : "st.global.cs.v4.u32 " + memory + ", " + values);
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
                line("lop3.b32 " + low + ", " + low + ", t0, " + mask + ", 0xE4");
                line("lop3.b32 " + high + ", t1, " + high + ", " + mask + ", 0xE4");
            }
        }
    }

    /// to[bit] (+)= factor * from, for one point.
    void product(const Values& from, std::size_t point, const Values& to, std::size_t target,
                 std::uint8_t factor, bool add) {
        for (std::size_t bit = 0; bit < kBits; bit++) {
            std::vector<std::string> terms;
            if (add) terms.push_back(to.at(target, bit));
            for (std::size_t column = 0; column < kBits; column++) {
                auto image = coding::product(factor, static_cast<std::uint8_t>(1U << column));
                if ((image >> bit & 1) != 0) terms.push_back(from.at(point, column));
            }
            sum(to.at(target, bit), terms);
        }
    }

    void sum(const std::string& to, std::vector<std::string> terms) {
        while (terms.size() < 2) {
            terms.emplace_back("0");
        }
        std::string first = terms[0];
        for (std::size_t i = 1; i < terms.size(); i += 2) {
            line("lop3.b32 " + to + ", " + first + ", " + terms[i] + ", " +
                 (i + 1 < terms.size() ? terms[i + 1] : "0") + ", 0x96");
            first = to;
        }
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

    /// The three lowest layers, instructions for each warp.
    void ownLayers(std::size_t block, bool inverse) {
        std::string prefix = "P" + std::to_string(labels_++) + "_";
        for (std::size_t warp = 0; warp < kPoints; warp++) {
            std::string next = prefix + std::to_string(warp);
            line("setp.ne.u32 other, warp, " + std::to_string(warp));
            line("@other bra " + next);
            layers(0, block + warp * kPoints, inverse);
            line("bra " + prefix + "END");
            label(next);
        }
        label(prefix + "END");
    }

    /// A thread's values in shared memory: its warp's own shards, or every eighth one.
    void exchange(bool own, bool load) {
        for (std::size_t point = 0; point < kPoints; point++) {
            for (std::size_t half = 0; half < 2; half++) {
                std::size_t offset = point * (own ? 1024 : 8192) + half * 512;
                std::string memory = std::string(own ? "[own+" : "[across+") + std::to_string(offset) + "]";
                std::string values = vector(kWork, point, half);
                line(load ? "ld.shared.v4.u32 " + values + ", " + memory
                          : "st.shared.v4.u32 " + memory + ", " + values);
            }
        }
    }

    /// The coefficients of the polynomial of a block of data.
    void interpolate(std::size_t block) {
        shards(block, true);
        ownLayers(block, true);
        line("bar.sync 0");  // nobody reads what was there before
        exchange(true, false);
        line("bar.sync 0");
        exchange(false, true);
        layers(kLayers, block, true);
    }

    /// The values at a block of parity.
    void evaluate(std::size_t block) {
        layers(kLayers, block, false);
        line("bar.sync 0");
        exchange(false, false);
        line("bar.sync 0");
        exchange(true, true);
        ownLayers(block, false);
        shards(block, false);
    }

    void scale(const Values& from, const Values& to, std::uint8_t factor, bool add) {
        for (std::size_t point = 0; point < kPoints; point++) {
            product(from, point, to, point, factor, add);
        }
    }

    void keep(const Values& from = kWork, const Values& to = kKept) {
        for (std::size_t point = 0; point < kPoints; point++) {
            for (std::size_t bit = 0; bit < kBits; bit++) {
                line("mov.u32 " + to.at(point, bit) + ", " + from.at(point, bit));
            }
        }
    }

    Code code_;
    std::string text_;
    std::size_t labels_ = 0;
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
