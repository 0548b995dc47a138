// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import java.io.IOException;
import java.util.List;

/** What is measured as a whole: a call of the bench that ends before it has measured nothing of it. */
interface ScaleUnit {
    /** Tells it from all others, also of other calls. */
    String id();

    /** How long it takes, by what is known of such machines; wrong by a factor of two or more. */
    double usualSeconds();

    /** Whether it is of this project's programs, which must not fail; others may be missing. */
    default boolean isOurs() {
        return true;
    }

    /**
     * Does it.
     *
     * @throws IOException if it can't be measured here, with why
     */
    List<ScaleRow> measure() throws IOException, InterruptedException;
}
