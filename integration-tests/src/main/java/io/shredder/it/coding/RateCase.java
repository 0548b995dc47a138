// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

/**
 * Cells that are coded for some time.
 *
 * @param data number of data cells of a stripe
 * @param parity number of parity cells
 * @param bytes of each cell
 * @param stripes that are coded in turn: 1 for one that the caches keep
 * @param place {@code staggered}, or {@code java} where all cells lie 16 bytes behind a page's begin
 * @param milliseconds for about how long
 */
public record RateCase(int data, int parity, int bytes, int stripes, String place, int milliseconds) {
    private static final int POOL_BYTES = 320 << 20;

    /** One stripe, again and again. */
    public static RateCase hot(int data, int parity, int bytes, String place) {
        return new RateCase(data, parity, bytes, 1, place, 60);
    }

    /** Cells of 1 MiB out of a pool of 320 MiB. */
    public static RateCase stream(int data, int parity, String place) {
        int bytes = 1 << 20;
        return new RateCase(data, parity, bytes, POOL_BYTES / bytes / (data + parity), place, 100);
    }

    String request(String name) {
        return String.join(
                " ", "rate", name, "" + data, "" + parity, "" + bytes, "" + stripes, place, "" + milliseconds);
    }
}
