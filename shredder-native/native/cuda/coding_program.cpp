// SPDX-License-Identifier: Apache-2.0
#include "cuda/coding_program.h"

#include <algorithm>
#include <vector>

#include "coding/code.h"

namespace shredder {
namespace {

using coding::Matrix;

/// Inputs that are in registers at once.
constexpr std::size_t kMostInputs = 20;
constexpr std::size_t kMostRows = 8;
constexpr std::size_t kMostElements = 256;
constexpr std::size_t kWords = 4;  // of a vector

/// The text of one kernel; every value has a register of its own, which the driver's compiler then shares
/// out.
class Program {
  public:
    explicit Program(const Matrix& matrix) : matrix_(matrix), sums_(matrix.rows() * kWords, kNone) {}

    std::string text() {
        std::size_t passes = (matrix_.columns() + kMostInputs - 1) / kMostInputs;
        for (std::size_t i = 0; i < passes; i++) {
            addColumns(matrix_.columns() * i / passes, matrix_.columns() * (i + 1) / passes);
        }
        store();
        return head() + body_ + "DONE:\n ret;\n}\n";
    }

  private:
    static constexpr std::size_t kNone = SIZE_MAX;
    // Truth tables of lop3: a ^ b ^ c, and (a & b) ^ c.
    static constexpr const char* kXor = "0x96";
    static constexpr const char* kMaskedXor = "0x6A";

    std::string head() const {
        return ".version 7.0\n.target sm_80\n.address_size 64\n"
               ".visible .entry " +
               std::string(kCodingProgramName) + "(.param .align 8 .b8 shards[" +
               std::to_string(8 * coding::kMostShards) +
               "], .param .u64 vectors)\n"
               ".maxntid " +
               std::to_string(kCodingProgramThreads) +
               ", 1, 1\n{\n"
               " .reg .pred over;\n .reg .b32 block, size, thread, r<" +
               std::to_string(registers_ + 1) +
               ">;\n .reg .b64 at, count, place;\n"
               " mov.u32 block, %ctaid.x;\n mov.u32 size, %ntid.x;\n mov.u32 thread, %tid.x;\n"
               " mul.wide.u32 at, block, size;\n cvt.u64.u32 count, thread;\n add.s64 at, at, count;\n"
               " ld.param.u64 count, [vectors];\n setp.ge.u64 over, at, count;\n @over bra DONE;\n"
               " shl.b64 at, at, 4;\n";
    }

    static std::string name(std::size_t number) { return std::string("r").append(std::to_string(number)); }
    std::string fresh() { return name(registers_++); }
    void line(const std::string& text) { body_ += " " + text + ";\n"; }

    void placeOf(std::size_t shard) {
        line("ld.param.u64 place, [shards+" + std::to_string(8 * shard) + "]");
        line("add.s64 place, place, at");
    }
    static std::string vector(std::size_t first) {
        std::string text = "{";
        text += name(first) + ", " + name(first + 1) + ", " + name(first + 2) + ", " + name(first + 3) + "}";
        return text;
    }

    /// Adds the products with the inputs [begin, end) to the sums.
    void addColumns(std::size_t begin, std::size_t end) {
        std::size_t inputs = registers_;
        for (std::size_t column = begin; column < end; column++) {
            placeOf(column);
            line("ld.global.cs.v4.u32 " + vector(registers_) + ", [place]");
            registers_ += kWords;
        }
        for (std::size_t row = 0; row < matrix_.rows(); row++) {
            for (std::size_t word = 0; word < kWords; word++) {
                std::size_t& sum = sums_[row * kWords + word];
                std::size_t product = productOf(row, begin, end, inputs + word);
                sum = sum == kNone ? product : added(sum, {product});
            }
        }
    }

    /// The register with a row's product; input i of the pass is in register first + i * kWords.
    std::size_t productOf(std::size_t row, std::size_t begin, std::size_t end, std::size_t first) {
        std::size_t sum = kNone;
        for (unsigned bit = 8; bit-- > 0;) {
            std::vector<std::size_t> terms;
            for (std::size_t column = begin; column < end; column++) {
                if ((matrix_.at(row, column) >> bit & 1) != 0) {
                    terms.push_back(first + (column - begin) * kWords);
                }
            }
            if (sum != kNone) sum = doubled(sum, terms);
            sum = added(sum, std::move(terms));
        }
        if (sum != kNone) return sum;
        line("mov.u32 " + fresh() + ", 0");
        return registers_ - 1;
    }

    /// Twice the sum, with the last of the terms, which is taken away, added.
    std::size_t doubled(std::size_t sum, std::vector<std::size_t>& terms) {
        std::string term = "0";
        if (!terms.empty()) {
            term = name(terms.back());
            terms.pop_back();
        }
        std::string shifted = fresh();
        line("shl.b32 " + shifted + ", " + name(sum) + ", 1");
        std::string tops = fresh();  // 0xFF for each byte whose highest bit is set
        line("prmt.b32 " + tops + ", " + name(sum) + ", 0, 0xBA98");
        std::string kept = fresh();
        line("lop3.b32 " + kept + ", " + shifted + ", 0xFEFEFEFE, " + term + ", " + kMaskedXor);
        line("lop3.b32 " + fresh() + ", " + tops + ", 0x1D1D1D1D, " + kept + ", " + kMaskedXor);
        return registers_ - 1;
    }

    std::size_t added(std::size_t sum, std::vector<std::size_t> terms) {
        if (sum != kNone) terms.insert(terms.begin(), sum);
        if (terms.empty()) return kNone;
        sum = terms[0];
        for (std::size_t i = 1; i < terms.size(); i += 2) {
            std::string other = i + 1 < terms.size() ? name(terms[i + 1]) : "0";
            line("lop3.b32 " + fresh() + ", " + name(sum) + ", " + name(terms[i]) + ", " + other + ", " +
                 kXor);
            sum = registers_ - 1;
        }
        return sum;
    }

    void store() {
        for (std::size_t row = 0; row < matrix_.rows(); row++) {
            const std::size_t* sums = &sums_[row * kWords];
            placeOf(matrix_.columns() + row);
            line("st.global.cs.v4.u32 [place], {" + name(sums[0]) + ", " + name(sums[1]) + ", " +
                 name(sums[2]) + ", " + name(sums[3]) + "}");
        }
    }

    const Matrix& matrix_;
    std::vector<std::size_t> sums_;  ///< registers, a word of a row each
    std::size_t registers_ = 0;
    std::string body_;
};

}  // namespace

bool deservesProgram(const Matrix& matrix) {
    return matrix.rows() <= kMostRows && matrix.rows() * matrix.columns() <= kMostElements;
}

std::string codingProgram(const Matrix& matrix) {
    return Program(matrix).text();
}

}  // namespace shredder
