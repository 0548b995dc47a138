// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;
import java.nio.file.Path;

/** Whoever listens at a socket serves somebody else. */
public final class BusySocketException extends IOException {

    private static final long serialVersionUID = 1;

    BusySocketException(Path socket, IOException cause) {
        super("somebody else is connected to " + socket + " (" + cause.getMessage() + ")", cause);
    }
}
