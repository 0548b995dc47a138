// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;

/** Bytes of an image can't be read, such as those of a bad sector; others may be. */
final class UnreadableException extends IOException {

    private static final long serialVersionUID = 1L;

    /** With the words of the system or server that refused them. */
    UnreadableException(String reason, Throwable cause) {
        super(reason, cause);
    }

    UnreadableException(String reason) {
        super(reason);
    }
}
