// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import java.util.Arrays;

/** A matrix over {@link CodingField}; its elements are 0 to 255. */
final class CodingMatrix {

    private final int[][] rows;

    private CodingMatrix(int[][] rows) {
        this.rows = rows;
    }

    /** A row for each shard of a code, data shards first: which multiples of the data shards add up to it. */
    static CodingMatrix generator(ErasureCode code) {
        int[][] parity =
                switch (code.kind()) {
                    case RS -> cauchy(code);
                    case RS_LEGACY -> legacy(code);
                    case XOR -> ones(code.data());
                };
        int[][] all = Arrays.copyOf(identity(code.data()), code.shards());
        System.arraycopy(parity, 0, all, code.data(), code.parity());
        return new CodingMatrix(all);
    }

    /** Row i is 1 / ((data + i) XOR j). */
    private static int[][] cauchy(ErasureCode code) {
        int[][] rows = new int[code.parity()][code.data()];
        for (int i = 0; i < code.parity(); i++) {
            for (int j = 0; j < code.data(); j++) {
                rows[i][j] = CodingField.inverse((code.data() + i) ^ j);
            }
        }
        return rows;
    }

    /** Column j is the remainder of x^(parity + j) by the polynomial with the roots 2^0 .. 2^(parity - 1). */
    private static int[][] legacy(ErasureCode code) {
        int[] divisor = polynomialOfPowers(code.parity());
        int[] remainder = divisor.clone();
        int[][] rows = new int[code.parity()][code.data()];
        for (int j = 0; j < code.data(); j++) {
            for (int i = 0; i < code.parity(); i++) {
                rows[i][j] = remainder[i];
            }
            int over = remainder[code.parity() - 1];
            System.arraycopy(remainder, 0, remainder, 1, code.parity() - 1);
            remainder[0] = 0;
            for (int i = 0; i < code.parity(); i++) {
                remainder[i] ^= CodingField.product(over, divisor[i]);
            }
        }
        return rows;
    }

    /** Element i is the coefficient of x^i; the leading one, which is 1, is left out. */
    private static int[] polynomialOfPowers(int degree) {
        int[] polynomial = new int[degree + 1];
        polynomial[0] = 1;
        int root = 1;
        for (int i = 0; i < degree; i++) {
            for (int j = i + 1; j > 0; j--) {
                polynomial[j] = polynomial[j - 1] ^ CodingField.product(polynomial[j], root);
            }
            polynomial[0] = CodingField.product(polynomial[0], root);
            root = CodingField.product(root, 2);
        }
        return Arrays.copyOf(polynomial, degree);
    }

    private static int[][] ones(int columns) {
        int[][] row = new int[1][columns];
        Arrays.fill(row[0], 1);
        return row;
    }

    private static int[][] identity(int size) {
        int[][] one = new int[size][size];
        for (int i = 0; i < size; i++) {
            one[i][i] = 1;
        }
        return one;
    }

    int rows() {
        return rows.length;
    }

    int columns() {
        return rows[0].length;
    }

    int at(int row, int column) {
        return rows[row][column];
    }

    /** The rows with these numbers. */
    CodingMatrix rows(int[] numbers) {
        return new CodingMatrix(Arrays.stream(numbers).mapToObj(i -> rows[i]).toArray(int[][]::new));
    }

    CodingMatrix times(CodingMatrix other) {
        int[][] product = new int[rows()][other.columns()];
        for (int i = 0; i < rows(); i++) {
            for (int j = 0; j < columns(); j++) {
                addMultiple(product[i], rows[i][j], other.rows[j]);
            }
        }
        return new CodingMatrix(product);
    }

    /** Of a square matrix, by Gauss and Jordan. Any so many rows of a generator as it has columns have an inverse. */
    CodingMatrix inverted() {
        int size = rows();
        int[][] left = Arrays.stream(rows).map(int[]::clone).toArray(int[][]::new);
        int[][] right = identity(size);
        for (int column = 0; column < size; column++) {
            int pivot = pivot(left, column);
            swap(left, pivot, column);
            swap(right, pivot, column);
            int factor = CodingField.inverse(left[column][column]);
            scale(left[column], factor);
            scale(right[column], factor);
            for (int row = 0; row < size; row++) {
                if (row != column) {
                    int multiple = left[row][column];
                    addMultiple(left[row], multiple, left[column]);
                    addMultiple(right[row], multiple, right[column]);
                }
            }
        }
        return new CodingMatrix(right);
    }

    private static int pivot(int[][] matrix, int column) {
        for (int row = column; row < matrix.length; row++) {
            if (matrix[row][column] != 0) {
                return row;
            }
        }
        throw new IllegalStateException("bug: a matrix of an erasure code has no inverse");
    }

    private static void swap(int[][] matrix, int a, int b) {
        int[] row = matrix[a];
        matrix[a] = matrix[b];
        matrix[b] = row;
    }

    private static void scale(int[] row, int factor) {
        for (int i = 0; i < row.length; i++) {
            row[i] = CodingField.product(row[i], factor);
        }
    }

    private static void addMultiple(int[] target, int factor, int[] source) {
        for (int i = 0; i < target.length; i++) {
            target[i] ^= CodingField.product(factor, source[i]);
        }
    }
}
