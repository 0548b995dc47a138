// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import java.util.Locale;

/**
 * What the link to the store carries.
 *
 * @param gbit 10^9 bits a second each way; 0 for what the loopback device carries by itself
 */
record LinkRate(double gbit) {
    private static final String NONE = "none";

    /**
     * Reads a number, or {@code none}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static LinkRate parse(String text) {
        if (text.equals(NONE)) {
            return new LinkRate(0);
        }
        try {
            double gbit = Double.parseDouble(text);
            if (gbit > 0 && gbit <= 1000) {
                return new LinkRate(gbit);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new IllegalArgumentException(
                "--links has '" + text + "': give Gbit/s above 0 and up to 1000, or none for no limit");
    }

    boolean isLimited() {
        return gbit > 0;
    }

    /** In tables. */
    String title() {
        return isLimited() ? number() + " Gbit/s" : "loopback, no limit";
    }

    /** In names of files. */
    String word() {
        return isLimited() ? number() + "-gbit" : "no-limit";
    }

    private String number() {
        return gbit == Math.rint(gbit)
                ? String.format(Locale.ROOT, "%.0f", gbit)
                : String.format(Locale.ROOT, "%.2f", gbit);
    }
}
