// SPDX-License-Identifier: Apache-2.0
#include "region/hmac_sha256.h"

#include <gtest/gtest.h>

#include "tests/hmac_of.h"

namespace shredder::test {
namespace {

TEST(HmacSha256Test, givesTheStandardsExamples) {
    // RFC 4231, cases 1, 2 and 3: a shorter key is the same with zeros behind it.
    Bytes ofB(20, 0x0b);
    ofB.resize(kDigestBytes);
    EXPECT_EQ(hexOf(hmacOf(ofB, bytesOf("Hi There")).data(), kDigestBytes),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    Bytes jefe = bytesOf("Jefe");
    jefe.resize(kDigestBytes);
    EXPECT_EQ(hexOf(hmacOf(jefe, bytesOf("what do ya want for nothing?")).data(), kDigestBytes),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    Bytes ofA(20, 0xaa);
    ofA.resize(kDigestBytes);
    EXPECT_EQ(hexOf(hmacOf(ofA, Bytes(50, 0xdd)).data(), kDigestBytes),
              "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

TEST(HmacSha256Test, ofManyDigestsIsThatOfEach) {
    Bytes key = splitmix64(1, kDigestBytes);
    for (std::size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 70U}) {
        Bytes digests = splitmix64(2, count * kDigestBytes);
        Bytes all = digests;
        HmacSha256(key.data()).ofDigests(all.data(), count);
        for (std::size_t i = 0; i < count; i++) {
            auto from = digests.begin() + static_cast<std::ptrdiff_t>(i * kDigestBytes);
            EXPECT_EQ(hexOf(all.data() + i * kDigestBytes, kDigestBytes),
                      hexOf(hmacOf(key, Bytes(from, from + kDigestBytes)).data(), kDigestBytes));
        }
    }
}

}  // namespace
}  // namespace shredder::test
