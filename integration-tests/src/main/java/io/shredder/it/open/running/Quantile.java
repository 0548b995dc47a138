// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import java.util.List;

/** The figure that 99 of 100 are not above. */
final class Quantile {

    private Quantile() {}

    static double p99(List<Double> figures) {
        return figures.stream().sorted().toList().get(figures.size() * 99 / 100);
    }
}
