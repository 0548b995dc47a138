// SPDX-License-Identifier: Apache-2.0
#include "remote/remote_answers.h"

#include <algorithm>

#include "pipeline/error.h"

namespace shredder::remote {
namespace {

constexpr std::uint64_t kWordBits = 64;

void checkList(const FrameHeader& header, const std::vector<std::uint32_t>& list,
               std::uint64_t payloadBytes) {
    std::uint32_t before = 0;
    for (std::uint32_t entry : list) {
        std::uint32_t position = entry & ~kStrongFlag;
        if (position <= before || position > payloadBytes) {
            refuseAnswer(header, "candidate " + std::to_string(position) + " follows " +
                                     std::to_string(before) + " in a buffer of " +
                                     std::to_string(payloadBytes) + " bytes");
        }
        before = position;
    }
}

void checkBitmap(const FrameHeader& header, const std::vector<std::uint64_t>& bitmap,
                 std::uint64_t payloadBytes) {
    std::uint64_t used = payloadBytes % kWordBits;
    if (used != 0 && bitmap.back() >> used != 0) refuseAnswer(header, "candidates behind the buffer's end");
}

}  // namespace

void refuseAnswer(const FrameHeader& header, const std::string& why) {
    throw Error(SHREDDER_DEVICE_LOST, "its answer can't be true (frame type " +
                                          std::to_string(static_cast<std::uint32_t>(header.type)) +
                                          ", slot " + std::to_string(header.slot) + ", buffer " +
                                          std::to_string(header.sequence) + "): " + why);
}

CandidatesAnswer receiveCandidates(Connection& connection, const FrameHeader& header,
                                   std::uint64_t payloadBytes) {
    auto body = connection.receiveBody<CandidatesBody>();
    CandidatesAnswer answer{.form = body.form};
    bool bitmap = body.form == CandidatesForm::Bitmap;
    if (!bitmap && body.form != CandidatesForm::List && body.form != CandidatesForm::ListWithStrength) {
        refuseAnswer(header, "form " + std::to_string(static_cast<std::uint32_t>(body.form)));
    }
    std::uint64_t words = (payloadBytes + kWordBits - 1) / kWordBits;
    std::uint64_t entryBytes = bitmap ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    if (bitmap ? body.count != words : body.count > payloadBytes) {
        refuseAnswer(header,
                     std::to_string(body.count) + " entries for " + std::to_string(payloadBytes) + " bytes");
    }
    if (header.bodyBytes != sizeof body + body.count * entryBytes) {
        refuseAnswer(header, std::to_string(header.bodyBytes) + " bytes for " + std::to_string(body.count) +
                                 " entries");
    }
    if (bitmap) {
        answer.bitmap.resize(body.count);
        connection.receive(answer.bitmap.data(), body.count * entryBytes);
        checkBitmap(header, answer.bitmap, payloadBytes);
    } else {
        answer.list.resize(body.count);
        connection.receive(answer.list.data(), body.count * entryBytes);
        checkList(header, answer.list, payloadBytes);
    }
    return answer;
}

std::string receiveText(Connection& connection, const FrameHeader& header) {
    if (header.bodyBytes > kMostTextBytes) {
        refuseAnswer(header, "a text of " + std::to_string(header.bodyBytes) + " bytes");
    }
    std::string text(header.bodyBytes, ' ');
    connection.receive(text.data(), text.size());
    return readable(std::move(text));
}

std::string readable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

}  // namespace shredder::remote
