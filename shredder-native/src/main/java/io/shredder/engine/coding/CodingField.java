// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

/** The field of 256 elements: polynomials over GF(2) modulo x^8 + x^4 + x^3 + x^2 + 1. Addition is XOR. */
final class CodingField {

    static final int SIZE = 256;
    private static final int POLYNOMIAL = 0x11d;

    /** {@code PRODUCTS[a][b]} is a times b. */
    private static final byte[][] PRODUCTS = products();

    private CodingField() {}

    private static byte[][] products() {
        byte[][] all = new byte[SIZE][SIZE];
        for (int a = 0; a < SIZE; a++) {
            for (int b = 0; b < SIZE; b++) {
                all[a][b] = (byte) multiply(a, b);
            }
        }
        return all;
    }

    /** Bit by bit: the definition. */
    private static int multiply(int a, int b) {
        int sum = 0;
        int shifted = a;
        for (int bit = 0; bit < 8; bit++) {
            if ((b >> bit & 1) != 0) {
                sum ^= shifted;
            }
            shifted <<= 1;
            if (shifted >= SIZE) {
                shifted ^= POLYNOMIAL;
            }
        }
        return sum;
    }

    static int product(int a, int b) {
        return PRODUCTS[a][b] & 0xFF;
    }

    /** Element {@code b & 0xFF} is the factor times b. */
    static byte[] multiples(int factor) {
        return PRODUCTS[factor];
    }

    /** The element with which {@code a}, not 0, gives 1. */
    static int inverse(int a) {
        for (int b = 1; b < SIZE; b++) {
            if (product(a, b) == 1) {
                return b;
            }
        }
        throw new IllegalArgumentException("0 has no inverse");
    }
}
