// SPDX-License-Identifier: Apache-2.0
#include "measure/json_line.h"

#include <cstdio>

namespace shredder::tools {
namespace {

std::string quoted(const std::string& value) {
    std::string text = "\"";
    for (char c : value) {
        char escaped[8];
        if (c == '"' || c == '\\') {
            text += {'\\', c};
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
            text += escaped;
        } else {
            text += c;
        }
    }
    text += '"';
    return text;
}

std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

}  // namespace

JsonLine& JsonLine::text(const char* key, const std::string& value) {
    return member(key, quoted(value));
}

JsonLine& JsonLine::number(const char* key, double value) {
    return member(key, decimal(value));
}

JsonLine& JsonLine::count(const char* key, std::uint64_t value) {
    return member(key, std::to_string(value));
}

JsonLine& JsonLine::numbers(const char* key, const std::vector<double>& values) {
    std::string list = "[";
    for (double value : values) {
        if (list.size() > 1) list += ',';
        list += decimal(value);
    }
    list += ']';
    return member(key, list);
}

void JsonLine::print() const {
    std::printf("%s}\n", members_.c_str());
    std::fflush(stdout);
}

JsonLine& JsonLine::member(const char* key, const std::string& value) {
    members_ += members_.empty() ? '{' : ',';
    members_ += quoted(key);
    members_ += ':';
    members_ += value;
    return *this;
}

}  // namespace shredder::tools
