// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.util.List;

/** The value in the middle. */
public final class Medians {
    private Medians() {}

    /** The lower of the two in the middle of an even number, so that it is one that was measured; NaN of none. */
    public static double of(List<Double> values) {
        return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get((values.size() - 1) / 2);
    }
}
