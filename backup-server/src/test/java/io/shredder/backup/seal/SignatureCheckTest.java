// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both ways of signing sign the same, both ways of checking take and refuse the same; the vectors are those of RFC
 * 8032, section 7.1.
 */
class SignatureCheckTest {

    private static final HexFormat HEX = HexFormat.of();

    /** The group's order: added to a signature's second half it gives another form of it, which nobody may take. */
    private static final BigInteger ORDER =
            BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));

    /** A key's seed, its public key, a message and its signature. */
    private record Vector(String seed, String key, String message, String signature) {}

    private static final Vector[] VECTORS = {
        new Vector(
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        new Vector(
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        new Vector(
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
                "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    };

    /** One of the two. */
    private interface Way {
        boolean isSignature(SignatureCheck check, byte[] signature, byte[] message);
    }

    static Stream<Named<Way>> ways() {
        return Stream.of(
                Named.of("Bouncy Castle", SignatureCheck::byBouncyCastle),
                Named.of("AWS-LC", (check, signature, message) -> {
                    assumeTrue(AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() == null);
                    return check.by(AmazonCorrettoCryptoProvider.INSTANCE, signature, message);
                }));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void signaturesAreTakenAndNothingElseIs(Way way) {
        for (Vector vector : VECTORS) {
            SignatureCheck check = new SignatureCheck(HEX.parseHex(vector.key()));
            byte[] message = HEX.parseHex(vector.message());
            byte[] signature = HEX.parseHex(vector.signature());
            assertThat(way.isSignature(check, signature, message)).isTrue();
            assertThat(way.isSignature(check, signature, Arrays.copyOf(message, message.length + 1)))
                    .isFalse();
            for (int bit = 0; bit < 8 * signature.length; bit++) {
                byte[] flipped = signature.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                assertThat(way.isSignature(check, flipped, message))
                        .as("bit %d", bit)
                        .isFalse();
            }
            assertThat(way.isSignature(check, otherForm(signature), message)).isFalse();
        }
    }

    @Test
    void bothSignTheSame() {
        for (Vector vector : VECTORS) {
            byte[] seed = HEX.parseHex(vector.seed());
            byte[] message = HEX.parseHex(vector.message());
            byte[] signature = HEX.parseHex(vector.signature());
            assertThat(BouncyEd25519.publicKey(seed)).isEqualTo(HEX.parseHex(vector.key()));
            assertThat(BouncyEd25519.sign(seed, message)).isEqualTo(signature);
            assertThat(SigningKey.sign(seed, message)).isEqualTo(signature);
            assumeTrue(AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() == null);
            assertThat(SigningKey.by(AmazonCorrettoCryptoProvider.INSTANCE, seed, message))
                    .isEqualTo(signature);
        }
    }

    private static byte[] otherForm(byte[] signature) {
        byte[] other = signature.clone();
        byte[] half = reversed(Arrays.copyOfRange(signature, 32, 64));
        byte[] sum = reversed(new BigInteger(1, half).add(ORDER).toByteArray());
        System.arraycopy(sum, 0, other, 32, Math.min(32, sum.length));
        return other;
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }
}
