// SPDX-License-Identifier: Apache-2.0
//
// The engine's coder as a program that takes requests (coding_requests.h). Its names: each form that this CPU
// can run; FORM:decode, which loses as many data shards as there is parity; FORM:scattered, which loses every
// second shard, and wants the data among them; FORM:matrix, without the transform; FORM:threads and
// probe:threads, on all the CPUs it may use; and probe, the memory's limit.
#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "coding/erasure_coder.h"
#include "cpu/worker_pool.h"
#include "measure/coding_requests.h"

namespace shredder::tools {
namespace {

using namespace shredder::coding;

Code codeOf(const CodingShape& shape) {
    return {SHREDDER_CODE_RS, shape.data, shape.parity};
}

CodeStripe encoding(const CodingForm& form, const CodingShape& shape, std::size_t bytes, unsigned threads) {
    auto coder = std::make_shared<ErasureCoder>(codeOf(shape), form, threads);
    return [=](std::uint8_t* const* cells) { coder->encode(cells, cells + shape.data, bytes); };
}

CodeStripe decoding(const CodingForm& form, const CodingShape& shape, std::size_t bytes,
                    std::vector<std::size_t> lost) {
    auto coder = std::make_shared<ErasureCoder>(codeOf(shape), form, 1);
    std::vector<std::size_t> wanted;
    std::copy_if(lost.begin(), lost.end(), std::back_inserter(wanted),
                 [&](std::size_t shard) { return shard < shape.data; });
    return [=](std::uint8_t* const* cells) {
        const std::uint8_t* shards[kMostShards];
        std::copy_n(cells, shape.shards(), shards);
        std::uint8_t* outputs[kMostShards];
        for (std::size_t i = 0; i < wanted.size(); i++) {
            outputs[i] = cells[wanted[i]];
        }
        for (std::size_t shard : lost) {
            shards[shard] = nullptr;
        }
        coder->decode(shards, wanted, outputs, bytes);
    };
}

std::vector<std::size_t> firstOf(const CodingShape& shape) {
    std::vector<std::size_t> lost(std::min(shape.data, shape.parity));
    std::iota(lost.begin(), lost.end(), 0);
    return lost;
}

std::vector<std::size_t> everySecondOf(const CodingShape& shape) {
    std::vector<std::size_t> lost;
    for (std::size_t shard = 0; shard < shape.shards() && lost.size() < shape.parity; shard += 2) {
        lost.push_back(shard);
    }
    return lost;
}

CodeStripe multiplying(const CodingForm& form, const CodingShape& shape, std::size_t bytes) {
    auto matrix = std::make_shared<PreparedMatrix>(parityRows(codeOf(shape)), form);
    return [=](std::uint8_t* const* cells) { matrix->apply(cells, cells + shape.data, 0, bytes); };
}

CodeStripe probing(const CodingShape& shape, std::size_t bytes, unsigned threads) {
    if (threads == 1) {
        return [=](std::uint8_t* const* cells) { probeMemory(shape, cells, 0, bytes); };
    }
    auto pool = std::make_shared<WorkerPool>(threads);
    std::size_t each = bytes / threads / 128 * 128;
    return [=](std::uint8_t* const* cells) {
        auto task = pool->start(threads, [&](std::size_t piece) {
            probeMemory(shape, cells, piece * each, piece + 1 == threads ? bytes - piece * each : each);
        });
        task.wait();
    };
}

std::vector<CodingContender> contenders() {
    unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<CodingContender> all{
        {"probe", [](const CodingShape& shape, std::size_t bytes) { return probing(shape, bytes, 1); }},
        {"probe:threads",
         [=](const CodingShape& shape, std::size_t bytes) { return probing(shape, bytes, threads); }}};
    for (const CodingForm* form : codingForms(cpuFeatures())) {
        all.push_back({form->name, [=](const CodingShape& shape, std::size_t bytes) {
                           return encoding(*form, shape, bytes, 1);
                       }});
        all.push_back({std::string(form->name) + ":decode", [=](const CodingShape& shape, std::size_t bytes) {
                           return decoding(*form, shape, bytes, firstOf(shape));
                       }});
        all.push_back(
            {std::string(form->name) + ":scattered", [=](const CodingShape& shape, std::size_t bytes) {
                 return decoding(*form, shape, bytes, everySecondOf(shape));
             }});
        all.push_back({std::string(form->name) + ":matrix", [=](const CodingShape& shape, std::size_t bytes) {
                           return multiplying(*form, shape, bytes);
                       }});
        all.push_back(
            {std::string(form->name) + ":threads", [=](const CodingShape& shape, std::size_t bytes) {
                 return encoding(*form, shape, bytes, threads);
             }});
    }
    return all;
}

}  // namespace
}  // namespace shredder::tools

int main() {
    shredder::tools::answerCodingRequests(shredder::tools::contenders());
    return 0;
}
