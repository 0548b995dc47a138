// SPDX-License-Identifier: Apache-2.0
#include "measure/coding_requests.h"

#include <ctime>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace shredder::tools {
namespace {

constexpr std::size_t kLine = 64;
constexpr const char* kThreads = ":threads";

double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// The next word of a request, as a number.
std::uint64_t number(std::istringstream& words) {
    std::uint64_t value = 0;
    if (!(words >> value)) throw std::invalid_argument("a number is missing, or is none");
    return value;
}

CodingShape shapeOf(std::istringstream& words) {
    std::size_t data = number(words);
    return {data, number(words)};
}

CellPlace placeOf(std::istringstream& words) {
    std::string word;
    words >> word;
    if (word == "staggered") return CellPlace::kStaggered;
    if (word == "java") return CellPlace::kJava;
    throw std::invalid_argument("no place '" + word + "': use staggered or java");
}

const CodingContender& find(const std::vector<CodingContender>& contenders, const std::string& name) {
    for (const CodingContender& contender : contenders) {
        if (contender.name == name) return contender;
    }
    throw std::invalid_argument("no coder '" + name + "'");
}

/// The cells of the last request: those of the next are mostly the same.
CodingCells& cellsOf(const CodingShape& shape, std::size_t bytes, std::size_t stripes, CellPlace place) {
    static std::unique_ptr<CodingCells> cells;
    static std::string made;
    std::ostringstream wanted;
    wanted << shape.data << ' ' << shape.parity << ' ' << bytes << ' ' << stripes << ' '
           << static_cast<int>(place);
    if (cells == nullptr || made != wanted.str()) {
        cells.reset();
        cells = std::make_unique<CodingCells>(shape, bytes, stripes, place);
        made = wanted.str();
    }
    return *cells;
}

std::string rate(const CodingContender& contender, std::istringstream& words) {
    CodingShape shape = shapeOf(words);
    std::size_t bytes = number(words);
    std::size_t stripes = number(words);
    CellPlace place = placeOf(words);
    double goal = static_cast<double>(number(words)) / 1e3;
    CodeStripe code = contender.prepare(shape, bytes);
    CodingCells& cells = cellsOf(shape, bytes, stripes, place);
    bool threads = contender.name.ends_with(kThreads);
    clockid_t clock = threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double taken = 0;
    std::size_t count = 1;
    // What comes before the last batch warms up.
    for (;; count *= 2) {
        double begin = seconds(clock);
        for (std::size_t i = 0; i < count; i++) {
            code(cells.next());
        }
        taken = seconds(clock) - begin;
        if (taken >= goal / 2) break;
    }
    std::ostringstream answer;
    answer << std::setprecision(6) << static_cast<double>(count * shape.data * bytes) / taken / 1e9;
    return answer.str();
}

void generate(std::uint8_t* shard, std::size_t bytes, std::uint64_t state) {
    for (std::size_t b = 0; b < bytes; b++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        shard[b] = static_cast<std::uint8_t>(state >> 56);
    }
}

std::string digest(const CodingContender& contender, std::istringstream& words) {
    CodingShape shape = shapeOf(words);
    std::size_t bytes = number(words);
    std::size_t offset = number(words);
    std::size_t step = number(words);
    std::uint64_t seed = number(words);
    std::size_t stride = (bytes + 2 * kLine) / kLine * kLine;
    std::vector<std::uint8_t> memory(shape.shards() * stride + kLine);
    auto base = reinterpret_cast<std::uintptr_t>(memory.data());
    std::uint8_t* first = memory.data() + (0 - base) % kLine;
    std::vector<std::uint8_t*> cells;
    for (std::size_t i = 0; i < shape.shards(); i++) {
        cells.push_back(first + i * stride + (offset + step * i) % kLine);
        if (i < shape.data) generate(cells[i], bytes, seed + i * 0x9e3779b97f4a7c15ULL);
    }
    contender.prepare(shape, bytes)(cells.data());
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (std::size_t i = shape.data; i < shape.shards(); i++) {
        for (std::size_t b = 0; b < bytes; b++) {
            hash = (hash ^ cells[i][b]) * 0x100000001b3ULL;
        }
    }
    std::ostringstream answer;
    answer << std::hex << std::setw(16) << std::setfill('0') << hash;
    return answer.str();
}

std::string answer(const std::vector<CodingContender>& contenders, const std::string& line) {
    std::istringstream words(line);
    std::string request;
    std::string name;
    words >> request;
    if (request == "names") {
        for (const CodingContender& contender : contenders) {
            name += (name.empty() ? "" : " ") + contender.name;
        }
        return name;
    }
    words >> name;
    if (request == "rate") return rate(find(contenders, name), words);
    if (request == "digest") return digest(find(contenders, name), words);
    throw std::invalid_argument("no request '" + request + "': use names, rate or digest");
}

}  // namespace

void answerCodingRequests(const std::vector<CodingContender>& contenders) {
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            std::cout << answer(contenders, line) << std::endl;
        } catch (const std::exception& problem) {
            std::cout << "error: " << problem.what() << std::endl;
        }
    }
}

}  // namespace shredder::tools
