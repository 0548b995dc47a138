// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PolynomialTest {

    @Test
    void theDefaultIsIrreducible() {
        assertThat(Polynomial.isIrreducible(Polynomial.DEFAULT.bits())).isTrue();
    }

    @Test
    void productsOfSmallerPolynomialsAreReducible() {
        long seed = 4711;
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            int degree = 1 + random.nextInt(24);
            long product = product(randomOfDegree(random, degree), randomOfDegree(random, 48 - degree));
            assertThat(Polynomial.isIrreducible(product))
                    .as("seed %d, %x", seed, product)
                    .isFalse();
        }
    }

    @Test
    void aboutOneOddPolynomialIn24IsIrreducible() {
        Random random = new Random(12);
        int found = 0;
        for (int i = 0; i < 2_400; i++) {
            if (Polynomial.isIrreducible(randomOfDegree(random, 48) | 1)) {
                found++;
            }
        }
        assertThat(found).isBetween(60, 140);
    }

    @Test
    void aReduciblePolynomialIsRefusedWithARemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Polynomial(0x1_0000_0000_0001L))
                .withMessageContaining("reducible")
                .withMessageContaining("0x1000000002d");
    }

    @Test
    void anotherDegreeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Polynomial(0x1BL))
                .withMessageContaining("degree 48");
    }

    private static long randomOfDegree(Random random, int degree) {
        return 1L << degree | random.nextLong() & ((1L << degree) - 1);
    }

    /** Carry-less product, by BigInteger's bits alone so as to share no code with the class under test. */
    private static long product(long a, long b) {
        BigInteger product = BigInteger.ZERO;
        for (int bit = 0; bit < 49; bit++) {
            if ((b >>> bit & 1) != 0) {
                product = product.xor(BigInteger.valueOf(a).shiftLeft(bit));
            }
        }
        return product.longValueExact();
    }
}
