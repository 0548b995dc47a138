// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

/**
 * An irreducible polynomial of degree 48 over GF(2): the modulus of Rabin fingerprints.
 *
 * @param bits its coefficients, bit {@code i} that of {@code x^i}, with the leading term (49 bits)
 */
public record Polynomial(long bits) {

    /** The only degree that format version 1 knows; also the number of bits of a fingerprint of a position. */
    public static final int DEGREE = 48;

    /** x^48 + x^5 + x^3 + x^2 + 1, which needs no tables ({@code docs/formats/chunking.md}, section 1). */
    public static final Polynomial DEFAULT = new Polynomial(0x1_0000_0000_002DL);

    private static final long X = 2;

    /**
     * Accepts only irreducible polynomials of degree 48.
     *
     * @throws IllegalArgumentException for any other
     */
    public Polynomial {
        if (bits >>> DEGREE != 1) {
            throw new IllegalArgumentException(
                    "polynomial 0x" + Long.toHexString(bits) + " is not of degree " + DEGREE + ": use one of 49 bits");
        }
        if (!isIrreducible(bits)) {
            throw new IllegalArgumentException("polynomial 0x" + Long.toHexString(bits)
                    + " is reducible: use an irreducible one such as 0x1000000002d");
        }
    }

    /**
     * Rabin's test for degree n = 48: P is irreducible if and only if x^(2^48) = x (mod P) and, for each prime q that
     * divides 48 (2 and 3), gcd(x^(2^(48/q)) - x, P) = 1.
     */
    static boolean isIrreducible(long p) {
        return frobenius(DEGREE, p) == X
                && gcd(p, frobenius(DEGREE / 2, p) ^ X) == 1
                && gcd(p, frobenius(DEGREE / 3, p) ^ X) == 1;
    }

    /** x^(2^times) mod p, by squaring {@code times} times. */
    private static long frobenius(int times, long p) {
        long power = X;
        for (int i = 0; i < times; i++) {
            power = multiply(power, power, p);
        }
        return power;
    }

    /** a * b mod p; both have degree below that of p. */
    private static long multiply(long a, long b, long p) {
        long product = 0;
        for (int bit = DEGREE - 1; bit >= 0; bit--) {
            product = timesX(product, p);
            if ((b >>> bit & 1) != 0) {
                product ^= a;
            }
        }
        return product;
    }

    /** a * x mod p. */
    static long timesX(long a, long p) {
        long shifted = a << 1;
        return shifted >>> DEGREE != 0 ? shifted ^ p : shifted;
    }

    private static long gcd(long a, long b) {
        while (b != 0) {
            long remainder = remainder(a, b);
            a = b;
            b = remainder;
        }
        return a;
    }

    private static long remainder(long a, long b) {
        int degree = 63 - Long.numberOfLeadingZeros(b);
        while (a != 0 && 63 - Long.numberOfLeadingZeros(a) >= degree) {
            a ^= b << (63 - Long.numberOfLeadingZeros(a) - degree);
        }
        return a;
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(bits);
    }
}
