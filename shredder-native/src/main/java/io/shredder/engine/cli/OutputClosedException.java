// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import java.io.IOException;

/** Standard output can't be written any more; nearly always because its reader, such as {@code head}, has ended. */
final class OutputClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    OutputClosedException() {
        super("standard output is closed");
    }
}
