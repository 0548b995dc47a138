// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shredder::tools {

/// One line of JSON, {"key":value,...}, as the measuring programs print their results. Has at least one
/// member.
class JsonLine {
  public:
    JsonLine& text(const char* key, const std::string& value);
    JsonLine& number(const char* key, double value);
    JsonLine& count(const char* key, std::uint64_t value);
    JsonLine& numbers(const char* key, const std::vector<double>& values);

    /// Writes the line to standard output at once, so that a reader sees it while the program goes on.
    void print() const;

  private:
    JsonLine& member(const char* key, const std::string& value);

    std::string members_;  ///< all but the closing brace
};

}  // namespace shredder::tools
