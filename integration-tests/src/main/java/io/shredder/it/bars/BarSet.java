// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import java.io.IOException;

/** The bars of one part of the product. Another set is one more implementation, named in {@link BarsCommand}. */
@FunctionalInterface
interface BarSet {
    /** Measures and records every bar of the set; one that can't be measured here is recorded as such. */
    void measure(Measuring measuring) throws IOException, InterruptedException;
}
