// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import java.util.List;

/**
 * Which of the bars of trust to try, and how often.
 *
 * @param only their names; none means all
 * @param brief some hundred attempts instead of all
 * @param seed of what is chosen at random
 */
record TrustChoice(List<String> only, boolean brief, long seed) {
    /** Names that are none of a bar. */
    List<String> unknown() {
        return only.stream().filter(name -> !TrustBars.names().contains(name)).toList();
    }

    boolean has(String name) {
        return only.isEmpty() || only.contains(name);
    }
}
