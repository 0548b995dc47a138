// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace shredder {

/// PTX that is being written, line by line.
class PtxText {
  protected:
    void line(const std::string& text) { text_ += " " + text + ";\n"; }
    /// A line of an instruction with its operands.
    void instruction(const char* name, std::initializer_list<std::string> operands) {
        text_.append(" ").append(name);
        const char* before = " ";
        for (const std::string& operand : operands) {
            text_.append(before).append(operand);
            before = ", ";
        }
        text_ += ";\n";
    }
    void label(const std::string& name) { text_ += name + ":\n"; }

    /// The sum, by XOR, of at least one term; lop3 takes three, 0x96 is the truth table of a ^ b ^ c.
    void sum(const std::string& to, std::vector<std::string> terms) {
        if (terms.size() < 2) terms.emplace_back("0");
        std::string first = terms[0];
        for (std::size_t i = 1; i < terms.size(); i += 2) {
            instruction("lop3.b32", {to, first, terms[i], i + 1 < terms.size() ? terms[i + 1] : "0", "0x96"});
            first = to;
        }
    }

    /// Instructions for each value of a register, which the threads of a warp have in common. Needs a
    /// predicate by the name of `other`.
    template <typename Body>
    void choose(const std::string& number, std::size_t count, Body body) {
        std::string prefix = "P" + std::to_string(labels_++) + "_";
        for (std::size_t i = 0; i < count; i++) {
            std::string next = prefix + std::to_string(i);
            line("setp.ne.u32 other, " + number + ", " + std::to_string(i));
            line("@other bra " + next);
            body(i);
            line("bra " + prefix + "END");
            label(next);
        }
        label(prefix + "END");
    }

    std::string text_;

  private:
    std::size_t labels_ = 0;
};

}  // namespace shredder
