// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import java.io.IOException;

/** Standard output's reader, such as {@code head}, has ended. */
final class OutputClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    OutputClosedException(IOException cause) {
        super("standard output is closed", cause);
    }
}
