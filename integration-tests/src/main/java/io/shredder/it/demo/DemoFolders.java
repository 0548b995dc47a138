// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import java.nio.file.Path;

/**
 * Where the demo works.
 *
 * @param root the checkout
 * @param cache downloads and inputs, kept from run to run
 * @param out the report and the logs, kept until the next run
 * @param keepsWork whether the work folder stays behind
 */
record DemoFolders(Path root, Path cache, Path out, boolean keepsWork) {
    /** The daemons' data and everything else that goes at the end. */
    Path work() {
        return out.resolve("work");
    }

    Path logs() {
        return out.resolve("logs");
    }
}
